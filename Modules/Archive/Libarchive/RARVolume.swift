import Archive

/// One of several files into which RAR splits an archive. libarchive reads the entries that are whole in it, and takes the
/// others for damaged, or skips them.
enum RARVolume {
  /// Whether the file is a volume that is whole: its main header says that there are several volumes, and the file ends with
  /// the header that ends a volume, which RAR writes since version 3.
  static func isWhole(_ file: ArchiveFile) -> Bool {
    guard let head = file.bytes(at: 0, count: Int(min(file.size, 64))),
      let tail = file.bytes(
        at: max(0, file.size - endSize), count: Int(min(file.size, endSize)))
    else { return false }
    if head.starts(with: signature + [0]) {
      return head.count >= 14 && head[9] == 0x73 && head[10] & 1 != 0 && isEndOfRAR4(tail)
    }
    return head.starts(with: signature + [1, 0]) && isVolumeOfRAR5(head) && isEndOfRAR5(tail)
  }

  private static let signature: [UInt8] = Array("Rar!\u{1a}\u{7}".utf8)

  /// The maximum size in bytes of the header at the end.
  private static let endSize: Int64 = 32

  /// Whether the bytes end with a header of the type 0x7b: a checksum of two bytes, the type, flags and the size.
  private static func isEndOfRAR4(_ tail: [UInt8]) -> Bool {
    tail.indices.dropLast(6).contains {
      tail[$0 + 2] == 0x7b && tail.uint16(at: $0 + 5) == tail.count - $0
    }
  }

  /// Whether the bytes end with a header of the type 5: a checksum of four bytes, the size of the rest and the type.
  private static func isEndOfRAR5(_ tail: [UInt8]) -> Bool {
    tail.indices.dropLast(5).contains {
      tail[$0 + 5] == 5 && Int(tail[$0 + 4]) == tail.count - $0 - 5
    }
  }

  /// Whether the flags of the main header, of the type 1, state a volume.
  private static func isVolumeOfRAR5(_ head: [UInt8]) -> Bool {
    // The signature and a checksum are before the size of the header.
    var position = signature.count + 2 + 4
    func number() -> Int? { variableNumber(head, &position) }
    guard number() != nil, number() == 1, let flags = number() else { return false }
    // The sizes of an extra area and of data precede the flags of the archive.
    for bit in [1, 2] where flags & bit != 0 { guard number() != nil else { return false } }
    return number().map { $0 & 1 != 0 } ?? false
  }

  /// Reads a number of seven bits in each byte, the lowest first.
  private static func variableNumber(_ bytes: [UInt8], _ position: inout Int) -> Int? {
    var value = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      value |= Int(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
