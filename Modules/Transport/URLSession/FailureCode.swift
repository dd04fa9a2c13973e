import Transport

extension ExchangeFailure {
  /// Returns the error code for a failure that URLSession reports.
  ///
  /// URLSession has few codes: TLS errors, truncated bodies and invalid fields are all reported as
  /// -1 (swift-foundation #1319). Therefore the phase of the exchange decides and, where that is
  /// not sufficient, libcurl's message.
  func code(isSecure: Bool, hasHead: Bool) -> TransportError.Code {
    switch kind {
    case .name: return .dns
    case .address: return .addressRefused
    case .bodyLimit: return .limitExceeded
    case .spool: return .sink
    case .url: return .invalidRequest
    case .cancelled: return .cancelled
    case .urlSession: break
    }
    switch code {
    case -1003, -1006: return .dns
    case -1004: return .connectionRefused
    case -1001: return hasHead ? .idleTimeout : .connectTimeout
    case -1005, -1009, -1011: return hasHead ? .truncated : .connectionLost
    case -1206 ... -1200: return .tls
    case -1: break
    default: return .protocolViolation
    }
    if hasHead { return names(["chunked-encoding"]) ? .protocolViolation : .truncated }
    if names(["ssl_read: connection reset", "recv failure"]) { return .connectionLost }
    return isSecure && names(["ssl", "tls", "certificate"]) ? .tls : .protocolViolation
  }

  private func names(_ words: [String]) -> Bool {
    let text = text.lowercased()
    return words.contains { text.contains($0) }
  }
}
