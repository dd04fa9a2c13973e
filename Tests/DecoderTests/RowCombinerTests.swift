import TestSupport
import Testing

@testable import Decoding

@Suite("A plane transposed") struct TransposedPlaneTests {
  @Test(
    "has its rows as columns, at every size",
    arguments: [1, 7, 8, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 100], [1, 4])
  func rowsAreColumns(_ width: Int, _ pixelSize: Int) {
    var random = SeededGenerator(seed: UInt64(width))
    for height in [1, 7, 8, 15, 16, 17, 31, 32, 33, 100] {
      let bytes = (0..<(width * height * pixelSize)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let plane = Plane(width: width, height: height, pixelSize: pixelSize, bytes: bytes)
      let turned = plane.transposed()
      #expect(turned.width == height && turned.height == width)
      var expected: [UInt8] = []
      for x in 0..<width {
        for y in 0..<height {
          expected += bytes[((y * width + x) * pixelSize)...].prefix(pixelSize)
        }
      }
      #expect(turned.bytes == expected)
    }
  }
}

@Suite("Rows combined") struct RowCombinerTests {
  @Test(
    "are the same bytes with and without a vector unit",
    arguments: [1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 480])
  func alike(_ size: Int) {
    var random = SeededGenerator(seed: UInt64(size))
    for count in 1...17 {
      // Exactly as many as needed: a sanitizer sees what is read beyond.
      let rows = (0..<(size * count)).map { _ in UInt8.random(in: 0...255, using: &random) }
      var weights = (0..<count).map { _ in Int16.random(in: -4_000...4_000, using: &random) }
      // A sum beyond the unit, so that both ends are clamped.
      weights[0] = count % 2 == 0 ? 20_000 : -20_000
      let combined = (RowCombiner.all(size) + [RowCombiner.fastest(size)]).map { combine in
        [UInt8](unsafeUninitializedCapacity: size) { target, written in
          rows.withUnsafeBytes { rows in
            weights.withUnsafeBufferPointer { weights in
              guard let rows = rows.baseAddress, let weights = weights.baseAddress,
                let target = target.baseAddress
              else { return }
              combine(rows, size, weights, count, target)
            }
          }
          written = size
        }
      }
      for other in combined.dropFirst() { #expect(combined[0] == other) }
    }
  }
}
