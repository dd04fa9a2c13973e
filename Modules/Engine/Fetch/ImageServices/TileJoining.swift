import HTTP1
import Hashing
import IIIF
import LibraryAPI
import Models
import ProgressTree
import Rendering
import Synchronization
import SystemCalls
import Threading

/// Downloads the tiles of an image, one row at a time, and writes the joined image to the partial file.
///
/// One row of encoded tiles is on disk at a time, in a file without a name, and one row of decoded tiles in
/// the memory of a worker. An attempt that fails keeps its complete rows, from which the next one continues.
struct TileJoining {
  enum Result {
    /// The service refused the first tile.
    case refused(status: Int)
    case ended(Download.Outcome)
  }

  let download: Download
  let plan: ImageServicePlan

  /// The largest size of an encoded tile in bytes.
  private static let maximumTileBytes: Int64 = 64 << 20
  /// The number of times that a tile is requested before the attempt fails, because a single failure would
  /// otherwise discard the other tiles of the row.
  private static let maximumRequests = 3

  private var context: Download.Context { download.downloadContext }

  private struct Refusal: Error { let status: Int }

  /// The files of one attempt.
  private struct Files {
    let tiles: OwnedDescriptor
    let output: OwnedDescriptor
  }

  /// - Parameter start: The rows that an earlier attempt has written, or none.
  func run(_ start: TileProgress) async -> Result {
    var progress = start
    let failure: DownloadFailure
    do {
      return .ended(.complete(try await join(&progress)))
    } catch let refusal as Refusal {
      return .refused(status: refusal.status)
    } catch let error as DownloadFailure {
      failure = error
    } catch let error as SystemError {
      failure = DownloadFailure(error)
    } catch {
      failure = .cancelled
    }
    return .ended(.failed(failure, partial: keep(progress, after: failure, start)))
  }

  /// Keeps the complete rows for the next attempt.
  /// - Returns: The state of the partial file; nil if no attempt can continue from it.
  private func keep(
    _ progress: TileProgress, after failure: DownloadFailure, _ start: TileProgress
  ) -> PartialDownload? {
    guard failure.isRetryable, progress.rowCount > 0 else { return nil }
    let earlier = max(download.job.longestPartial, start.receivedBytes)
    download.state.withLock { $0.resumption.recordState(progress.receivedBytes, earlier: earlier) }
    context.tileProgress.store(progress, for: download.job.request)
    // Without a validator, the file is of no use to a request with a range or to another process.
    return PartialDownload(
      validator: Validator(), totalBytes: nil, bootID: context.bootID, syncedBytes: 0)
  }

  private func join(_ progress: inout TileProgress) async throws -> StoredFile {
    guard let renderer = context.renderer else {
      throw DownloadFailure.content(
        "the image consists of tiles, which cannot be put together here")
    }
    let began = Machine.monotonicNanoseconds
    let files = try await openFiles(&progress)
    let grid = progress.grid
    while !progress.isComplete {
      let row = progress.rowCount
      let counts = try await fetchRow(row, of: progress, into: files.tiles)
      let result: RenderResult
      do throws(RenderError) {
        result = try await renderer.joinTiles(
          of: TileRow(
            width: grid.size.width, height: grid.height(ofRow: row), tileWidth: grid.tile.width,
            stripHeight: progress.stripHeight, byteCounts: counts), in: files.tiles)
      } catch {
        throw Self.failure(error, row)
      }
      // The row counts only when its bytes are written.
      progress = try await write(
        result.renditions, tileBytes: counts.reduce(0) { $0 + Int64($1) }, after: progress,
        to: files.output)
    }
    return try await storedFile(grid, began)
  }

  /// Writes the strips of a row.
  /// - Returns: The progress with this row.
  private func write(
    _ strips: [Rendition], tileBytes: Int64, after progress: TileProgress,
    to output: OwnedDescriptor
  ) async throws -> TileProgress {
    var progress = progress
    do {
      for strip in strips {
        let offset = progress.byteCount
        try await write(try progress.append(strip), to: output, at: offset)
      }
      let offset = progress.byteCount
      try await write(try progress.endRow(tileBytes: tileBytes), to: output, at: offset)
    } catch let problem as StripJoiner.Problem {
      throw DownloadFailure.content(problem.description)
    }
    return progress
  }

