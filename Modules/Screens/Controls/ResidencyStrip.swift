import Terminal

/// The stage that an image has reached on its way from the server to the screen.
enum Residency: Int, Sendable, Comparable {
  case cancelled, queued, partial, stored, decoded, error

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  var symbol: Character {
    switch self {
    case .cancelled: "–"
    case .queued: "·"
    case .partial: "▁"
    case .stored: "▄"
    case .decoded: "█"
    case .error: "✗"
    }
  }

  var role: TextRole {
    switch self {
    case .cancelled, .queued: .faint
    case .partial: .accent
    case .stored: .bar
    case .decoded: .good
    case .error: .error
    }
  }
}

/// A slider over many images that also shows the residency of each.
enum ResidencyStrip {
  /// Draws the slider.
  /// - Parameter state: Returns the residency of the image at an index. A column that represents several
  ///   images shows an error if one of them failed, else the lowest residency.
  static func draw(
    count: Int, position: Int, in area: Rect, on canvas: inout Canvas,
    state: (Int) -> Residency
  ) {
    guard count > 0, area.columns > 0 else { return }
    canvas.fill(area, .barEmpty)
    for column in 0..<area.columns {
      let range = indexes(of: column, columns: area.columns, count: count)
      var shown: Residency?
      for place in range {
        let residency = state(place)
        if residency == .error {
          shown = .error
          break
        }
        shown = min(shown ?? residency, residency)
      }
      guard let shown else { continue }
      canvas.text(
        String(shown.symbol), in: Rect(area.column + column, area.row, 1, 1), shown.role)
    }
    canvas.text(
      "●",
      in: Rect(
        area.column + column(of: position, columns: area.columns, count: count),
        area.row, 1, 1), .key)
    canvas.hit(area, .position)
  }

  /// Returns the images that a column represents. If there are more columns than images, several columns
  /// represent the same image.
  static func indexes(of column: Int, columns: Int, count: Int) -> Range<Int> {
    let start = column * count / columns
    let end = (column + 1) * count / columns
    return start..<max(end, min(start + 1, count))
  }

  static func column(of position: Int, columns: Int, count: Int) -> Int {
    guard count > 1, columns > 1 else { return 0 }
    return min(columns - 1, max(0, position) * (columns - 1) / (count - 1))
  }
}
