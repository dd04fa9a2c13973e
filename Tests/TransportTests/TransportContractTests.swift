import Testing
import Transport
import TransportContracts

@Suite("Transport contract")
struct TransportContractTests {
  /// A transport, over TLS or without.
  struct Way: Sendable, CustomTestStringConvertible {
    let backend: Backend
    let scheme: Scheme

    var testDescription: String { "\(backend.rawValue) over \(scheme)" }

    static let all = Backend.allCases.flatMap { backend in
      backend.schemes.map { Way(backend: backend, scheme: $0) }
    }
  }

  @Test("Every transport keeps every rule", arguments: Way.all, TransportContract.rules)
  func rule(way: Way, rule: TransportContract.Rule) async throws {
    let transport = try way.backend.makeTransport()
    try await way.scheme.run {
      if let reason = way.backend.knownDifferences[rule.name] {
        await withKnownIssue(Comment(rawValue: reason)) { try await rule.check(transport) }
      } else {
        try await rule.check(transport)
      }
    }
    await transport.shutdown()
  }

  @Test("The names of the rules are different, and known differences name rules")
  func names() {
    let names = Set(TransportContract.rules.map(\.name))
    #expect(names.count == TransportContract.rules.count)
    for backend in Backend.allCases {
      #expect(names.isSuperset(of: backend.knownDifferences.keys))
    }
  }
}
