import HTTP1
import Models
import Origin
import Synchronization
import Testing
import Transport
import TransportContracts

/// What each transport makes of each fault, in every position, with TLS and without.
struct FaultTable: Sendable {
  struct Place: Hashable, Sendable {
    let backend: Backend
    let scheme: Scheme
    let position: Position
  }

  struct Row: Sendable {
    let fault: FaultCase
    var verdicts: [Place: String] = [:]

    /// Places where something else came of it than should. URLSession does not tell a reset from an
    /// early end.
    func differences(_ backend: Backend) -> [Place] {
      verdicts.keys.filter { place in
        guard place.backend == backend, let verdict = verdicts[place] else { return false }
        let expected = fault.expected(place.scheme)
        return backend == .socket ? verdict != expected : !Verdict.isSame(verdict, expected)
      }
    }
  }

  private(set) var rows: [Row] = []

  /// Runs all cases on each transport, a few at the same time.
  static func run(_ cases: [FaultCase], _ backends: [Backend], width: Int = 6) async throws -> Self
  {
    var table = FaultTable()
    table.rows = cases.map { Row(fault: $0) }
    for backend in backends {
      let next = Counter()
      try await withThrowingTaskGroup(of: [Int: [Place: String]].self) { group in
        for _ in 0..<width { group.addTask { try await slot(cases, backend, next) } }
        for try await results in group {
          for (index, verdicts) in results { table.rows[index].verdicts.merge(verdicts) { $1 } }
        }
      }
    }
    return table
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
  }

  /// Takes one case after the other, all on one transport.
  private static func slot(
    _ cases: [FaultCase], _ backend: Backend, _ next: Counter
  ) async throws -> [Int: [Place: String]] {
    let transport = try backend.makeTransport()
    var results: [Int: [Place: String]] = [:]
    while true {
      let index = next.next()
      guard index < cases.count else { break }
      for scheme in backend.schemes {
        for position in Position.allCases {
          let place = Place(backend: backend, scheme: scheme, position: position)
          results[index, default: [:]][place] = try await scheme.run {
            try await FaultExchange(cases[index], position, transport).verdict()
          }
        }
      }
    }
    await transport.shutdown()
    return results
  }
}

/// One fault in one position: a server of its own, and a transport that may have served others.
struct FaultExchange {
  private let fault: FaultCase
  private let position: Position
  private let transport: any Transport
  private let server: ScriptedServer

  init(_ fault: FaultCase, _ position: Position, _ transport: any Transport) throws {
    self.fault = fault
    self.position = position
    self.transport = transport
    server = try ScriptedServer { _, _, request in
      switch request.head?.target.prefix(5) {
      case "/warm": .ok("warm")
      case "/next": .ok("next")
      case "/good": .ok("good")
      default: fault.answer(request)
      }
    }
  }

  /// What came of it, and of the request behind it where that shows that the fault lives on.
  func verdict() async throws -> String {
    defer { server.stop() }
    if position == .reused {
      let warm = try await ask("warm", .faults)
      guard warm == "200 \"warm\"" else { return "before it: \(warm)" }
    }
    var verdict = try await ask("fault", fault.limits)
    let place = server.requests.last { $0.head?.target.hasPrefix("/fault") ?? false }
    if position == .reused, !server.requests.contains(where: { $0.index == 1 }) {
      verdict += ", not on the same connection"
    }
    let after = try await ask("good", .faults)
    if after != "200 \"good\"" { verdict += ", then \(after)" }
    if Verdict.isOfBrokenMessage(verdict), server.requests.last?.connection == place?.connection {
      verdict += ", the connection is kept"
    }
    return verdict
  }

  private func ask(_ path: String, _ limits: TransferLimits) async throws -> String {
    let sink = CollectingSink()
    let request = TransportRequest(
      url: try HTTPURL(server.url + path), fields: position.fields, limits: limits, addresses: .any)
    do throws(TransportError) {
      let response = try await transport.perform(request, into: sink)
      return Verdict.of(response, sink.body)
    } catch {
      return error.code.rawValue
    }
  }
}
