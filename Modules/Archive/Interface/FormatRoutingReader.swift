public import Models

/// Opens each archive with the first reader that has its format, or with the next one if that finds
/// the archive as a whole unsupported. What is not recognised by its beginning is taken for a zip,
/// which may begin with anything.
public struct FormatRoutingReader: ArchiveReader {
  private let readers: [any ArchiveReader]

  /// - Parameter readers: the preferred one first.
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

/// Knows whether the visitor has seen anything yet.
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
