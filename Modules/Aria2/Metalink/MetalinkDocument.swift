import Models

/// A Metalink document in a message of a client. The machine parses no foreign XML: the performer reads the
/// documents of a message before the machine performs its calls.
public struct MetalinkDocument: Sendable {
  /// The parameter of the call: the document in base64.
  let parameter: String
  public let bytes: [UInt8]

  /// The maximum number of documents in a message. Equal documents count once.
  public static let limit = 100

  /// Decodes the parameter of a call; nil if it is not base64.
  init?(_ parameter: String) {
    guard let bytes = Base64.decode(parameter) else { return nil }
    self.parameter = parameter
    self.bytes = bytes
  }
}
