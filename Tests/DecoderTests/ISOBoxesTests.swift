import TestSupport
import Testing
@testable import Decoding

@Suite("Boxes of the ISO base media format") struct ISOBoxesTests {
  private static func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func box(_ type: String, _ contents: [UInt8], length: Int? = nil) -> [UInt8] {
    number(length ?? 8 + contents.count) + Array(type.utf8) + contents
  }

  private static func longBox(_ type: String, _ contents: [UInt8], length: Int? = nil) -> [UInt8] {
    number(1) + Array(type.utf8) + number(length ?? 16 + contents.count, 8) + contents
  }

  /// The contents of the boxes of type `data`, the number of all boxes, and whether the last one is cut.
  private func walk(_ bytes: [UInt8]) -> (data: [[UInt8]], count: Int, isCut: Bool) {
    bytes.withUnsafeBytes { buffer in
      var boxes = ISOBoxes(ByteView(buffer))
      var data: [[UInt8]] = []
      var count = 0
      while let box = boxes.next() {
        if box.has(type: "data") { data.append(box.contents.array) }
        count += 1
      }
      return (data, count, boxes.isCut)
    }
  }

  @Test("of 32 and 64 bits of length, and one up to the end of the file, have their contents")
  func lengths() {
    let first = Self.box("free", [9]) + Self.box("data", [1, 2]) + Self.longBox("data", [3])
    let all = walk(first + Self.box("data", [4, 5], length: 0))
    #expect(all.data == [[1, 2], [3], [4, 5]])
    #expect(all.count == 4 && !all.isCut)
    #expect(walk([]).count == 0 && !walk([]).isCut)
  }

  @Test("that extend beyond the end have the contents that are there, and are the last")
  func cut() {
    for file in [
      Self.box("data", [1], length: 100), Self.longBox("data", [1], length: 1 << 33),
      Self.longBox("data", [1], length: -1),
    ] {
      let found = walk(Self.box("free", []) + file)
      #expect(found.data == [[1]] && found.count == 2 && found.isCut)
    }
    let file = Self.box("data", [1, 2, 3]) + Self.longBox("data", [4, 5])
    for count in 1..<file.count where count != 11 {
      #expect(walk(Array(file.prefix(count))).isCut, "\(count)")
    }
    #expect(!walk(Array(file.prefix(11))).isCut)
  }

  @Test("whose length is smaller than their header end the sequence, which is not cut")
  func malformed() {
    for length in 2..<8 {
      let found = walk(Self.box("data", [7]) + Self.box("data", [1], length: length))
      #expect(found.data == [[7]] && !found.isCut)
    }
    #expect(walk(Self.longBox("data", [1], length: 15)).count == 0)
  }

  @Test("of random bytes are within them")
  func random() {
    var random = SeededGenerator(seed: 4_812)
    for _ in 0..<2_000 {
      let bytes = (0..<random.next() % 200).map { _ in UInt8(max(0, Int(random.next() % 256) - 196))
      }
      #expect(walk(bytes).count <= bytes.count / 8 + 1)
    }
  }
}
