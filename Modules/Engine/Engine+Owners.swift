import Models
import Persistence
import Threading

/// Forwards the reports of transfers and imports, which run outside of the engine's isolation, to their
/// stages. A stage handles each report in a turn of the engine.
extension Engine: DownloadOwner {
  nonisolated func partialFileChanged(_ partial: PartialDownload, of run: DownloadRun) {
    executor.async {
      self.assumeIsolated { $0.stages.transfers.savePartial(partial, of: run) }
    }
  }

  func forgetRow(of request: RequestKey) async -> Bool {
    await stages.transfers.forgetRow(of: request)
  }

  func replaceRow(of request: RequestKey, by partial: PartialDownload) async -> Bool {
    await stages.transfers.replaceRow(of: request, by: partial)
  }

  nonisolated func segmentsWanted(_ count: Int, of run: DownloadRun) {
    executor.async {
      self.assumeIsolated { $0.stages.transfers.segmentsWanted(count, of: run) }
    }
  }

  nonisolated func segmentEnded(_ failure: DownloadFailure?, of run: DownloadRun) {
    executor.async {
      self.assumeIsolated { $0.stages.transfers.segmentEnded(failure, of: run) }
    }
  }

  nonisolated func segmentRefused(of run: DownloadRun) {
    executor.async {
      self.assumeIsolated { $0.stages.transfers.segmentRefused(of: run) }
    }
  }

  nonisolated func transferEnded(_ run: DownloadRun, _ outcome: Download.Outcome) {
    // `enqueue` returns true only for the first outcome since the last `drain`, so that under load one turn
    // handles the ends of many transfers.
    if completions.enqueue(run.request, outcome) {
      executor.async {
        self.assumeIsolated { $0.stages.transfers.handleEnds($0.completions.drain()) }
      }
    }
  }
}

extension Engine: SourceOwner {
  func beginSource(_ named: RequestKey) async throws -> SourceResumePoint {
    try await stages.sourceFiles.beginSource(named)
  }

  func attemptBegan(_ download: Download) { stages.sourceFiles.attemptBegan(download) }

  func attemptEnded(_ download: Download) { stages.sourceFiles.attemptEnded(download) }

  func saveSourcePartial(_ partial: PartialDownload, of run: DownloadRun) {
    stages.sourceFiles.saveSourcePartial(partial, of: run)
  }

  func keepSourcePartial(_ partial: PartialDownload?, of request: RequestKey) async {
    await stages.sourceFiles.keepSourcePartial(partial, of: request)
  }

  func releaseSource(_ request: RequestKey) async {
    await stages.sourceFiles.releaseSource(request)
  }

  func endSource(_ request: RequestKey, keeping partial: PartialDownload?) async {
    await stages.sourceFiles.endSource(request, keeping: partial)
  }
}

extension Engine: RecordMaker {
  func makeRecord(_ draft: RecordDraft, at place: InsertPosition) async throws -> Record {
    try await stages.recordMaking.makeRecord(draft, at: place)
  }

  func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID
  ) async throws(StoreError) -> ResourceID {
    try await stages.recordMaking.insertResources(drafts, into: record)
  }
}
