import LibraryAPI
import Models
import Persistence
import SystemCalls

/// Downloads whose content has a Metalink description: it is requested after every URL of the content has
/// failed, and the mirrors that it names are tried next.
final class DescriptionStage: Stage {
  /// Records the description that the response of the resource's own server has named.
  func recordDescription(in job: inout Job, _ run: Transfers.Running) {
    // Only the resource's own server may name it, because the content of another one is not trusted yet.
    guard let responses = run.download.responsesWithLinks, job.contentDescription == nil,
      !job.isOnMirror, let own = job.location.url,
      let description = responses.description(ofContentAt: own)
    else { return }
    job.contentDescription = description
  }

  /// Requests the description of a content whose URLs have all failed.
  /// - Returns: false if there is none left, so that the job has failed.
  func requestDescription(
    of job: Job, _ run: Transfers.Running, after selection: MirrorSelection?, _ cause: String,
    _ partial: PartialDownload?
  ) -> Bool {
    var next = job
    guard let selection, next.requestDescription(after: selection),
      let description = next.dueDescription
    else { return false }
    transfers.requeue(
      next, run, partial, after: 0,
      reason: "\(cause); next: the Metalink description \(MirrorSelection.text(description.url))")
    return true
  }

  /// Requests the content from a mirror that its description names, repeats a request that has failed in a way
  /// that may pass, or fails the job.
  func handleEnd(
    _ result: DescriptionDownload.Result, of job: Job, _ run: Transfers.Running
  ) {
    report(result, job, run)
    guard !lifecycle.isStopping, !job.subscribers.isEmpty,
      let description = job.contentDescription, var selection = job.mirrors
    else { return transfers.abandonTransfer(job, run, job.partial) }
    var next = job
    let name = "the Metalink description \(MirrorSelection.text(description.url))"
    if case .failed(let failure) = result,
      case .retry(let wait) = decideOnRetry(of: &next, run, after: failure)
    {
      return transfers.requeue(
        next, run, job.partial, after: wait, reason: "\(name): \(failure.reason)")
    }
    next.endDescription()
    let problem: String
    switch result {
    case .mirrors(let candidates):
      if case .attempt(let wait) = selection.addAfterFailure(candidates) {
        next.follow(selection)
        return transfers.requeue(
          next, run, job.partial, after: wait,
          reason: "\(name) names mirrors; next: \(MirrorSelection.text(selection.current.url))")
      }
      problem = "\(name) names no further URL"
    case .unusable(let reason): problem = "\(name) \(reason)"
    case .failed(let failure): problem = "\(name): \(failure.reason)"
    }
    announcer.suspend(run.leader)
    transfers.keepPartial(job.partial, of: job)
    stages.deliveries.fail(job, .everyMirror("\(selection.summary); \(problem)"))
  }

  private func decideOnRetry(
    of job: inout Job, _ run: Transfers.Running, after failure: DownloadFailure
  ) -> RetryPolicy.Decision {
    // As for content: the target of a redirect that is unreachable is not requested again.
    let host = run.download.lastHost
    let isGone = host != job.host && transfers.scheduler.isUnreachable(host, at: transfers.now)
    return job.retryDescription(
      isRetryable: failure.isRetryable && !isGone, wasIdleTimeout: failure.isIdleTimeout,
      retryAfter: failure.retryAfter, policy: run.download.order.terms.defaults.retries,
      chance: ports.random.fraction())
  }

  /// Reports the end of the request to the budgets of its hosts.
  private func report(
    _ result: DescriptionDownload.Result, _ job: Job, _ run: Transfers.Running
  ) {
    guard case .failed(let failure) = result else { return transfers.reportAnswer(job, run) }
    let host = run.download.lastHost
    // A host that redirects has answered, even if the target of the redirect fails.
    if host != job.host {
      transfers.send(.host(job.host, .answered(startedAt: run.startedAt)))
    }
    transfers.reportFailure(
      host, run, failure, failure.retryAfter.map { min($0, settings.network.retryCeiling) })
  }
}
