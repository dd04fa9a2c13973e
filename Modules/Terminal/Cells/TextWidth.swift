/// The measurement of text in columns, by grapheme cluster.
///
/// Wide and zero-width characters are those of the Unicode data in `WidthTable`; ambiguous ones count as 1,
/// as terminals show them. The width of a cluster is the sum of its scalars' widths, at most 2; the emoji
/// selector (U+FE0F) makes it 2.
public enum TextWidth {
  /// Returns the number of columns that `CellBuffer.write` would use.
  public static func columns(_ text: String) -> Int {
    var columns = 0
    forEachCluster(text) {
      columns &+= $0.kind.width
      return true
    }
    return columns
  }

  /// Returns the longest prefix of `text` that fits into `limit` columns, and its width in columns.
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

  /// Measures a single scalar.
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
      // Some terminals show a single regional indicator as a wide letter.
      MeasuredCluster(content: value, kind: [.wide, .disputed])
    default:
      switch WidthTable.width(value) {
      case 0: .nothing
      case 1: MeasuredCluster(content: value, kind: .narrow)
      default: MeasuredCluster(content: value, kind: isYoung(value) ? [.wide, .disputed] : .wide)
      }
    }
  }

  /// Returns whether the character became wide only with Unicode 9 or later, as symbols and emoji did, so
  /// that terminals disagree on its width. Chinese, Japanese and Korean characters became wide earlier.
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
      // A combining mark without a base would combine with the character of the previous cell.
      if visible == nil && one == 0 { continue }
      visible = visible ?? scalar.value
      sum &+= one
      hasSelector = hasSelector || scalar.value == 0xfe0f
      shown.append(scalar)
    }
    guard let visible else { return .nothing }
    let width = hasSelector ? 2 : min(2, sum)
    var kind: Cell.Kind = width == 2 ? .wide : .narrow
    // A terminal without support for clusters adds up the widths of the scalars.
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
      // Two neighbours below U+0300 never form a cluster, except CR LF, so they need no slow segmentation.
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

/// A measured cluster in the form of a cell's content. A cluster of width 0 is not shown.
struct MeasuredCluster {
  var content: UInt32
  var kind: Cell.Kind

  static let nothing = MeasuredCluster(content: 0x20, kind: .continuation)
}
