import Models
import Persistence

/// Partial files of sources: each is the partial file of a request, as those of resources are.
extension Engine {
  /// The request under which the bytes of a source are kept, and its partial file of an earlier run.
  func beginSource(_ named: RequestKey) async throws -> SourceResumePoint {
    if let failure { throw failure }
    let request = sourceTransfers.reserve(named, otherwise: RequestKey(from: ports.random))
    guard request == named, partialFiles.mayHaveRow(request) else {
      return SourceResumePoint(request: request, partial: nil)
    }
    if let known = partialFiles[request] {
      return SourceResumePoint(request: request, partial: known)
    }
    do {
      return SourceResumePoint(request: request, partial: try store.partial(of: request))
    } catch {
      sourceTransfers.release(request)
      throw error
    }
  }

  /// A transfer of a source begins; an engine that stops ends it.
  func attemptBegan(_ download: Download) {
    sourceTransfers.begin(download)
    if isEnding { download.cancel() }
  }

  func attemptEnded(_ download: Download) { sourceTransfers.end(download.run) }

  /// The message may come after the end of its attempt.
  func noteSource(_ partial: PartialDownload, of run: DownloadRun) {
    if sourceTransfers.isRunning(run) { commitPartial(partial, of: run.request) }
  }

  /// Remembers what the next attempt or the next run can continue from.
  /// - Parameter partial: nil means nothing; returns when the file is gone.
  func keepSource(_ partial: PartialDownload?, of request: RequestKey) async {
    if let partial { return commitPartial(partial, of: request) }
    partialFiles.forget(request)
    commit(.litter(request))
    await flushCommits()
  }

  /// The source has been read or adopted, or its reading was broken off.
  func endSource(_ request: RequestKey, keeping partial: PartialDownload?) async {
    await keepSource(partial, of: request)
    await leaveSource(request)
  }

  /// Nobody reads the source any more. Its partial file stays as it is, unless no later reading could name
  /// it.
  func leaveSource(_ request: RequestKey) async {
    if sourceTransfers.isUnnamed(request) { await keepSource(nil, of: request) }
    sourceTransfers.release(request)
  }

  /// Ends the transfers of sources and returns when what they leave behind is on its way to the store.
  func endSources() async {
    let requests = sourceTransfers.cancelAll()
    while sourceTransfers.isAnyReserved(of: requests) {
      await withCheckedContinuation { sourceTransfers.wait($0) }
    }
  }
}
