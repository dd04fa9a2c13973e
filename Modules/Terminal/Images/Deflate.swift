import CZlib

/// A compressor for zlib streams (RFC 1950) at the fastest level, because time matters more than size.
enum Deflate {
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    let bound = Int(compressBound(uLong(bytes.count)))
    var done = false
    let result = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      var length = uLongf(bound)
      done = compress2(buffer.baseAddress, &length, bytes, uLong(bytes.count), 1) == Z_OK
      count = done ? Int(length) : 0
    }
    return done ? result : nil
  }
}
