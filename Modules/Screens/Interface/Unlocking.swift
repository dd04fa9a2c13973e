public import Models

/// A password to try on an encrypted file. The password's own descriptions hide it.
public struct UnlockRequest: Sendable, Equatable {
  public let resource: ResourceID
  /// The title of its record, for messages.
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
  /// The password could not be tried, for this reason.
  case failed(String)
}
