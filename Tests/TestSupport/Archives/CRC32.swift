/// CRC-32 (ISO 3309), as zip uses it.
public struct CRC32: Sendable {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
  }

  private var crc: UInt32 = 0xffff_ffff

  public init() {}

  public static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = CRC32()
    crc.update(bytes)
    return crc.value
  }

  public mutating func update(_ bytes: [UInt8]) {
    var crc = crc
    bytes.withUnsafeBufferPointer { bytes in
      Self.table.withUnsafeBufferPointer { table in
        for byte in bytes { crc = table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8 }
      }
    }
    self.crc = crc
  }

  public var value: UInt32 { ~crc }
}
