extension HTTPParseError {
  /// The status with which a server responds to a malformed request before it closes the connection (RFC 9110
  /// §15, RFC 6585 §5).
  public var status: Int {
    switch code {
    case .headTooLarge, .tooManyFields: 431
    case .version: 505
    // 411 (Length Required): a request body is accepted only with Content-Length.
    case .transferEncoding: 411
    default: 400
    }
  }
}
