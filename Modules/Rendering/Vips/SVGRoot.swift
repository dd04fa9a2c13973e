import Decoding

/// The size that the root element of an SVG states.
struct SVGRoot {
  private let file: ByteView
  private let tag: SVGTag
  /// The size of the drawing in pixels; nil if the file does not state one.
  private let size: (width: Double, height: Double)?

  /// - Returns: nil if the file has no root element that can be recognised.
  init?(_ file: ByteView) {
    var offset = 0
    while let start = file.firstIndex(of: UInt8(ascii: "<"), from: offset) {
      if file.starts(with: "<!--", at: start) {
        offset = file.firstIndex(of: "-->", from: start + 4) ?? file.count
      } else if file.starts(with: "<?", at: start) || file.starts(with: "<!", at: start) {
        offset = start + 2
      } else {
        let tag = SVGTag(file, at: start)
        guard tag.name.equals("svg") else { return nil }
        (self.file, self.tag) = (file, tag)
        size = Self.size(tag)
        return
      }
    }
    return nil
  }

  /// Whether a side is zero, with which nothing is drawn (SVG 2, section 8.2).
  var isEmpty: Bool {
    [tag.value("width"), tag.value("height")].contains { $0.flatMap(Self.length) == 0 }
  }

  /// Returns the file with a drawing of 300 pixels, of the same shape, if the stated one has no pixel; otherwise nil.
  ///
  /// Icons and plots are drawn in a square of one unit, or a smaller one. libvips rounds the size to whole pixels before
  /// it enlarges the drawing, and takes such a file for damaged.
  var enlarged: [UInt8]? {
    guard let size else { return nil }
    let (shortest, longest) = (min(size.width, size.height), max(size.width, size.height))
    // A single pixel is meant only by a drawing that states pixels.
    let isInPixels = tag.value("width") != nil || tag.value("height") != nil
    guard shortest > 0, shortest < 0.5 || longest <= 1 && !isInPixels else { return nil }
    let factor = max(Self.side / longest, 1 / shortest)
    let (width, height) = (size.width * factor, size.height * factor)
    guard width.isFinite, height.isFinite, max(width, height) <= Self.maximumSide else {
      return nil
    }
    var attributes = " width=\"\(width)\" height=\"\(height)\""
    if tag.value("viewBox") == nil {
      attributes += " viewBox=\"0 0 \(size.width) \(size.height)\""
    }
    var bytes = file.slice(0, tag.endOfName).array + Array(attributes.utf8)
    var place = tag.endOfName
    for attribute in tag.attributes
    where attribute.name.equals("width") || attribute.name.equals("height") {
      bytes += file.slice(place, attribute.range.lowerBound - place).array
      place = attribute.range.upperBound
    }
    return bytes + file.slice(from: place).array
  }

  /// The longest side of a drawing that states no size of pixels: the width that browsers give it.
  private static let side = 300.0
  private static let maximumSide = 1e6

  private static func size(_ tag: SVGTag) -> (width: Double, height: Double)? {
    let box = tag.value("viewBox").map { numbers($0) } ?? []
    let shape: (width: Double, height: Double)? =
      box.count == 4 && box[2] > 0 && box[3] > 0 ? (box[2], box[3]) : nil
    switch (tag.value("width").flatMap(length), tag.value("height").flatMap(length)) {
    case (let width?, let height?): return (width, height)
    case (let width?, nil): return shape.map { (width, width * $0.height / $0.width) }
    case (nil, let height?): return shape.map { (height * $0.width / $0.height, height) }
    case (nil, nil): return shape
    }
  }

  /// Returns a length in pixels; nil for one that depends on what is around the drawing.
  private static func length(_ value: ByteView) -> Double? {
    guard value.count <= maximumLength else { return nil }
    let text = value.text.filter { !$0.isWhitespace }.lowercased()
    for (unit, pixels) in units where text.hasSuffix(unit) {
      return Double(text.dropLast(unit.count)).map { $0 * pixels }
    }
    return Double(text)
  }

  private static let units: [(String, Double)] = [
    ("px", 1), ("pt", 96.0 / 72), ("pc", 16), ("in", 96), ("cm", 96 / 2.54), ("mm", 96 / 25.4),
  ]

  private static func numbers(_ value: ByteView) -> [Double] {
    guard value.count <= 4 * maximumLength else { return [] }
    return value.text.split { $0.isWhitespace || $0 == "," }.compactMap { Double($0) }
  }

  private static let maximumLength = 32
}
