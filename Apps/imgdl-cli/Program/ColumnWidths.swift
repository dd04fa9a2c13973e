/// The widths of the columns of a table on a terminal, where lines must not wrap.
///
/// If the table is too wide, dispensable columns are left out first, as long as a text would be cut below its
/// comfortable width. Then the widest text column is narrowed, a cell at a time, and finally all columns
/// except numbers, because a part of a number would be a wrong number.
struct ColumnWidths: Equatable {
  /// The width of each column in cells; nil if the column is left out.
  private(set) var widths: [Int?]
  /// The width of the terminal in cells; nil for other outputs, in which no line is cut.
  let columns: Int?

  /// The width of a text column in cells below which a dispensable column is left out instead.
  private static let comfortable = 14
  /// The smallest width in cells to which a column is narrowed.
  private static let minimumWidth = 8
  /// The number of spaces between two columns.
  private static let gap = 2

  /// - Parameters:
  ///   - widths: The width of the widest cell of each column.
  ///   - dispensable: The indices of dispensable columns, the least important one first.
  init(_ widths: [Int], _ alignment: [Table.Alignment], columns: Int?, dispensable: [Int]) {
    self.widths = widths
    self.columns = columns
    guard let columns else { return }
    for column in dispensable {
      let wanted = self.widths.enumerated().map { index, width in
        alignment[index].isElastic ? width.map { min($0, Self.comfortable) } : width
      }
      guard Self.sum(wanted) > columns else { break }
      self.widths[column] = nil
    }
    shrink { alignment[$0].isElastic }
    shrink { alignment[$0] != .right }
  }

  private mutating func shrink(_ isIncluded: (Int) -> Bool) {
    guard let columns else { return }
    var excess = Self.sum(widths) - columns
    let candidates = widths.indices.filter(isIncluded)
    while excess > 0,
      let widest = candidates.max(by: { widths[$0] ?? 0 < widths[$1] ?? 0 }),
      let width = widths[widest], width > Self.minimumWidth
    {
      widths[widest] = width - 1
      excess -= 1
    }
  }

  /// Whether at least one column is left out.
  var hasOmissions: Bool { widths.contains(nil) }

  /// Whether the columns do not fit even after narrowing, so that whole lines must be cut.
  var isTooWide: Bool { columns.map { Self.sum(widths) > $0 } ?? false }

  private static func sum(_ widths: [Int?]) -> Int {
    let shown = widths.compactMap(\.self)
    return shown.reduce(gap * max(0, shown.count - 1), +)
  }
}
