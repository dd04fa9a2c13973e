extension HTTPURL {
  /// The normalized form that equivalent URLs share (RFC 3986 §6.2.2, RFC 9110 §4.2.3). This form identifies
  /// requests; the URL itself is sent unchanged.
  ///
  /// Parsing already normalizes scheme and host to lower case and removes default ports, fragments, dot
  /// segments and empty paths. In addition, percent-encoded unreserved characters are decoded (`%7E` becomes
  /// `~`), the digits of other encodings become upper case, and one trailing dot of the host is dropped. The
  /// key of a URL that is parsed from a key is the same key.
  ///
  /// URLs that are only perhaps equivalent have different keys: the cost is one more request, whereas a
  /// shared key would mix up two resources. In particular:
  /// - A path segment of encoded dots, as `%2E%2E`, stays encoded, because it may be an opaque name
  ///   (``PercentEncoding/encodeSegment(_:)``) and not a dot segment.
  /// - A target with a `%` that begins no valid encoding is kept byte by byte.
  /// - Different spellings of one IP address stay different. International names are already in their `xn--`
  ///   form after parsing.
  ///
  /// O(length); the target of a URL that is already in this form is copied unchanged.
  public var equivalenceKey: String { origin.equivalenceKey + equivalentTarget }

  /// The part of `equivalenceKey` that follows the key of the origin.
  public var equivalentTarget: String {
    let bytes = target.utf8.span
    return Self.hasEncoding(bytes) ? Self.equivalent(bytes) ?? target : target
  }

  private static func hasEncoding(_ target: Span<UInt8>) -> Bool {
    for index in target.indices where target[index] == percent { return true }
    return false
  }

  /// Returns the normalized target, or nil if it is not validly percent-encoded.
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

  /// Restores the encoding of a decoded dot segment. Parsing removes the segments `.` and `..`, so a dot
  /// segment in the output was encoded in the URL.
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
  /// The common beginning of the keys of all URLs of this origin (``HTTPURL/equivalenceKey``).
  public var equivalenceKey: String {
    "\(scheme.rawValue)://\(authority(host: Self.withoutFinalDot(host)))"
  }

  /// Returns the host without one trailing dot: `example.com.` is the same name in absolute form (RFC 1034
  /// §3.1). A host with several trailing dots is not a valid name and stays unchanged.
  private static func withoutFinalDot(_ host: String) -> String {
    guard host.utf8.last == HTTPURL.dot, !host.utf8.contains(UInt8(ascii: ":")) else {
      return host
    }
    let name = host.dropLast()
    return name.isEmpty || name.utf8.last == HTTPURL.dot ? host : String(name)
  }
}
