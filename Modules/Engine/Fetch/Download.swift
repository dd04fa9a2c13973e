import Hashing
import Models
import Persistence
import ProgressTree
import SystemCalls
import Transport

/// Performs one attempt at one request: from the partial file on disk to a whole one.
struct Download: Sendable {
  /// What all downloads of an engine share.
  final class Surroundings: Sendable {
    let layout: LibraryLayout
    let settings: Settings
    let transport: any Transport
    /// For reading and copying whole files, apart from the queue of the commits.
    let files: BlockingQueue
    let bootID: String
    let limits: TransferLimits
    /// Those of the settings.
    let requestFields: HTTPFields

    init(
      layout: LibraryLayout, settings: Settings, transport: any Transport, files: BlockingQueue,
      bootID: String
    ) {
      self.layout = layout
      self.settings = settings
      self.transport = transport
      self.files = files
      self.bootID = bootID
      limits = TransferLimits(settings)
      requestFields = settings.network.requestFields
    }
  }

  let job: Job
  let addresses: AddressPolicy
  /// The last resource that there is now.
  let asOf: ResourceID
  let surroundings: Surroundings
  let counter: TransferCounter
  /// Remembers how far a long body is; must not block.
  let remember: @Sendable (PartialDownload) -> Void
  /// Returns when the store has no row about the partial file; false if that cannot be.
  let forget: @Sendable () async -> Bool

  enum Outcome: Sendable {
    /// All of it is in the partial file; it has no name yet.
    case whole(StoredFile)
    /// What the library holds still is the answer (304).
    case unchanged(HeldFile, StoredFile.Answer)
    /// `partial` is what the next attempt can go on from.
    case failed(DownloadFailure, partial: PartialDownload?)
  }

  private enum Step {
    case done(Outcome)
    /// The partial file is of no use.
    case startOver
  }

  /// What is on disk from an earlier attempt. Its hasher goes over to the sink: one use a value.
  private struct Start {
    var known = ResumeDecision.Known()
    var prefix = PrefixDigest()
  }

  private var path: String { surroundings.layout.partial(of: job.request) }
  private var limit: Int64 { Int64(surroundings.settings.limits.resourceBytes) }

  @concurrent
  func run() async -> Outcome {
    let outcome = await fetch()
    if case .failed(_, partial: nil) = outcome {
      // Nothing goes on from what may be there, and nobody else would remove it.
      let path = path
      try? await surroundings.files.run { try FileSystem.removeIfThere(path) }
    }
    return outcome
  }

  private func fetch() async -> Outcome {
    guard let resource = job.subscribers.first?.resource else {
      return .failed(.cancelled, partial: nil)
    }
    if resource.url.hasPrefix(LocalFile.scheme) { return await copyLocalFile(resource.url) }
    let url: HTTPURL
    do {
      url = try HTTPURL(resource.url)
    } catch {
      return .failed(.content("not a URL that can be fetched: \(error)"), partial: nil)
    }
    var start = await resumePoint()
    start.known.isConditional = start.known.have == 0 && job.plan == .conditional
    while true {
      let isPlain = start.known.have == 0
      if isPlain, job.mayHaveRow, await !forget() {
        return .failed(.cancelled, partial: job.partial)
      }
      switch await attempt(url, resource.fields, start) {
      case .done(let outcome): return outcome
      // Only an answer to a range leads here, so this ends.
      case .startOver: start = Start()
      }
    }
  }

  /// What is there is trusted by its length within one boot of the machine, and as far as it was
  /// synced after another.
  private func resumePoint() async -> Start {
    guard let partial = job.partial, partial.validator.ifRange != nil else { return Start() }
    let path = path
    let isSameBoot = partial.bootID == surroundings.bootID && !partial.bootID.isEmpty
    let limit = isSameBoot ? nil : partial.syncedBytes
    let prefix = try? await surroundings.files.run { try PrefixDigest(of: path, atMost: limit) }
    guard let prefix, prefix.count > 0, prefix.count >= partial.syncedBytes else { return Start() }
    let known = ResumeDecision.Known(
      have: prefix.count, synced: partial.syncedBytes, validator: partial.validator,
      totalBytes: partial.totalBytes)
    return Start(known: known, prefix: prefix)
  }

