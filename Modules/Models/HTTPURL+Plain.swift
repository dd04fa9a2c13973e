/// A fast path for URLs that are already in canonical form, as nearly all URLs in lists are.
extension HTTPURL {
  /// Parses a URL whose text equals its ``description``. The result is nil for every other text and for a few
  /// canonical URLs that the fast path does not recognize. O(length).
  public init?(plain text: String) {
    guard let url = Self.plain(text[...]) else { return nil }
    self = url
  }

  /// Parses the text in a single pass. The result is nil for every text that is not in canonical form, valid
  /// or not; the caller passes such a text to `init(general:)`, which yields equal URLs (tested).
  static func plain(_ text: Substring) -> HTTPURL? {
    let bytes = text.utf8.span
    guard bytes.count <= maximumLength, let scheme = plainScheme(bytes) else { return nil }
    let host = scheme == .http ? 7 : 8
    var index = host
    while index < bytes.count, PlainBytes.isHost(bytes[index]) { index += 1 }
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

  /// Copies bytes that the scan has already found to be ASCII.
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

  /// Parses a port. The result is nil for an invalid port and for a leading zero, which no canonical URL has.
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

  /// Whether the bytes from `start` are a path with an optional query, without a fragment, without bytes that
  /// need encoding, and without a segment that begins with a dot.
  private static func isPlainTarget(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    guard bytes[start] == UInt8(ascii: "/") else { return false }
    var isPath = true
    var wasSlash = false
    for index in start..<bytes.count {
      let byte = bytes[index]
      guard PlainBytes.isTarget(byte) else { return false }
      if isPath {
        if wasSlash, byte == UInt8(ascii: ".") { return false }
        wasSlash = byte == UInt8(ascii: "/")
        isPath = byte != UInt8(ascii: "?")
      }
    }
    return true
  }
}

/// Sets of ASCII bytes, represented by bit masks.
private enum PlainBytes {
  /// Lower-case letters, digits, `-`, `.` and `_`.
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
