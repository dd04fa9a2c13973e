/// The ranks of the items of one order, as disjoint, sorted ranges. No range is empty or of rank `rest`,
/// and adjacent ranges have different ranks.
struct RankedRanges: Sendable, Equatable {
  struct Part: Sendable, Equatable {
    var range: Range<Int>
    var rank: Rank
  }

  private(set) var parts: [Part] = []

  init() {}

  /// Creates the ranges from overlapping parts; where parts overlap, the highest rank wins. O(n²) for n
  /// parts, of which each open window has one or two.
  init(overlapping parts: [Part]) {
    let wanted = parts.filter { !$0.range.isEmpty && $0.rank > .rest }
    for cell in Self.cells(wanted.map(\.range)) {
      let rank = wanted.filter { $0.range.contains(cell.lowerBound) }.map(\.rank).max() ?? .rest
      append(cell, rank)
    }
  }

  var isEmpty: Bool { parts.isEmpty }

  func rank(at offset: Int) -> Rank {
    parts.first { $0.range.contains(offset) }?.rank ?? .rest
  }

  /// Returns the ranges that have another rank in `new`, with that rank.
  func changes(to new: RankedRanges) -> [Part] {
    var changes = RankedRanges()
    var fallen: [Part] = []
    for cell in Self.cells((parts + new.parts).map(\.range)) {
      let rank = new.rank(at: cell.lowerBound)
      guard rank != self.rank(at: cell.lowerBound) else { continue }
      if rank > .rest {
        changes.append(cell, rank)
      } else if let last = fallen.last, last.range.upperBound == cell.lowerBound {
        fallen[fallen.count - 1].range = last.range.lowerBound..<cell.upperBound
      } else {
        fallen.append(Part(range: cell, rank: .rest))
      }
    }
    return changes.parts + fallen
  }

  private mutating func append(_ range: Range<Int>, _ rank: Rank) {
    guard rank > .rest else { return }
    if let last = parts.last, last.rank == rank, last.range.upperBound == range.lowerBound {
      parts[parts.count - 1].range = last.range.lowerBound..<range.upperBound
    } else {
      parts.append(Part(range: range, rank: rank))
    }
  }

  /// Returns the ranges between consecutive bounds of `ranges`, in order.
  private static func cells(_ ranges: [Range<Int>]) -> [Range<Int>] {
    let ends = Set(ranges.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
    return zip(ends, ends.dropFirst()).map { $0..<$1 }
  }
}
