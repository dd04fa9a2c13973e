/// Which items of one order have which rank: ranges that do not overlap, in order, none of them
/// empty or of rank `rest`, and no two of one rank side by side.
struct RankedRanges: Sendable, Equatable {
  struct Part: Sendable, Equatable {
    var range: Range<Int>
    var rank: Rank
  }

  private(set) var parts: [Part] = []

  init() {}

  /// The highest rank counts where parts overlap. O(n²) for n parts: one or two for each window
  /// that is open.
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

  /// What has another rank in `new`, with that rank.
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

  /// The pieces between all ends of `ranges`, in order.
  private static func cells(_ ranges: [Range<Int>]) -> [Range<Int>] {
    let ends = Set(ranges.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
    return zip(ends, ends.dropFirst()).map { $0..<$1 }
  }
}
