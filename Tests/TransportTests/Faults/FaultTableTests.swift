import Foundation
import Origin
import SystemCalls
import Testing
import Transport
import TransportContracts

/// H1 to H15 and T1 to T16, on both transports, compared.
@Suite("Faults of servers")
struct FaultTableTests {
  private static let cases = BodyFaults.cases + HeadFaults.cases + ExchangeFaults.cases

  @Test("The socket transport is right about every one; what url-session does otherwise is known")
  func exchanges() async throws {
    let table = try await FaultTable.run(Self.cases, Backend.allCases)
    let reasons = URLSessionDifferences.exchanges
    for row in table.rows {
      for place in row.differences(.socket) {
        let verdict = row.verdicts[place] ?? ""
        Issue.record(
          "\(row.fault.group) \(row.fault.name), \(place.position) over \(place.scheme): \(verdict), not \(row.fault.expected(place.scheme))"
        )
      }
      let others = Set(row.differences(.urlSession).compactMap { row.verdicts[$0] })
      if reasons[row.fault.name] == nil, !others.isEmpty {
        Issue.record(
          "url-session, not known: \(row.fault.name): \(others.sorted()), not \(row.fault.expected)"
        )
      }
      if reasons[row.fault.name] != nil, others.isEmpty,
        !URLSessionDifferences.sometimes.contains(row.fault.name)
      {
        Issue.record("url-session, right now: \(row.fault.name)")
      }
    }
    try report(table.text(reasons: reasons), as: "exchanges")
  }

  @Test("Every case has a name of its own, and every known difference is one of a case")
  func names() {
    let names = Self.cases.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(names).isSuperset(of: URLSessionDifferences.exchanges.keys))
    #expect(
      Set(URLSessionDifferences.exchanges.keys).isSuperset(of: URLSessionDifferences.sometimes))
  }

  @Test(
    "A server that ends the helper of url-session costs the transfers beside it time, nothing else")
  func neighbours() async throws {
    var lines = [
      "| the server | | its own transfer | beside it | their requests |", "|---|---|---|---|---|",
    ]
    for fault in Self.cases where ["FIN in the header", "a trailer"].contains(fault.name) {
      for backend in Backend.allCases {
        let transport = try backend.makeTransport()
        let outcome = try await NeighbourExchange.outcome(fault, transport)
        await transport.shutdown()
        let count = NeighbourExchange.neighbours
        #expect(outcome.verdict == (backend == .socket ? fault.expected : "helperDied"))
        #expect(outcome.whole == count, "\(backend.rawValue): \(fault.name)")
        // Once more at most, for those that were under way.
        #expect((count...2 * count).contains(outcome.requests))
        lines.append(
          "| \(fault.name) | \(backend.rawValue) | \(outcome.verdict) "
            + "| \(outcome.whole) of \(count) whole | \(outcome.requests) |")
      }
    }
    #expect(lines.count == 6)
    try report(lines.joined(separator: "\n") + "\n", as: "neighbours")
  }

  @Test("Nothing is asked of a server that does not prove who it is")
  func identities() async throws {
    var lines = ["| the server | socket | url-session | |", "|---|---|---|---|"]
    let backends = Backend.allCases.filter { $0.schemes.contains(.https) }
    for fault in TLSFault.cases {
      var cells: [String] = []
      for backend in backends {
        let transport = try backend.makeTransport()
        let verdict = try await fault.verdict(transport)
        await transport.shutdown()
        cells.append(verdict)
        if backend == .urlSession, let known = URLSessionDifferences.identities[fault.name] {
          #expect(verdict != fault.expected, "\(fault.name) is right now; known was: \(known)")
        } else {
          #expect(verdict == fault.expected, "\(backend.rawValue): \(fault.name)")
        }
      }
      let note = URLSessionDifferences.identities[fault.name] ?? ""
      lines.append("| \(fault.name) | \(cells.joined(separator: " | ")) | \(note) |")
    }
    try report(lines.joined(separator: "\n") + "\n", as: "identities")
  }

  @Test("A server without TLS, one that stalls and one that breaks TLS are told apart")
  func brokenTLS() async throws {
    for backend in Backend.allCases where backend.schemes.contains(.https) {
      let transport = try backend.makeTransport()
      let plain = try ScriptedServer { _, _, _ in .ok("secret") }
      let error = try await transport.failure("https://127.0.0.1:\(plain.port)/")
      #expect([.tls, .protocolViolation].contains(error.code), "\(backend): \(error.code)")
      #expect(plain.requests.allSatisfy { $0.head == nil }, "\(backend): no silent way to http")
      let mute = try ScriptedServer(scripts: [[.hold(nil)]])
      let stalled = try await transport.failure(
        "https://127.0.0.1:\(mute.port)/", limits: .impatient.with { $0.connectTimeout = 1 })
      #expect(
        [.connectTimeout, .idleTimeout].contains(stalled.code), "\(backend): \(stalled.code)")
      try await Scheme.https.run {
        let broken = try ScriptedServer { _, _, _ in
          [
            .sendString("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"),
            .sendRaw(Array("no record of TLS".utf8)), .hold(nil),
          ]
        }
        let error = try await transport.failure(broken.url)
        #expect(
          [.connectionLost, .truncated, .tls].contains(error.code), "\(backend): \(error.code)")
      }
      await transport.shutdown()
    }
  }

  /// Prints a table, and keeps it where IMGDL_TABLES says.
  private func report(_ text: String, as name: String) throws {
    print(text)
    guard let folder = Machine.environment("IMGDL_TABLES") else { return }
    try text.write(toFile: "\(folder)/\(name).md", atomically: true, encoding: .utf8)
  }
}
