/// Decodes the names of entries.
///
/// Zip marks UTF-8 with a flag and otherwise uses CP437 (APPNOTE.TXT, appendix D), but many writers store
/// UTF-8 without the flag, or the code page of their Windows. Therefore valid UTF-8 is decoded as such, what is
/// plausible in Shift-JIS, GBK or Big5 in that encoding, and everything else as CP437.
package enum EntryName {
  /// Decodes a name. `\` is replaced by `/`, because older Windows programs use it as the separator.
  package static func decode(_ bytes: some Collection<UInt8>) -> String {
    let text =
      String(validating: bytes, as: UTF8.self) ?? DoubleByteName.decode(Array(bytes))
      ?? cp437(bytes)
    guard text.contains("\\") else { return text }
    return text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "/")
  }

  /// - Parameter zipExtra: The extra fields of a zip's directory, which may contain the name in UTF-8 as well
  ///   (APPNOTE.TXT 4.6.9). The UTF-8 name is used if the checksum in the field matches the raw name.
  package static func decode(
    _ bytes: some Collection<UInt8>, zipExtra: some Collection<UInt8>
  ) -> String {
    guard !zipExtra.isEmpty else { return decode(bytes) }
    for field in ZipExtraFields(Array(zipExtra))[0x7075] where field.count > 5 && field.first == 1 {
      guard Array(field).uint32(at: 1) == checksum(bytes) else { continue }
      return decode(field.dropFirst(5))
    }
    return decode(bytes)
  }

  /// Returns the name of the entry to which a link leads, in the form of `normalized`; nil if it leads out of the archive.
  /// - Parameters:
  ///   - link: The stored target: the name of an entry, or for a symbolic link a path relative to the link's folder.
  ///   - name: The name of the link.
  package static func target(of link: String, at name: String, isSymbolic: Bool) -> String? {
    guard isSymbolic else { return normalized(link) }
    guard !link.hasPrefix("/") else { return nil }
    let folder = name.split(separator: "/").dropLast().joined(separator: "/")
    return normalized("\(folder)/\(link)")
  }

  /// Returns the name without empty components, `.` and `..`, by which links name entries; nil if it leads out of the
  /// archive.
  package static func normalized(_ name: String) -> String? {
    var parts: [Substring] = []
    for part in name.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }

  /// Loads the tables for the encodings of names and passwords, because a confined worker cannot open files later.
  package static func prepare() { DoubleByteName.prepare() }

  /// Returns whether the entry belongs to a system instead of the user: a file in a hidden folder or in one of those in
  /// which macOS, Windows and network storage keep data of their own, or one of their files.
  package static func isClutter(_ name: String) -> Bool {
    var parts = name.split(separator: "/")
    guard let file = parts.popLast() else { return false }
    return file.hasPrefix("._") || systemFiles.contains(file.lowercased())
      || parts.contains { isHidden($0) || systemFolders.contains($0.lowercased()) }
  }

  /// The folders of macOS, of Synology (thumbnails and deleted files) and of Windows, in lower case.
  private static let systemFolders: Set<String> = [
    "__macosx", "@eadir", "#recycle", "$recycle.bin", "system volume information",
  ]
  private static let systemFiles: Set<String> = ["thumbs.db", "ehthumbs.db", "desktop.ini"]

  /// - Parameter folder: A component of a path; `.` and `..` are steps of the path, and no names.
  private static func isHidden(_ folder: Substring) -> Bool {
    folder.hasPrefix(".") && folder != "." && folder != ".."
  }

  /// Returns the CRC-32 (ISO 3309), computed bit by bit, since names are short.
  private static func checksum(_ bytes: some Collection<UInt8>) -> Int64 {
    var crc: UInt32 = 0xffff_ffff
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return Int64(~crc)
  }

  private static func cp437(_ bytes: some Collection<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      text.unicodeScalars.append(byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80])
    }
    return text
  }

  /// The characters 0x80 to 0xff of code page 437.
  static let upperHalf = Array(
    ("ÇüéâäàåçêëèïîìÄÅ" + "ÉæÆôöòûùÿÖÜ¢£¥₧ƒ" + "áíóúñÑªº¿⌐¬½¼¡«»"
      + "░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧" + "╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
      + "αßΓπΣσµτΦΘΩδ∞φε∩" + "≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}").unicodeScalars)
}
