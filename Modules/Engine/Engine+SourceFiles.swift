import Models
import Persistence

/// The partial files of sources, each named by a request like those of resources.
extension Engine: SourceOwner {
  /// Reserves the request that names the partial file of a source, and returns its state from an earlier
  /// run.
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

  /// Records a running transfer of a source, so that the end of the engine cancels it.
  func attemptBegan(_ download: Download) {
    sourceTransfers.insert(download)
    if isEnding { download.cancel() }
  }

  func attemptEnded(_ download: Download) { sourceTransfers.remove(download.run) }

  /// Records the state of a running transfer. The report may arrive after the attempt has ended, and is
  /// ignored then.
  func saveSourcePartial(_ partial: PartialDownload, of run: DownloadRun) {
    if sourceTransfers.isRunning(run) { commitPartial(partial, of: run.request) }
  }

  /// Records the state from which the next attempt or the next run can resume.
  /// - Parameter partial: The state; nil to delete the partial file before this returns.
  func keepSourcePartial(_ partial: PartialDownload?, of request: RequestKey) async {
    if let partial { return commitPartial(partial, of: request) }
    partialFiles.forget(request)
    commit(.discardPartial(request))
    await flushCommits()
  }

  /// Ends the use of a source that has been read or adopted, or whose reading was interrupted.
  func endSource(_ request: RequestKey, keeping partial: PartialDownload?) async {
    await keepSourcePartial(partial, of: request)
    await releaseSource(request)
  }

  /// Ends the reading of a source. Its partial file is kept, unless no later reading could name it.
  func releaseSource(_ request: RequestKey) async {
    if sourceTransfers.isUnnamed(request) { await keepSourcePartial(nil, of: request) }
    sourceTransfers.release(request)
  }

  /// Cancels the transfers of sources and returns when their states are queued for the store.
  func endSources() async {
    let requests = sourceTransfers.cancelAll()
    while sourceTransfers.isAnyReserved(of: requests) {
      await withCheckedContinuation { sourceTransfers.wait($0) }
    }
  }
}