  private func attempt(_ url: HTTPURL, _ fields: HTTPFields, _ start: Start) async -> Step {
    let settings = surroundings.settings
    let options = FileSink.Options(
      path: path, limit: limit, bootID: surroundings.bootID,
      syncInterval: settings.durability == .full ? FileSink.syncInterval : nil)
    let sink = FileSink(
      options, known: start.known, prefix: start.prefix, counter: counter, remember: remember)
    var request = TransportRequest(url: url, fields: surroundings.requestFields)
    for field in fields.fields { request.fields.set(field.name, field.value) }
    request.limits = surroundings.limits
    request.addresses = addresses
    if start.known.have > 0, let validator = start.known.validator.ifRange {
      request.fields.set("Range", "bytes=\(start.known.have)-")
      request.fields.set("If-Range", validator)
    } else if start.known.isConditional, let held = job.held?.file.file.validator {
      request.fields.ask(unless: held)
    }
    let began = Machine.unixSeconds
    do {
      let response = try await surroundings.transport.perform(request, into: sink)
      return await judge(response, sink, start, began)
    } catch {
      sink.close()
      if case .fail(let failure)? = sink.decision { return .done(.failed(failure, partial: nil)) }
      return .done(.failed(DownloadFailure(error), partial: kept(sink, start)))
    }
  }

  private func judge(
    _ response: TransportResponse, _ sink: FileSink, _ start: Start, _ began: Int64
  ) async -> Step {
    switch sink.decision {
    case .append?, .restart?, .complete?:
      if let total = sink.total, sink.count != total {
        sink.close()
        let failure = DownloadFailure.transport(
          code: .truncated, detail: "\(sink.count) of \(total) bytes came", isRetryable: true)
        return .done(.failed(failure, partial: kept(sink, start)))
      }
      return await finish(response, sink, start, began)
    case .unchanged?:
      sink.close()
      guard let held = job.held?.file else {
        return .done(.failed(.status(304, retryAfter: nil), partial: nil))
      }
      return .done(.unchanged(held, answer(response.head, began)))
    case .startOver?:
      sink.close()
      return .startOver
    case .fail(.tooLarge(let limit))?:
      sink.close()
      return .done(.failed(.tooLarge(limit: limit), partial: nil))
    case .fail(let failure)?:
      sink.close()
      return .done(.failed(failure, partial: kept(sink, start)))
    case nil:
      return .done(.failed(.protocolViolation("there was no answer"), partial: kept(sink, start)))
    }
  }

  private func finish(
    _ response: TransportResponse, _ sink: FileSink, _ start: Start, _ began: Int64
  ) async -> Step {
    do {
      var file = try await sink.finish(response)
      file.answer = answer(response.head, began)
      return whole(file, wasResumed: start.known.have > 0)
    } catch {
      return .done(.failed(.disk("\(error)", isFull: false), partial: kept(sink, start)))
    }
  }

  private func whole(_ file: StoredFile, wasResumed: Bool) -> Step {
    // The two parts may be of two versions in spite of one tag.
    let isOther = job.subscribers.contains {
      $0.resource.expectedDigest.map { $0 != file.digest } ?? false
    }
    return wasResumed && isOther ? .startOver : .done(.whole(file))
  }

  /// - Parameter began: when the request went out, in seconds since 1970.
  private func answer(_ head: ResponseHead, _ began: Int64) -> StoredFile.Answer {
    StoredFile.Answer(
      request: job.request, asOf: asOf,
      freshUntil: Freshness.freshUntil(
        head.fields, status: head.status, requestedAt: began, receivedAt: Machine.unixSeconds))
  }

  /// An attempt that did not come to open the partial file leaves it as it was.
  private func kept(_ sink: FileSink, _ start: Start) -> PartialDownload? {
    if sink.hasBegun { return sink.partial }
    return start.known.have > 0 ? job.partial : nil
  }

  private func copyLocalFile(_ url: String) async -> Outcome {
    let source = LocalFile.path(url)
    let path = path
    let counter = counter
    let limit = limit
    do {
      let file = try await surroundings.files.runCancellable { isCancelled in
        try LocalFile.copy(source, to: path, limit, counter, isCancelled)
      }
      return .whole(file)
    } catch let failure as DownloadFailure {
      return .failed(failure, partial: nil)
    } catch let error as SystemError where error.path == source {
      return .failed(.content(error.description), partial: nil)
    } catch let error as SystemError {
      return .failed(.disk(error.description, isFull: error.isDiskFull), partial: nil)
    } catch {
      return .failed(.cancelled, partial: nil)
    }
  }
}

extension TransferLimits {
  init(_ settings: Settings) {
    self.init()
    connectTimeout = settings.network.connectTimeout
    idleTimeout = settings.network.idleTimeout
    totalTimeout = settings.network.totalTimeout
    maxRedirects = settings.network.maxRedirects
    maxBodyBytes = Int64(settings.limits.resourceBytes)
  }
}
