extension HTTPParseError {
  /// The status of the answer to a request that cannot be read (RFC 9110 §15, RFC 6585 §5). The
  /// connection is closed after it.
  public var status: Int {
    switch code {
    case .headTooLarge, .tooManyFields: 431
    case .version: 505
    // A body is taken by Content-Length alone.
    case .transferEncoding: 411
    default: 400
    }
  }
}
