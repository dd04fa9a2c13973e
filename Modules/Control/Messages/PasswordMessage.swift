import Models

/// Of an encrypted document or archive: `POST …/unlock`, and `POST …/draw` if there is one.
struct PasswordMessage: Codable {
  private var password: String

  init(_ password: DocumentPassword) { self.password = password.text }

  func value() throws(ControlError) -> DocumentPassword {
    guard let value = DocumentPassword(password) else {
      throw ControlError(
        .badBody,
        "\"password\" is not a line of 1 to \(DocumentPassword.longest) bytes")
    }
    return value
  }
}
