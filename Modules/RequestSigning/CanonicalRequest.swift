import Hashing
import Models

/// A GET request without a body in the form that is signed (AWS General Reference, "Create a signed AWS API
/// request", with the rules of S3: each segment of the path is encoded once, and the path is not normalized).
///
/// The server encodes what it has decoded, so the parts are decoded and encoded here as well: a URL with `+`,
/// `(` or `%7e` in its path is signed as the server reads it.
struct CanonicalRequest: Sendable, Equatable {
  /// The names of the signed fields in lower case, in their order, separated by semicolons.
  let signedNames: String
  /// The hash of the body, as the request states it in `X-Amz-Content-SHA256`.
  static let emptyBodyHash = SHA256Hasher.hash(of: []).description
  /// The whole text.
  let text: String

  /// - Parameter fields: The fields to sign, besides `Host`.
  init(_ url: HTTPURL, signing fields: HTTPFields) {
    var values: [String: [String]] = ["host": [url.origin.authority]]
    for field in fields.fields {
      values[field.name.lowercased(), default: []].append(Self.trimmed(field.value))
    }
    let names = values.keys.sorted()
    signedNames = names.joined(separator: ";")
    var lines = ["GET", Self.path(of: url), Self.query(of: url)]
    lines += names.map { "\($0):\((values[$0] ?? []).joined(separator: ","))" }
    lines += ["", signedNames, Self.emptyBodyHash]
    text = lines.joined(separator: "\n")
  }

  var hash: String { SHA256Hasher.hash(of: text.utf8).description }

  /// Returns the value without blanks around it, and with one space for each run of blanks.
  private static func trimmed(_ value: String) -> String {
    value.utf8.split { $0 == 0x20 || $0 == 0x09 }
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  /// Returns the path with each byte encoded except slashes and unreserved characters (RFC 3986 §2.3).
  static func path(of url: HTTPURL) -> String {
    encoded(decoded(url.path.utf8, plusIsSpace: false), keepingSlashes: true)
  }

  /// Returns the parameters of the query, sorted by their encoded names, and then by their encoded values. A
  /// parameter without `=` has an empty value.
  static func query(of url: HTTPURL) -> String {
    let target = url.target.utf8
    guard let question = target.firstIndex(of: UInt8(ascii: "?")) else { return "" }
    let query = target[target.index(after: question)...]
    let parameters = query.split(separator: UInt8(ascii: "&")).map { part in
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      return (name: parameterText(name), value: parameterText(part.dropFirst(name.count + 1)))
    }
    return parameters.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
      .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  /// Servers read `+` in a query as a space.
  private static func parameterText(_ bytes: Substring.UTF8View) -> String {
    encoded(decoded(bytes, plusIsSpace: true), keepingSlashes: false)
  }

  /// Decodes `%XX`. A `%` without two hexadecimal digits after it is kept.
  private static func decoded(_ text: Substring.UTF8View, plusIsSpace: Bool) -> [UInt8] {
    let bytes = Array(text)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = PercentEncoding.hexValue(bytes[index + 1]),
        let low = PercentEncoding.hexValue(bytes[index + 2])
      {
        output.append(high << 4 | low)
        index += 3
        continue
      }
      output.append(plusIsSpace && bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
      index += 1
    }
    return output
  }

  private static func encoded(_ bytes: [UInt8], keepingSlashes: Bool) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    for byte in bytes {
      if PercentEncoding.isUnreserved(byte) || keepingSlashes && byte == UInt8(ascii: "/") {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "%"))
        output.append(PercentEncoding.hexDigits[Int(byte >> 4)])
        output.append(PercentEncoding.hexDigits[Int(byte & 15)])
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
