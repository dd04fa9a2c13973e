import Models

/// The passwords of encrypted documents. A password is kept until the viewer that shows the document closes,
/// and requested again when the document is opened again.
struct DocumentPasswords: Sendable {
  /// The documents for which a password was given in this run.
  private var protected: Set<Digest> = []
  /// The passwords that the open viewer decodes pages with.
  private(set) var entered: [ResourceID: DocumentPassword] = [:]

  /// Whether the password of the document was given before and is forgotten.
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
