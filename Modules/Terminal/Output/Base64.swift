/// An encoder for base64 with padding (RFC 4648 section 4), which appends to an `Output`.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: ArraySlice<UInt8>, _ output: inout Output) {
    let groups = bytes.count / 3
    var index = bytes.startIndex
    digits.withUnsafeBufferPointer { digits in
      bytes.withUnsafeBufferPointer { bytes in
        for group in 0..<groups {
          let at = 3 &* group
          append(
            UInt32(bytes[at]) << 16 | UInt32(bytes[at &+ 1]) << 8 | UInt32(bytes[at &+ 2]), 4,
            digits, &output)
        }
      }
      index += 3 * groups
      switch bytes.endIndex - index {
      case 1:
        append(UInt32(bytes[index]) << 16, 2, digits, &output)
        output.append("==")
      case 2:
        append(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8, 3, digits, &output)
        output.append(0x3d)
      default: break
      }
    }
  }

  @inline(__always)
  private static func append(
    _ bits: UInt32, _ count: Int, _ digits: UnsafeBufferPointer<UInt8>, _ output: inout Output
  ) {
    output.append(digits[Int(bits >> 18)])
    output.append(digits[Int(bits >> 12 & 63)])
    if count > 2 { output.append(digits[Int(bits >> 6 & 63)]) }
    if count > 3 { output.append(digits[Int(bits & 63)]) }
  }
}
