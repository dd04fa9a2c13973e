import CNGHTTP2
import Models

/// The fields of a request as HTTP/2 writes them, names in lower case: all octets in one block, as
/// there are a dozen fields for each request.
struct HTTP2Fields {
  private struct Shape {
    let name: Int
    let value: Int
    /// Never kept in a compression table, where guesses at it could be tried (RFC 7541 §7.1).
    let isSecret: Bool
  }

  private var octets: [UInt8] = []
  private var shapes: [Shape] = []

  /// The fields of a GET: the pseudo fields, then the others without `Host` (RFC 9113 §8.3.1).
  static func request(
    scheme: String, authority: String, target: String, _ fields: HTTPFields
  ) -> HTTP2Fields {
    var result = HTTP2Fields()
    result.octets.reserveCapacity(512)
    result.shapes.reserveCapacity(fields.fields.count + 4)
    result.append(":method", "GET")
    result.append(":scheme", scheme)
    result.append(":authority", authority)
    result.append(":path", target)
    for field in fields.fields where !HTTPFields.isSame(field.name, "Host") {
      result.append(field.name, field.value)
    }
    return result
  }

  private mutating func append(_ name: String, _ value: String) {
    let start = octets.count
    octets.append(contentsOf: name.utf8)
    for index in start..<octets.count { octets[index] = HTTPFields.lower(octets[index]) }
    octets.append(contentsOf: value.utf8)
    shapes.append(
      Shape(
        name: name.utf8.count, value: value.utf8.count,
        isSecret: Self.secrets.contains { HTTPFields.isSame($0, name) }))
  }

  private static let secrets = ["Authorization", "Cookie", "Proxy-Authorization"]

  /// Calls `body` with what libnghttp2 wants to see; it copies the octets.
  func withValues<Result>(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result) -> Result {
    octets.withUnsafeBufferPointer { octets in
      // It takes what it does not change as if it did.
      var start = UnsafeMutablePointer(mutating: octets.baseAddress)
      let values = shapes.map { shape in
        let flag = shape.isSecret ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
        let value = start.map { $0 + shape.name }
        defer { start = value.map { $0 + shape.value } }
        return nghttp2_nv(
          name: start, value: value, namelen: shape.name, valuelen: shape.value,
          flags: UInt8(flag.rawValue))
      }
      return values.withUnsafeBufferPointer(body)
    }
  }
}
