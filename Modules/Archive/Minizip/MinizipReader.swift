public import Archive
public import Models

/// Reads zip files through minizip, zlib's contributed reader: stored and deflated entries, zip64.
///
/// minizip trusts the archive; what it does not check is checked here (sizes, the method, that the
/// data was read to its end) and in `GuardedArchiveReader`.
public struct MinizipReader: ArchiveReader {
  public init() {}

  public var formats: Set<ResourceFormat> { [.zip] }

  public func walk(_ path: String, visitor: any ArchiveVisitor) throws(ArchiveError) {
    let file = try ArchiveFile(path)
    if file.isEmptyZip { return }
    let archive = try MinizipArchive(file)
    guard try archive.goToFirst() else { return }
    guard let positions = try archive.positionsByOffset() else {
      var index = 0
      repeat {
        guard try visit(archive, index, visitor) else { return }
        index += 1
      } while try archive.goToNext()
      return
    }
    for (index, position) in positions.enumerated() {
      try archive.go(to: position)
      guard try visit(archive, index, visitor) else { return }
    }
  }

  /// - Returns: whether to go on.
  private func visit(
    _ archive: MinizipArchive, _ index: Int, _ visitor: any ArchiveVisitor
  ) throws(ArchiveError) -> Bool {
    let entry = try archive.entry()
    switch try visitor.visit(entry.described(index: index)) {
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
