import Models
import Transport

/// Determines the most specific reason why a connection attempt failed: the last failed address, or
/// else an address that the policy forbids, or else a failed lookup.
struct DialFailures {
  private var connecting: (code: TransportError.Code, detail: String)?
  private var forbidden: IPAddress?
  private var resolving: ResolveError?

  mutating func recordFailedAddress(_ code: TransportError.Code, _ detail: String) {
    connecting = (code, detail)
  }

  mutating func recordForbiddenAddress(_ address: IPAddress) { forbidden = address }

  /// Records a failed lookup. An error other than `.noAddress` is the more specific one and is not
  /// replaced by `.noAddress`.
  mutating func recordFailedLookUp(_ error: ResolveError) {
    if resolving == nil || resolving?.code == .noAddress { resolving = error }
  }

  /// - Parameters:
  ///   - host: The host of the connection, as in `"example.org"` or `the proxy "example.org"`.
  ///   - family: The only address family that the user permits; nil for both.
  func reason(
    host: String, family: IPAddress.Family?
  ) -> (code: TransportError.Code, detail: String) {
    if let connecting { return connecting }
    if let forbidden { return (.addressRefused, Transfer.reason(forRefusing: forbidden)) }
    if let resolving, resolving.code != .noAddress {
      return (.dns, "cannot resolve \(host): \(resolving.reason)")
    }
    let only =
      switch family {
      case nil: ""
      case .v4: " of IPv4"
      case .v6: " of IPv6"
      }
    return (.dns, "\(host) has no address\(only)")
  }
}
