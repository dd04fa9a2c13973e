/// The access key of a user of an S3 service, with which requests are signed. Its descriptions hide the secret
/// and the token.
public struct SigningCredentials: Sendable, Equatable {
  /// The name of the key, which each signed request shows.
  public let accessKeyID: String
  let secretAccessKey: String
  /// The token of temporary credentials, which each signed request contains; nil for lasting ones.
  let sessionToken: String?

  /// The maximum length of each text in bytes. A session token of AWS may have some kilobytes.
  static let maximumBytes = 16_384

  /// Validates the texts.
  /// - Parameter sessionToken: nil or an empty text for lasting credentials.
  /// - Returns: nil if a text is too long, contains characters other than visible ASCII, which a request
  ///   could not contain, or is empty and required.
  public init?(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
    let token = sessionToken.flatMap { $0.isEmpty ? nil : $0 }
    for text in [accessKeyID, secretAccessKey, token ?? "-"] {
      guard !text.isEmpty, text.utf8.count <= Self.maximumBytes,
        text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
      else { return nil }
    }
    // A slash separates the parts of the scope, and a comma those of the field Authorization.
    guard !accessKeyID.utf8.contains(where: { "/,".utf8.contains($0) }) else { return nil }
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = token
  }
}

extension SigningCredentials: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "\(accessKeyID) (hidden)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
