import Models
import Rendering
import WorkerProcess

extension FrameWriter {
  mutating func append(_ row: TileRow) {
    append(Int64(row.width))
    append(Int64(row.height))
    append(Int64(row.tileWidth))
    append(Int64(row.stripHeight))
    append(Int64(row.quality))
    append(list: row.byteCounts) { $0.append(Int64($1)) }
  }
}

extension FrameReader {
  mutating func tileRow() throws(WorkerError) -> TileRow {
    let row = TileRow(
      width: try int(), height: try int(), tileWidth: try int(), stripHeight: try int(),
      quality: try int(),
      byteCounts: try list { (reader) throws(WorkerError) in try reader.int() })
    guard row.isValid else { throw WorkerError(.malformed, "a row of tiles that is not valid") }
    return row
  }
}

extension RenderRequest {
  /// Checks that the worker returned the strips of the row, each with the size that its own header states.
  func check(_ renditions: [Rendition], _ row: TileRow) throws(WorkerError) {
    let heights = row.stripHeights
    let isExpected =
      renditions.count == heights.count
      && zip(renditions, heights).allSatisfy { rendition, height in
        rendition.format == .jpeg && rendition.width == row.width && rendition.height == height
          && EncodedSize(rendition.bytes, format: .jpeg)
            == EncodedSize(width: row.width, height: height)
      }
    guard isExpected else {
      throw WorkerError(
        .malformed, "the worker's reply is not credible: strips of another number, size or format")
    }
  }
}
