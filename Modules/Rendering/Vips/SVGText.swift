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
  private var style = SVGStyle()
  private var foreign = SVGForeignContent()
  private var hasTextOnPath = false

  /// The depth up to which librsvg and libxml2, which call themselves for each level, are certain to have enough stack.
  static let maximumDepth = 1_000

  init(_ file: ByteView) {
    self.file = file
    var offset = 0
    var open = 0
    while let start = file.firstIndex(of: UInt8(ascii: "<"), from: offset) {
      foreign.read(file.slice(offset, start - offset))
      if file.starts(with: "<!--", at: start) {
        offset = end(of: "-->", from: start + 4)
      } else if file.starts(with: "<![CDATA[", at: start) {
        offset = end(of: "]]>", from: start + 9)
        foreign.read(file.slice(start + 9, offset - start - 12))
      } else if file.starts(with: "<?", at: start) || file.starts(with: "<!", at: start) {
        offset = start + 2
      } else if file.starts(with: "</", at: start) {
        open = max(0, open - 1)
        foreign.close(to: open)
        offset = end(of: ">", from: start + 2)
      } else {
        let tag = SVGTag(file, at: start)
        offset = tag.end
        foreign.open(tag, depth: open + 1)
        examine(tag, isRoot: open == 0)
        if !tag.isEmpty { open += 1 }
        depth = max(depth, open)
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
    if foreign.count > 0 { parts.append("HTML in the drawing (foreignObject) is missing") }
    if hasTextOnPath { parts.append("text on a path (textPath) is missing") }
    if !style.unread.isEmpty {
      parts.append(
        "CSS that librsvg does not read, so that parts may be black, missing or elsewhere: "
          + style.unread.joined(separator: ", "))
    }
    if style.hasFonts { parts.append("fonts embedded in the file are not used") }
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

  private mutating func examine(_ tag: SVGTag, isRoot: Bool) {
    // The style of HTML has no effect on the drawing.
    guard !foreign.isOpen else { return }
    for attribute in tag.attributes {
      style.read(attribute.value, of: attribute.name, isRoot: isRoot)
    }
    if tag.name.equals("style"), !tag.isEmpty {
      let end = file.firstIndex(of: "</", from: tag.end) ?? file.count
      let sheet = file.slice(tag.end, end - tag.end)
      let mark: StaticString = "<![CDATA["
      let start = sheet.firstIndex(of: mark, from: 0).map { $0 + mark.utf8CodeUnitCount }
      style.readSheet(sheet.slice(from: start ?? 0))
    } else if tag.name.equals("textPath") {
      hasTextOnPath = hasTextOnPath || !tag.isEmpty
    } else if tag.name.equals("image") || tag.name.equals("feImage") {
      let address = tag.attributes.first { SVGTag.local($0.name).equals("href") }
      if let address { classify(address.value) }
    }
  }

  private mutating func classify(_ value: ByteView) {
    var start = 0
    while let byte = value.byte(start), byte <= 0x20 { start += 1 }
    let address = value.slice(from: start)
    guard let first = address.byte(0), first != UInt8(ascii: "#") else { return }
    guard address.starts(with: "data:") else { return externalImages += 1 }
    if address.starts(with: "data:image/webp") { formats.insert("WebP") }
    if address.starts(with: "data:image/avif") { formats.insert("AVIF") }
    if address.starts(with: "data:image/heic") { formats.insert("HEIC") }
    if address.starts(with: "data:image/jxl") { formats.insert("JPEG XL") }
  }

  private func end(of mark: StaticString, from start: Int) -> Int {
    file.firstIndex(of: mark, from: start).map { $0 + mark.utf8CodeUnitCount } ?? file.count
  }
}
