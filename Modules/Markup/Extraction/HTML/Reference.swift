/// A reference to another resource in the text of a page.
enum Reference {
  /// Returns the reference as browsers understand it: without surrounding white space, without line breaks and
  /// tabs, and with slashes in place of backslashes (URL Standard, "basic URL parser").
  /// - Returns: nil for a reference that cannot be an image on a server: empty, only a fragment, of another
  ///   scheme than http and https, or with an unfilled placeholder of a template.
  static func cleaned(_ text: String) -> String? {
    var bytes = text.utf8.span
    var (start, end) = (0, bytes.count)
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    guard start < end, bytes[start] != UInt8(ascii: "#") else { return nil }
    var isClean = start == 0 && end == bytes.count
    var hasBrace = false
    for index in start..<end {
      switch bytes[index] {
      case 0x09, 0x0a, 0x0d, UInt8(ascii: "\\"): isClean = false
      case UInt8(ascii: "{"), UInt8(ascii: "<"): hasBrace = true
      default: break
      }
    }
    var result = text
    if !isClean {
      var cleaned: [UInt8] = []
      cleaned.reserveCapacity(end - start)
      for index in start..<end {
        switch bytes[index] {
        case 0x09, 0x0a, 0x0d: break
        case UInt8(ascii: "\\"): cleaned.append(UInt8(ascii: "/"))
        default: cleaned.append(bytes[index])
        }
      }
      result = String(decoding: cleaned, as: UTF8.self)
    }
    bytes = result.utf8.span
    guard isFetchable(bytes), !hasBrace || !isTemplate(result) else { return nil }
    return result
  }

  /// Whether the reference is relative or has the scheme http or https.
  private static func isFetchable(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: ":"):
        if index == 0 { return true }
        return isScheme("https", bytes, length: index) || isScheme("http", bytes, length: index)
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2e: continue
      default: return true
      }
    }
    return true
  }

  private static func isScheme(_ name: StaticString, _ bytes: Span<UInt8>, length: Int) -> Bool {
    guard name.utf8CodeUnitCount == length else { return false }
    for index in 0..<length where bytes[index] | 0x20 != name.utf8Start[index] { return false }
    return true
  }

  /// Whether the text has a placeholder that a script would fill, such as `{{image.url}}` or `<%= url %>`.
  private static func isTemplate(_ text: String) -> Bool {
    ["{{", "{%", "<%", "${"].contains { text.contains($0) }
      || text.contains("{") && text.contains("}")
  }

  /// Whether the reference has a scheme or names a host, so that the base does not matter.
  static func isAbsolute(_ text: String) -> Bool {
    if text.hasPrefix("//") { return true }
    // The bytes are compared one by one: a page has many references, and a search for a text begins slowly.
    var matched = 0
    for byte in text.utf8.prefix(8) {
      if byte == UInt8(ascii: ":") {
        matched = 1
      } else if matched > 0, byte == UInt8(ascii: "/") {
        matched += 1
        if matched == 3 { return true }
      } else {
        matched = 0
      }
    }
    return false
  }
}
