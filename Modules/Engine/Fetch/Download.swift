import Hashing
import Models
import ProgressTree
import SystemCalls
import Transport

/// Performs one attempt at one resource: from the partial file on disk to a whole one.
struct Download: Sendable {
  let item: Scheduler.Item
  let layout: LibraryLayout
  let settings: Settings
  let transport: any Transport
  let disk: BlockingQueue
  let bootID: String
  let counter: TransferCounter
  let partial: PartialDownload?
  /// Remembers how far a long body is; must not block.
  let remember: @Sendable (PartialDownload) -> Void

  enum Outcome: Sendable {
    case whole(StoredFile, head: [UInt8])
    /// `partial` is what the next attempt can go on from.
    case failed(DownloadFailure, partial: PartialDownload?)
  }

  private var path: String { layout.partial(of: item.resource.id) }

  @concurrent
  func run() async -> Outcome {
    if item.resource.url.hasPrefix(LocalFile.scheme) { return await copyLocalFile() }
    do {
      let url = try HTTPURL(item.resource.url)
      var start = await resumePoint()
      // A server may refuse the range; then everything is asked for, once.
      for _ in 0..<2 {
        let sink = makeSink(start)
        let outcome = await attempt(url, start: start, sink: sink)
        guard case .askAgain? = sink.decision else { return outcome }
        start = Start()
      }
      return .failed(.protocolViolation("the server's ranges make no sense"), partial: nil)
    } catch {
      return .failed(.content("not a URL that can be fetched: \(error)"), partial: nil)
    }
  }

  /// What is on disk from an earlier attempt. Its hasher goes over to the sink: one use a value.
  private struct Start: Sendable {
    var resume = FileSink.Resume()
    var prefix = PrefixDigest()
  }

  private func resumePoint() async -> Start {
    guard let partial, partial.validator.ifRange != nil else { return Start() }
    let path = path
    let sameBoot = partial.bootID == bootID
    let prefix = try? await disk.run {
      try PrefixDigest(of: path, atMost: sameBoot ? nil : partial.syncedBytes)
    }
    guard let prefix, prefix.count > 0 else { return Start() }
    return Start(
      resume: FileSink.Resume(
        have: prefix.count, validator: partial.validator, totalBytes: partial.totalBytes),
      prefix: prefix)
  }

  private func makeSink(_ start: Start) -> FileSink {
    FileSink(
      path: path, limit: Int64(settings.limits.resourceBytes), resume: start.resume,
      hasher: start.prefix.hasher, sniffed: start.prefix.head, bootID: bootID,
      counter: counter, began: remember)
  }

  private func attempt(_ url: HTTPURL, start: Start, sink: FileSink) async -> Outcome {
    var request = TransportRequest(url: url, fields: settings.network.requestFields)
    for field in item.resource.fields.fields { request.fields.set(field.name, field.value) }
    request.limits = TransferLimits(settings)
    if start.resume.have > 0, let validator = start.resume.validator.ifRange {
      request.fields.append("Range", "bytes=\(start.resume.have)-")
      request.fields.append("If-Range", validator)
    }
    do {
      let response = try await transport.perform(request, into: sink)
      return judge(response, sink: sink)
    } catch {
      sink.close()
      if case .fail(let failure)? = sink.decision { return .failed(failure, partial: nil) }
      return .failed(DownloadFailure(error), partial: keptPartial(sink))
    }
  }

  private func judge(_ response: TransportResponse, sink: FileSink) -> Outcome {
    switch sink.decision {
    case .fail(let failure)?:
      sink.close()
      return .failed(failure, partial: partial)
    case .complete?, .append?, .restart?:
      if let total = sink.total, sink.count != total {
        sink.close()
        return .failed(
          .transport(
            code: .truncated, detail: "\(sink.count) of \(total) bytes came", isRetryable: true),
          partial: keptPartial(sink))
      }
      return whole(response, sink: sink)
    case .askAgain?, nil:
      sink.close()
      return .failed(.protocolViolation("the server's ranges make no sense"), partial: nil)
    }
  }

  private func whole(_ response: TransportResponse, sink: FileSink) -> Outcome {
    let count = sink.decision == .complete ? sink.resumed : sink.count
    let file = StoredFile(
      name: "", byteCount: count, digest: sink.finish(),
      format: ResourceFormat(sniffing: sink.sniffed), validator: Validator(response.head.fields),
      mediaType: response.head.fields["Content-Type"], timings: response.timings)
    return .whole(file, head: sink.sniffed)
  }

  private func keptPartial(_ sink: FileSink) -> PartialDownload? {
    guard sink.count > 0 else { return nil }
    let kept = sink.partial(synced: 0)
    return kept.validator.ifRange == nil ? nil : kept
  }

  private func copyLocalFile() async -> Outcome {
    let source = LocalFile.path(item.resource.url)
    let path = path
    let counter = counter
    let limit = Int64(settings.limits.resourceBytes)
    do {
      let copy = try await disk.run { try LocalFile.copy(source, to: path, limit, counter) }
      return .whole(copy.file, head: copy.head)
    } catch let failure as DownloadFailure {
      return .failed(failure, partial: nil)
    } catch let error as SystemError where error.path == source {
      return .failed(.content(error.description), partial: nil)
    } catch let error as SystemError {
      return .failed(.disk(error.description, isFull: error.isDiskFull), partial: nil)
    } catch {
      return .failed(.content("\(error)"), partial: nil)
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
