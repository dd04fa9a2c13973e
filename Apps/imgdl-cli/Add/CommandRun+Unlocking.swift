import LibraryAPI
import Composition
import Models
import Persistence

extension CommandRun {
  /// Renders the encrypted files of the records if a password is given, and reports the files with another
  /// password.
  func unlock(_ records: [RecordID]) async throws {
    guard let password else { return }
    var encrypted: [(title: String, resource: Resource)] = []
    for id in records {
      guard let record = try await library.store.record(id), record.counts.failed > 0 else {
        continue
      }
      try await Resources.each(of: record, in: library.store) { resource in
        if resource.needsPassword { encrypted.append((record.title, resource)) }
      }
    }
    for problem in try await PasswordOption.unlock(encrypted, with: password, library.service) {
      await display.printMessage(.complaint(problem))
    }
  }
}
