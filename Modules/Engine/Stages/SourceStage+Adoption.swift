import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

/// Sources that turn out to be single images or documents.
extension SourceStage {
  /// Commits the spooled source as the file of its single resource.
  func adoptSourceAsResource(_ adopted: StoreImport.Adopted) async throws {
    let found = try store.resources(of: adopted.record, offset: 0, limit: 1)
    guard let resource = found.first else { return }
    try catalog.loadRecords(of: [resource])
    deliverAdopted(resource, adopted)
    await commits.flush()
    // A file that failed the content check has not been moved into place.
    try await disk.run { try FileSystem.removeSpool(adopted.path) }
  }

  private func deliverAdopted(_ resource: Resource, _ adopted: StoreImport.Adopted) {
    guard let record = records[resource.record] else { return }
    var file = adopted.file
    let counter = announcer.beginActivity(resource.id, in: record.id, label: resource.url)
    counter.expect(file.byteCount)
    counter.set(received: file.byteCount)
    announcer.emit(.started(resource.id, record: record.id))
    let name = catalog.name(of: resource)
    if let failure = ContentCheck.failure(file, for: resource, at: name.location) {
      return stages.deliveries.fail(resource, failure)
    }
    if case .http = name.location {
      file.answer = StoredFile.Answer(request: name.request, asOf: resource.id)
    }
    let existing = stages.deliveries.commitArrival(
      resource, file, at: name.location, from: .spool(adopted.path))
    if let existing {
      transfers.send(.receivedExistingFile(resource.id, name.request, answer: existing))
    }
  }
}
