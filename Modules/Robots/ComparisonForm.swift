import Models

/// The form in which the target of a URL and the pattern of a rule are compared byte by byte (RFC 9309
/// §2.2.2).
///
/// Percent-encoded unreserved characters are decoded, and every other character is percent-encoded in upper
/// case. The delimiters `/`, `?` and `=` stay as they are: in the query, where they delimit nothing that a
/// rule could name, their encoded forms are decoded, so that `?u=https%3A%2F%2Fa` and `?u=https://a` are the
/// same. A `%` without two hexadecimal digits counts as `%25`.
///
/// O(length); the form is at most three times as long as the text.
enum ComparisonForm {
  static let wildcard = UInt8(ascii: "*")
  static let anchor = UInt8(ascii: "$")

  /// Returns the form of path and query of a URL. A `*` or `$` of the URL is encoded, because both are
  /// special in patterns (RFC 9309 §2.2.3).
  static func target(_ text: String) -> [UInt8] { form(Array(text.utf8)[...], isPattern: false) }

  /// Returns the form of a rule's pattern, in which `*` and a `$` at the end keep their special meaning.
  static func pattern(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.last == anchor else { return form(text, isPattern: true) }
    return form(text.dropLast(), isPattern: true) + [anchor]
  }

  private static func form(_ text: ArraySlice<UInt8>, isPattern: Bool) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var isQuery = false
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if byte == percent, text.endIndex - index > 2,
        let high = PercentEncoding.hexValue(text[index + 1]),
        let low = PercentEncoding.hexValue(text[index + 2])
      {
        appendDecoded(high << 4 | low, isQuery: isQuery, to: &output)
        index += 3
        continue
      }
      index += 1
      if byte == UInt8(ascii: "?") { isQuery = true }
      if isDelimiter(byte) || PercentEncoding.isUnreserved(byte) || (isPattern && byte == wildcard)
      {
        output.append(byte)
      } else {
        appendEncoded(byte, to: &output)
      }
    }
    return output
  }

  /// Appends the byte of an encoded triplet, decoded if its encoding makes no difference.
  private static func appendDecoded(_ byte: UInt8, isQuery: Bool, to output: inout [UInt8]) {
    let isPlain =
      PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "=")
      || (isQuery && isDelimiter(byte))
    if isPlain { output.append(byte) } else { appendEncoded(byte, to: &output) }
  }

  private static func appendEncoded(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(percent)
    output.append(PercentEncoding.hexDigits[Int(byte >> 4)])
    output.append(PercentEncoding.hexDigits[Int(byte & 15)])
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "=")
  }

  private static let percent = UInt8(ascii: "%")
}
