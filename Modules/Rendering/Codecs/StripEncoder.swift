import CTurboJPEG
import Decoding
import Models
public import Rendering

/// Encodes rows of tiles as strips: baseline JPEGs with full colour resolution and the standard Huffman
/// tables, which are equal in all strips of an image.
public final class StripEncoder {
  private let handle: tjhandle

  public init() throws(RenderError) {
    guard let handle = tjInitCompress() else { throw .noMemory(.jpeg) }
    self.handle = handle
  }

  deinit { tjDestroy(handle) }

  public func encode(_ planes: StripPlanes, _ row: TileRow) throws(RenderError) -> [Rendition] {
    var renditions: [Rendition] = []
    var y = 0
    for height in row.stripHeights {
      let bytes = try encode(planes, from: y, height: height, quality: row.quality)
      renditions.append(
        Rendition(format: .jpeg, width: planes.width, height: height, bytes: bytes))
      y += height
    }
    return renditions
  }

  private func encode(
    _ planes: StripPlanes, from y: Int, height: Int, quality: Int
  ) throws(RenderError) -> [UInt8] {
    let sampling = Int32(bitPattern: TJSAMP_444.rawValue)
    let (width, rows) = (Int32(clamping: planes.width), Int32(clamping: height))
    var bytes = [UInt8](uninitialised: Int(tjBufSize(width, rows, sampling)))
    let capacity = bytes.count
    let start = y * planes.width
    let written = bytes.withUnsafeMutableBufferPointer { output -> Int? in
      planes.luma.withUnsafeBufferPointer { luma in
        planes.blue.withUnsafeBufferPointer { blue in
          planes.red.withUnsafeBufferPointer { red in
            var sources = [luma, blue, red].map { $0.baseAddress.map { $0 + start } }
            var target = output.baseAddress
            var size = UInt(capacity)
            // The buffer is as large as the worst case, so that the codec never replaces it.
            let code = tjCompressFromYUVPlanes(
              handle, &sources, width, [width, width, width], rows, sampling, &target, &size,
              Int32(clamping: quality), TJFLAG_NOREALLOC)
            return code == 0 ? Int(size) : nil
          }
        }
      }
    }
    guard let written else {
      let words = tjGetErrorStr2(handle).map { " (\(String(cString: $0)))" } ?? ""
      throw RenderError(.io, "the joined tiles cannot be written as a JPEG\(words)")
    }
    bytes.removeLast(capacity - written)
    return bytes
  }
}
