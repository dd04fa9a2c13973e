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
  let shift = Int32(ResamplingAxis.unit.trailingZeroBitCount)
  var offset = 0
  // A product of a byte and a weight is one instruction for four of them (`pmaddwd`).
  while offset &+ 16 <= size {
    var sum = SIMD16<Int32>(repeating: half)
    var row = source + offset
    for tap in 0..<count {
      let pixels = row.loadUnaligned(as: SIMD16<UInt8>.self)
      let weight = SIMD16<Int32>(repeating: Int32(weights[tap]))
      sum &+= SIMD16<Int32>(truncatingIfNeeded: pixels) &* weight
      row += size
    }
    storeClamped(sum.lowHalf &>> SIMD8(repeating: shift), target + offset)
    storeClamped(sum.highHalf &>> SIMD8(repeating: shift), target + offset + 8)
    offset &+= 16
  }
  while offset < size {
    var sum = half
    for tap in 0..<count {
      let pixel = Int32(source.load(fromByteOffset: offset &+ tap &* size, as: UInt8.self))
      sum &+= pixel &* Int32(weights[tap])
    }
    target[offset] = UInt8(clamping: sum >> shift)
    offset &+= 1
  }
}

/// Eight at a time: the compiler finds the packing instructions for that width.
@inline(__always)
private func storeClamped(_ values: SIMD8<Int32>, _ target: UnsafeMutablePointer<UInt8>) {
  let clamped = values.clamped(lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: 255))
  UnsafeMutableRawPointer(target).storeBytes(
    of: SIMD8<UInt8>(truncatingIfNeeded: clamped), as: SIMD8<UInt8>.self)
}
