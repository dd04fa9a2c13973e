import Terminal

/// The visible part of a picture and its scale. Pure. It is stored in fractions of the picture, so that it
/// also holds for the same picture in another resolution.
struct PictureZoom: Sendable, Equatable {
  enum Fit: Sendable, Equatable {
    case window, width
  }

  private(set) var base = Fit.window
  private(set) var factor = 1.0
  /// The centre of the visible part, in fractions of the picture, 0...1.
  private(set) var centre = (x: 0.5, y: 0.5)

  static let largest = 16.0

  static func == (a: Self, b: Self) -> Bool {
    a.base == b.base && a.factor == b.factor && a.centre == b.centre
  }

  var isZoomed: Bool { factor > 1 || base == .width }

  mutating func change(by step: Double) {
    factor = min(Self.largest, max(1, factor * step))
    if factor < 1.01 { factor = 1 }
    if !isZoomed { centre = (0.5, 0.5) }
  }

  /// Fits the whole picture into the window; if it is fitted already, fits its width.
  mutating func fit() {
    base = factor == 1 && base == .window ? .width : .window
    factor = 1
    centre = base == .width ? (0.5, 0) : (0.5, 0.5)
  }

  /// Moves the visible part by a quarter of its size.
  mutating func pan(_ command: Command) {
    let step = 0.25 / factor
    switch command {
    case .left: centre.x -= step
    case .right: centre.x += step
    case .up: centre.y -= step
    case .down: centre.y += step
    default: break
    }
    centre = (min(1, max(0, centre.x)), min(1, max(0, centre.y)))
  }

  /// Moves the visible part to the beginning of a page.
  mutating func startPage() { centre = (0.5, base == .width ? 0 : 0.5) }

  /// Returns the area in which the picture is drawn, and the part of it that is drawn there.
  /// - Parameter cell: The size of a cell in pixels.
  func place(_ picture: PixelSize, in area: Rect, cell: Size) -> (rect: Rect, source: PixelRect) {
    let width = Double(area.columns * cell.columns)
    let height = Double(area.rows * cell.rows)
    let across = width / Double(max(1, picture.width))
    let down = height / Double(max(1, picture.height))
    let scale = (base == .width ? across : min(across, down)) * factor
    let part = PixelSize(
      max(1, min(picture.width, Int((width / scale).rounded()))),
      max(1, min(picture.height, Int((height / scale).rounded()))))
    let source = PixelRect(
      Self.start(centre.x, part.width, picture.width),
      Self.start(centre.y, part.height, picture.height), part.width, part.height)
    return (part.fittedRect(in: area, cell: PixelSize(cell.columns, cell.rows)), source)
  }

  private static func start(_ centre: Double, _ part: Int, _ whole: Int) -> Int {
    min(whole - part, max(0, Int((centre * Double(whole) - Double(part) / 2).rounded())))
  }
}
