import CNGHTTP2
import Models

/// One field of a request as HTTP/2 writes it: the name in lower case.
struct HTTP2Field: Equatable {
  let name: [UInt8]
  let value: [UInt8]
  /// Never kept in a compression table, where guesses at it could be tried (RFC 7541 §7.1).
  var isSecret = false

  init(_ name: String, _ value: String) {
    self.name = name.utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }
    self.value = Array(value.utf8)
    isSecret = Self.secrets.contains(self.name)
  }

  private static let secrets = ["authorization", "cookie", "proxy-authorization"].map {
    Array($0.utf8)
  }

  /// The fields of a GET: the pseudo fields, then the others without `Host` (RFC 9113 §8.3.1).
  static func request(
    scheme: String, authority: String, target: String, _ fields: HTTPFields
  ) -> [HTTP2Field] {
    [
      HTTP2Field(":method", "GET"), HTTP2Field(":scheme", scheme),
      HTTP2Field(":authority", authority), HTTP2Field(":path", target),
    ]
      + fields.fields.lazy.filter { !HTTPFields.isSame($0.name, "Host") }
      .map { HTTP2Field($0.name, $0.value) }
  }

  /// Calls `body` with what libnghttp2 wants to see; it copies the octets.
  static func withValues<Result>(
    of fields: [HTTP2Field], _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result
  ) -> Result {
    // One block for all octets, so that no field needs a closure of its own.
    var octets: [UInt8] = []
    for field in fields {
      octets += field.name
      octets += field.value
    }
    return octets.withUnsafeMutableBufferPointer { octets in
      var start = octets.baseAddress
      let values = fields.map { field in
        let flag = field.isSecret ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
        let value = start.map { $0 + field.name.count }
        defer { start = value.map { $0 + field.value.count } }
        return nghttp2_nv(
          name: start, value: value, namelen: field.name.count, valuelen: field.value.count,
          flags: UInt8(flag.rawValue))
      }
      return values.withUnsafeBufferPointer(body)
    }
  }
}
