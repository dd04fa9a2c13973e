/// The pattern of an `Allow` or `Disallow` rule: a prefix of the target, with `*` for any sequence of bytes,
/// and `$` at the end for the end of the target (RFC 9309 §2.2.3).
struct PathPattern: Sendable, Equatable {
  /// The pattern in its `ComparisonForm`.
  let bytes: [UInt8]
  private let isAnchored: Bool
  private let hasWildcard: Bool

  /// - Parameter text: The value of the rule as the file states it. A value that begins with neither `/` nor
  ///   `*` can match no target, so that there is no pattern for it.
  init?(_ text: ArraySlice<UInt8>) {
    guard text.first == UInt8(ascii: "/") || text.first == ComparisonForm.wildcard else {
      return nil
    }
    bytes = ComparisonForm.pattern(text)
    isAnchored = bytes.last == ComparisonForm.anchor
    hasWildcard = bytes.contains(ComparisonForm.wildcard)
  }

  /// Returns whether the pattern matches a target in its `ComparisonForm`.
  ///
  /// O(length of the pattern + length of the target): each part between two wildcards takes the first place
  /// where it fits, which leaves the most bytes to the later parts, so that no choice is ever revised.
  /// - Parameter searched: Grows by the number of bytes of the pattern and of the target that wildcards made
  ///   the search read.
  func matches(_ target: [UInt8], searched: inout Int) -> Bool {
    let body = isAnchored ? bytes.dropLast() : bytes[...]
    guard hasWildcard else {
      return isAnchored ? target[...] == body : target.starts(with: body)
    }
    searched += body.count
    let parts = body.split(separator: ComparisonForm.wildcard, omittingEmptySubsequences: false)
    guard target.starts(with: parts[0]) else { return false }
    var position = parts[0].count
    for part in parts.dropFirst().dropLast() {
      guard let end = Self.end(of: part, in: target, from: position, &searched) else {
        return false
      }
      position = end
    }
    let last = parts[parts.count - 1]
    guard isAnchored else {
      return Self.end(of: last, in: target, from: position, &searched) != nil
    }
    return target.count - position >= last.count && target.suffix(last.count) == last
  }

  /// Returns the offset after the first occurrence of `part` at or after `start`: the algorithm of Knuth,
  /// Morris and Pratt, which reads each byte of the target once.
  private static func end(
    of part: ArraySlice<UInt8>, in target: [UInt8], from start: Int, _ searched: inout Int
  ) -> Int? {
    guard !part.isEmpty else { return start }
    guard target.count - start >= part.count else { return nil }
    let part = Array(part)
    let borders = borders(of: part)
    var matched = 0
    for index in start..<target.count {
      searched += 1
      while matched > 0, part[matched] != target[index] { matched = borders[matched - 1] }
      if part[matched] == target[index] { matched += 1 }
      if matched == part.count { return index + 1 }
    }
    return nil
  }

  /// Returns, for each prefix of `part`, the length of its longest proper prefix that is also its suffix.
  private static func borders(of part: [UInt8]) -> [Int] {
    var borders = [Int](repeating: 0, count: part.count)
    var length = 0
    for index in part.indices.dropFirst() {
      while length > 0, part[length] != part[index] { length = borders[length - 1] }
      if part[length] == part[index] { length += 1 }
      borders[index] = length
    }
    return borders
  }
}
