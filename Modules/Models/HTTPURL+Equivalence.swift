extension HTTPURL {
  /// The form under which URLs that ask for the same thing are the same text (RFC 3986 §6.2.2,
  /// RFC 9110 §4.2.3), to know requests by; what is sent is the URL as it stands.
  ///
  /// To what parsing does (scheme and host in lower case, no default port, no fragment, no dot
  /// segments, `/` for an empty path) it adds: percent-encoded unreserved characters are decoded
  /// (`%7E` is `~`), the digits of other encodings are upper case, and one dot at the end of the
  /// host is dropped. It is a URL whose key is itself.
  ///
  /// On doubt two URLs stay two, which costs a request; one key for two things would mix them up:
  /// - A path segment of encoded dots, as `%2E%2E`, stays encoded: it may be an opaque name
  ///   (``PercentEncoding/encodeSegment(_:)``), not the way up.
  /// - A target with a `%` that begins no encoding stays byte by byte as it is.
  /// - Spellings of one IP address stay different. International names need nothing: parsing gives
  ///   them their `xn--` form.
  ///
  /// O(length); a URL that is in this form already costs one copy.
  public var equivalenceKey: String { origin.equivalenceKey + equivalentTarget }

  /// The part of the key that follows its origin's.
  public var equivalentTarget: String {
    let octets = target.utf8.span
    return Self.hasEncoding(octets) ? Self.equivalent(octets) ?? target : target
  }

  private static func hasEncoding(_ target: Span<UInt8>) -> Bool {
    for index in target.indices where target[index] == percent { return true }
    return false
  }

  /// nil if the target is not percent-encoded properly.
  private static func equivalent(_ target: Span<UInt8>) -> String? {
    var output: [UInt8] = []
    output.reserveCapacity(target.count)
    var segment = 0
    var isQuery = false
    var index = 0
    while index < target.count {
      let byte = target[index]
      index += 1
      if byte == percent {
        guard index + 1 < target.count, let high = PercentEncoding.hexValue(target[index]),
          let low = PercentEncoding.hexValue(target[index + 1])
        else { return nil }
        append(high << 4 | low, to: &output)
        index += 2
        continue
      }
      if !isQuery, byte == slash || byte == questionMark {
        keepDotsEncoded(in: &output, from: segment)
        segment = output.count + 1
        isQuery = byte == questionMark
      }
      output.append(byte)
    }
    if !isQuery { keepDotsEncoded(in: &output, from: segment) }
    return String(decoding: output, as: UTF8.self)
  }

  private static func append(_ byte: UInt8, to output: inout [UInt8]) {
    if PercentEncoding.isUnreserved(byte) { return output.append(byte) }
    output.append(percent)
    output.append(PercentEncoding.hexDigits[Int(byte >> 4)])
    output.append(PercentEncoding.hexDigits[Int(byte & 15)])
  }

  /// Plain dot segments do not outlive parsing: these dots were encoded.
  private static func keepDotsEncoded(in output: inout [UInt8], from start: Int) {
    let count = output.count - start
    guard count == 1 || count == 2, output[start...].allSatisfy({ $0 == dot }) else { return }
    output.removeSubrange(start...)
    for _ in 0..<count { output.append(contentsOf: "%2E".utf8) }
  }

  fileprivate static let dot = UInt8(ascii: ".")
  private static let percent = UInt8(ascii: "%")
  private static let slash = UInt8(ascii: "/")
  private static let questionMark = UInt8(ascii: "?")
}

extension HTTPURL.Origin {
  /// The beginning of the keys of its URLs (``HTTPURL/equivalenceKey``).
  public var equivalenceKey: String {
    "\(scheme.rawValue)://\(authority(host: Self.withoutFinalDot(host)))"
  }

  /// `example.com.` is the same name, written as absolute (RFC 1034 §3.1). More than one dot is no
  /// name, and stays.
  private static func withoutFinalDot(_ host: String) -> String {
    guard host.utf8.last == HTTPURL.dot, !host.utf8.contains(UInt8(ascii: ":")) else {
      return host
    }
    let name = host.dropLast()
    return name.isEmpty || name.utf8.last == HTTPURL.dot ? host : String(name)
  }
}
