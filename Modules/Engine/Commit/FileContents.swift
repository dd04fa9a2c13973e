import SystemCalls

/// Compares files byte by byte.
enum FileContents {
  private static let chunk = 1 << 18

  /// Returns whether two regular files have equal bytes; false if either is not a regular file. Blocks.
  static func areEqual(
    _ a: String, _ b: String, in folder: ConfinedFolder
  ) throws(SystemError) -> Bool {
    let first = try folder.open(a)
    let second = try folder.open(b)
    let (one, other) = (try first.status(), try second.status())
    guard one.kind == .file, other.kind == .file, one.size == other.size else { return false }
    if one.inode == other.inode, one.device == other.device { return true }
    var offset: Int64 = 0
    while offset < one.size {
      let count = Int(min(Int64(chunk), one.size - offset))
      let bytes = try first.bytes(count: count, at: offset)
      guard !bytes.isEmpty, bytes == (try second.bytes(count: count, at: offset)) else {
        return false
      }
      offset += Int64(bytes.count)
    }
    return true
  }
}
