/// The reason for which one side closes a connection (RFC 6455 §7.4).
public struct CloseCode: Sendable, Hashable {
  public let rawValue: UInt16

  public static let normal = CloseCode(unchecked: 1000)
  /// The server shuts down, or the client leaves the page.
  public static let goingAway = CloseCode(unchecked: 1001)
  public static let protocolError = CloseCode(unchecked: 1002)
  /// The receiver does not accept this kind of data, such as binary messages.
  public static let unsupportedData = CloseCode(unchecked: 1003)
  /// The content of a message contradicts its kind: a text is not UTF-8.
  public static let invalidPayload = CloseCode(unchecked: 1007)
  public static let policyViolation = CloseCode(unchecked: 1008)
  public static let messageTooBig = CloseCode(unchecked: 1009)

  private init(unchecked rawValue: UInt16) { self.rawValue = rawValue }

  /// Returns nil for a code that no frame may contain: one below 1000 or above 4999, one that is reserved
  /// for the API of a client (1005, 1006, 1015), or one that is not assigned (RFC 6455 §7.4.2).
  init?(received rawValue: UInt16) {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: self.rawValue = rawValue
    default: return nil
    }
  }
}
