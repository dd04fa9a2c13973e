import Decoding

/// A start tag of an XML text. Accepts any input.
struct SVGTag {
  struct Attribute {
    let name: ByteView
    let value: ByteView
    /// The bytes of the attribute, the closing quote included, as offsets in the file.
    let range: Range<Int>
  }

  /// The name without a prefix.
  let name: ByteView
  let attributes: [Attribute]
  /// Whether the tag is the whole element.
  let isEmpty: Bool
  /// The offset behind the name.
  let endOfName: Int
  /// The offset behind the tag. A `>` in a value does not end it.
  let end: Int

  /// An upper bound of the attributes that are kept; no program writes so many.
  private static let maximumAttributes = 256

  /// - Parameter start: The offset of the `<`.
  init(_ file: ByteView, at start: Int) {
    endOfName = Self.endOfName(file, from: start + 1)
    name = Self.local(file.slice(start + 1, endOfName - start - 1))
    var attributes: [Attribute] = []
    var isEmpty = false
    var offset = endOfName
    while let byte = file.byte(offset), byte != UInt8(ascii: ">") {
      let begin = offset
      offset = Self.endOfName(file, from: begin)
      guard offset > begin else {
        isEmpty = byte == UInt8(ascii: "/") && file.byte(begin + 1) == UInt8(ascii: ">")
        offset = begin + 1
        continue
      }
      let name = file.slice(begin, offset - begin)
      var place = Self.endOfSpace(file, from: offset)
      guard file.byte(place) == UInt8(ascii: "=") else { continue }
      place = Self.endOfSpace(file, from: place + 1)
      guard let quote = file.byte(place), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      else { continue }
      let last = file.firstIndex(of: quote, from: place + 1) ?? file.count
      offset = min(file.count, last + 1)
      if attributes.count < Self.maximumAttributes {
        attributes.append(
          Attribute(
            name: name, value: file.slice(place + 1, last - place - 1), range: begin..<offset))
      }
    }
    self.attributes = attributes
    self.isEmpty = isEmpty
    end = min(file.count, offset + 1)
  }

  /// Returns the value of an attribute whose name has no prefix; nil if the tag lacks it.
  func value(_ name: StaticString) -> ByteView? {
    attributes.first { $0.name.equals(name) }?.value
  }

  /// Returns a name without its prefix.
  static func local(_ name: ByteView) -> ByteView {
    var start = 0
    while let colon = name.firstIndex(of: UInt8(ascii: ":"), from: start) { start = colon + 1 }
    return name.slice(from: start)
  }

  private static func endOfName(_ file: ByteView, from start: Int) -> Int {
    var offset = start
    while let byte = file.byte(offset) {
      switch byte {
      case 0...0x20, UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "\""),
        UInt8(ascii: "'"):
        return offset
      default: offset += 1
      }
    }
    return offset
  }

  private static func endOfSpace(_ file: ByteView, from start: Int) -> Int {
    var offset = start
    while let byte = file.byte(offset), byte <= 0x20 { offset += 1 }
    return offset
  }
}

extension ByteView {
  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && starts(with: text)
  }

  /// The bytes as text; invalid UTF-8 is replaced.
  var text: String { String(decoding: array, as: UTF8.self) }

  /// Returns the offset of the next occurrence of a text, or nil if there is none.
  func firstIndex(of text: StaticString, from start: Int) -> Int? {
    var offset = start
    while let place = firstIndex(of: text.utf8Start.pointee, from: offset) {
      if starts(with: text, at: place) { return place }
      offset = place + 1
    }
    return nil
  }
}
