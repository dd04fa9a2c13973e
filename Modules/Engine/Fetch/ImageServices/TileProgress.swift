import IIIF
import Models
import Rendering
import Synchronization

/// The rows of tiles that an interrupted attempt has already written to the partial file, so that the next
/// attempt continues with the row after them.
struct TileProgress: Sendable {
  let information: ImageInformation
  /// The validator of `info.json`. Tiles have none in common, so it stands for the version of the image.
  let validator: Validator
  let grid: TileGrid
  private(set) var joiner: StripJoiner
  /// The number of complete rows.
  private(set) var rowCount = 0
  /// The length in bytes of the joined strips in the partial file.
  private(set) var byteCount: Int64 = 0
  /// The number of bytes of the tiles of these rows.
  private(set) var receivedBytes: Int64 = 0

  /// The height in pixels of all strips but the last one.
  let stripHeight: Int

  init(_ information: ImageInformation, _ validator: Validator, _ grid: TileGrid) {
    self.information = information
    self.validator = validator
    self.grid = grid
    stripHeight = TileRow.stripHeight(width: grid.size.width, rowHeight: grid.tile.height)
    joiner = StripJoiner(
      width: grid.size.width, height: grid.size.height, stripHeight: stripHeight)
  }

  var isComplete: Bool { rowCount == grid.rows }

  /// Whether the rows are of the image that a service describes now.
  func continues(_ information: ImageInformation, _ validator: Validator) -> Bool {
    rowCount > 0 && self.information == information && self.validator == validator
  }

  /// Adds the next strip of a row.
  /// - Returns: The bytes with which the joined image continues; they are to be written at `byteCount` as it
  ///   was before.
  mutating func append(_ strip: Rendition) throws(StripJoiner.Problem) -> [UInt8] {
    let bytes = try joiner.append(strip.bytes)
    byteCount += Int64(bytes.count)
    return bytes
  }

  /// Ends a row.
  /// - Parameter tileBytes: The number of bytes of the row's tiles.
  /// - Returns: The end of the joined image after the last row, and nothing after other rows.
  mutating func endRow(tileBytes: Int64) throws(StripJoiner.Problem) -> [UInt8] {
    rowCount += 1
    receivedBytes += tileBytes
    let bytes = isComplete ? try joiner.finish() : []
    byteCount += Int64(bytes.count)
    return bytes
  }
}

/// The progress of the interrupted images of this run. After a restart of the process such an image begins
/// again with its first row.
final class TileProgressTable: Sendable {
  private struct State {
    var progress: [RequestKey: TileProgress] = [:]
    /// The requests in the order of their last attempts.
    var order: [RequestKey] = []
  }

  private let state = Mutex(State())

  /// The number of images whose progress is kept; the one that was attempted longest ago is dropped first.
  static let capacity = 256

  /// Removes and returns the progress of a request. An attempt that does not reach the tiles therefore leaves
  /// none, as it may have written other bytes to the partial file.
  func take(_ request: RequestKey) -> TileProgress? {
    state.withLock { state in
      guard let progress = state.progress.removeValue(forKey: request) else { return nil }
      state.order.removeAll { $0 == request }
      return progress
    }
  }

  func store(_ progress: TileProgress, for request: RequestKey) {
    state.withLock { state in
      if state.progress.updateValue(progress, forKey: request) != nil {
        state.order.removeAll { $0 == request }
      }
      state.order.append(request)
      if state.order.count > Self.capacity {
        state.progress[state.order.removeFirst()] = nil
      }
    }
  }
}
