import HTTP1
import Hashing
public import Models

/// The server's side of the opening handshake (RFC 6455 §4.2).
public enum WebSocketHandshake {
  /// The reason why a request cannot be upgraded.
  public struct Refusal: Error, Sendable, Equatable {
    /// The status of the response: 400, or 426 for another version of the protocol.
    public let status: Int
    /// One sentence about the cause.
    public let detail: String
    /// The fields of the response that tell the client which protocol is expected.
    public let fields: HTTPFields
  }

  /// The version of the protocol in RFC 6455.
  private static let version = "13"
  /// The text that is appended to the key of every client (RFC 6455 §1.3).
  private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// Returns whether a request asks for a WebSocket, well-formed or not.
  public static func isRequested(by fields: HTTPFields) -> Bool {
    fields.all("Upgrade").contains { hasToken("websocket", in: $0) }
  }

  /// Checks a GET request.
  /// - Returns: The fields of the response, which has the status 101.
  public static func accept(_ fields: HTTPFields) throws(Refusal) -> HTTPFields {
    guard isRequested(by: fields),
      fields.all("Connection").contains(where: { hasToken("upgrade", in: $0) })
    else { throw upgradeRequired("this path needs an upgrade to WebSocket") }
    guard fields.all("Sec-WebSocket-Version") == [version] else {
      throw upgradeRequired("only version \(version) of WebSocket is supported")
    }
    let keys = fields.all("Sec-WebSocket-Key")
    guard keys.count == 1, let key = keys.first, isKey(key) else {
      throw Refusal(
        status: 400, detail: "Sec-WebSocket-Key is not 16 bytes in base64", fields: HTTPFields())
    }
    return HTTPFields([
      "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": acceptKey(key),
    ])
  }

  /// Returns the value that proves that the server has understood the handshake.
  static func acceptKey(_ key: String) -> String {
    Base64.encode(SHA1.digest(of: Array((key + suffix).utf8)))
  }

  private static func upgradeRequired(_ detail: String) -> Refusal {
    Refusal(
      status: 426, detail: detail,
      fields: HTTPFields([
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": version,
      ]))
  }

  /// Returns whether a text is the base64 form of 16 bytes.
  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == 24 && Base64.decode(text)?.count == 16
  }

  private static func hasToken(_ token: String, in list: String) -> Bool {
    FieldList.members(list).contains { HTTPFields.isSame($0, token) }
  }
}
