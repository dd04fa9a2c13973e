public import Archive
public import Models
import SystemCalls

/// An archive reader whose files are scripts: what is in an archive goes by the file's bytes.
public struct ScriptedArchiveReader: ArchiveReader {
  private var contents: [[UInt8]: [MemoryArchiveReader.Entry]] = [:]

  public init() {}

  public var formats: Set<ResourceFormat> { [.zip] }

  /// Makes an archive.
  /// - Parameter tag: makes it another file than the others.
  /// - Returns: the bytes of the file; sniffed as a zip, readable by this reader only.
  public mutating func archive(_ tag: String, _ entries: [MemoryArchiveReader.Entry]) -> [UInt8] {
    let bytes = Array("PK\u{3}\u{4}".utf8) + Array(tag.utf8)
    contents[bytes] = entries
    return bytes
  }

  public func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileSystem.contents(of: path)
    } catch {
      throw ArchiveError(.io, error.description)
    }
    guard let entries = contents[bytes] else {
      throw ArchiveError(.format, "not a zip archive, or a damaged one")
    }
    try MemoryArchiveReader([path: entries]).walk(path, visitor: visitor)
  }
}
