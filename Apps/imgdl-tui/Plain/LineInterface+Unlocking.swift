import Composition
import LibraryAPI
import Models
import Persistence

/// The command `unlock N [I]`: asks for the password of encrypted files and passes it to the engine, in one
/// request for each file. The password is not stored.
extension LineInterface {
  func unlock(_ words: [String], _ input: PlainInput) async throws -> Outcome {
    guard let record = try await record(words) else {
      PlainText.printLine("Which record?")
      return .next
    }
    let number = words.dropFirst().first
    let encrypted = try await encrypted(of: record, number)
    guard !encrypted.isEmpty else {
      PlainText.printLine(
        number.map { "Image \($0) of \(record.title) needs no password" }
          ?? "Nothing in \(record.title) needs a password")
      return .next
    }
    switch try await input.secret("Password of the encrypted files of \(record.title):") {
    case .nothing: PlainText.printLine("Nothing was done.")
    case .interrupted: return .interrupted
    case .text(let text):
      guard let password = DocumentPassword(text) else {
        PlainText.printLine("A password has \(DocumentPassword.maximumBytes) bytes at most")
        break
      }
      await unlock(encrypted, of: record, with: password)
    }
    return .next
  }

  /// Returns the resources of a record that need a password.
  /// - Parameter number: The number of the only resource to return, as the user typed it; nil means all.
  private func encrypted(of record: Record, _ number: String?) async throws -> [Resource] {
    var encrypted: [Resource] = []
    var offset = 0
    while case let page = try await connection.store.resources(
      of: record.id, offset: offset, limit: 1_000), !page.isEmpty
    {
      offset += page.count
      encrypted += page.filter {
        $0.needsPassword && (number == nil || number == "\($0.index)")
      }
    }
    return encrypted
  }

  private func unlock(
    _ resources: [Resource], of record: Record, with password: DocumentPassword
  ) async {
    for resource in resources {
      do {
        try await connection.service.unlock(resource.id, with: password)
        PlainText.printLine("\(record.title), resource \(resource.index): unlocked")
      } catch {
        PlainText.printLine("Error: \(record.title), \(LibrarySession.message(error))")
      }
    }
  }
}
