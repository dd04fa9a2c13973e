public import Models

/// A password for an encrypted file. Its descriptions hide it.
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

/// What became of a password.
public enum UnlockAnswer: Sendable, Equatable {
  case unlocked
  /// The file has another one.
  case wrongPassword
  /// Why it could not be tried.
  case failed(String)
}
