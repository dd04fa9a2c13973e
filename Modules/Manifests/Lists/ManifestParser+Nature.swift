import Models

/// What the first bytes of a list tell about it.
extension ManifestParser {
  /// Whether the text may be a table whose first cell is quoted, although it may also begin JSON Lines.
  static func beginsWithQuotationMark(_ head: [UInt8]) -> Bool {
    let body = head.withoutByteOrderMark
    return body.first { $0 != 0x20 && !(0x09...0x0d).contains($0) } == UInt8(ascii: "\"")
  }

  /// Whether the bytes are valid UTF-8 without NULs. The last character may be incomplete.
  static func isText(_ head: [UInt8]) -> Bool {
    !head.contains(0)
      && (0..<4).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }

  static func nature(
    _ recognition: ManifestRecognition, _ demanded: ManifestFormat?
  ) -> String {
    switch recognition {
    case .archive(let format), .resource(let format):
      "the content is \(format.displayName), not a list"
        + (demanded.map { " of the form \"\($0.rawValue)\"" } ?? "")
    default:
      demanded.map { "a source of the form \"\($0.rawValue)\" is not read as a list" }
        ?? "this is not a list of URLs in a known format"
    }
  }
}
