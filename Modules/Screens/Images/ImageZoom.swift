import Terminal

/// The visible part of an image, and its scale. Neither depends on the number of pixels, so both also hold
/// for the same image in another resolution.
struct ImageZoom: Sendable, Equatable {
  enum Fit: Sendable, Equatable {
    case window, width
  }

  private(set) var base = Fit.window
  private(set) var factor = 1.0
  /// The centre of the visible part, in fractions of the image, 0...1.
  private(set) var centre = (x: 0.5, y: 0.5)

  static let maximumScale = 16.0

  static func == (a: Self, b: Self) -> Bool {
    a.base == b.base && a.factor == b.factor && a.centre == b.centre
  }

  var isZoomed: Bool { factor > 1 || base == .width }

  mutating func change(by step: Double) {
    factor = min(Self.maximumScale, max(1, factor * step))
    if factor < 1.01 { factor = 1 }
    if !isZoomed { centre = (0.5, 0.5) }
  }

  /// Fits the whole image into the window, or its width if the whole image is fitted already.
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

  /// Moves the visible part to the beginning of a page that is newly shown.
  mutating func startPage() { centre = (0.5, base == .width ? 0 : 0.5) }

  /// Returns the cells in which the image is drawn, and the part of the image that is drawn there.
  /// - Parameter cell: The size of a cell in pixels.
  func place(_ image: PixelSize, in area: Rect, cell: Size) -> (rect: Rect, source: PixelRect) {
    let width = Double(area.columns * cell.columns)
    let height = Double(area.rows * cell.rows)
    let across = width / Double(max(1, image.width))
    let down = height / Double(max(1, image.height))
    let scale = (base == .width ? across : min(across, down)) * factor
    let part = PixelSize(
      max(1, min(image.width, Int((width / scale).rounded()))),
      max(1, min(image.height, Int((height / scale).rounded()))))
    let source = PixelRect(
      Self.start(centre.x, part.width, image.width),
      Self.start(centre.y, part.height, image.height), part.width, part.height)
    return (part.fittedRect(in: area, cell: PixelSize(cell.columns, cell.rows)), source)
  }

  private static func start(_ centre: Double, _ part: Int, _ whole: Int) -> Int {
    min(whole - part, max(0, Int((centre * Double(whole) - Double(part) / 2).rounded())))
  }
}
