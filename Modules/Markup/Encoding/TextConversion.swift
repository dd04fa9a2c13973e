import CIconv
import Glibc
import Models

/// Converts the text of documents to UTF-8. Bytes that are invalid in their encoding become U+FFFD.
public enum TextConversion {
  /// Loads the tables of all encodings, because a confined worker cannot open files later. The conversions stay
  /// open, which keeps their tables loaded.
  public static func prepare() {
    for name in EncodingLabels.iconvNames {
      _ = imgdl_iconv_open(name)
      _ = imgdl_iconv_open_to(name)
    }
  }

  /// Returns the text of an HTML document in UTF-8 without byte order mark; nil if the document is in UTF-8
  /// already, invalid bytes included.
  ///
  /// A byte order mark decides about the encoding, then the label that the server states, then the document
  /// itself (HTML Standard, "determining the character encoding"). A document without a usable label is in
  /// UTF-8 if all of its bytes are valid, and else in windows-1252.
  public static func utf8(_ document: UnsafeRawBufferPointer, charset: String?) -> [UInt8]? {
    if let (encoding, length) = DocumentEncoding.byteOrderMark(document) {
      return utf8(UnsafeRawBufferPointer(rebasing: document[length...]), from: encoding)
    }
    let stated =
      charset.flatMap { DocumentEncoding(label: $0) } ?? EncodingPrescan.encoding(of: document)
    if let stated { return utf8(document, from: stated) }
    return isUTF8(document) ? nil : windows1252(document)
  }

  /// Returns the encoding in which `utf8` reads a document.
  static func encoding(of document: UnsafeRawBufferPointer, charset: String?) -> DocumentEncoding {
    if let (encoding, _) = DocumentEncoding.byteOrderMark(document) { return encoding }
    let stated =
      charset.flatMap { DocumentEncoding(label: $0) } ?? EncodingPrescan.encoding(of: document)
    return stated ?? (isUTF8(document) ? .utf8 : .windows1252)
  }

  /// Returns the text in UTF-8; nil if the encoding is UTF-8, in which bytes may be invalid.
  static func utf8(
    _ bytes: UnsafeRawBufferPointer, from encoding: DocumentEncoding
  ) -> [UInt8]? {
    switch encoding {
    case .utf8: nil
    case .utf16(let isBigEndian): utf16(bytes, isBigEndian: isBigEndian)
    case .windows1252: windows1252(bytes)
    // Without the tables, the ASCII characters are converted, and with them most URLs.
    case .converted(let name): converted(bytes, from: name) ?? windows1252(bytes)
    }
  }

  /// Returns the text with U+FFFD in place of invalid bytes; nil if there are none.
  static func repaired(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    isUTF8(bytes) ? nil : Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    firstInvalid(bytes) == nil
  }

  /// Returns the offsets of the first bytes that are not valid in UTF-8; nil if all are.
  static func firstInvalid(_ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    bytes.withMemoryRebound(to: UInt8.self) { bytes in
      do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes.span)
        return nil
      } catch {
        return error.byteOffsets
      }
    }
  }

  private static func utf16(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> [UInt8] {
    let units = (0..<bytes.count / 2).lazy.map { index in
      let (first, second) = (UInt16(bytes[2 * index]), UInt16(bytes[2 * index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var decoder = UTF16()
    var iterator = units.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): output.append(contentsOf: scalar.utf8)
      case .error: output.append(contentsOf: replacement)
      case .emptyInput: return output
      }
    }
  }

  private static let replacement: [UInt8] = [0xef, 0xbf, 0xbd]

  private static func windows1252(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    bytes.withMemoryRebound(to: UInt8.self) { Windows1252.utf8($0.span) }
  }

  /// Converts by iconv(3); nil if the machine lacks the encoding.
  private static func converted(_ bytes: UnsafeRawBufferPointer, from name: String) -> [UInt8]? {
    guard let conversion = imgdl_iconv_open(name) else { return nil }
    defer { imgdl_iconv_close(conversion) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2)
    let block = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 64 << 10)
    defer { block.deallocate() }
    // iconv(3) does not write to its input, although its declaration permits it.
    var input = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?
      .assumingMemoryBound(to: CChar.self)
    var left = bytes.count
    while left > 0 {
      var out = block.baseAddress
      var room = block.count
      let error = imgdl_iconv(conversion, &input, &left, &out, &room)
      output.append(
        contentsOf: UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(block)[..<(block.count - room)]))
      switch error {
      case 0, E2BIG: continue
      case EILSEQ:
        output.append(contentsOf: replacement)
        input = input.map { $0 + 1 }
        left -= 1
      default:
        // The text ends within a character.
        output.append(contentsOf: replacement)
        left = 0
      }
    }
    return output
  }
}
