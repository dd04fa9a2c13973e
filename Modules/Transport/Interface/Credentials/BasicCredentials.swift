/// A user name and a password for `Authorization` and `Proxy-Authorization` (RFC 7617).
public struct BasicCredentials: Hashable, Sendable {
  public let user: String
  public let password: String

  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// The value of the field: `Basic` and the base64 form of user name and password.
  public var fieldValue: String { "Basic " + Self.base64(Array("\(user):\(password)".utf8)) }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes in base64 (RFC 4648 §4).
  static func base64(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 {
        let isFilled = position <= group.count
        output.append(isFilled ? digits[bits >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
