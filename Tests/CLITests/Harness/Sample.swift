import Foundation
import TestSupport

/// Data that tests make themselves.
enum Sample {
  /// A small PNG; another number, another picture.
  static func image(_ number: Int, side: Int = 8) -> [UInt8] {
    TestPicture.png(
      width: side, height: side, red: UInt8(truncatingIfNeeded: number),
      green: UInt8(truncatingIfNeeded: number >> 8), blue: 90)
  }

  /// Bytes that are no picture, and differ everywhere from what a shift would give.
  static func bytes(_ count: Int) -> [UInt8] {
    var block = Array("sample\u{0}".utf8)
    var random = SeededGenerator(seed: UInt64(count))
    block += random.bytes(8_191 - block.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + block.count)
    while bytes.count < count {
      bytes += block
      bytes.append(UInt8(truncatingIfNeeded: bytes.count >> 13))
    }
    return Array(bytes.prefix(count))
  }

  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// A zip of lists: name → URLs, in this order.
  static func manifest(_ lists: KeyValuePairs<String, [String]>) throws -> [UInt8] {
    ZipBuilder(try lists.map { .deflated($0.key, Array(try json($0.value).utf8)) }).build()
  }

  /// One page with a black square.
  static var pdf: [UInt8] { TestPDF.page("0 0 0 rg 10 10 80 80 re f") }
}
