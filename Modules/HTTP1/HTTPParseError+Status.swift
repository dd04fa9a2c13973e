extension HTTPParseError {
  /// The status of the response to a malformed request (RFC 9110 §15, RFC 6585 §5). The connection is closed
  /// after it.
  public var status: Int {
    switch code {
    case .headTooLarge, .tooManyFields: 431
    case .version: 505
    // A body is accepted only with Content-Length.
    case .transferEncoding: 411
    default: 400
    }
  }
}
