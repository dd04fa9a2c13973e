public import Archive
public import Models

/// Reads zip files through minizip, zlib's contributed reader: stored and deflated entries.
///
/// minizip trusts the archive, so this type checks sizes, the method and that the data was read to its end;
/// `GuardedArchiveReader` does the rest. The minizip of Debian 12 compares zip64 markers with a 64-bit -1 and
/// misses the wide sizes: such an archive is rejected as unsupported before its first entry, and
/// `FormatRoutingReader` tries the next reader.
public struct MinizipReader: ArchiveFileReader {
  public init() {}

  public var formats: Set<ResourceFormat> { [.zip] }

  public func walk(
    _ file: ArchiveFile, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    if file.isEmptyZip { return }
    // The directory is also required because minizip reads zeros beyond the end of the file: it would take a
    // truncated end record for an archive without entries.
    file.restrictToZip()
    guard let directory = ZipDirectory(file) else { throw file.openingError }
    if directory.entries.contains(where: \.isWide) {
      throw ArchiveError(.unsupported, "minizip cannot read a zip64 archive")
    }
    // Debian's minizip is built without decryption.
    if password != nil, directory.entries.contains(where: \.isEncrypted) {
      throw ArchiveError(.unsupported, "minizip cannot decrypt the archive")
    }
    try checkEnd(of: file)
    let archive = try MinizipArchive(file)
    if try readEntries(of: archive, directory, visitor), let error = file.cutError { throw error }
  }

  /// Returns whether the visitor was asked about all entries.
  private func readEntries(
    of archive: MinizipArchive, _ directory: ZipDirectory, _ visitor: any ArchiveVisitor
  ) throws(ArchiveError) -> Bool {
    guard try archive.goToFirst() else { return true }
    guard let order = directory.orderByOffset, let positions = try archive.positions(in: order)
    else {
      var index = 0
      repeat {
        guard try visit(archive, index, visitor) else { return false }
        index += 1
      } while try archive.goToNext()
      return true
    }
    for (index, position) in positions.enumerated() {
      try archive.go(to: position)
      guard try visit(archive, index, visitor) else { return false }
    }
    return true
  }

  /// Checks that minizip finds the end record of the directory that was checked: it takes the last bytes that look
  /// like a zip64 locator in the last 64 KiB, wherever they are, and otherwise those that look like an end record.
  private func checkEnd(of file: ArchiveFile) throws(ArchiveError) {
    let count = Int(min(file.end, Self.searched))
    guard let tail = file.bytes(at: file.end - Int64(count), count: count) else {
      throw file.openingError
    }
    guard ZipEndRecord.positions(of: ZipEndRecord.locatorSignature, in: tail).isEmpty else {
      throw ArchiveError(.unsupported, "minizip cannot read a zip64 archive")
    }
    guard ZipEndRecord.positions(of: ZipEndRecord.signature, in: tail).last == count - 22 else {
      throw ArchiveError(.unsupported, "minizip cannot find the directory of the archive")
    }
  }

  /// The size in bytes of the area that minizip searches, and somewhat more.
  private static let searched: Int64 = 66 << 10

  /// Passes one entry to the visitor. Returns whether to continue with the next entry.
  private func visit(
    _ archive: MinizipArchive, _ index: Int, _ visitor: any ArchiveVisitor
  ) throws(ArchiveError) -> Bool {
    let entry = try archive.entry()
    let target = try archive.linkTarget(of: entry)
    switch try visitor.visit(entry.described(index: index, linkTarget: target)) {
    case .stop: return false
    case .skip: return true
    case .read:
      if let fault = try archive.read(entry, into: visitor) {
        try visitor.failEntry(fault)
      } else {
        try visitor.endEntry()
      }
      return true
    }
  }
}
