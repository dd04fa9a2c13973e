import Models
public import Terminal

/// A frame that is being drawn: its cells, and the areas that react to the mouse. Each part of a screen draws
/// its cells and adds its areas in one function, so that both agree.
public struct Canvas {
  public var buffer: CellBuffer
  /// The hit areas in drawing order; where they overlap, the last one wins.
  public private(set) var hits: [HitArea] = []
  public let theme: Theme
  /// The role whose background is used for text without its own, such as that of a selected row.
  private var ground = TextRole.text

  public init(_ size: Size, _ theme: Theme = Theme()) {
    buffer = CellBuffer(size)
    self.theme = theme
  }

  public enum Alignment: Sendable {
    case left, centre, right
  }

  public var bounds: Rect { buffer.bounds }

  /// Writes one line into the first row of `area`, and truncates it with `…` if it does not fit. All texts of
  /// the screens pass through this function, which masks user names and passwords in URLs.
  /// - Returns: The number of columns used.
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
    return buffer.write(
      text, at: Point(column, area.row), columns: area.columns, style: style(ink))
  }

  public mutating func fill(_ area: Rect, _ ink: TextRole, with character: Character = " ") {
    buffer.fill(area, with: character, style: style(ink))
  }

  /// Draws a progress bar as a heavy line on a light one, in halves of a cell, so that bars below each other
  /// stay separate.
  /// - Parameter fraction: The progress, 0...1.
  public mutating func bar(_ fraction: Double, in area: Rect, _ ink: TextRole = .bar) {
    guard !area.isEmpty else { return }
    let line = area.line(0)
    buffer.fill(line, with: "─", style: style(.barEmpty))
    // The bar is full only if the fraction is 1, and empty only if it is 0.
    let all = area.columns * 2
    let share = min(1, max(0, fraction.isFinite ? fraction : 0))
    var halves = Int(share * Double(all))
    if share > 0 { halves = max(1, halves) }
    if share < 1 { halves = min(all - 1, halves) }
    let style = style(ink)
    buffer.fill(line.prefix(columns: halves / 2), with: "━", style: style)
    if halves % 2 > 0 {
      buffer.write("╸", at: Point(area.column + halves / 2, area.row), style: style)
    }
  }

  public mutating func image(_ image: Image, in area: Rect, source: PixelRect? = nil) {
    buffer.place(image, in: area, source: source)
  }

  public mutating func hit(_ area: Rect, _ target: HitArea.Target) {
    let visible = area.intersection(buffer.clip)
    if !visible.isEmpty { hits.append(HitArea(area: visible, target: target)) }
  }

  /// Returns the topmost hit area at a point, or nil.
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

  /// Calls `draw`; text without a background of its own gets the background of the role `ink`.
  public mutating func withBackground(of ink: TextRole, _ draw: (inout Canvas) -> Void) {
    let outer = ground
    ground = ink
    draw(&self)
    ground = outer
  }

  /// Redraws everything that was drawn so far in the faint style.
  public mutating func fade() {
    let faint = theme.style(.faint)
    buffer.restyle(bounds) { faint.with($0.attributes) }
  }

  /// Returns the style of a role on the background of the role `ground`.
  func style(_ ink: TextRole) -> Style { theme.style(ink, on: ground) }
}
