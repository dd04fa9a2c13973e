/// Converts the text of XML documents to UTF-8.
public enum XMLText {
  /// Returns the document in valid UTF-8 without byte order mark; nil if it is that already.
  ///
  /// The encoding is that of a byte order mark, of the server, of the declaration, in this order (RFC 7303 §3),
  /// or UTF-8. Text that is not valid in UTF-8 is taken for windows-1252 unless the document or the server states
  /// UTF-8; then its invalid bytes become U+FFFD.
  public static func utf8(_ document: UnsafeRawBufferPointer, charset: String?) -> [UInt8]? {
    if let (encoding, length) = DocumentEncoding.byteOrderMark(document) {
      let text = UnsafeRawBufferPointer(rebasing: document[length...])
      return TextConversion.utf8(text, from: encoding) ?? TextConversion.repaired(text)
        ?? Array(text)
    }
    if let wide = wideEncoding(document) { return TextConversion.utf8(document, from: wide) }
    if let stated = stated(document, charset) {
      return TextConversion.utf8(document, from: stated) ?? TextConversion.repaired(document)
    }
    guard TextConversion.repaired(document) != nil else { return nil }
    return TextConversion.utf8(document, from: .windows1252)
  }

  /// Returns the line, from 1, of the first byte that becomes U+FFFD because the document or the server states UTF-8
  /// and the document is in another encoding; nil if there is none, or only the last character is cut off.
  public static func firstInvalidLine(
    _ document: UnsafeRawBufferPointer, charset: String?
  ) -> Int? {
    let encoding =
      DocumentEncoding.byteOrderMark(document)?.encoding ?? wideEncoding(document)
      ?? stated(document, charset)
    guard encoding == .utf8, let invalid = TextConversion.firstInvalid(document),
      invalid.upperBound < document.count
    else { return nil }
    return document[..<invalid.lowerBound].count { $0 == 0x0a } + 1
  }

  /// Returns the encoding that the server or the declaration states; nil if there is none.
  private static func stated(
    _ document: UnsafeRawBufferPointer, _ charset: String?
  ) -> DocumentEncoding? {
    charset.flatMap { DocumentEncoding(label: $0) }.flatMap(narrow) ?? declared(document)
  }

  /// UTF-16 without a mark shows by the zeros beside the first character (XML 1.0, appendix F).
  private static func wideEncoding(_ document: UnsafeRawBufferPointer) -> DocumentEncoding? {
    guard document.count >= 2 else { return nil }
    switch (document[0], document[1]) {
    case (UInt8(ascii: "<"), 0): return .utf16(isBigEndian: false)
    case (0, UInt8(ascii: "<")): return .utf16(isBigEndian: true)
    default: return nil
    }
  }

  /// A document without zeros is not in UTF-16, even if its declaration says so.
  private static func narrow(_ encoding: DocumentEncoding) -> DocumentEncoding? {
    if case .utf16 = encoding { return nil }
    return encoding
  }

  /// The number of leading bytes that are searched for the declaration.
  private static let declarationLength = 256

  /// Returns the encoding in the declaration `<?xml … encoding="…"?>`; nil if there is none, or an unknown one.
  private static func declared(_ document: UnsafeRawBufferPointer) -> DocumentEncoding? {
    let head = String(decoding: document.prefix(declarationLength), as: UTF8.self)
      .drop(while: \.isWhitespace)
    guard head.hasPrefix("<?xml"), let end = head.firstRange(of: "?>") else { return nil }
    let declaration = head[..<end.lowerBound]
    guard let name = declaration.firstRange(of: "encoding") else { return nil }
    let value = declaration[name.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return DocumentEncoding(label: value.dropFirst().prefix { $0 != quote }).flatMap(narrow)
  }
}
