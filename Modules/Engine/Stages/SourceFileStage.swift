import Models
import Persistence

/// Keeps the partial files of sources. A request names each of these files, as it does for resources.
final class SourceFileStage: Stage {
  private var files = SourceTransfers()

  /// Reserves the request that names the partial file of a source, and returns its state from an earlier
  /// run.
  func beginSource(_ named: RequestKey) async throws -> SourceResumePoint {
    if let failure = lifecycle.failure { throw failure }
    let request = files.reserve(named, otherwise: RequestKey(from: ports.random))
    guard request == named, partialFiles.mayHaveRow(request) else {
      return SourceResumePoint(request: request, partial: nil)
    }
    if let known = partialFiles[request] {
      return SourceResumePoint(request: request, partial: known)
    }
    do {
      return SourceResumePoint(request: request, partial: try store.partial(of: request))
    } catch {
      files.releaseName(request)
      throw error
    }
  }

  /// Registers a running transfer of a source, which is cancelled when the engine stops.
  func attemptBegan(_ download: Download) {
    files.insert(download)
    if lifecycle.isEnding { download.cancel() }
  }

  func attemptEnded(_ download: Download) { files.remove(download.run) }

  /// Records the state of a running transfer. The report may arrive after the attempt has ended, and is
  /// ignored then.
  func saveSourcePartial(_ partial: PartialDownload, of run: DownloadRun) {
    if files.isRunning(run) { transfers.commitPartial(partial, of: run.request) }
  }

  /// Records the state from which the next attempt or the next run can resume.
  /// - Parameter partial: The state; nil to delete the partial file before this returns.
  func keepSourcePartial(_ partial: PartialDownload?, of request: RequestKey) async {
    if let partial { return transfers.commitPartial(partial, of: request) }
    partialFiles.unregister(request)
    commits.add(.discardPartial(request))
    await commits.flush()
  }

  /// Ends the use of a source that has been read or adopted, or whose reading was interrupted.
  func endSource(_ request: RequestKey, keeping partial: PartialDownload?) async {
    await keepSourcePartial(partial, of: request)
    await releaseSource(request)
  }

  /// Ends the reading of a source. Its partial file is kept, unless it has a random name that no later
  /// reading can find.
  func releaseSource(_ request: RequestKey) async {
    if files.isUnnamed(request) { await keepSourcePartial(nil, of: request) }
    files.releaseName(request)
  }

  /// Cancels the transfers of sources and returns when their states are queued for the store.
  func endAll() async {
    let requests = files.cancelAll()
    while files.isAnyReserved(of: requests) {
      await withCheckedContinuation { files.addEndWaiter($0) }
    }
  }
}
