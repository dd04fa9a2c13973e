import Models
public import Terminal

/// A screen that is being drawn: cells, and what can be pressed where. Both come from the same
/// calls, so that they cannot disagree.
public struct Canvas {
  public var buffer: CellBuffer
  /// The last one that contains a point is what is pressed there.
  public private(set) var hits: [HitArea] = []
  public let theme: Theme
  /// What lies below text without a background of its own, such as a selected row.
  private var ground = TextRole.text

  public init(_ size: Size, _ theme: Theme = Theme()) {
    buffer = CellBuffer(size)
    self.theme = theme
  }

  public enum Alignment: Sendable {
    case left, centre, right
  }

  public var bounds: Rect { buffer.bounds }

  /// Writes one line into the first row of `area`; what does not fit ends in `…`. All texts of the screens come
  /// through here, so that no user name and no password in a URL is ever shown.
  /// - Returns: the columns used.
  @discardableResult
  public mutating func text(
    _ text: String, in area: Rect, _ ink: TextRole = .text, _ alignment: Alignment = .left
  ) -> Int {
    guard !area.isEmpty else { return 0 }
    let text = CredentialMask.masked(text)
    var column = area.column
    if alignment != .left {
      let room = max(0, area.columns - TextWidth.columns(text))
      column += alignment == .right ? room : room / 2
    }
    return buffer.put(
      text, at: Point(column, area.row), columns: area.columns, style: style(ink))
  }

  public mutating func fill(_ area: Rect, _ ink: TextRole, with character: Character = " ") {
    buffer.fill(area, with: character, style: style(ink))
  }

  /// A heavy line on a light one, in halves of a cell: bars below each other stay apart.
  /// - Parameter fraction: 0...1
  public mutating func bar(_ fraction: Double, in area: Rect, _ ink: TextRole = .bar) {
    guard !area.isEmpty else { return }
    let line = area.line(0)
    buffer.fill(line, with: "─", style: style(.barEmpty))
    // Full only when all is done, and something as soon as anything is.
    let all = area.columns * 2
    let share = min(1, max(0, fraction.isFinite ? fraction : 0))
    var halves = Int(share * Double(all))
    if share > 0 { halves = max(1, halves) }
    if share < 1 { halves = min(all - 1, halves) }
    let style = style(ink)
    buffer.fill(line.prefix(columns: halves / 2), with: "━", style: style)
    if halves % 2 > 0 {
      buffer.put("╸", at: Point(area.column + halves / 2, area.row), style: style)
    }
  }

  public mutating func picture(_ picture: Picture, in area: Rect, source: PixelRect? = nil) {
    buffer.place(picture, in: area, source: source)
  }

  public mutating func hit(_ area: Rect, _ target: HitArea.Target) {
    let visible = area.intersection(buffer.clip)
    if !visible.isEmpty { hits.append(HitArea(area: visible, target: target)) }
  }

  /// What is pressed at a point.
  public func target(at point: Point) -> HitArea? { hits.last { $0.area.contains(point) } }

  public mutating func clipped(to area: Rect, _ draw: (inout Canvas) -> Void) {
    var whole = CellBuffer(Size(1, 1))
    swap(&whole, &buffer)
    whole.clipped(to: area) { part in
      swap(&part, &buffer)
      draw(&self)
      swap(&part, &buffer)
    }
    swap(&whole, &buffer)
  }

  /// Text of `draw` without a background of its own gets that of `ink`.
  public mutating func on(_ ink: TextRole, _ draw: (inout Canvas) -> Void) {
    let outer = ground
    ground = ink
    draw(&self)
    ground = outer
  }

  /// Everything that was drawn so far steps back.
  public mutating func fade() {
    let faint = theme.style(.faint)
    buffer.restyle(bounds) { faint.with($0.attributes) }
  }

  /// How an ink looks where drawing continues now.
  func style(_ ink: TextRole) -> Style { theme.style(ink, on: ground) }
}
