/// The image in the `style` attribute of an element.
enum BackgroundImage {
  /// Returns the URL of the first `background` or `background-image` with a `url()`; nil if there is none, or
  /// if the image is repeated, as patterns are.
  static func url(inStyle style: String) -> String? {
    // Only ASCII letters are changed, so that offsets in bytes stay the same.
    let lower = String(
      decoding: style.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    guard lower.contains("background") || lower.contains("--"),
      let call = lower.firstRange(of: "url("),
      !lower.contains("repeat-x"), !lower.contains("repeat-y")
    else { return nil }
    let before = lower[..<call.lowerBound]
    // The property of the call is the last one that begins before it.
    let property = before.split(separator: ";").last.map {
      $0.prefix { $0 != ":" }.filter { !$0.isWhitespace }
    }
    // A custom property has the image for a rule elsewhere (CSS Custom Properties for Cascading Variables).
    let isCustom = property?.hasPrefix("--") == true
    guard property == "background" || property == "background-image" || isCustom else { return nil }
    let bytes = Array(style.utf8)
    let start = lower.utf8.distance(from: lower.startIndex, to: call.upperBound)
    return argument(bytes[start...])
  }

  /// Returns the argument of `url(`, which ends at the quotation mark or parenthesis.
  private static func argument(_ bytes: ArraySlice<UInt8>) -> String? {
    let rest = bytes.drop { $0 <= 0x20 }
    guard let first = rest.first else { return nil }
    let isQuoted = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
    let body = isQuoted ? rest.dropFirst() : rest
    guard let end = body.firstIndex(of: isQuoted ? first : UInt8(ascii: ")")) else { return nil }
    var text = String(decoding: body[..<end], as: UTF8.self)
    // A backslash escapes a character that would end the argument (CSS Syntax, section 4.3.6).
    if text.contains("\\") { text = text.replacing("\\", with: "") }
    return text
  }

  /// Returns the value of a property in pixels, such as `width: 240px`; nil if the style does not state it.
  static func pixels(_ property: String, inStyle style: String) -> Int? {
    for declaration in style.split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2,
        parts[0].trimmingSpaces.lowercased() == property
      else { continue }
      let value = parts[1].trimmingSpaces.lowercased()
      guard value.hasSuffix("px") else { return nil }
      return Double(value.dropLast(2)).flatMap { Int(exactly: $0.rounded()) }
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
