import Transport
import TransportSocket

/// The adapters that are held to the contract.
enum Backend: String, CaseIterable, Sendable {
  case socket

  func makeTransport() throws -> any Transport {
    switch self {
    case .socket: SocketTransport()
    }
  }

  /// Rules that an adapter cannot keep, by their name, with the reason.
  var knownDifferences: [String: String] {
    switch self {
    case .socket: [:]
    }
  }
}
