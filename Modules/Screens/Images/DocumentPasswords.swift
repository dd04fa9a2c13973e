import Models

/// The passwords of encrypted documents. A password is kept until the viewer of its document closes; when the
/// document is opened again, the user is asked again.
struct DocumentPasswords: Sendable {
  /// The digests of the documents for which a password was entered since the program started.
  private var protected: Set<Digest> = []
  /// The passwords with which the open viewer decodes pages.
  private(set) var entered: [ResourceID: DocumentPassword] = [:]

  /// Returns whether the password of a document was entered before and has been forgotten.
  func isForgotten(_ resource: Resource) -> Bool {
    guard let file = resource.file, protected.contains(file.digest) else { return false }
    return entered[resource.id] == nil
  }

  mutating func protect(_ document: Digest) { protected.insert(document) }

  mutating func enter(_ password: DocumentPassword, for resource: ResourceID) {
    entered[resource] = password
  }

  mutating func forgetEntered() { entered = [:] }
}
