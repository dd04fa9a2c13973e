/// How many columns text takes, by grapheme cluster.
///
/// Wide and zero-width characters come from the Unicode data in `WidthTable`; ambiguous ones count
/// as 1, as terminals show them. A cluster is as wide as its scalars together, at most 2; the
/// emoji selector (U+FE0F) makes it 2.
public enum TextWidth {
  /// The columns that `CellBuffer.put` would use.
  public static func columns(_ text: String) -> Int {
    var columns = 0
    forEachCluster(text) {
      columns &+= $0.kind.width
      return true
    }
    return columns
  }

  /// The part of `text` that fits, and its columns.
  public static func prefix(_ text: String, columns limit: Int) -> (text: String, columns: Int) {
    var columns = 0
    var end = text.startIndex
    for index in text.indices {
      let width = measure(text[index]).kind.width
      if columns &+ width > limit { break }
      columns &+= width
      end = text.index(after: index)
    }
    return (String(text[..<end]), columns)
  }

  static func measure(_ character: Character) -> MeasuredCluster {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return .nothing }
    if scalars.count == 1 { return measure(first) }
    return measureMany(character)
  }

  /// Shows one scalar alone.
  @inline(__always)
  static func measure(_ scalar: Unicode.Scalar) -> MeasuredCluster {
    let value = scalar.value
    if value >= 0x20, value < 0x7f { return MeasuredCluster(content: value, kind: .narrow) }
    return measureBeyondASCII(value)
  }

  private static func measureBeyondASCII(_ value: UInt32) -> MeasuredCluster {
    switch value {
    case 0..<0x20: MeasuredCluster(content: 0x2400 + value, kind: .narrow)
    case 0x7f: MeasuredCluster(content: 0x2421, kind: .narrow)
    case 0x80..<0xa0: MeasuredCluster(content: 0xfffd, kind: .narrow)
    case 0xa0..<0x300 where value != 0xad: MeasuredCluster(content: value, kind: .narrow)
    case 0x1f1e6...0x1f1ff:
      // Half a flag: some terminals show a wide letter.
      MeasuredCluster(content: value, kind: [.wide, .disputed])
    default:
      switch WidthTable.width(value) {
      case 0: .nothing
      case 1: MeasuredCluster(content: value, kind: .narrow)
      default: MeasuredCluster(content: value, kind: isYoung(value) ? [.wide, .disputed] : .wide)
      }
    }
  }

  /// Wide characters other than those of Chinese, Japanese and Korean: symbols that became wide with
  /// Unicode 9, and emoji, of which every version of Unicode and so of terminals knows more.
  private static func isYoung(_ value: UInt32) -> Bool {
    (0x1200..<0x2e80).contains(value) || (0x16fe0..<0x20000).contains(value)
  }

  private static func measureMany(_ character: Character) -> MeasuredCluster {
    var sum = 0
    var visible: UInt32?
    var hasSelector = false
    var shown = String.UnicodeScalarView()
    for scalar in character.unicodeScalars where !WidthTable.isForbidden(scalar.value) {
      let one = measure(scalar).kind.width
      // A mark with nothing to stand on would stand on the cell before.
      if visible == nil && one == 0 { continue }
      visible = visible ?? scalar.value
      sum &+= one
      hasSelector = hasSelector || scalar.value == 0xfe0f
      shown.append(scalar)
    }
    guard let visible else { return .nothing }
    let width = hasSelector ? 2 : min(2, sum)
    var kind: Cell.Kind = width == 2 ? .wide : .narrow
    // A terminal that knows no clusters adds up the widths of the scalars.
    if sum != width { kind.insert(.disputed) }
    if shown.count == 1 { return MeasuredCluster(content: visible, kind: kind) }
    guard let number = ClusterTable.shared.number(for: String(shown)) else {
      return MeasuredCluster(content: visible, kind: kind)
    }
    return MeasuredCluster(content: number, kind: kind.union(.cluster))
  }

  /// Calls `body` with the clusters one after another until it returns false.
  @inline(__always)
  static func forEachCluster(
    _ text: String, _ body: (MeasuredCluster) -> Bool
  ) {
    let scalars = text.unicodeScalars
    var index = scalars.startIndex
    let end = scalars.endIndex
    while index < end {
      let scalar = scalars[index]
      let next = scalars.index(after: index)
      // Below U+0300 nothing joins what follows, except CR LF, unless that is beyond.
      if scalar.value < 0x300, next == end || scalars[next].value < 0x300, scalar.value != 0x0d {
        if !body(measure(scalar)) { return }
        index = next
      } else {
        if !body(measure(text[index])) { return }
        index = text.index(after: index)
      }
    }
  }
}

/// A cluster as a cell holds it. Width 0 means that nothing is shown.
struct MeasuredCluster {
  var content: UInt32
  var kind: Cell.Kind

  static let nothing = MeasuredCluster(content: 0x20, kind: .continuation)
}
