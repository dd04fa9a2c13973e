import Models
import Persistence
import ProgressTree

/// The delivery of downloaded files to the resources that want them.
extension Engine {
  /// Delivers a complete partial file to all subscribers: to the first by a rename, to the others by links.
  func deliverFile(_ job: Job, _ file: StoredFile) {
    guard !job.subscribers.isEmpty else { return }
    let mayHaveRow = partialFiles.forget(job.request) || job.mayHaveRow
    var first: ExistingFile?
    for index in job.subscribers.indices {
      let resource = job.subscribers[index].resource
      if let failure = ContentCheck.failure(file, for: resource, at: job.location) {
        failResource(resource, failure)
      } else {
        let origin: CommitWork.Arrival.Origin =
          if let first { .existing(first) } else { .partial(job.request) }
        let held = commitArrival(
          resource, file, at: job.location, from: origin, mayHaveRow: mayHaveRow)
        if let held { first = held }
      }
    }
    if first == nil { commit(.discardPartial(job.request)) }
    send(.settling(job.request, job.ids, answer: first))
  }

  /// Delivers the held file to all subscribers without a request.
  func answerFromLibrary(_ job: Job) {
    guard let held = job.held?.file else { return }
    for subscriber in job.subscribers {
      receive(held, held.file, subscriber.resource, at: job.location)
    }
  }

  /// Delivers the held file, which the server has confirmed to be current.
  func confirm(_ job: Job, _ held: ExistingFile, _ answer: StoredFile.Answer) {
    var file = held.file
    file.answer = answer
    commit(.confirmed(held.resource, answer))
    // Subscribers that require new bytes get a plain request.
    let content = job.subscribers.filter { !$0.resource.mustReload }.map(\.resource)
    for resource in content { receive(held, file, resource, at: job.location) }
    let known = ExistingFile(
      resource: held.resource, record: held.record, folder: held.folder, file: file)
    send(.settling(job.request, content.map(\.id), answer: known))
  }

  private func receive(
    _ held: ExistingFile, _ file: StoredFile, _ resource: Resource, at location: ResourceLocation
  ) {
    if held.resource == resource.id, resource.file == nil || standalone.contains(resource) {
      return commit(.answered(resource, failure: nil))
    }
    if let failure = ContentCheck.failure(file, for: resource, at: location) {
      return failResource(resource, failure)
    }
    if let record = records[resource.record] {
      announcer.beginActivity(resource.id, in: record.id, label: resource.url)
    }
    _ = commitArrival(resource, file, at: location, from: .existing(held))
  }

  /// Passes a file to the committer.
  /// - Returns: The file at its future place; nil if the record was removed.
  func commitArrival(
    _ resource: Resource, _ file: StoredFile, at location: ResourceLocation,
    from origin: CommitWork.Arrival.Origin, mayHaveRow: Bool = true
  ) -> ExistingFile? {
    guard let record = records[resource.record] else {
      commit(.answered(resource, failure: nil))
      return nil
    }
    announcer.beginActivity(resource.id, in: record.id, label: resource.url)
    var file = file
    file.name = FileNaming.name(
      resource, at: location, format: file.format, total: record.counts.total)
    if records[source: record.source]?.isSeries ?? false { file.answer?.freshUntil = .max }
    commit(
      .arrival(
        CommitWork.Arrival(
          resource: resource, file: file, record: record, origin: origin,
          followUp: followUp(resource, file), mayHaveRow: mayHaveRow)))
    return ExistingFile(resource: resource.id, record: record.id, folder: record.folder, file: file)
  }

  /// Returns the change of the row that follows `stored`.
  func followUp(_ resource: Resource, _ file: StoredFile) -> ResourceChange {
    if !standalone.contains(resource), PageMaker.isNeeded(file.format, settings: settings) {
      return .fetched(resource.id)
    }
    return .finished(
      resource.id, pages: [],
      reason: file.format.kind == .other ? PageMaker.noPreview(file.format) : nil)
  }
}
