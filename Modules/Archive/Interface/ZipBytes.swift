/// Random access to the bytes of a zip file, all of them or a part.
package protocol ZipBytes {
  /// The size of the whole file in bytes.
  var size: Int64 { get }

  /// Returns exactly `count` bytes at a position, or nil if they are outside of the file or not available.
  func bytes(at position: Int64, count: Int) -> [UInt8]?
}

extension ArchiveFile: ZipBytes {}
