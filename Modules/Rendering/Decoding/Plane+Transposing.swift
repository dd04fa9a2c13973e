import CResampling

extension Plane {
  /// Returns the plane with rows and columns exchanged.
  func transposed() -> Plane {
    let bytes = [UInt8](unsafeUninitializedCapacity: self.bytes.count) { output, count in
      self.bytes.withUnsafeBytes { source in
        let target = UnsafeMutableRawBufferPointer(output)
        if let source = source.baseAddress, let target = target.baseAddress {
          if pixelSize == 4 {
            transposePixels(source, width: width, height: height, into: target)
          } else if VectorUnit.bytes >= 32 && width >= 32 && height >= 16 {
            imgdl_transpose_avx2(
              source.assumingMemoryBound(to: UInt8.self), width, height,
              target.assumingMemoryBound(to: UInt8.self))
          } else {
            transposeBytes(source, width: width, height: height, into: target)
          }
        }
      }
      count = self.bytes.count
    }
    return Plane(
      width: height, height: width, pixelSize: pixelSize, coveredWidth: coveredHeight,
      coveredHeight: coveredWidth, bytes: bytes)
  }
}

/// Transposes a plane of four-byte pixels in blocks of 16 × 16 pixels, so that the rows of source and target
/// stay in the processor's cache.
private func transposePixels(
  _ source: UnsafeRawPointer, width: Int, height: Int, into target: UnsafeMutableRawPointer
) {
  for top in stride(from: 0, to: height, by: 16) {
    for left in stride(from: 0, to: width, by: 16) {
      for y in top..<min(top + 16, height) {
        for x in left..<min(left + 16, width) {
          let pixel = source.loadUnaligned(
            fromByteOffset: (y &* width &+ x) &* 4, as: UInt32.self)
          target.storeBytes(of: pixel, toByteOffset: (x &* height &+ y) &* 4, as: UInt32.self)
        }
      }
    }
  }
}

/// Transposes a plane of bytes without vector instructions: blocks of 8 × 8 bytes in eight registers, and the
/// remaining edges byte by byte.
private func transposeBytes(
  _ source: UnsafeRawPointer, width: Int, height: Int, into target: UnsafeMutableRawPointer
) {
  let wholeWidth = width & ~7
  let wholeHeight = height & ~7
  for top in stride(from: 0, to: wholeHeight, by: 8) {
    for left in stride(from: 0, to: wholeWidth, by: 8) {
      transposeBlock(
        source + (top &* width &+ left), width, into: target + (left &* height &+ top), height)
    }
  }
  func copy(_ x: Int, _ y: Int) {
    let byte = (source + (y &* width &+ x)).load(as: UInt8.self)
    target.storeBytes(of: byte, toByteOffset: x &* height &+ y, as: UInt8.self)
  }
  for y in 0..<height {
    for x in wholeWidth..<max(wholeWidth, width) { copy(x, y) }
  }
  for y in wholeHeight..<max(wholeHeight, height) {
    for x in 0..<wholeWidth { copy(x, y) }
  }
}

/// Transposes an 8 × 8 block by swapping its off-diagonal halves of 4, then 2, then 1 bytes.
@inline(__always)
private func transposeBlock(
  _ source: UnsafeRawPointer, _ sourceRow: Int, into target: UnsafeMutableRawPointer,
  _ targetRow: Int
) {
  @inline(__always) func row(_ index: Int) -> UInt64 {
    UInt64(
      littleEndian: source.loadUnaligned(fromByteOffset: index &* sourceRow, as: UInt64.self))
  }
  @inline(__always) func swapHalves(
    _ a: inout UInt64, _ b: inout UInt64, _ shift: UInt64, _ mask: UInt64
  ) {
    let difference = ((a &>> shift) ^ b) & mask
    b ^= difference
    a ^= difference &<< shift
  }
  var (a, b, c, d) = (row(0), row(1), row(2), row(3))
  var (e, f, g, h) = (row(4), row(5), row(6), row(7))
  let fours: UInt64 = 0x0000_0000_ffff_ffff
  swapHalves(&a, &e, 32, fours)
  swapHalves(&b, &f, 32, fours)
  swapHalves(&c, &g, 32, fours)
  swapHalves(&d, &h, 32, fours)
  let twos: UInt64 = 0x0000_ffff_0000_ffff
  swapHalves(&a, &c, 16, twos)
  swapHalves(&b, &d, 16, twos)
  swapHalves(&e, &g, 16, twos)
  swapHalves(&f, &h, 16, twos)
  let ones: UInt64 = 0x00ff_00ff_00ff_00ff
  swapHalves(&a, &b, 8, ones)
  swapHalves(&c, &d, 8, ones)
  swapHalves(&e, &f, 8, ones)
  swapHalves(&g, &h, 8, ones)
  @inline(__always) func store(_ value: UInt64, _ index: Int) {
    target.storeBytes(
      of: value.littleEndian, toByteOffset: index &* targetRow, as: UInt64.self)
  }
  store(a, 0)
  store(b, 1)
  store(c, 2)
  store(d, 3)
  store(e, 4)
  store(f, 5)
  store(g, 6)
  store(h, 7)
}
