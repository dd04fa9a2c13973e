extension [UInt8] {
  /// Reads a little-endian number, as zip uses them. The caller has checked the length.
  package func uint16(at offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }

  package func uint32(at offset: Int) -> Int64 {
    Int64(uint16(at: offset)) | Int64(uint16(at: offset + 2)) << 16
  }

  /// Reads a 64-bit number, capped at `Int64.max`.
  package func uint64(at offset: Int) -> Int64 {
    let high = uint32(at: offset + 4)
    return high > 0x7fff_ffff ? .max : uint32(at: offset) | high << 32
  }
}
