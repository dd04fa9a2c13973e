import Models
import Persistence

/// Partial files of sources: each is the partial file of a request, as those of resources are.
extension Engine {
  /// A request under which the bytes of a source are kept, and what is there of them. While somebody
  /// reads the same source, it is one of its own: two cannot write into one file.
  func beginSource(_ request: RequestKey) async throws -> SourcePlace {
    if let failure { throw failure }
    guard sourcesInWork.insert(request).inserted else {
      let other = RequestKey(from: ports.random)
      sourcesInWork.insert(other)
      unnamedSources.insert(other)
      return SourcePlace(request: other, partial: nil)
    }
    if let known = partials[request] { return SourcePlace(request: request, partial: known) }
    guard resumable.contains(request) else { return SourcePlace(request: request, partial: nil) }
    do {
      return SourcePlace(request: request, partial: try await store.partial(of: request))
    } catch {
      sourcesInWork.remove(request)
      throw error
    }
  }

  /// A transfer of a source begins; an engine that stops ends it.
  func attemptBegan(_ download: Download) {
    sourceDownloads[download.run] = download
    if isEnding { download.cancel() }
  }

  func attemptEnded(_ download: Download) {
    sourceDownloads[download.run] = nil
  }

  /// The message may come after the end of its attempt.
  func noteSource(_ partial: PartialDownload, of run: DownloadRun) {
    guard sourceDownloads[run] != nil else { return }
    commitPartial(partial, of: run.request)
  }

  /// Remembers what the next attempt or the next run can go on from.
  /// - Parameter partial: nil: nothing; returns when the file is gone.
  func keepSource(_ partial: PartialDownload?, of request: RequestKey) async {
    if let partial { return commitPartial(partial, of: request) }
    forgetPartial(of: request)
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
    if unnamedSources.remove(request) != nil { await keepSource(nil, of: request) }
    sourcesInWork.remove(request)
    for waiter in sourceWaiters { waiter.resume() }
    sourceWaiters = []
  }

  /// Ends the transfers of sources and returns when what they leave behind is on its way to the store.
  func endSources() async {
    for download in sourceDownloads.values { download.cancel() }
    let requests = Set(sourceDownloads.keys.map(\.request))
    while !sourcesInWork.isDisjoint(with: requests) {
      await withCheckedContinuation { sourceWaiters.append($0) }
    }
  }
}
