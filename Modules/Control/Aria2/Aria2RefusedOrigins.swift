/// The origins of refused web pages that have been reported. Each is reported once, since a page calls again and again.
struct Aria2RefusedOrigins {
  /// The number of origins after which no other is reported, so that a page cannot fill the memory or the log with
  /// names.
  static let limit = 32
  /// The length in bytes above which an origin is not reported; the host of a URL has at most 253.
  static let maximumLength = 300

  private var reported: Set<String> = []

  /// - Returns: Whether the origin is to be reported.
  mutating func insert(_ origin: String) -> Bool {
    guard reported.count < Self.limit, origin.utf8.count <= Self.maximumLength else { return false }
    return reported.insert(origin).inserted
  }
}
