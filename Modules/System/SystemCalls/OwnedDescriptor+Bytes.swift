import Glibc

extension OwnedDescriptor {
  /// Reads the available bytes, at most the buffer's size. Returns 0 at the end of the file.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try checked("read", path) { Glibc.read(raw, buffer.baseAddress, buffer.count) }
  }

  /// Reads at `offset` bytes from the start, at most the buffer's size; 0 at the end of the file.
  public func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SystemError) -> Int {
    try checked("read", path) { pread(raw, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  /// Reads `count` bytes at `offset` bytes from the start, or fewer at the end of the file.
  public func bytes(count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: max(0, count))
    var filled = 0
    while filled < result.count {
      let got = try unsafe(&result) { (all) throws(SystemError) -> Int in
        let rest = UnsafeMutableRawBufferPointer(rebasing: all[filled...])
        return try read(into: rest, at: offset &+ Int64(filled))
      }
      if got == 0 { break }
      filled += got
    }
    result.removeLast(result.count - filled)
    return result
  }

  /// Reads from the current position to the end.
  /// - Throws: `EFBIG` if there are more than `limit` bytes.
  public func remainingBytes(limit: Int) throws(SystemError) -> [UInt8] {
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let got = try unsafe(&chunk) { (all) throws(SystemError) -> Int in try read(into: all) }
      if got == 0 { return result }
      guard got <= limit - result.count else {
        throw SystemError(errno: EFBIG, call: "read", path: path)
      }
      result.append(contentsOf: chunk[..<got])
    }
  }

  /// Writes all bytes at the current position, in several calls if necessary.
  public func write(all bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let written = try checked("write to", path) {
        Glibc.write(raw, rest.baseAddress, rest.count)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  /// Writes all bytes at `offset` bytes from the start.
  public func write(all bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    var rest = bytes
    var position = offset
    while !rest.isEmpty {
      let written = try checked("write to", path) {
        pwrite(raw, rest.baseAddress, rest.count, off_t(position))
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      position &+= Int64(written)
    }
  }

  public func write(all bytes: RawSpan) throws(SystemError) {
    try bytes.withUnsafeBytes { (buffer) throws(SystemError) in try write(all: buffer) }
  }

  public func write(all bytes: RawSpan, at offset: Int64) throws(SystemError) {
    try bytes.withUnsafeBytes { (buffer) throws(SystemError) in
      try write(all: buffer, at: offset)
    }
  }

  /// Calls `body` with the array's bytes. `Array.withUnsafeMutableBytes` cannot be used, because it
  /// erases typed errors.
  private func unsafe<Result>(
    _ array: inout [UInt8],
    _ body: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    var span = array.mutableSpan
    return try span.withUnsafeMutableBytes { (all) throws(SystemError) in try body(all) }
  }
}
