import CTurboJPEG
import Decoding
import Models
import Rendering

/// Encodes baseline JPEG with 4:2:0 colour.
final class JPEGEncoder {
  private let handle: tjhandle

  init() throws(RenderError) {
    guard let handle = tjInitCompress() else {
      throw .noMemory(.jpeg)
    }
    self.handle = handle
  }

  deinit { tjDestroy(handle) }

  /// - Parameter raster: A raster that is grey, opaque, or has colour planes of half the size.
  func encode(_ raster: Raster, quality: Int) throws(RenderError) -> [UInt8] {
    let quality = Int32(min(max(1, quality), 100))
    let subsampling = raster.layout == .grey ? TJSAMP_GRAY : TJSAMP_420
    let sampling = Int32(bitPattern: subsampling.rawValue)
    let (width, height) = (Int32(clamping: raster.width), Int32(clamping: raster.height))
    var bytes = [UInt8](uninitialised: Int(tjBufSize(width, height, sampling)))
    let capacity = bytes.count
    let written = bytes.withUnsafeMutableBufferPointer { output -> Int? in
      var target = output.baseAddress
      var size = UInt(capacity)
      // The buffer is as large as the worst case, so that the codec never replaces it.
      let code =
        if case .rgba = raster.layout {
          tjCompress2(
            handle, raster.planes[0].bytes, width, 0, height,
            TJPF_RGBX.rawValue, &target, &size, sampling, quality,
            TJFLAG_NOREALLOC)
        } else {
          compressPlanes(raster, width, height, sampling, &target, &size, quality)
        }
      return code == 0 ? Int(size) : nil
    }
    guard let written else {
      let words = tjGetErrorStr2(handle).map { " (\(String(cString: $0)))" } ?? ""
      throw RenderError(.io, "the decoded image cannot be written as a JPEG\(words)")
    }
    bytes.removeLast(capacity - written)
    return bytes
  }

  private func compressPlanes(
    _ raster: Raster, _ width: Int32, _ height: Int32, _ sampling: Int32,
    _ target: inout UnsafeMutablePointer<UInt8>?, _ size: inout UInt, _ quality: Int32
  ) -> Int32 {
    // The codec reads whole squares of two by two pixels.
    let isOdd = raster.layout == .yCbCr && (width % 2 != 0 || height % 2 != 0)
    let planes = isOdd ? [raster.planes[0].paddedToEven()] + raster.planes[1...] : raster.planes
    let strides = planes.map { Int32(clamping: $0.width) }
    func withPointers(
      _ pointers: [UnsafePointer<UInt8>?], _ body: (inout [UnsafePointer<UInt8>?]) -> Int32
    ) -> Int32 {
      var pointers = pointers
      guard pointers.count < planes.count else { return body(&pointers) }
      return planes[pointers.count].bytes.withUnsafeBufferPointer {
        withPointers(pointers + [$0.baseAddress], body)
      }
    }
    return withPointers([]) { pointers in
      tjCompressFromYUVPlanes(
        handle, &pointers, width, strides, height, sampling, &target, &size, quality,
        TJFLAG_NOREALLOC)
    }
  }
}

extension Plane {
  /// Returns the plane with the last row and column repeated if their number is odd.
  fileprivate func paddedToEven() -> Plane {
    let (evenWidth, evenHeight) = (width + width % 2, height + height % 2)
    var result: [UInt8] = []
    result.reserveCapacity(evenWidth * evenHeight)
    for y in 0..<evenHeight {
      let start = min(y, height - 1) * width
      result += bytes[start..<(start + width)]
      if evenWidth > width { result.append(bytes[start + width - 1]) }
    }
    return Plane(
      width: evenWidth, height: evenHeight, pixelSize: 1, coveredWidth: coveredWidth,
      coveredHeight: coveredHeight, bytes: result)
  }
}
