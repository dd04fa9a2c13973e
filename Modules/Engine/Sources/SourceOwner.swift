import Models
import Persistence

/// Keeps the partial files of sources between the attempts at a source and between runs of the program.
protocol SourceOwner: Actor {
  /// Reserves the request that names the partial file of a source, and returns its state from an earlier
  /// run.
  func beginSource(_ named: RequestKey) async throws -> SourceResumePoint
  /// Registers a running transfer, which is cancelled when the engine stops.
  func attemptBegan(_ download: Download)
  func attemptEnded(_ download: Download)
  /// Records the state of a running transfer.
  func saveSourcePartial(_ partial: PartialDownload, of run: DownloadRun)
  /// Records the state from which the next attempt can resume; nil deletes the partial file.
  func keepSourcePartial(_ partial: PartialDownload?, of request: RequestKey) async
  /// Deletes the store's row for the partial file, and returns when it is deleted; false if it cannot be.
  func forgetRow(of request: RequestKey) async -> Bool
  /// Writes the store's row for the partial file, and returns when it is written; false if it cannot be.
  func replaceRow(of request: RequestKey, by partial: PartialDownload) async -> Bool
  /// Ends the reading of a source. Its partial file is kept, unless it has a random name that no later
  /// reading can find.
  func releaseSource(_ request: RequestKey) async
  /// Ends the use of a source that has been read or adopted, or whose reading was interrupted.
  func endSource(_ request: RequestKey, keeping partial: PartialDownload?) async
}

/// Makes the records of a source and inserts their resources.
protocol RecordMaker: Actor {
  /// Makes a record with a folder whose name is not taken.
  func makeRecord(_ draft: RecordDraft, at place: InsertPosition) async throws -> Record
  /// Inserts the entries of a source that is being added.
  /// - Returns: The id of the last inserted resource.
  func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID
  ) async throws(StoreError) -> ResourceID
}
