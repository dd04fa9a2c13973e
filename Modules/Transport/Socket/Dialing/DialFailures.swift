import Models
import Transport

/// Why an attempt at a connection has come to nothing, from all that went wrong on the way: the newest
/// failed address tells most, then a forbidden one, then the look-ups.
struct DialFailures {
  private var connecting: (code: TransportError.Code, detail: String)?
  private var forbidden: IPAddress?
  private var resolving: ResolveError?

  mutating func recordFailedAddress(_ code: TransportError.Code, _ detail: String) {
    connecting = (code, detail)
  }

  mutating func recordForbiddenAddress(_ address: IPAddress) { forbidden = address }

  /// Keeps a failed look-up; an error other than `.noAddress` tells most and is never replaced by it.
  mutating func recordFailedLookUp(_ error: ResolveError) {
    if resolving == nil || resolving?.code == .noAddress { resolving = error }
  }

  /// - Parameters:
  ///   - host: who was to be connected to, as in `"example.org"` or `the proxy "example.org"`.
  ///   - family: the only one that the user wants; nil for both.
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
