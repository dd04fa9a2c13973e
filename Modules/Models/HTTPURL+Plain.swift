/// What nearly every URL of a list is: canonical as it stands.
extension HTTPURL {
  /// nil unless the text is a URL and its own ``description``, which nearly all are; never wrong, but
  /// some that are it are not known to be. O(length).
  public init?(plain text: String) {
    guard let url = Self.plain(text[...]) else { return nil }
    self = url
  }

  /// In one look at every byte; nil for whatever else there is, good or bad, which `init(general:)`
  /// reads. It never says anything else than that would (tested).
  static func plain(_ text: Substring) -> HTTPURL? {
    let bytes = text.utf8.span
    guard bytes.count <= maximumLength, let scheme = plainScheme(bytes) else { return nil }
    let host = scheme == .http ? 7 : 8
    var index = host
    while index < bytes.count, PlainOctets.isHost(bytes[index]) { index += 1 }
    guard index > host, index < bytes.count else { return nil }
    let hostEnd = index
    var port = scheme.defaultPort
    if bytes[index] == UInt8(ascii: ":") {
      index += 1
      guard let number = plainPort(bytes, &index), number != scheme.defaultPort else { return nil }
      port = number
    }
    guard index < bytes.count, isPlainTarget(bytes, from: index) else { return nil }
    return HTTPURL(
      origin: Origin(scheme: scheme, host: plainText(bytes, host..<hostEnd), port: port),
      target: plainText(bytes, index..<bytes.count))
  }

  /// All of it was looked at: it is ASCII.
  private static func plainText(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    String(copying: UTF8Span(unchecked: bytes.extracting(range), isKnownASCII: true))
  }

  private static func plainScheme(_ bytes: Span<UInt8>) -> Scheme? {
    func begins(with start: StaticString) -> Bool {
      guard bytes.count > start.utf8CodeUnitCount else { return false }
      for index in 0..<start.utf8CodeUnitCount where bytes[index] != start.utf8Start[index] {
        return false
      }
      return true
    }
    if begins(with: "http://") { return .http }
    return begins(with: "https://") ? .https : nil
  }

  /// nil also for one that begins with a zero: it is written without.
  private static func plainPort(_ bytes: Span<UInt8>, _ index: inout Int) -> Int? {
    let start = index
    guard start < bytes.count, bytes[start] != UInt8(ascii: "0") else { return nil }
    var number = 0
    while index < bytes.count, case 0x30...0x39 = bytes[index], index - start < 5 {
      number = number * 10 + Int(bytes[index] & 15)
      index += 1
    }
    return (1...65_535).contains(number) ? number : nil
  }

  /// A path with its query, without a fragment, of bytes that need no encoding, with no segment that
  /// begins with a dot.
  private static func isPlainTarget(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    guard bytes[start] == UInt8(ascii: "/") else { return false }
    var isPath = true
    var wasSlash = false
    for index in start..<bytes.count {
      let byte = bytes[index]
      guard PlainOctets.isTarget(byte) else { return false }
      if isPath {
        if wasSlash, byte == UInt8(ascii: ".") { return false }
        wasSlash = byte == UInt8(ascii: "/")
        isPath = byte != UInt8(ascii: "?")
      }
    }
    return true
  }
}

/// Sets of ASCII bytes, a bit each.
private enum PlainOctets {
  /// Small letters, digits, `-`, `.`, `_`.
  static func isHost(_ byte: UInt8) -> Bool {
    contains(byte, 0x03ff_6000_0000_0000, 0x07ff_fffe_8000_0000)
  }

  /// ``PercentEncoding/isTargetByte(_:)`` without `#` and `\`.
  static func isTarget(_ byte: UInt8) -> Bool {
    contains(byte, 0xafff_fff2_0000_0000, 0x47ff_fffe_afff_ffff)
  }

  private static func contains(_ byte: UInt8, _ low: UInt64, _ high: UInt64) -> Bool {
    guard byte < 0x80 else { return false }
    return (byte < 0x40 ? low : high) >> UInt64(byte & 0x3f) & 1 == 1
  }
}
