import Hashing
import LibraryAPI
import Models
import ProgressTree
import SystemCalls
import Threading

/// Resources that are files of this machine, as in `add image.jpg`. Only the user can name such a file,
/// never a manifest.
enum LocalFile {
  /// Copies the file and hashes the copy. Blocks.
  /// - Throws: `DownloadFailure`, `SystemError` with the path at fault, `CancellationError`.
  static func copy(
    _ source: String, to path: String, in folder: ConfinedFolder, _ limit: Int64,
    _ counter: TransferCounter,
    _ isCancelled: CancellationFlag
  ) throws -> StoredFile {
    let status = try FileSystem.status(source)
    guard status.kind == .file else { throw DownloadFailure.content("not a regular file") }
    guard status.size <= limit else { throw DownloadFailure.tooLarge(limit: limit) }
    counter.expect(status.size)
    let began = Machine.monotonicNanoseconds
    try folder.removeIfExists(path)
    try isCancelled.check()
    try folder.copy(
      try FileSystem.open(source), to: path, mode: LibraryLayout.original)
    let content = try PrefixDigest(of: folder.open(path), atMost: nil, isCancelled)
    counter.set(received: content.count)
    let timings = TransferTimings(from: began, to: Machine.monotonicNanoseconds)
    return StoredFile(
      name: "", byteCount: content.count, digest: content.hasher.finalize(),
      format: ResourceFormat(sniffing: content.head) { () throws(SystemError) in
        try folder.open(path)
      }, timings: timings)
  }
}

extension LocalFile {
  /// Copies the file for a download, instead of requesting it.
  static func copy(_ source: String, for download: Download) async -> Download.Outcome {
    let (path, limit, counter) = (download.path, download.limit, download.counter)
    let folder = download.downloadContext.layout.folder
    do {
      let file = try await download.downloadContext.files.runCancellable { isCancelled in
        try copy(source, to: path, in: folder, limit, counter, isCancelled)
      }
      return .complete(file)
    } catch let failure as DownloadFailure {
      return .failed(failure, partial: nil)
    } catch let error as SystemError where error.path == source {
      return .failed(.content(error.description), partial: nil)
    } catch let error as SystemError {
      return .failed(DownloadFailure(error), partial: nil)
    } catch {
      return .failed(.cancelled, partial: nil)
    }
  }
}
