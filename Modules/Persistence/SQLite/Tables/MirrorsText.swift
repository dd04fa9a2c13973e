import Models

/// Encodes the mirrors of a resource as text, one URL per line, readable with any SQLite tool.
enum MirrorsText {
  /// Returns the text of the first ``Resource/mirrorLimit`` mirrors, or nil if there are none.
  static func encode(_ mirrors: [String]) -> String? {
    mirrors.isEmpty ? nil : mirrors.prefix(Resource.mirrorLimit).joined(separator: "\n")
  }

  static func decode(_ text: String?) -> [String] {
    guard let text else { return [] }
    return text.utf8.split(separator: UInt8(ascii: "\n")).prefix(Resource.mirrorLimit)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
