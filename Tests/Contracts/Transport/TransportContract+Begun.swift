import Glibc
import HTTP1
import Models
import Origin
import Synchronization
import Testing
import Transport

extension TransportContract {
  /// The result of an exchange that no task waits for.
  private final class Ending: Sendable {
    typealias Result = Swift.Result<TransportResponse, TransportError>

    private let results = Mutex<[Result]>([])
    private let first = try? Gate()

    func note(_ result: Result) {
      results.withLock { $0.append(result) }
      first?.open()
    }

    var count: Int { results.withLock { $0.count } }

    func wait() async throws -> Result {
      await first?.wait()
      return try #require(results.withLock { $0.first })
    }
  }

  /// The exchange is under way at once, and the rule may come late to its next line: everything runs
  /// beside thousands of other tests.
  private static let patient = TransferLimits.testing.with {
    $0.idleTimeout = 300
    $0.totalTimeout = 300
  }

  private static func begin(
    _ transport: any Transport, _ url: String, _ sink: CollectingSink, _ ending: Ending
  ) throws -> any Cancellable {
    transport.begin(
      TransportRequest(url: try HTTPURL(url), limits: patient, addresses: .any), into: sink
    ) {
      sink.close()
      ending.note($0)
    }
  }

  static let begun = [
    Rule("A begun exchange ends once, after its redirects, with its result") { transport in
      let server = try ScriptedServer { _, _, request in
        request.head?.target == "/" ? .redirect(to: "/there") : .ok("there")
      }
      let (sink, ending) = (CollectingSink(), Ending())
      let exchange = try begin(transport, server.url, sink, ending)
      let response = try await ending.wait().get()
      #expect(response.redirectCount == 1)
      #expect(sink.body == Array("there".utf8))
      exchange.cancel()
      #expect(try await transport.fetch(server.url + "there").body == Array("there".utf8))
      #expect(ending.count == 1)
      #expect(sink.lateCalls == 0)
    },
    Rule("A begun exchange that is cancelled ends as cancelled, and its sink is not called again") {
      transport in
      let begun = try Gate()
      let body = randomBytes(4 << 20, seed: 17)
      let server = try ScriptedServer { _, _, _ in
        [
          .sendString("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"), .send(body),
          .hold(nil),
        ]
      }
      let (sink, ending) = (CollectingSink(onReceive: { begun.open() }), Ending())
      let exchange = try begin(transport, server.url, sink, ending)
      await begun.wait()
      exchange.cancel()
      guard case .failure(let error) = try await ending.wait() else {
        Issue.record("it did not fail")
        return
      }
      #expect(error.code == .cancelled)
      exchange.cancel()
      let other = try ScriptedServer { _, _, _ in .ok(body) }
      #expect(try await transport.fetch(other.url).body == body)
      #expect(sink.lateCalls == 0)
      #expect(ending.count == 1)
    },
    Rule("A request that cannot be sent ends with its error, also if it is only begun") {
      transport in
      let ending = Ending()
      var request = TransportRequest(
        url: try HTTPURL("http://127.0.0.1:1/"), limits: patient, addresses: .any)
      request.fields.append("X-Bad", "a\r\nb")
      _ = transport.begin(request, into: CollectingSink()) { ending.note($0) }
      guard case .failure(let error) = try await ending.wait() else {
        Issue.record("it did not fail")
        return
      }
      #expect(error.code == .invalidRequest)
    },
    Rule("Begun exchanges end when the transport is shut down") { transport in
      let asked = try Gate()
      let server = try ScriptedServer { _, _, _ in [.open(asked), .hold(nil)] }
      let endings = [Ending(), Ending()]
      _ = try begin(transport, server.url, CollectingSink(), endings[0])
      await asked.wait()
      await transport.shutdown()
      _ = try begin(transport, server.url, CollectingSink(), endings[1])
      for ending in endings {
        guard case .failure(let error) = try await ending.wait() else {
          Issue.record("it did not fail")
          continue
        }
        #expect(error.code == .cancelled)
      }
    },
  ]
}
