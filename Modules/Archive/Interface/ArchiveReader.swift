public import Models
public import Wiring

/// Lists and streams the entries of an archive file. Nothing is ever written to a name that an
/// archive gave: callers store entry data under names of their own.
///
/// Calls block; make them on a thread that may block. A reader keeps no state between calls and
/// may be used from several threads.
public protocol ArchiveReader: Sendable {
  /// The formats this reader opens.
  var formats: Set<ResourceFormat> { get }

  /// Goes through the archive once, in the order in which the entries' data lie in the file.
  ///
  /// Reports each entry to `visit`, which says whether its data is wanted; wanted data is streamed
  /// to `receive` and followed by `endEntry` or `failEntry`. An adapter is raw and has no safety
  /// policy: that is `GuardedArchiveReader`'s.
  /// - Parameters:
  ///   - path: of a regular file.
  ///   - password: of encrypted entries; nil means they fail as `encrypted`.
  /// - Throws: `ArchiveError`, also whatever the visitor threw, unchanged.
  func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError)
}

extension ArchiveReader {
  /// Goes through an archive whose password is not known.
  public func walk(_ path: String, visitor: any ArchiveVisitor) throws(ArchiveError) {
    try walk(path, password: nil, visitor: visitor)
  }
}

extension Port where Service == any ArchiveReader {
  public static var archive: Port<any ArchiveReader> { Port("archive") }
}
