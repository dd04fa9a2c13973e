/// A part of a remote file, as a request names it (RFC 9110 §14.1.2).
package enum RemoteRange: Sendable, Equatable {
  /// The last bytes of the file, whose size is not known yet.
  case last(Int64)
  case bytes(Range<Int64>)

  /// Whether the range has no positions.
  package var isSuffix: Bool {
    if case .last = self { true } else { false }
  }

  /// The value of the field `Range`.
  package var fieldValue: String {
    switch self {
    case .last(let count): "bytes=-\(count)"
    case .bytes(let range): "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
    }
  }

  /// Returns whether a response with these bytes is an answer to the request. A server may shorten the last
  /// bytes of a file, but not begin elsewhere.
  func isAnswered(by range: Range<Int64>, ofTotal total: Int64) -> Bool {
    switch self {
    case .last(let count): range.upperBound == total && Int64(range.count) <= count
    case .bytes(let wanted):
      range.lowerBound == wanted.lowerBound && range.upperBound == min(wanted.upperBound, total)
    }
  }
}
