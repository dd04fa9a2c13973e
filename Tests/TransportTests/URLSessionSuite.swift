import Models
import Origin
import SystemCalls
import Testing
import Transport
import TransportContracts
import TransportURLSession
import WorkerProcess

/// What the suites over the `url-session` adapter share: one transport with its helper program.
protocol URLSessionSuite {
  var transport: URLSessionTransport { get }
}

extension URLSessionSuite {
  /// Where bodies pass through.
  static var spool: String { Machine.environment("TMPDIR") ?? "/tmp" }

  static func makeTransport(
    spool: String = Self.spool, program: String? = nil,
    environment: [String] = WorkerEnvironment.passing(), capacity: Int = 64, patience: Double = 10
  ) throws -> URLSessionTransport {
    let path = try program ?? HelperLocator().path(of: "imgdl-urlsession")
    var configuration = URLSessionTransport.Configuration(
      program: WorkerProgram(path: path, environment: environment), spoolFolder: spool,
      userAgent: "imgdl-test/1")
    configuration.transfersPerHelper = capacity
    configuration.cancelSeconds = patience
    return try URLSessionTransport(configuration)
  }

  static func ok(_ body: String, _ fields: String = "") -> [ScriptedServer.Action] {
    .ok(body, fields: fields)
  }

  func request(_ server: ScriptedServer, _ path: String = "") throws -> TransportRequest {
    TransportRequest(url: try HTTPURL(server.url + path), addresses: .any)
  }

  /// The error of a transfer that must fail, after which its sink must hear nothing more.
  func failure(
    _ request: TransportRequest, into sink: RecordingSink = RecordingSink()
  ) async throws -> TransportError {
    do {
      let response = try await transport.perform(request, into: sink)
      Issue.record("no failure but \(response)")
      throw UnexpectedSuccess()
    } catch let error as TransportError {
      sink.end()
      #expect(sink.callsAfterEnd == 0)
      return error
    }
  }
}
