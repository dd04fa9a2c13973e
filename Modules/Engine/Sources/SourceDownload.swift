import Hashing
import Manifests
import Models
import Persistence
import ProgressTree
import Synchronization
import SystemCalls
import Transport

/// Makes the download of a source that is fetched from a URL.
struct SourceDownload: Sendable {
  let url: HTTPURL
  /// The validator of an earlier answer; if it is not empty, the request is conditional.
  let validator: Validator
  let origin: RequestOrigin
  /// Judges the body as soon as its first bytes are received.
  let judge: SourceJudgement
  /// The URLs to which redirects may lead; nil for all.
  var permittedRedirects: Set<HTTPURL>?
  /// The time in seconds in which an attempt must end; nil for that of the settings.
  var seconds: Double?

  /// Returns the key of the request, which differs from that of a resource with the same URL, because a
  /// source is requested with content codings and a resource is not.
  func request(_ terms: RequestTerms) -> RequestKey {
    var naming = RequestNaming(terms.defaults.user, terms.scope)
    var fields = HTTPFields()
    fields.append("Imgdl-Source", origin == .publicPage ? "page" : "user")
    return naming.name(url, fields, isPublic: origin == .publicPage).request
  }

  func download(
    _ request: RequestKey, _ partial: PartialDownload?, _ longest: Int64,
    _ downloadContext: Download.Context, _ terms: RequestTerms,
    owner: SourceAttempt, report: @escaping @Sendable (String, Int64, Int64?) -> Void
  ) -> Download {
    let resource = Resource(
      id: ResourceID(0), record: RecordID(0), index: 0, url: url.description)
    var job = Job(
      request: request, host: HostName.none, location: .http(url),
      subscribers: [Job.Subscriber(resource: resource)],
      partial: partial, existing: validator.isEmpty ? nil : placeholderAnswer(request))
    job.longestPartial = longest
    let (name, judge) = (url.description, judge)
    let aspects = FileSink.Aspects(
      judge: { head, bytes, total in judge.verdict(head, bytes, total: total) },
      report: { bytes, total in report(name, bytes, total) },
      permittedRedirects: permittedRedirects, seconds: seconds)
    return Download(
      job: job, number: downloadContext.random.next(), origin: origin, asOf: ResourceID(0),
      downloadContext: downloadContext, counter: TransferCounter(), owner: owner, source: aspects,
      terms: terms)
  }

  /// Returns a placeholder for an existing file, whose validator makes the request conditional. Its
  /// `asOf` is an id that no resource has, so the placeholder never counts as the answer itself.
  private func placeholderAnswer(_ request: RequestKey) -> Job.ExistingAnswer {
    let file = StoredFile(
      name: "", byteCount: 0, digest: SHA256Hasher().finalize(), format: .unknown,
      validator: validator, answer: StoredFile.Answer(request: request, asOf: ResourceID(-1)))
    return Job.ExistingAnswer(
      file: ExistingFile(resource: ResourceID(0), record: RecordID(0), folder: "", file: file),
      isFresh: false)
  }
}

/// The request of a source, with the partial file of an earlier attempt.
struct SourceResumePoint: Sendable {
  let request: RequestKey
  let partial: PartialDownload?
}

/// Waits for one attempt at a source, and passes the state of its partial file on to its owner.
final class SourceAttempt: DownloadOwner {
  private let owner: (any SourceOwner)?
  private let continuation = Mutex<CheckedContinuation<Download.Outcome, Never>?>(nil)

  init(_ owner: (any SourceOwner)?) { self.owner = owner }

  func outcome(of download: Download) async -> Download.Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        self.continuation.withLock { $0 = continuation }
        download.start()
      }
    } onCancel: {
      download.cancel()
    }
  }

  func partialFileChanged(_ partial: PartialDownload, of run: DownloadRun) {
    guard let owner else { return }
    Task { await owner.saveSourcePartial(partial, of: run) }
  }

  func forgetRow(of request: RequestKey) async -> Bool {
    await owner?.forgetRow(of: request) ?? true
  }

  func replaceRow(of request: RequestKey, by partial: PartialDownload) async -> Bool {
    await owner?.replaceRow(of: request, by: partial) ?? true
  }

  func transferEnded(_ run: DownloadRun, _ outcome: Download.Outcome) {
    continuation.withLock { $0.take() }?.resume(returning: outcome)
  }
}

extension RequestKey {
  /// A key that no other request has: 128 random bits.
  init(from random: any RandomSource) {
    self.init(high: random.next(), low: random.next())
  }
}
