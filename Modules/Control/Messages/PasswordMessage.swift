import Models

/// The password of an encrypted document or archive: the body of `POST …/unlock`, and of `POST …/draw` if the
/// page needs one.
struct PasswordMessage: Codable {
  private var password: String

  init(_ password: DocumentPassword) { self.password = password.text }

  func value() throws(ControlError) -> DocumentPassword {
    guard let value = DocumentPassword(password) else {
      throw ControlError(
        .badBody,
        "\"password\" is not a line of 1 to \(DocumentPassword.maximumBytes) bytes")
    }
    return value
  }
}
