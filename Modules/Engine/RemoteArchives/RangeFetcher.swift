import LibraryAPI
import Models
import RemoteArchive
import SystemCalls
import Transport

/// Requests parts of one remote file through the engine's transport, with the retries of every download. A
/// part whose transfer fails is continued behind the received bytes.
struct RangeFetcher {
  private let downloadContext: Download.Context
  private let clock: any MonotonicClock
  /// Admits each request to the budget of its host; nil for a reader without a library.
  private let gate: (any RequestGate)?
  /// Whether a request that fails is repeated; if not, the caller requests another URL of the same file.
  private let retriesFailures: Bool
  /// The URL that the user named, for messages.
  private let name: String
  /// The request without a range. Redirects change its URL.
  private var request: TransportRequest
  /// The origin that has sent the parts so far; nil before the first one. Two servers may give different files the
  /// same entity tag.
  private(set) var origin: HTTPURL.Origin?
  private let retries: RetryPolicy
  private(set) var traffic = RemoteArchiveTraffic()

  /// - Parameters:
  ///   - fields: Fields of the requests besides those of the settings.
  ///   - retriesFailures: Whether a request that fails is repeated. A transfer that has broken off is continued
  ///     anyway.
  init(
    _ url: HTTPURL, namedBy origin: RequestOrigin, _ fields: HTTPFields,
    _ downloadContext: Download.Context, _ terms: RequestTerms, clock: any MonotonicClock,
    gate: (any RequestGate)? = nil,
    retriesFailures: Bool = true
  ) {
    self.downloadContext = downloadContext
    self.clock = clock
    self.gate = gate
    self.retriesFailures = retriesFailures
    name = url.description
    request = TransportRequest(url, namedBy: origin, terms)
    terms.defaults.user.add(fields, to: &request.fields)
    retries = terms.defaults.retries
  }

  /// The body of a part, or the reason why there is none.
  struct Outcome {
    let answer: RangeAnswer
    /// The bytes of the part, if they were received into memory.
    let bytes: [UInt8]
  }

  /// Requests a part.
  /// - Parameters:
  ///   - version: The version that earlier parts had; nil for the first part.
  ///   - file: The file that receives the part at an offset; nil to receive it into memory.
  /// - Throws: `LibraryError` if no response with a meaning for ranges was received.
  mutating func fetch(
    _ range: RemoteRange, of version: RemoteVersion?,
    into file: (descriptor: OwnedDescriptor, offset: Int64)? = nil
  ) async throws(LibraryError) -> Outcome {
    let policy = retries
    var (range, version, bytes) = (range, version, [UInt8]())
    var written: Int64 = 0
    var whole: RangeAnswer?
    var failures = 0
    var redirects = 0
    while true {
      let sink = sink(range, version, file.map { ($0.descriptor, $0.offset + written) })
      let failure = try await admittedAttempt(range, version, sink)
      bytes += sink.bytes
      written += sink.count
      if case .part(let part, let new)? = sink.answer {
        if whole == nil { whole = .part(part, new) }
        origin = sink.head?.url.origin
        follow(sink.head)
        // A transfer that breaks behind the last byte has delivered the part.
        guard let failure, sink.count < part.count else {
          return Outcome(answer: whole ?? .changed, bytes: bytes)
        }
        // The rest of the part is requested, which must be of the same version.
        if failure.isRetryable, sink.count > 0 {
          (range, version) = (.bytes(part.lowerBound + sink.count..<part.upperBound), new)
        }
      }
      switch sink.answer {
      case .whole? where redirects < 3 && follow(sink.head):
        // A redirect to another origin drops a range whose version is identified by a date; the target is
        // requested directly.
        redirects += 1
        continue
      case .status(let status)? where Self.refusesSuffixes(status) && range.isSuffix:
        // The caller names the positions instead.
        return Outcome(answer: .status(status), bytes: [])
      case .status(let status)? where !Self.isRetryable(status):
        throw error(sink.head.map { .refused($0) } ?? .status(status, retryAfter: nil))
      case .part?, .status?, nil: break
      case let answer?: return Outcome(answer: answer, bytes: [])
      }
      failures = RetryPolicy.failures(
        after: failures, gained: sink.count, wasIdleTimeout: failure?.isIdleTimeout ?? false)
      let cause = failure ?? .cancelled
      guard retriesFailures || sink.count >= RetryPolicy.minimumProgressBytes || cause == .cancelled
      else { throw error(cause) }
      try await wait(policy, failures, cause)
    }
  }

