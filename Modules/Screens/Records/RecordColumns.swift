import Terminal

/// The columns of a wide list of records. Status and Done are as wide as their longest visible text, so that
/// none is truncated; title and bar share the remaining width. If the width is insufficient, the least
/// important columns are omitted: first the remaining time, then the rate, then the bar.
struct RecordColumns {
  enum Column {
    case title, status, bar, done, rate, left
  }

  /// The visible columns from left to right, with their widths in cells.
  private(set) var visibleColumns: [(column: Column, width: Int)] = []
  /// Whether Status and Done do not fit next to each other; Done then omits the counts that the status
  /// contains.
  let isTight: Bool

  /// The width in cells before the bar of a narrow row: that of the longest usual status.
  let narrowStatusWidth: Int

  /// The minimum width of the title in cells.
  static let minimumTitleWidth = 14
  private static let minimumBarWidth = 6
  /// The largest usual width of a status, such as `Finished, 123 failed`, in cells.
  private static let typicalStatusWidth = 20
  private static let maximumBarWidth = 40
  /// The width of the longest rate, such as `999.9 MB/s`, in cells.
  private static let rate = 10
  /// The width of a remaining time such as `3:04:05`, in cells.
  private static let timeLeftWidth = 7

  /// - Parameter entries: The visible records.
  init(_ width: Int, _ entries: [RecordEntry]) {
    func widest(_ least: Int, _ text: (RecordEntry) -> String) -> Int {
      entries.reduce(least) { max($0, TextWidth.columns(text($1))) }
    }
    let status = widest(14) { $0.status }
    narrowStatusWidth = widest(14) {
      TextWidth.columns($0.status) <= Self.typicalStatusWidth ? $0.status : ""
    }
    let whole = widest(11) { $0.completionText }
    isTight = Self.minimumTitleWidth + status + whole + 2 > width
    let done = isTight ? widest(4) { $0.shortDone } : whole
    let left = widest(Self.timeLeftWidth) { $0.secondsLeft.map(Readable.duration) ?? "" }
    // Every column except the title is preceded by a gap.
    var room = width - Self.minimumTitleWidth - status - done - 2
    func takes(_ columns: Int) -> Bool {
      guard room > columns else { return false }
      room -= columns + 1
      return true
    }
    let hasBar = takes(Self.minimumBarWidth)
    let hasRate = takes(Self.rate)
    let hasLeft = takes(left)
    let rest = max(0, room)
    let bar = hasBar ? min(Self.maximumBarWidth, Self.minimumBarWidth + rest * 3 / 10) : 0
    let title = max(
      1, Self.minimumTitleWidth + min(0, room) + rest - (hasBar ? bar - Self.minimumBarWidth : 0))
    visibleColumns = [(.title, title), (.status, status)]
    if hasBar { visibleColumns.append((.bar, bar)) }
    visibleColumns.append((.done, done))
    if hasRate { visibleColumns.append((.rate, Self.rate)) }
    if hasLeft { visibleColumns.append((.left, left)) }
  }

  /// Returns the visible columns with their areas.
  func areas(in area: Rect) -> [(column: Column, area: Rect)] {
    var rest = area
    return visibleColumns.map { column, width in
      defer { rest = rest.dropping(columns: width + 1) }
      return (column, rest.prefix(columns: width))
    }
  }
}

extension RecordColumns.Column {
  var title: String {
    switch self {
    case .title: "Title"
    case .status: "Status"
    case .bar: "Progress"
    case .done: "Done"
    case .rate: "Rate"
    case .left: "ETA"
    }
  }

  var alignment: Canvas.Alignment {
    switch self {
    case .title, .status, .bar: .left
    case .done, .rate, .left: .right
    }
  }
}
