/// Finds the encoding that a `meta` element declares in the first bytes of an HTML document (HTML Standard,
/// "prescan a byte stream to determine its encoding").
public struct EncodingPrescan {
  /// The number of leading bytes in which the standard requires the declaration.
  public static let length = 1_024

  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  /// Returns the declared encoding; nil if there is none, or an unknown one.
  public static func encoding(of document: UnsafeRawBufferPointer) -> DocumentEncoding? {
    var scan = EncodingPrescan(bytes: UnsafeRawBufferPointer(rebasing: document.prefix(length)))
    return scan.run()
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private mutating func run() -> DocumentEncoding? {
    while index < bytes.count {
      if has("<!--") {
        skip(past: "-->", from: index + 2)
      } else if has("<meta"), let next = byte(at: index + 5), Self.isSpace(next) || next == 0x2f {
        index += 5
        if let encoding = readMeta() { return encoding }
      } else if isTag {
        index += 1
        while let byte = byte(at: index), !Self.isSpace(byte), byte != 0x3e { index += 1 }
        while readAttribute() != nil {}
      } else if has("<!") || has("</") || has("<?") {
        skip(past: ">", from: index + 2)
      } else {
        index += 1
      }
    }
    return nil
  }

  /// Whether a start or end tag begins here.
  private var isTag: Bool {
    guard byte(at: index) == 0x3c, let next = byte(at: index + 1) else { return false }
    return Self.isLetter(next) || next == 0x2f && byte(at: index + 2).map(Self.isLetter) == true
  }

  private mutating func readMeta() -> DocumentEncoding? {
    var charset: String?
    var content: String?
    var isContentType = false
    while let (name, value) = readAttribute() {
      switch name {
      case "charset": charset = charset ?? value
      case "content": content = content ?? Self.charset(inContentType: value)
      case "http-equiv": isContentType = value.lowercased() == "content-type"
      default: break
      }
    }
    guard let label = charset ?? (isContentType ? content : nil),
      let encoding = DocumentEncoding(label: label)
    else { return nil }
    // The declaration was read as ASCII, so the document is not in UTF-16.
    if case .utf16 = encoding { return .utf8 }
    return encoding
  }

  /// Returns the next attribute of the tag; nil at the end of the tag.
  private mutating func readAttribute() -> (name: String, value: String)? {
    while let byte = byte(at: index), Self.isSpace(byte) || byte == 0x2f { index += 1 }
    guard let first = byte(at: index), first != 0x3e else { return nil }
    let start = index
    while let byte = byte(at: index), !Self.isSpace(byte), byte != 0x3e, byte != 0x2f,
      byte != 0x3d || index == start
    {
      index += 1
    }
    let name = text(start..<index).lowercased()
    skipSpace()
    guard byte(at: index) == 0x3d else { return (name, "") }
    index += 1
    skipSpace()
    return (name, readValue())
  }

  private mutating func readValue() -> String {
    guard let first = byte(at: index) else { return "" }
    if first == 0x22 || first == 0x27 {
      let start = index + 1
      index = start
      while let byte = byte(at: index), byte != first { index += 1 }
      defer { index += 1 }
      return text(start..<index)
    }
    let start = index
    while let byte = byte(at: index), !Self.isSpace(byte), byte != 0x3e { index += 1 }
    return text(start..<index)
  }

  /// Returns the value of `charset=` in the value of a Content-Type; nil if there is none.
  public static func charset(inContentType text: String) -> String? {
    let bytes = Array(text.utf8)
    let name = Array("charset".utf8)
    var start = 0
    while start + name.count <= bytes.count {
      guard zip(name, bytes[start...]).allSatisfy({ $0 == $1 | 0x20 }) else {
        start += 1
        continue
      }
      var rest = bytes[(start + name.count)...].drop(while: isSpace)
      guard rest.first == 0x3d else {
        start += name.count
        continue
      }
      rest = rest.dropFirst().drop(while: isSpace)
      if let quote = rest.first, quote == 0x22 || quote == 0x27 {
        rest = rest.dropFirst()
        return rest.firstIndex(of: quote).map { String(decoding: rest[..<$0], as: UTF8.self) }
      }
      return String(decoding: rest.prefix { !isSpace($0) && $0 != 0x3b }, as: UTF8.self)
    }
    return nil
  }

  private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Whether these characters follow, letters in any case.
  private func has(_ text: StaticString) -> Bool {
    guard bytes.count - index >= text.utf8CodeUnitCount else { return false }
    for offset in 0..<text.utf8CodeUnitCount {
      let (expected, actual) = (text.utf8Start[offset], bytes[index + offset])
      guard actual == expected || Self.isLetter(expected) && actual | 0x20 == expected else {
        return false
      }
    }
    return true
  }

  private mutating func skip(past text: StaticString, from start: Int) {
    index = start
    while index < bytes.count, !has(text) { index += 1 }
    index += text.utf8CodeUnitCount
  }

  private mutating func skipSpace() {
    while let byte = byte(at: index), Self.isSpace(byte) { index += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0c || byte == 0x0d
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}
