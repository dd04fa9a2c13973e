import LibraryAPI
import Models
import Persistence
import SystemCalls

/// Downloads of content that has several URLs (`MirrorSelection`).
extension TransferStage {
  /// Returns the URLs of the job's content, with those that the last response has named; nil if there is only
  /// one.
  func mirrors(of job: Job, _ run: Transfers.Running) -> MirrorSelection? {
    guard let found = run.download.responsesWithLinks?.duplicates, !found.isEmpty,
      let primary = MirrorSelection.Candidate(job.location)
    else {
      return job.mirrorSelection
    }
    var selection = job.mirrorSelection ?? MirrorSelection(primary)
    // Only the resource's own server may name mirrors, because the content of another one is not trusted yet.
    if !job.isOnMirror { selection.add(found) }
    return selection.hasMirrors ? selection : nil
  }

  /// Requests the content from the next URL, or fails the job if there is none.
  func tryNextMirror(
    _ job: Job, _ run: Transfers.Running, _ failure: MirrorSelection.Failure,
    _ partial: PartialDownload?, _ selection: MirrorSelection
  ) {
    var (next, selection) = (job, selection)
    let old = selection.current.url
    let decision = selection.handle(
      failure, now: now, policy: run.download.order.terms.defaults.retries,
      chance: ports.random.fraction())
    guard case .attempt(let wait) = decision else {
      if stages.descriptions.requestDescription(
        of: job, run, after: selection, failure.cause, partial)
      {
        return
      }
      announcer.suspend(run.leader)
      keepPartial(partial, of: job)
      return stages.deliveries.fail(job, .everyMirror(selection.summary))
    }
    next.follow(selection)
    let url = selection.current.url
    next.attempts += 1
    let reason =
      url == old
      ? "\(MirrorSelection.text(old)): \(failure.cause)"
      : "\(MirrorSelection.text(old)): \(failure.cause); next: \(MirrorSelection.text(url))"
    requeue(next, run, partial, after: wait, reason: reason)
  }

  /// Writes the store's row for the partial file, and returns when it is written; false if it cannot be.
  func replaceRow(of request: RequestKey, by partial: PartialDownload) async -> Bool {
    commitPartial(partial, of: request)
    await commits.flush()
    return lifecycle.failure == nil
  }

  /// Delivers a complete file, or requests the next URL if it is not the content that the list describes.
  func deliver(_ file: StoredFile, to job: Job, _ run: Transfers.Running) {
    var job = job
    stages.descriptions.recordDescription(in: &job, run)
    // Subscribers that have joined during the transfer may need checksums which it has not computed. They are
    // tried again.
    let needsOtherChecksum = { (subscriber: Job.Subscriber) in
      subscriber.resource.expectedChecksum.map { $0.matches(file) == nil } ?? false
    }
    if job.subscribers.contains(where: needsOtherChecksum) {
      job.subscribers.removeAll(where: needsOtherChecksum)
      if job.subscribers.isEmpty { return requestAgain(job, run) }
    }
    guard let selection = mirrors(of: job, run) ?? job.describedSelection,
      !job.subscribers.isEmpty
    else {
      return stages.deliveries.deliver(file, to: job)
    }
    let failures = job.subscribers.map {
      ContentCheck.failure(file, for: $0.resource, at: job.namingLocation)
    }
    if let failure = failures.first ?? nil, failures.allSatisfy({ $0 != nil }) {
      let failure = MirrorSelection.Failure(.final, cause: failure.reason)
      return tryNextMirror(job, run, failure, nil, selection)
    }
    // The other subscribers are tried again: those whose list does not name the mirror, and those that expect
    // another content, which another mirror may have.
    var (file, delivery) = (file, job)
    delivery.location = job.namingLocation
    let accepting = zip(job.subscribers, failures).filter { job.isAccepted(by: $0.0.resource) }
    delivery.subscribers = accepting.filter { $0.1 == nil }.map(\.0)
    guard !delivery.subscribers.isEmpty else {
      // The mirror has failed for all whose lists name it. If that were forgotten, it would be requested again,
      // and so on without end.
      if let failure = accepting.first?.1 {
        let failure = MirrorSelection.Failure(.final, cause: failure.reason)
        return tryNextMirror(job, run, failure, nil, selection)
      }
      return requestAgain(job, run)
    }
    // The file answers no request for the resource's own URL, which another list may have without the mirror.
    if job.isOnMirror { file.answer = nil }
    stages.deliveries.deliver(file, to: delivery)
  }
}

extension TransferStage {
  /// Discards a file that fits no subscriber, for all of which it is requested again.
  private func requestAgain(_ job: Job, _ run: Transfers.Running) {
    announcer.suspend(run.leader)
    keepPartial(nil, of: job)
    send(.commitStarted(job.request, [], answer: nil))
  }
}

extension MirrorSelection.Failure {
  /// - Parameter isGone: Whether a redirect has led to a host that is known to be unreachable.
  init(_ failure: DownloadFailure, _ run: Transfers.Running, isGone: Bool) {
    self.init(
      isGone ? .final : Kind(failure), cause: failure.reason, retryAfter: failure.retryAfter,
      gained: run.download.gainedBytes, wasIdleTimeout: failure.isIdleTimeout)
  }
}

extension MirrorSelection.Failure.Kind {
  init(_ failure: DownloadFailure) {
    self =
      switch failure {
      // Too Early and Too Many Requests ask for a wait (RFC 8470 §5.2, RFC 6585 §4).
      case .status(425, _, _), .status(429, _, _): .waiting
      case _ where failure.isRetryable: .passing
      default: .final
      }
  }
}
