public import Models
public import Wiring

/// Lists and streams the entries of an archive file. No data is written to a path from an archive: callers
/// store it under names of their own.
///
/// Calls block; make them on a thread that may block. A reader keeps no state between calls and
/// may be used from several threads.
public protocol ArchiveReader: Sendable {
  /// The formats this reader opens.
  var formats: Set<ResourceFormat> { get }

  /// Walks the archive once, in the order of the entries' data in the file.
  ///
  /// Each entry is passed to `visit`, which decides whether its data is needed; needed data is streamed to
  /// `receive`, followed by `endEntry` or `failEntry`. Adapters have no safety policy of their own:
  /// `GuardedArchiveReader` applies it.
  /// - Parameters:
  ///   - path: The path of a regular file.
  ///   - password: The password of encrypted entries; nil makes them fail as `encrypted`.
  /// - Throws: `ArchiveError`, including errors of the visitor, unchanged.
  func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError)
}

extension ArchiveReader {
  /// Walks an archive without a password.
  public func walk(_ path: String, visitor: any ArchiveVisitor) throws(ArchiveError) {
    try walk(path, password: nil, visitor: visitor)
  }
}

/// An archive reader that a worker can host. It is given an open file, because a worker may not open paths.
public protocol ArchiveFileReader: ArchiveReader {
  init()

  /// The library that reads the archives, with its installed version.
  static var library: LibraryVersion { get }

  /// Opens the libraries and files that the adapter needs later. A worker calls this before it loses the
  /// right to open files.
  static func prepare()

  /// Walks an open archive under the rules of `ArchiveReader.walk`.
  func walk(
    _ file: ArchiveFile, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError)
}

extension ArchiveFileReader {
  public static func prepare() {}

  public func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    try walk(try ArchiveFile(path), password: password, visitor: visitor)
  }
}

extension Port where Service == any ArchiveReader {
  public static var archive: Port<any ArchiveReader> { Port("archive") }
}
