import CZlib

/// zlib's streams (RFC 1950) at its fastest level: what is saved counts less than the time.
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
