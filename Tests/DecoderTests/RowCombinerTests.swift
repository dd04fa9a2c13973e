import TestSupport
import Testing

@testable import Decoding

@Suite("Rows combined") struct RowCombinerTests {
  @Test(
    "are the same bytes with and without a vector unit",
    arguments: [1, 31, 32, 33, 63, 64, 65, 480])
  func alike(_ size: Int) {
    var random = SeededGenerator(seed: UInt64(size))
    for count in 1...17 {
      // Exactly as many as needed: a sanitizer sees what is read beyond.
      let rows = (0..<(size * count)).map { _ in UInt8.random(in: 0...255, using: &random) }
      var weights = (0..<count).map { _ in Int16.random(in: -4_000...4_000, using: &random) }
      // A sum beyond the unit, so that both ends are clamped.
      weights[0] = count % 2 == 0 ? 20_000 : -20_000
      let combined = [RowCombiner.plain, RowCombiner.fastest(size)].map { combine in
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
      #expect(combined[0] == combined[1])
    }
  }
}
