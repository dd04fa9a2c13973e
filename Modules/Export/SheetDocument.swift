import Naming
import Rendering
import SystemCalls

/// A contact sheet as a PDF of one page (ISO 32000-1) with uncompressed images and labels in Helvetica, which
/// a sandboxed decoder then renders. The functions block.
final class SheetDocument {
  private let file: OwnedDescriptor
  private let layout: SheetLayout
  private let height: Int
  /// The file offset of each object, starting with object 1.
  private var offsets: [Int64] = []
  private var position: Int64 = 0
  private var content = ""
  private var count = 0
  /// The number of labels with characters that the font does not have.
  private(set) var incompleteLabels = 0

  /// The numbers of the objects that other objects refer to before they are written.
  private enum Fixed: Int {
    case catalog = 1
    case pages, page, content, font
  }

  /// - Parameter count: The number of images that the caller will add.
  init(_ path: String, _ layout: SheetLayout, count: Int, title: String) throws {
    file = try FileSystem.open(path, .writing, create: .replacing)
    self.layout = layout
    height = layout.height(of: count)
    offsets = Array(repeating: 0, count: Fixed.font.rawValue)
    try write("%PDF-1.4\n")
    content = "1 1 1 rg 0 0 \(layout.width) \(height) re f\n0 0 0 rg\n"
    text(title, x: SheetLayout.gap, y: 26, size: 18, length: layout.width / 10)
  }

  /// Adds an image in the next tile.
  /// - Parameter image: The image; nil leaves the tile grey.
  func add(_ image: PixelRendition?, label: String) throws {
    let origin = layout.tileOrigin(at: count)
    count += 1
    if let image {
      let number = try addImage(image)
      // The image is centred in its tile.
      let x = origin.x + (layout.tile - image.width) / 2
      let y = origin.y + (layout.tile - image.height) / 2
      content += "q \(image.width) 0 0 \(image.height) \(x) \(height - y - image.height) cm "
      content += "/I\(number) Do Q\n"
    } else {
      let bottom = height - origin.y - layout.tile
      content += "0.85 g \(origin.x) \(bottom) \(layout.tile) \(layout.tile) re f 0 g\n"
    }
    if !SheetText.canWrite(label) { incompleteLabels += 1 }
    text(label, x: origin.x, y: origin.y + layout.tile + 13, size: 11, length: layout.labelLength)
  }

  func finish() throws {
    let images = offsets.indices.dropFirst(Fixed.font.rawValue).map { $0 + 1 }
    let names = images.map { "/I\($0) \($0) 0 R" }.joined(separator: " ")
    try object(.catalog, "<< /Type /Catalog /Pages 2 0 R >>")
    try object(.pages, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
    try object(
      .page,
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(layout.width) \(height)] /Contents 4 0 R "
        + "/Resources << /Font << /F 5 0 R >> /XObject << \(names) >> >> >>")
    try object(
      .content, "<< /Length \(content.utf8.count) >> stream\n\(content)\nendstream")
    try object(
      .font,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    let start = position
    var table = "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
    for offset in offsets {
      let digits = String(offset)
      table += String(repeating: "0", count: max(0, 10 - digits.count)) + digits + " 00000 n \n"
    }
    try write(table)
    try write("trailer << /Size \(offsets.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n")
    file.close()
  }

  private func addImage(_ image: PixelRendition) throws -> Int {
    offsets.append(position)
    let number = offsets.count
    let pixels = Self.onWhite(image)
    try write(
      "\(number) 0 obj << /Type /XObject /Subtype /Image /Width \(image.width) "
        + "/Height \(image.height) /ColorSpace /DeviceRGB /BitsPerComponent 8 "
        + "/Length \(pixels.count) >> stream\n")
    try file.write(all: pixels.span.bytes)
    position += Int64(pixels.count)
    try write("\nendstream endobj\n")
    return number
  }

  /// Converts the pixels to red, green, blue. Transparent pixels are blended with white.
  private static func onWhite(_ image: PixelRendition) -> [UInt8] {
    let count = image.width * image.height
    return image.pixels.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: count * 3) { target, filled in
        for pixel in 0..<count {
          let alpha = Int(source[pixel &* 4 &+ 3])
          for component in 0..<3 {
            let value = Int(source[pixel &* 4 &+ 2 &- component])
            target[pixel &* 3 &+ component] = UInt8(
              clamping: (value &* alpha &+ 255 &* (255 &- alpha)) / 255)
          }
        }
        filled = count * 3
      }
    }
  }

  private func object(_ number: Fixed, _ body: String) throws {
    offsets[number.rawValue - 1] = position
    try write("\(number.rawValue) 0 obj \(body) endobj\n")
  }

  private func text(_ text: String, x: Int, y: Int, size: Int, length: Int) {
    content += "BT /F \(size) Tf \(x) \(height - y) Td <\(SheetText.hex(text, length))> Tj ET\n"
  }

  private func write(_ text: String) throws {
    let bytes = Array(text.utf8)
    try file.write(all: bytes.span.bytes)
    position += Int64(bytes.count)
  }
}

/// Encodes labels in WinAnsiEncoding, for Helvetica, a standard font of PDF.
enum SheetText {
  /// Returns the text as hexadecimal digits, so that no character is PDF syntax. Characters outside
  /// of the encoding become question marks.
  /// - Parameter length: The maximum number of characters; the middle of a longer text is replaced by an
  ///   ellipsis.
  static func hex(_ text: String, _ length: Int) -> String {
    let all = Array(text)
    let half = (length - 1) / 2
    let kept =
      all.count <= length
      ? all : Array(all.prefix(length - 1 - half)) + ["\u{2026}"] + Array(all.suffix(half))
    return kept.map { character in
      let code = byte(character) ?? UInt8(ascii: "?")
      return (code < 16 ? "0" : "") + String(code, radix: 16)
    }.joined()
  }

  /// Whether all characters of a text are in the encoding.
  static func canWrite(_ text: String) -> Bool { text.allSatisfy { byte($0) != nil } }

  private static func byte(_ character: Character) -> UInt8? {
    let composed = SafeName.composed(String(character)).unicodeScalars
    guard composed.count == 1, let scalar = composed.first else { return nil }
    if let code = others[scalar] { return code }
    guard (0x20..<0x7f).contains(scalar.value) || (0xa0...0xff).contains(scalar.value) else {
      return nil
    }
    return UInt8(scalar.value)
  }

  /// The characters beyond Latin-1 (ISO 32000-1, D.2), from 0x80 on; five places are empty.
  private static let others: [Unicode.Scalar: UInt8] = {
    let characters =
      "\u{20ac}\0\u{201a}\u{192}\u{201e}\u{2026}\u{2020}\u{2021}\u{2c6}\u{2030}\u{160}\u{2039}\u{152}\0\u{17d}\0"
      + "\0\u{2018}\u{2019}\u{201c}\u{201d}\u{2022}\u{2013}\u{2014}\u{2dc}\u{2122}\u{161}\u{203a}\u{153}\0\u{17e}"
      + "\u{178}"
    var codes: [Unicode.Scalar: UInt8] = [:]
    for (scalar, code) in zip(characters.unicodeScalars, UInt8(0x80)...) where scalar != "\0" {
      codes[scalar] = code
    }
    return codes
  }()
}
