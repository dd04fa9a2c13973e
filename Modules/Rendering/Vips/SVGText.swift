import Decoding
import Rendering

/// The parts of an SVG that librsvg does not draw, found in its text. librsvg leaves them out, or makes them black,
/// without an error.
///
/// Accepts any input. An SVG that is not in a superset of ASCII counts as one without such parts.
struct SVGText {
  private let file: ByteView
  /// The number of elements that contain the innermost one, itself included.
  private(set) var depth = 0
  /// The number of images outside of the file.
  private var externalImages = 0
  /// The formats of embedded images that librsvg does not decode.
  private var formats: Set<String> = []

  /// The depth up to which librsvg and libxml2, which call themselves for each level, are certain to have enough stack.
  static let maximumDepth = 1_000

  init(_ file: ByteView) {
    self.file = file
    var offset = 0
    var open = 0
    while let start = file.firstIndex(of: UInt8(ascii: "<"), from: offset) {
      if file.starts(with: "<!--", at: start) {
        offset = end(of: "-->", from: start + 4)
      } else if file.starts(with: "<![CDATA[", at: start) {
        offset = end(of: "]]>", from: start + 9)
      } else if file.starts(with: "<?", at: start) || file.starts(with: "<!", at: start) {
        offset = start + 2
      } else if file.starts(with: "</", at: start) {
        open = max(0, open - 1)
        offset = start + 2
      } else {
        let tag = file.slice(start, endOfTag(from: start + 1) - start)
        offset = start + tag.count
        if tag.byte(tag.count - 2) != UInt8(ascii: "/") { open += 1 }
        depth = max(depth, open)
        if Self.names(tag, "image") || Self.names(tag, "feImage") { examine(tag) }
      }
    }
  }

  /// Returns the depth of the elements, and a remark about the parts that are missing.
  static func findings(_ file: ByteView) -> (depth: Int, remark: String?) {
    let text = SVGText(file)
    return (text.depth, text.remark)
  }

  /// A remark about the parts that are missing, as a clause for users; nil if there are none.
  var remark: String? {
    var parts: [String] = []
    if file.contains("var(--") {
      parts.append("CSS variables (var) are not read, so that parts may be black or missing")
    }
    if file.contains("light-dark(") {
      parts.append("light-dark() of CSS is not read, so that parts may be black or missing")
    }
    if !formats.isEmpty {
      parts.append("embedded images are missing: \(formats.sorted().joined(separator: ", "))")
    }
    if externalImages > 0 {
      parts.append(
        externalImages == 1
          ? "an image outside of the file is missing"
          : "\(externalImages) images outside of the file are missing")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private mutating func examine(_ tag: ByteView) {
    var offset = 0
    while let place = tag.firstIndex(of: UInt8(ascii: "h"), from: offset) {
      offset = place + 1
      guard tag.starts(with: "href", at: place) else { continue }
      var value = place + 4
      while let byte = tag.byte(value), byte == 0x20 || byte == UInt8(ascii: "=") { value += 1 }
      guard let quote = tag.byte(value), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      else { continue }
      value += 1
      while let byte = tag.byte(value), byte <= 0x20 { value += 1 }
      return classify(tag.slice(from: value), isEmpty: tag.byte(value) == quote)
    }
  }

  private mutating func classify(_ address: ByteView, isEmpty: Bool) {
    guard !isEmpty, address.byte(0) != UInt8(ascii: "#") else { return }
    guard address.starts(with: "data:") else { return externalImages += 1 }
    if address.starts(with: "data:image/webp") { formats.insert("WebP") }
    if address.starts(with: "data:image/avif") { formats.insert("AVIF") }
    if address.starts(with: "data:image/heic") { formats.insert("HEIC") }
    if address.starts(with: "data:image/jxl") { formats.insert("JPEG XL") }
  }

  /// Whether the name of a tag, without a prefix, is the given one.
  private static func names(_ tag: ByteView, _ name: StaticString) -> Bool {
    var start = 1
    for offset in 1..<min(tag.count, 64) {
      guard let byte = tag.byte(offset) else { break }
      if byte == UInt8(ascii: ":") { start = offset + 1 }
      if byte <= 0x20 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") { break }
    }
    guard tag.starts(with: name, at: start) else { return false }
    let next = tag.byte(start + name.utf8CodeUnitCount) ?? 0x20
    return next <= 0x20 || next == UInt8(ascii: "/") || next == UInt8(ascii: ">")
  }

  /// Returns the offset behind the end of a tag. A `>` in a value does not end it.
  private func endOfTag(from start: Int) -> Int {
    var offset = start
    var quote: UInt8?
    while let byte = file.byte(offset) {
      offset += 1
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if quote == nil, byte == UInt8(ascii: ">") {
        return offset
      }
    }
    return file.count
  }

  private func end(of mark: StaticString, from start: Int) -> Int {
    var offset = start
    while let place = file.firstIndex(of: mark.utf8Start.pointee, from: offset) {
      if file.starts(with: mark, at: place) { return place + mark.utf8CodeUnitCount }
      offset = place + 1
    }
    return file.count
  }
}
