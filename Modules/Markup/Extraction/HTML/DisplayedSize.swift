/// The size in pixels at which a page shows an image, as far as attributes state it.
struct DisplayedSize: Equatable {
  var width: Int?
  var height: Int?

  init(width: Int? = nil, height: Int? = nil) {
    self.width = width
    self.height = height
  }

  init(_ attributes: AttributeMap) {
    let style = attributes["style"]
    width =
      Self.pixels(attributes["width"])
      ?? style.flatMap { BackgroundImage.pixels("width", inStyle: $0) }
    height =
      Self.pixels(attributes["height"])
      ?? style.flatMap { BackgroundImage.pixels("height", inStyle: $0) }
  }

  /// Parses the attribute `width` or `height`; nil for a percentage.
  private static func pixels(_ text: String?) -> Int? {
    guard let text else { return nil }
    let digits = text.utf8.drop { $0 == 0x20 }.prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard (1...6).contains(digits.count), !text.utf8.contains(UInt8(ascii: "%")) else { return nil }
    return Int(Substring(digits))
  }

  /// The larger of the known sides; nil if neither is known.
  var largestSide: Int? { [width, height].compactMap { $0 }.max() }
  var smallestSide: Int? { [width, height].compactMap { $0 }.min() }

  /// Whether the width is at least three times the height, as that of a banner is.
  var isWide: Bool {
    guard let width, let height, height > 0 else { return false }
    return width / 3 >= height
  }
}

/// The attributes of an element by name; of several with the same name, the first.
struct AttributeMap {
  let all: [MarkupAttribute]

  init(_ all: [MarkupAttribute]) { self.all = all }

  subscript(name: String) -> String? { all.first { $0.name == name }?.value }
}
