/// The precedence that viewers give to the resources of a record, as disjoint, sorted ranges of offsets.
/// Each range is non-empty and has a precedence, and adjacent ranges have different precedences.
struct PrecedenceRanges: Sendable, Equatable {
  struct Part: Sendable, Equatable {
    var range: Range<Int>
    /// The precedence; nil where no viewer shows the resources.
    var precedence: Precedence?
  }

  private(set) var parts: [Part] = []

  init() {}

  /// Creates the ranges from overlapping parts; where parts overlap, the highest precedence wins. O(n²) for
  /// n parts; each viewer of the record contributes one or two.
  init(overlapping parts: [Part]) {
    let wanted = parts.filter { !$0.range.isEmpty && $0.precedence != nil }
    for cell in Self.cells(wanted.map(\.range)) {
      let covering = wanted.filter { $0.range.contains(cell.lowerBound) }
      append(cell, covering.compactMap(\.precedence).min())
    }
  }

  var isEmpty: Bool { parts.isEmpty }

  /// Returns the precedence at the offset; nil if no viewer shows the resource at that offset.
  func precedence(at offset: Int) -> Precedence? {
    parts.first { $0.range.contains(offset) }?.precedence
  }

  /// Returns the ranges that have another precedence in `new`, with that precedence.
  func changes(to new: PrecedenceRanges) -> [Part] {
    var changes = PrecedenceRanges()
    var fallen: [Part] = []
    for cell in Self.cells((parts + new.parts).map(\.range)) {
      let precedence = new.precedence(at: cell.lowerBound)
      guard precedence != self.precedence(at: cell.lowerBound) else { continue }
      if precedence != nil {
        changes.append(cell, precedence)
      } else if let last = fallen.last, last.range.upperBound == cell.lowerBound {
        fallen[fallen.count - 1].range = last.range.lowerBound..<cell.upperBound
      } else {
        fallen.append(Part(range: cell, precedence: nil))
      }
    }
    return changes.parts + fallen
  }

  private mutating func append(_ range: Range<Int>, _ precedence: Precedence?) {
    guard precedence != nil else { return }
    if let last = parts.last, last.precedence == precedence,
      last.range.upperBound == range.lowerBound
    {
      parts[parts.count - 1].range = last.range.lowerBound..<range.upperBound
    } else {
      parts.append(Part(range: range, precedence: precedence))
    }
  }

  /// Returns the ranges between consecutive bounds of `ranges`, in order.
  private static func cells(_ ranges: [Range<Int>]) -> [Range<Int>] {
    let ends = Set(ranges.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
    return zip(ends, ends.dropFirst()).map { $0..<$1 }
  }
}