  private func sink(
    _ range: RemoteRange, _ version: RemoteVersion?, _ file: (OwnedDescriptor, Int64)?
  ) -> RangeSink {
    let origin = version == nil ? nil : origin
    return RangeSink(file.map { .file($0.0, offset: $0.1) } ?? .memory) { head in
      if let origin, (200..<300).contains(head.status), head.url.origin != origin {
        return .changed
      }
      return RangeAnswer(
        range, of: version, wholeLimit: DirectoryReading.tailBytes, status: head.status,
        fields: head.fields)
    }
  }

  /// Makes one request as soon as the budget of its host allows it.
  private mutating func admittedAttempt(
    _ range: RemoteRange, _ version: RemoteVersion?, _ sink: RangeSink
  ) async throws(LibraryError) -> DownloadFailure? {
    guard let gate else { return await attempt(range, version, sink) }
    let host = HostName(request.url.origin.description)
    let id = try await gate.enter(host)
    let failure = await attempt(range, version, sink)
    // The host that answered or failed may be the target of a redirect.
    let last = sink.head.map { HostName($0.url.origin.description) } ?? host
    var reported = failure
    if case .status? = sink.answer, let head = sink.head { reported = .refused(head) }
    await gate.leave(id, last, reported, wasAnswered: sink.head != nil)
    return failure
  }

  /// Makes one request.
  /// - Returns: The reason why the part was not received completely; nil if it was, or if the response has no
  ///   part.
  private mutating func attempt(
    _ range: RemoteRange, _ version: RemoteVersion?, _ sink: RangeSink
  ) async -> DownloadFailure? {
    var request = request
    request.fields.set("Range", range.fieldValue)
    if let validator = version?.validator.ifRange { request.fields.set("If-Range", validator) }
    traffic.requests += 1
    defer { traffic.bytes += sink.count }
    do throws(TransportError) {
      let response = try await downloadContext.transport.perform(request, into: sink)
      switch sink.answer {
      case .part(let part, _)? where sink.count < part.count:
        return .transport(
          code: .truncated,
          detail: "the response ended early: \(sink.count) of the \(part.count) bytes from byte "
            + "\(part.lowerBound) on were received",
          isRetryable: true)
      case .status?: return .refused(response.head)
      default: return nil
      }
    } catch {
      if case .invalid? = sink.answer { return nil }
      return DownloadFailure(error)
    }
  }

  private static func isRetryable(_ status: Int) -> Bool {
    DownloadFailure.status(status, retryAfter: nil).isRetryable
  }

  /// Whether servers that send ranges answer requests for the last bytes of a file with the status.
  private static func refusesSuffixes(_ status: Int) -> Bool { [400, 405, 501].contains(status) }

  /// Sends later requests directly to the URL that answered.
  /// - Returns: Whether the URL has changed.
  @discardableResult
  private mutating func follow(_ head: ResponseHead?) -> Bool {
    guard let head, head.url != request.url else { return false }
    request = TransportRequest(request, redirectedTo: head)
    return true
  }

  /// The error of the whole operation that a failure has ended.
  private func error(_ failure: DownloadFailure) -> LibraryError {
    let error = LibraryError(failure, url: name)
    return LibraryError(error.code, error.detail, underlying: failure)
  }

  private func wait(
    _ policy: RetryPolicy, _ failures: Int, _ failure: DownloadFailure
  ) async throws(LibraryError) {
    if Task.isCancelled || failure == .cancelled { throw LibraryError(.interrupted, "") }
    switch policy.decide(
      attempts: failures, isRetryable: failure.isRetryable && !failure.isUnreachable,
      retryAfter: failure.retryAfter, chance: downloadContext.random.fraction())
    {
    case .fail: throw error(failure)
    case .retry(let after):
      do {
        try await clock.sleep(until: clock.now() + after)
      } catch {
        throw LibraryError(.interrupted, "")
      }
    }
  }
}
