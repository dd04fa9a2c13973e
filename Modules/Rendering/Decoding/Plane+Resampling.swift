extension Plane {
  /// A plane with as many rows as the axis has outputs, each a weighted sum of rows of this one.
  func resampled(_ axis: ResamplingAxis, coveredHeight: Double) -> Plane {
    let size = rowBytes
    let bytes = [UInt8](unsafeUninitializedCapacity: axis.starts.count * size) { output, count in
      self.bytes.withUnsafeBytes { source in
        axis.weights.withUnsafeBufferPointer { weights in
          guard let target = output.baseAddress, let source = source.baseAddress,
            let weights = weights.baseAddress
          else { return }
          for (row, start) in axis.starts.enumerated() {
            combineRows(
              source + start * size, size: size, weights + row * axis.tapCount,
              count: axis.tapCount, into: target + row * size)
          }
        }
      }
      count = axis.starts.count * size
    }
    return Plane(
      width: width, height: axis.starts.count, pixelSize: pixelSize, coveredWidth: coveredWidth,
      coveredHeight: coveredHeight, bytes: bytes)
  }
}

/// The weighted sum of `count` rows of `size` bytes that follow each other at `source`.
private func combineRows(
  _ source: UnsafeRawPointer, size: Int, _ weights: UnsafePointer<Int16>, count: Int,
  into target: UnsafeMutablePointer<UInt8>
) {
  let half = ResamplingAxis.unit / 2
  let shift = SIMD8<Int32>(repeating: Int32(ResamplingAxis.unit.trailingZeroBitCount))
  var offset = 0
  while offset &+ 8 <= size {
    var sum = SIMD8<Int32>(repeating: half)
    var row = source + offset
    for tap in 0..<count {
      let pixels = row.loadUnaligned(as: SIMD8<UInt8>.self)
      let weight = SIMD8<Int32>(repeating: Int32(weights[tap]))
      sum &+= SIMD8<Int32>(truncatingIfNeeded: pixels) &* weight
      row += size
    }
    let clamped = (sum &>> shift).clamped(
      lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: 255))
    UnsafeMutableRawPointer(target + offset).storeBytes(
      of: SIMD8<UInt8>(truncatingIfNeeded: clamped), as: SIMD8<UInt8>.self)
    offset &+= 8
  }
  while offset < size {
    var sum = half
    for tap in 0..<count {
      let pixel = Int32(source.load(fromByteOffset: offset &+ tap &* size, as: UInt8.self))
      sum &+= pixel &* Int32(weights[tap])
    }
    target[offset] = UInt8(clamping: sum >> Int32(ResamplingAxis.unit.trailingZeroBitCount))
    offset &+= 1
  }
}
