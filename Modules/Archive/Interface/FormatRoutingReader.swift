public import Models

/// Opens each archive with the first reader that has its format. What is not recognised by its
/// beginning is taken for a zip, which may begin with anything.
public struct FormatRoutingReader: ArchiveReader {
  private let readers: [any ArchiveReader]

  public init(_ readers: [any ArchiveReader]) { self.readers = readers }

  public var formats: Set<ResourceFormat> {
    readers.reduce(into: []) { $0.formUnion($1.formats) }
  }

  public func walk(_ path: String, visitor: any ArchiveVisitor) throws(ArchiveError) {
    let sniffed = try ArchiveFile(path).sniffedFormat
    let format = formats.contains(sniffed) ? sniffed : .zip
    guard let reader = readers.first(where: { $0.formats.contains(format) }) else {
      throw ArchiveError(.format, "not an archive of a known format")
    }
    try reader.walk(path, visitor: visitor)
  }
}
