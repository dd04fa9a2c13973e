import HTTP1
import Models
import Persistence
import Transport

/// The work of one download: the job, and the conditions under which its URLs are requested. Pure.
struct DownloadOrder: Sendable {
  let job: Job
  /// The origin of the URL, which decides what addresses the request may reach.
  let origin: RequestOrigin
  /// The newest resource id at the start of the attempt.
  let asOf: ResourceID
  /// The checks and reports while a source is received; nil for a resource.
  let source: FileSink.Aspects?
  /// The rate limit of the transfer in bytes per second; 0 means none.
  let bytesPerSecond: Int
  /// The maximum number of connections; nil means `network.segments`.
  let connections: Int?
  /// The fields, limits and cookies of the source's requests.
  let terms: RequestTerms

  /// The party that named the URL of the request: a mirror from a public server's response must not lead to a
  /// private address, even if the list may.
  private var requestOrigin: RequestOrigin {
    job.mirrors?.current.isPublicOnly ?? false ? .publicPage : origin
  }

  /// Whether a response has named the URL of the request, which is therefore not signed.
  private var isNamedByResponse: Bool { job.mirrors?.current.identity != nil }

  /// The URL, if the request needs neither the partial file nor the store; otherwise nil.
  var plainURL: HTTPURL? {
    guard job.partial == nil, !job.mayHaveRow, job.dueDescription == nil,
      case .http(let url) = job.location
    else {
      return nil
    }
    return url
  }

  /// Whether the fields of the settings are part of the request: a mirror that a response has named is treated as
  /// the target of a redirect, and gets none on another origin.
  private var hasFields: Bool {
    guard isNamedByResponse, let mirrors = job.mirrors else { return true }
    return mirrors.current.url.origin == mirrors.primary.url.origin
  }

  /// Returns the limits of the attempt: those of the settings, and the time in which a source must be received.
  var limits: TransferLimits {
    var limits = terms.defaults.limits
    guard let seconds = source?.seconds else { return limits }
    // 0 would mean that there is no limit.
    let total = limits.totalTimeout > 0 ? min(limits.totalTimeout, seconds) : seconds
    limits.totalTimeout = max(0.001, total)
    return limits
  }

  /// Returns a request for the whole file.
  func request(_ url: HTTPURL) -> TransportRequest {
    var request = TransportRequest(url, namedBy: requestOrigin, terms)
    if !hasFields { request.fields = HTTPFields() }
    request.hasLeftOrigin = !hasFields
    terms.defaults.user.add(job.requestFields, to: &request.fields)
    request.limits = limits
    request.limits.bytesPerSecond = bytesPerSecond
    request.permittedRedirects = source?.permittedRedirects
    request.isNamedByResponse = isNamedByResponse
    return request
  }

  /// Returns a request for the description of the content, whose fields and addresses are those of a redirect:
  /// another origin receives none of the caller's fields, and the request is not signed.
  func request(_ description: ContentDescription) -> TransportRequest {
    var request = TransportRequest(
      description.url, namedBy: description.isPublicOnly ? .publicPage : origin, terms)
    if description.receivesFields {
      let fields = job.subscribers.first?.resource.fields ?? HTTPFields()
      terms.defaults.user.add(fields, to: &request.fields)
    } else {
      request.fields = HTTPFields()
      request.hasLeftOrigin = true
    }
    request.isNamedByResponse = true
    return request
  }

  /// Adds the range of what is missing, or the condition that the stored file is outdated.
  func addConditions(
    to request: inout TransportRequest, _ priorBytes: ResumeDecision.PriorBytes
  ) {
    if priorBytes.byteCount > 0, priorBytes.continuation != .none {
      request.fields.set("Range", "bytes=\(priorBytes.byteCount)-")
      if case .sameVersion(let validator) = priorBytes.continuation {
        request.fields.set("If-Range", validator)
      }
    } else if priorBytes.isConditional, let existing = job.existing?.file.file.validator {
      request.fields.makeConditional(on: existing)
    }
  }

  /// Describes a response as an answer to the request.
  /// - Parameters:
  ///   - requestedAt: The time of the request, in seconds since 1970.
  ///   - now: The current time, in seconds since 1970.
  func answer(_ head: ResponseHead, requestedAt: Int64, now: Int64) -> StoredFile.Answer {
    StoredFile.Answer(
      request: job.request, asOf: asOf,
      freshUntil: Freshness.freshUntil(
        head.fields, status: head.status, requestedAt: requestedAt, receivedAt: now))
  }
}
