import SystemCalls
import Transport
import TransportSocket
import TransportURLSession
import WorkerProcess

/// The adapters that are held to the contract.
enum Backend: String, CaseIterable, Sendable {
  case socket
  case urlSession = "url-session"

  /// Trusts the authority of `Scheme`.
  func makeTransport() throws -> any Transport {
    switch self {
    case .socket:
      var options = SocketOptions()
      options.authorities = try Scheme.authority.get().path
      return SocketTransport(options)
    case .urlSession:
      return try URLSessionTransport(
        URLSessionTransport.Configuration(
          program: try TrustingHelper.program(),
          spoolFolder: Machine.environment("TMPDIR") ?? "/tmp"))
    }
  }

  /// What it can be tried with here.
  var schemes: [Scheme] {
    self == .socket || TrustingHelper.isPossible ? Scheme.allCases : [.http]
  }

  private static let halfHead =
    "half a header kills the helper, which is .helperDied; swift-corelibs-foundation #5285"

  /// Rules that an adapter cannot keep, by their name, with the reason.
  var knownDifferences: [String: String] {
    switch self {
    case .socket: [:]
    case .urlSession:
      [
        "A response that is truncated is never a success": Self.halfHead,
        "A reused connection that dies in the answer is an error": Self.halfHead,
        "A chunked body arrives without its chunks":
          "trailer fields kill the helper like half a header does; "
          + "swift-corelibs-foundation #5285",
        "The head has the status, URL and fields that were received":
          "a field without a space behind its colon fails the response; "
          + "swift-corelibs-foundation #5527",
        "IPv6 works like IPv4":
          "an IPv6 address in a URL is refused; swift-corelibs-foundation #5496",
        "The sink receives no body of a redirect":
          "URLSession tells of a redirect only when its body has ended",
      ]
    }
  }
}
