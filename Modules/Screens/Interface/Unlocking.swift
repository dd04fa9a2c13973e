public import Models

/// A password to try on an encrypted file. Descriptions of the request omit the password.
public struct UnlockRequest: Sendable, Equatable {
  public let resource: ResourceID
  /// The title of the resource's record, for messages.
  public let title: String
  public let password: DocumentPassword

  public init(_ resource: ResourceID, of title: String, _ password: DocumentPassword) {
    self.resource = resource
    self.title = title
    self.password = password
  }
}

/// The result of trying a password.
public enum UnlockAnswer: Sendable, Equatable {
  case unlocked
  /// The password is wrong.
  case wrongPassword
  /// The password could not be tried, for the given reason.
  case failed(String)
}
