/// A set of byte offsets of a file, kept as sorted ranges that neither overlap nor touch.
struct ByteRangeSet: Sendable, Equatable {
  private(set) var ranges: [Range<Int64>] = []

  init() {}

  init(_ ranges: some Sequence<Range<Int64>>) {
    for range in ranges { insert(range) }
  }

  var isEmpty: Bool { ranges.isEmpty }

  /// The number of bytes in the set.
  var byteCount: Int64 { ranges.reduce(0) { $0 &+ ($1.upperBound &- $1.lowerBound) } }

  /// The end of the range that begins at offset 0; 0 if the first byte is missing.
  var prefixEnd: Int64 {
    if let first = ranges.first, first.lowerBound == 0 { first.upperBound } else { 0 }
  }

  /// Whether the set contains all offsets from 0 to `length`.
  func covers(_ length: Int64) -> Bool { prefixEnd >= length }

  /// Adds a range and merges it with those that it overlaps or touches. O(n) in the number of ranges.
  mutating func insert(_ new: Range<Int64>) {
    guard !new.isEmpty else { return }
    let first = ranges.firstIndex { $0.upperBound >= new.lowerBound } ?? ranges.endIndex
    var (end, merged) = (first, new)
    while end < ranges.endIndex, ranges[end].lowerBound <= merged.upperBound {
      merged =
        min(
          merged.lowerBound, ranges[end].lowerBound)..<max(
          merged.upperBound, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: CollectionOfOne(merged))
  }

  /// Returns the first range of offsets, from `start` on, that is not in the set; nil if the set contains all
  /// offsets from `start` to `length`.
  func firstGap(from start: Int64 = 0, upTo length: Int64) -> Range<Int64>? {
    var begin = start
    for range in ranges where range.upperBound > begin {
      if range.lowerBound > begin { return begin..<min(range.lowerBound, length) }
      begin = range.upperBound
      if begin >= length { return nil }
    }
    return begin < length ? begin..<length : nil
  }

  /// Returns the offsets of both sets.
  func union(_ other: ByteRangeSet) -> ByteRangeSet {
    var result = self
    for range in other.ranges { result.insert(range) }
    return result
  }

  /// Returns the part of the set that lies before `length`.
  func prefix(upTo length: Int64) -> ByteRangeSet {
    ByteRangeSet(
      ranges.compactMap {
        $0.lowerBound < length ? $0.lowerBound..<min($0.upperBound, length) : nil
      })
  }
}
