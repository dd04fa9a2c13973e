import CResampling

extension Plane {
  /// Returns a plane with one row for each output row of the axis, a weighted sum of rows of this plane.
  func resampled(_ axis: ResamplingAxis, coveredHeight: Double) -> Plane {
    let size = rowBytes
    let bytes = [UInt8](unsafeUninitializedCapacity: axis.starts.count * size) { output, count in
      self.bytes.withUnsafeBytes { source in
        axis.weights.withUnsafeBufferPointer { weights in
          guard let target = output.baseAddress, let source = source.baseAddress,
            let weights = weights.baseAddress
          else { return }
          let combine = RowCombiner.fastest(size)
          for (row, start) in axis.starts.enumerated() {
            combine(
              source + start * size, size, weights + row * axis.tapCount, axis.tapCount,
              target + row * size)
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

/// Functions that compute the weighted sum of consecutive rows of bytes.
enum RowCombiner {
  /// The parameters are the address of the first source row, the size of a row in bytes, the weights in units
  /// of 1/`ResamplingAxis.unit`, the number of source rows, and the address of the output row.
  typealias Function =
    @Sendable (
      UnsafeRawPointer, Int, UnsafePointer<Int16>, Int, UnsafeMutablePointer<UInt8>
    ) -> Void

  /// Returns the functions that this processor supports for rows of `size` bytes, the fastest first. All
  /// functions compute the same bytes.
  static func all(_ size: Int) -> [Function] {
    var functions: [Function] = []
    let vector = VectorUnit.bytes
    if vector >= 64 && size >= 64 { functions.append(combineRowsWithAVX512) }
    if vector >= 32 && size >= 32 { functions.append(combineRowsWithAVX2) }
    return functions + [combineRows]
  }

  static func fastest(_ size: Int) -> Function {
    let vector = VectorUnit.bytes
    if vector >= 64 && size >= 64 { return combineRowsWithAVX512 }
    if vector >= 32 && size >= 32 { return combineRowsWithAVX2 }
    return combineRows
  }
}

/// The vector instructions of this processor beyond the baseline of its architecture.
enum VectorUnit {
  /// The vector width in bytes; 0 means only the baseline is available.
  static let bytes = Int(imgdl_vector_bytes())
}

private func combineRowsWithAVX512(
  _ source: UnsafeRawPointer, _ size: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
  _ target: UnsafeMutablePointer<UInt8>
) {
  imgdl_combine_rows_avx512(
    source.assumingMemoryBound(to: UInt8.self), size, weights, count, target, size)
}

private func combineRowsWithAVX2(
  _ source: UnsafeRawPointer, _ size: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
  _ target: UnsafeMutablePointer<UInt8>
) {
  imgdl_combine_rows_avx2(
    source.assumingMemoryBound(to: UInt8.self), size, weights, count, target, size)
}

private func combineRows(
  _ source: UnsafeRawPointer, _ size: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
  _ target: UnsafeMutablePointer<UInt8>
) {
  let half = ResamplingAxis.unit / 2
  let shift = Int32(ResamplingAxis.unit.trailingZeroBitCount)
  var offset = 0
  // The compiler computes four products of a byte and a weight with one instruction (`pmaddwd`).
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

/// Clamps eight values to bytes and stores them. For this width the compiler emits the packing instructions.
@inline(__always)
private func storeClamped(_ values: SIMD8<Int32>, _ target: UnsafeMutablePointer<UInt8>) {
  let clamped = values.clamped(lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: 255))
  UnsafeMutableRawPointer(target).storeBytes(
    of: SIMD8<UInt8>(truncatingIfNeeded: clamped), as: SIMD8<UInt8>.self)
}
