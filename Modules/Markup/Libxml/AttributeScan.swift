import Markup

/// Estimates the work of libxml2 for the attributes of a document, in one pass over its bytes: libxml2 compares each
/// attribute of a tag with all before it. Documents with too much of it are found before they are parsed.
struct AttributeScan {
  /// The number of compared attributes, some seconds' work, from which a document is not parsed.
  static let maximumWork = 1 << 31

  /// The size in bytes of the smallest document with so much work, whose attributes have at least five bytes.
  private static let minimumBytes = 5 * 65_536

  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  private var work = 0

  /// Returns the reason not to parse a document for which libxml2 would probably take too long.
  static func refusal(of bytes: UnsafeRawBufferPointer) -> MarkupError? {
    guard bytes.count >= minimumBytes else { return nil }
    var scan = AttributeScan(bytes: bytes)
    while scan.work <= maximumWork, scan.find(UInt8(ascii: "<")) { scan.skipMarkup() }
    guard scan.work > maximumWork else { return nil }
    return MarkupError(.limit, "the tags of the document have too many attributes to be read")
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Moves behind the markup whose first character was a "<".
  private mutating func skipMarkup() {
    let rest = bytes[place...]
    if rest.starts(with: "!--".utf8) {
      place += 3
      find(end: "-->")
    } else if rest.starts(with: "![CDATA[".utf8) {
      find(end: "]]>")
    } else if rest.first == UInt8(ascii: "?") {
      find(end: "?>")
    } else {
      skipTag()
    }
  }

  /// Moves behind a tag, or a declaration, and counts its attributes.
  private mutating func skipTag() {
    var count = 0
    defer { work &+= count * (count - 1) / 2 }
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: ">"): return
      case UInt8(ascii: "<"):
        // The tag has no end, or a document type begins its declarations.
        place -= 1
        return
      case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = find(byte)
      case UInt8(ascii: "="): count += 1
      default: break
      }
    }
  }

  /// Moves behind the next occurrence of a text, whose last byte is a ">", or to the end.
  private mutating func find(end text: StaticString) {
    let end = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    let start = place
    while find(UInt8(ascii: ">")) {
      let first = place - end.count
      if first >= start, bytes[first..<place].elementsEqual(end) { return }
    }
  }

  /// Moves behind the next byte of this value; false if there is none.
  private mutating func find(_ byte: UInt8) -> Bool {
    guard let found = bytes[place...].firstIndex(of: byte) else {
      place = bytes.count
      return false
    }
    place = found + 1
    return true
  }
}
