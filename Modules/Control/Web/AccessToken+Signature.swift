import Hashing
import Models
import SystemCalls

extension AccessToken {
  /// Issues a token.
  /// - Parameters:
  ///   - id: The identifier of the session that the token continues; nil for a new one.
  ///   - key: The library's secret key.
  static func issue(
    _ kind: Kind, expiry: Int64, key: [UInt8], random: any RandomSource, id: String? = nil
  ) -> String {
    let content = "\(kind.rawValue).\(expiry).\(id ?? random.hexadecimal(words: 2))"
    return "\(content).\(code(of: content, key: key))"
  }

  /// Verifies a token.
  /// - Parameters:
  ///   - text: The token as the client sent it.
  ///   - now: The current time in Unix seconds.
  /// - Returns: nil if the text is malformed, another key signed the token, or the token has expired.
  init?(_ text: String, key: [UInt8], now: Int64) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, let kind = Kind(rawValue: String(parts[0])),
      let expiry = Int64(oneSpelling: parts[1]), let code = Digest(hexadecimal: parts[3])
    else { return nil }
    let content = parts[..<3].joined(separator: ".")
    let expected = MessageAuthenticationCode.code(of: Array(content.utf8), key: key)
    guard MessageAuthenticationCode.isEqual(expected, code.bytes), expiry > now else { return nil }
    self.kind = kind
    self.expiry = expiry
    id = String(parts[2])
  }

  private static let maximumLength = 200

  private static func code(of content: String, key: [UInt8]) -> String {
    let code = MessageAuthenticationCode.code(of: Array(content.utf8), key: key)
    return Digest(code)?.description ?? ""
  }
}

extension RandomSource {
  /// Returns `words` times 16 random hexadecimal digits.
  func hexadecimal(words: Int) -> String {
    var text = ""
    for _ in 0..<words {
      let word = next()
      let digits = String(word, radix: 16)
      text += String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
    return text
  }
}
