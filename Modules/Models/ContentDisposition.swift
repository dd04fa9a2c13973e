/// The field `Content-Disposition` of responses (RFC 6266).
public enum ContentDisposition {
  /// The longest name that is read, in bytes.
  private static let maximumLength = 1_024

  /// Returns the last component of the suggested file name; nil if there is none. `filename*` takes precedence, since it
  /// states its character set.
  public static func fileName(_ field: String) -> String? {
    var plain: String?
    var extended: String?
    var rest = Substring(field.utf8.drop { $0 != UInt8(ascii: ";") })
    while let parameter = next(&rest) {
      switch parameter.name.lowercased() {
      case "filename": plain = plain ?? parameter.value
      case "filename*": extended = extended ?? decoded(parameter.value)
      default: break
      }
    }
    guard let text = extended ?? plain, text.utf8.count <= maximumLength else { return nil }
    // Servers must not choose folders.
    let name = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
    return name.allSatisfy { $0 == "." || $0.isWhitespace } ? nil : String(name)
  }

  /// Reads the next parameter behind a semicolon; nil at the end.
  private static func next(_ rest: inout Substring) -> (name: Substring, value: String)? {
    let separators: Set<Character> = [";", " ", "\t"]
    rest = rest.drop { separators.contains($0) }
    guard !rest.isEmpty else { return nil }
    let name = rest.prefix { $0 != "=" && $0 != ";" }
    rest = rest.dropFirst(name.count)
    guard rest.first == "=" else { return (trimmed(name), "") }
    rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
    guard rest.first == "\"" else {
      let value = rest.prefix { $0 != ";" }
      rest = rest.dropFirst(value.count)
      return (trimmed(name), String(trimmed(value)))
    }
    rest = rest.dropFirst()
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.first, escaped == "\"" || escaped == "\\" {
        value.append(escaped)
        rest = rest.dropFirst()
      } else {
        value.append(character)
      }
    }
    return (trimmed(name), value)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return text
  }

  /// Decodes an extended value, such as `UTF-8'de'gr%C3%BCn.png` (RFC 8187); nil for another character set or an
  /// invalid text.
  private static func decoded(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var bytes: [UInt8] = []
    var rest = parts[2].utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let high = PercentEncoding.hexValue(rest.removeFirst()),
        let low = PercentEncoding.hexValue(rest.removeFirst())
      else { return nil }
      bytes.append(high << 4 | low)
    }
    switch parts[0].lowercased() {
    case "utf-8": return String(validating: bytes, as: UTF8.self)
    case "iso-8859-1":
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    default: return nil
    }
  }
}