  /// Opens the partial file behind the rows of an earlier attempt. If the file has been deleted or replaced
  /// since, the progress begins again.
  private func openFiles(_ progress: inout TileProgress) async throws -> Files {
    let (layout, path, byteCount) = (context.layout, download.path, progress.byteCount)
    let tiles = try await context.files.run { try FileSystem.unnamedFile(in: layout.incoming) }
    if progress.rowCount > 0 {
      let output = try? await context.files.run { () throws -> OwnedDescriptor? in
        let file = try layout.folder.open(path, .writing)
        let isWhole = try file.status().size >= byteCount
        if isWhole { try file.truncate(to: byteCount) }
        return isWhole ? file : nil
      }
      if let output = output ?? nil { return Files(tiles: tiles, output: output) }
      progress = TileProgress(progress.information, progress.validator, progress.grid)
    }
    if download.job.mayHaveRow, await !download.owner.forgetRow(of: download.job.request) {
      throw DownloadFailure.cancelled
    }
    let output = try await context.files.run {
      try layout.folder.open(path, .writing, create: .replacing, mode: LibraryLayout.original)
    }
    return Files(tiles: tiles, output: output)
  }

  /// Downloads the tiles of a row into the file, one after the other.
  /// - Returns: The sizes of the tiles in bytes.
  private func fetchRow(
    _ row: Int, of progress: TileProgress, into file: OwnedDescriptor
  ) async throws -> [Int] {
    try await truncate(file, to: 0)
    var counts: [Int] = []
    var offset: Int64 = 0
    for column in 0..<progress.grid.columns {
      let count = try await fetchTile(column, row, of: progress.grid, into: file, at: offset)
      guard count > 0 else {
        throw DownloadFailure.content("the image service sent an empty tile")
      }
      counts.append(Int(count))
      offset += count
      guard offset <= download.limit else { throw DownloadFailure.tooLarge(limit: download.limit) }
      download.counter.set(received: progress.receivedBytes + offset)
    }
    return counts
  }

  private func fetchTile(
    _ column: Int, _ row: Int, of grid: TileGrid, into file: OwnedDescriptor, at offset: Int64
  ) async throws -> Int64 {
    let url = plan.url(of: grid, column: column, row: row)
    var requestCount = 1
    while true {
      let body = BoundedBody(limit: Self.maximumTileBytes, file: file, start: offset)
      do throws(DownloadFailure) {
        try await BoundedExchange(download: download).perform(url, into: body)
        return body.byteCount
      } catch .status(let status, _, _)
        where row == 0 && column == 0 && ImageServicePlan.isRefusal(status)
      {
        throw Refusal(status: status)
      } catch  where error.isRepeatable && requestCount < Self.maximumRequests {
        requestCount += 1
        // The bytes of a longer body would follow the tile.
        try await truncate(file, to: offset)
      } catch .status(let status, let wait, _)
        where !DownloadFailure.status(status, retryAfter: wait).isRetryable
      {
        throw DownloadFailure.content(
          "the tile in column \(column + 1) of row \(row + 1) is missing: "
            + ReasonPhrase.describe(status))
      } catch {
        throw error
      }
    }
  }

  private func truncate(_ file: OwnedDescriptor, to length: Int64) async throws {
    try await context.files.run { try file.truncate(to: length) }
  }

  private func write(_ bytes: [UInt8], to output: OwnedDescriptor, at offset: Int64) async throws {
    guard offset + Int64(bytes.count) <= download.limit else {
      throw DownloadFailure.tooLarge(limit: download.limit)
    }
    try await context.files.run { try output.write(all: bytes.span.bytes, at: offset) }
  }

  /// Hashes the joined image and checks the size in its header.
  private func storedFile(_ grid: TileGrid, _ began: UInt64) async throws -> StoredFile {
    let (folder, path) = (context.layout.folder, download.path)
    let content = try await context.files.runCancellable { isCancelled in
      try PrefixDigest(of: folder.open(path), atMost: nil, isCancelled)
    }
    guard
      EncodedSize(content.head, format: .jpeg)
        == EncodedSize(width: grid.size.width, height: grid.size.height)
    else { throw DownloadFailure.content("the joined image has another size than its tiles") }
    return StoredFile(
      name: "", byteCount: content.count, digest: content.hasher.finalize(), format: .jpeg,
      mediaType: ResourceFormat.jpeg.mediaType,
      timings: TransferTimings(from: began, to: Machine.monotonicNanoseconds))
  }

  private static func failure(_ error: RenderError, _ row: Int) -> DownloadFailure {
    let detail = "row \(row + 1) of the tiles cannot be put together: \(error.detail)"
    return error.isRetryable ? .protocolViolation(detail) : .content(detail)
  }
}

extension DownloadFailure {
  /// Whether the same request may succeed at once. A host that asks for a pause is not asked again.
  fileprivate var isRepeatable: Bool {
    switch self {
    case .status(let status, _, _): isRetryable && status != 429 && status != 503
    case .transport(_, _, let isRetryable): isRetryable && !isUnreachable && !isIdleTimeout
    case .protocolViolation: true
    case .content, .tooLarge, .disk, .everyMirror, .cancelled: false
    }
  }
}
