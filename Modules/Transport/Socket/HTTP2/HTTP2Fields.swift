import CNGHTTP2
import Models

/// The fields of a request in the form of HTTP/2, with names in lower case. All bytes are in one
/// block, so that the dozen fields of a request need no allocations of their own.
struct HTTP2Fields {
  private struct Shape {
    let name: Int
    let value: Int
    /// Whether the field must not be stored in a compression table, from which its value could be
    /// guessed (RFC 7541 §7.1).
    let isSecret: Bool
  }

  private var bytes: [UInt8] = []
  private var shapes: [Shape] = []

  /// Returns the fields of a GET request: the pseudo-fields, then the others without `Host` (RFC
  /// 9113 §8.3.1).
  static func request(
    scheme: String, authority: String, target: String, _ fields: HTTPFields
  ) -> HTTP2Fields {
    var result = HTTP2Fields()
    result.bytes.reserveCapacity(512)
    result.shapes.reserveCapacity(fields.count + 4)
    result.append(":method", "GET")
    result.append(":scheme", scheme)
    result.append(":authority", authority)
    result.append(":path", target)
    fields.forEach { name, value in
      if !HTTPFields.isSame(name, "host".utf8.span) { result.append(name, value) }
    }
    return result
  }

  private mutating func append(_ name: String, _ value: String) {
    append(name.utf8.span, value.utf8.span)
  }

  private mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) {
    bytes.append(addingCapacity: name.count + value.count) { output in
      for index in name.indices { output.append(HTTPFields.lowercased(name[index])) }
      output.append(value)
    }
    var isSecret = false
    for secret in Self.secrets where HTTPFields.isSame(name, secret.utf8.span) { isSecret = true }
    shapes.append(Shape(name: name.count, value: value.count, isSecret: isSecret))
  }

  private static let secrets = ["authorization", "cookie", "proxy-authorization"]

  /// Calls `body` with the fields in the form that libnghttp2 requires; libnghttp2 copies the
  /// bytes.
  func withValues<Result>(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      // The C function takes mutable pointers, but does not modify the fields.
      var start = UnsafeMutablePointer(mutating: bytes.baseAddress)
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
