import LibraryAPI
import Models
import Persistence
import ProgressTree
import Transport

/// Delivers the outcome of a job, a file or a failure, to the resources that want it.
final class DeliveryStage: Stage {
  /// Delivers a complete partial file to all subscribers: to the first by a rename, to the others by links.
  func deliver(_ file: StoredFile, to job: Job) {
    guard !job.subscribers.isEmpty else { return }
    let mayHaveRow = partialFiles.unregister(job.request) || job.mayHaveRow
    var first: ExistingFile?
    for index in job.subscribers.indices {
      let resource = job.subscribers[index].resource
      if let failure = ContentCheck.failure(file, for: resource, at: job.location) {
        fail(resource, failure)
      } else {
        let origin: CommitWork.Arrival.Origin =
          if let first { .existing(first) } else { .partial(job.request) }
        let existing = commitArrival(
          resource, file, at: job.location, from: origin, mayHaveRow: mayHaveRow)
        if let existing { first = existing }
      }
    }
    if first == nil { commits.add(.discardPartial(job.request)) }
    transfers.send(.commitStarted(job.request, job.ids, answer: job.isOnMirror ? nil : first))
  }

  /// Delivers an existing file to all subscribers without a request.
  func answerFromLibrary(_ job: Job) {
    guard let existing = job.existing?.file else { return }
    for subscriber in job.subscribers {
      deliver(existing, existing.file, to: subscriber.resource, at: job.location)
    }
  }

  /// Delivers an existing file that the server has confirmed to be current.
  func confirm(_ existing: ExistingFile, _ answer: StoredFile.Answer, to job: Job) {
    var file = existing.file
    file.answer = answer
    commits.add(.confirmed(existing.resource, answer))
    // Subscribers that require new bytes, or a checksum that is not known, get a plain request.
    let content = job.subscribers.map(\.resource).filter { resource in
      !resource.mustReload && resource.expectedChecksum.map { $0.matches(file) != nil } ?? true
    }
    for resource in content { deliver(existing, file, to: resource, at: job.location) }
    let known = ExistingFile(
      resource: existing.resource, record: existing.record, folder: existing.folder, file: file)
    transfers.send(.commitStarted(job.request, content.map(\.id), answer: known))
  }

  private func deliver(
    _ existing: ExistingFile, _ file: StoredFile, to resource: Resource,
    at location: ResourceLocation
  ) {
    if existing.resource == resource.id, resource.file == nil || standalone.contains(resource) {
      return commits.add(.answered(resource, failure: nil))
    }
    if let failure = ContentCheck.failure(file, for: resource, at: location) {
      return fail(resource, failure)
    }
    if let record = records[resource.record] {
      announcer.beginActivity(resource.id, in: record.id, label: resource.url)
    }
    _ = commitArrival(resource, file, at: location, from: .existing(existing))
  }

  /// Passes a file to the commit stage.
  /// - Returns: The file with its name in the library; nil if the record was removed.
  func commitArrival(
    _ resource: Resource, _ file: StoredFile, at location: ResourceLocation,
    from origin: CommitWork.Arrival.Origin, mayHaveRow: Bool = true
  ) -> ExistingFile? {
    guard let record = records[resource.record] else {
      commits.add(.answered(resource, failure: nil))
      return nil
    }
    announcer.beginActivity(resource.id, in: record.id, label: resource.url)
    var file = file
    file.name = FileNaming.name(
      resource, at: location, format: file.format, total: record.counts.total,
      suggested: file.suggestedName, limit: context.nameLimit.length)
    if records[source: record.source]?.isSeries ?? false { file.answer?.freshUntil = .max }
    commits.add(
      .arrival(
        CommitWork.Arrival(
          resource: resource, file: file, record: record, origin: origin,
          followUp: followUp(resource, file), mayHaveRow: mayHaveRow)))
    return ExistingFile(resource: resource.id, record: record.id, folder: record.folder, file: file)
  }

  /// Returns the change of the row after the state `stored`: `fetched` if pages are to be made of the file,
  /// otherwise `finished`.
  func followUp(_ resource: Resource, _ file: StoredFile) -> ResourceChange {
    if !standalone.contains(resource), PageMaker.isNeeded(file.format, settings: settings) {
      return .fetched(resource.id)
    }
    return .finished(
      resource.id, pages: [],
      reason: ServiceRemark.joined(
        file.remark, file.format.kind == .other ? file.format.reasonWithoutPreview : nil))
  }

  // MARK: - Failures

  func failUnreachable(_ unreachable: Scheduler.UnreachableJob) {
    let reason =
      unreachable.job.mirrors?.summary
      ?? "\(unreachable.reason) (\(unreachable.attempts) consecutive times)"
    for subscriber in unreachable.job.subscribers {
      fail(
        subscriber.resource,
        .transport(code: .connectionRefused, detail: reason, isRetryable: true))
    }
  }

  func fail(_ job: Job, _ failure: DownloadFailure) {
    for subscriber in job.subscribers { fail(subscriber.resource, failure) }
    transfers.send(.commitStarted(job.request, job.ids, answer: nil))
  }

  /// Marks a resource as failed. A resource that has a file keeps it, with a remark. A standalone resource keeps its earlier file, or is removed if it has
  /// none.
  func fail(_ resource: Resource, _ failure: DownloadFailure) {
    guard standalone.contains(resource) else {
      let reason = stages.requestOptions.reason(of: failure, for: resource.record)
      guard let file = resource.file else {
        return commits.add(.failed(resource, reason: reason))
      }
      let needsPages = PageMaker.isNeeded(file.format, settings: settings)
      return commits.add(
        .kept(KeptFile(resource, file, needsPages: needsPages, failure: reason)))
    }
    if resource.file == nil { commits.add(.removed(resource)) }
    commits.add(.answered(resource, failure: LibraryError(failure, url: resource.url)))
  }
}
