public import Models

/// Opens each archive with the first reader that supports its format, or with the next one if that reader
/// reports the whole archive as unsupported. An unrecognized file is treated as a zip, which may begin with
/// any bytes.
public struct FormatRoutingReader: ArchiveReader {
  private let readers: [any ArchiveReader]

  /// - Parameter readers: The readers, the preferred one first.
  public init(_ readers: [any ArchiveReader]) { self.readers = readers }

  public var formats: Set<ResourceFormat> {
    readers.reduce(into: []) { $0.formUnion($1.formats) }
  }

  public func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    let sniffed = try ArchiveFile(path).sniffedFormat
    let format = formats.contains(sniffed) ? sniffed : .zip
    let watcher = VisitWatcher(visitor)
    var refusal = ArchiveError(.format, "")
    for reader in readers where reader.formats.contains(format) {
      do throws(ArchiveError) {
        return try reader.walk(path, password: password, visitor: watcher)
      } catch {
        guard error.code == .unsupported, !watcher.hasVisited else { throw error }
        refusal = error
      }
    }
    throw refusal
  }
}

/// Records whether any entry was passed to the visitor.
private final class VisitWatcher: ArchiveVisitor {
  private let inner: any ArchiveVisitor
  private(set) var hasVisited = false

  init(_ inner: any ArchiveVisitor) { self.inner = inner }

  func visit(_ entry: ArchiveEntry) throws(ArchiveError) -> EntryDecision {
    hasVisited = true
    return try inner.visit(entry)
  }

  func receive(_ bytes: RawSpan) throws(ArchiveError) { try inner.receive(bytes) }
  func endEntry() throws(ArchiveError) { try inner.endEntry() }
  func failEntry(_ error: ArchiveError) throws(ArchiveError) { try inner.failEntry(error) }
}
