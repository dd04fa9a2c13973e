package import Archive

/// An entry of a remote zip archive, as the central directory describes it (APPNOTE.TXT 4.3.12). All of it is
/// foreign input.
package struct RemoteEntry: Sendable, Equatable {
  /// The index in the directory, from 0.
  package let index: Int
  /// The decoded name, a label that is never used as a path.
  package let name: String
  package let kind: ArchiveEntry.Kind
  package let isEncrypted: Bool
  /// The compression method: 0 for stored, 8 for deflated.
  package let method: Int
  package let compressedSize: Int64
  package let uncompressedSize: Int64
  /// The position of the local header in the file.
  package let offset: Int64
  /// The name as it is stored.
  let rawName: [UInt8]
  /// The fields of the directory from the flags to the checksum, 12 bytes: the flags, the method, the
  /// modification time and date, and the CRC-32.
  let fixedFields: [UInt8]

  /// The CRC-32 of the uncompressed data.
  package var checksum: Int64 { fixedFields.uint32(at: 8) }

  /// Whether sizes and checksum follow the data (general purpose bit 3).
  var hasDataDescriptor: Bool { fixedFields.uint16(at: 0) & 8 != 0 }

  /// - Parameters:
  ///   - header: The fixed part of the entry in the directory, 46 bytes.
  init(
    index: Int, header: [UInt8], rawName: [UInt8], extra: [UInt8], numbers: ZipDirectory.Entry
  ) {
    self.index = index
    self.rawName = rawName
    name = EntryName.decode(rawName, zipExtra: extra)
    kind = Self.kind(name, header)
    isEncrypted = numbers.isEncrypted
    fixedFields = Array(header[8..<20])
    method = header.uint16(at: 10)
    compressedSize = numbers.compressedSize
    uncompressedSize = numbers.uncompressedSize
    offset = numbers.offset
  }

  private static func kind(_ name: String, _ header: [UInt8]) -> ArchiveEntry.Kind {
    if name.hasSuffix("/") { return .directory }
    let system = header.uint16(at: 4) >> 8
    let attributes = header.uint32(at: 38)
    // The upper half of the external attributes contains the mode on Unix and macOS, the lower half the
    // attributes of MS-DOS.
    switch [3, 19].contains(system) ? (attributes >> 16) & 0o170000 : 0 {
    case 0: return system == 0 && attributes & 0x10 != 0 ? .directory : .file
    case 0o100000: return .file
    case 0o040000: return .directory
    default: return .other
    }
  }
}
