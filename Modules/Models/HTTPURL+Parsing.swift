extension HTTPURL {
  /// The length of the longest accepted URL, in bytes.
  public static let maximumLength = 65_536

  public init(_ text: some StringProtocol) throws(HTTPURLError) {
    let text = Substring(text)
    if let plain = Self.plain(text) {
      self = plain
    } else {
      try self.init(general: text)
    }
  }

  /// Parses any URL. `init(_:)` calls this initializer for URLs that the fast path `plain(_:)` rejects.
  init(general text: Substring) throws(HTTPURLError) {
    var text = text
    guard text.utf8.count <= Self.maximumLength else { throw Self.tooLong }
    // Bytes are compared, because a combining mark would form one `Character` with the space.
    while text.utf8.first == 0x20 { text = Substring(text.utf8.dropFirst()) }
    while text.utf8.last == 0x20 { text = Substring(text.utf8.dropLast()) }
    guard !text.isEmpty else { throw HTTPURLError("empty") }
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
      throw HTTPURLError("contains a control character")
    }
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw HTTPURLError("not an http or https URL")
    }
    let name = text[..<colon].lowercased()
    guard let scheme = Scheme(rawValue: name) else {
      let isScheme = !name.isEmpty && name.utf8.allSatisfy(PercentEncoding.isSchemeByte)
      throw HTTPURLError(
        isScheme ? "scheme \"\(name)\" is not http or https" : "not an http or https URL")
    }
    let rest = text[text.utf8.index(after: colon)...]
    guard rest.utf8.starts(with: "//".utf8) else {
      throw HTTPURLError("no \"//\" after the scheme")
    }
    try self.init(scheme: scheme, afterSlashes: Substring(rest.utf8.dropFirst(2)))
  }

  private init(scheme: Scheme, afterSlashes text: Substring) throws(HTTPURLError) {
    let end = text.utf8.firstIndex { $0 == 0x2f || $0 == 0x3f || $0 == 0x23 } ?? text.endIndex
    let origin = try Self.origin(scheme, authority: text[..<end])
    try self.init(origin, Self.target(text[end...]))
  }

  /// Checks the length of the result, because encoding and resolving lengthen a URL and every URL must be
  /// parseable from its description.
  private init(_ origin: Origin, _ target: String) throws(HTTPURLError) {
    self.init(origin: origin, target: target)
    // The scheme, brackets and port, `https://[` and `]:65535`, add at most 16 bytes to host and target.
    guard origin.host.utf8.count + target.utf8.count > Self.maximumLength - 16 else { return }
    guard description.utf8.count <= Self.maximumLength else { throw Self.tooLong }
  }

  private static var tooLong: HTTPURLError { HTTPURLError("longer than \(maximumLength) bytes") }

  private static func origin(
    _ scheme: Scheme, authority: Substring
  ) throws(HTTPURLError) -> Origin {
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      throw HTTPURLError("contains a user name; credentials in URLs are not accepted")
    }
    var host = authority
    var port: Substring?
    if authority.utf8.first == UInt8(ascii: "[") {
      guard let close = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else {
        throw HTTPURLError("IPv6 address without \"]\"")
      }
      host = authority[authority.utf8.index(after: authority.startIndex)..<close]
      let after = authority[authority.utf8.index(after: close)...]
      guard after.isEmpty || after.utf8.first == UInt8(ascii: ":") else {
        throw HTTPURLError("text between \"]\" and the port")
      }
      port = after.isEmpty ? nil : Substring(after.utf8.dropFirst())
      guard host.utf8.contains(UInt8(ascii: ":")), host.utf8.allSatisfy(PercentEncoding.isIPv6Byte)
      else { throw HTTPURLError("\"[\(host)]\" is not an IPv6 address") }
    } else if let colon = authority.utf8.firstIndex(of: UInt8(ascii: ":")) {
      host = authority[..<colon]
      port = authority[authority.utf8.index(after: colon)...]
    }
    guard !host.isEmpty else { throw HTTPURLError("no host") }
    if host.utf8.contains(where: { $0 >= 0x80 }) {
      host = Substring(try InternationalName.ascii(host))
    }
    guard !host.isEmpty, host.utf8.allSatisfy(PercentEncoding.isHostByte) else {
      throw HTTPURLError("host \"\(host)\" has characters that a host name cannot have")
    }
    var number = scheme.defaultPort
    if let port, !port.isEmpty {
      // The error does not quote the port, which may be the beginning of a password.
      guard port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
        throw HTTPURLError("the port is not a number")
      }
      guard port.utf8.count <= 5, let parsed = Int(port), (1...65_535).contains(parsed) else {
        throw HTTPURLError("the port is not between 1 and 65535")
      }
      number = parsed
    }
    return Origin(scheme: scheme, host: host.lowercased(), port: number)
  }

  private static func target(_ text: Substring) throws(HTTPURLError) -> String {
    let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
    let visible = text[..<end]
    guard !visible.utf8.contains(UInt8(ascii: "\\")) else {
      throw HTTPURLError("contains a backslash")
    }
    let encoded = PercentEncoding.encodeForTarget(visible)
    if encoded.isEmpty { return "/" }
    let slashed = encoded.utf8.first == UInt8(ascii: "/") ? encoded : "/" + encoded
    let query = slashed.utf8.firstIndex(of: UInt8(ascii: "?")) ?? slashed.endIndex
    guard hasDottedSegment(slashed[..<query].utf8) else { return slashed }
    return removeDotSegments(slashed[..<query]) + slashed[query...]
  }

  /// Resolves a reference against this URL (RFC 3986 §5.2).
  public func resolving(_ reference: String) throws(HTTPURLError) -> HTTPURL {
    var text = Substring(reference)
    while let last = text.utf8.last, last == 0x20 || last == 0x09 {
      text = Substring(text.utf8.dropLast())
    }
    while let first = text.utf8.first, first == 0x20 || first == 0x09 {
      text = Substring(text.utf8.dropFirst())
    }
    if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
      throw HTTPURLError("contains a control character")
    }
    if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
      let first = text.utf8.first, PercentEncoding.isLetter(first),
      text[..<colon].utf8.allSatisfy(PercentEncoding.isSchemeByte)
    {
      return try HTTPURL(text)
    }
    if text.utf8.starts(with: "//".utf8) { return try HTTPURL("\(scheme.rawValue):\(text)") }
    if text.isEmpty || text.utf8.first == UInt8(ascii: "#") { return self }
    if text.utf8.first == UInt8(ascii: "/") {
      return try HTTPURL(origin, Self.target(text))
    }
    if text.utf8.first == UInt8(ascii: "?") {
      return try HTTPURL(origin, Self.target(path + text))
    }
    let base = path
    let lastSlash = base.utf8.lastIndex(of: UInt8(ascii: "/")) ?? base.startIndex
    return try HTTPURL(origin, Self.target(base[...lastSlash] + text))
  }

  /// Whether a segment of the path begins with a dot, as `.` and `..` do. A search for any dot would split
  /// nearly every path, because of the dot before the file extension.
  private static func hasDottedSegment(_ path: Substring.UTF8View) -> Bool {
    var isStart = false
    for byte in path {
      if isStart, byte == UInt8(ascii: ".") { return true }
      isStart = byte == UInt8(ascii: "/")
    }
    return false
  }

  /// Removes dot segments (RFC 3986 §5.2.4).
  private static func removeDotSegments(_ path: Substring) -> String {
    guard path.utf8.count > 1 else { return String(path) }
    var output: [Substring] = []
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { output.append("") }
      case "..":
        if !output.isEmpty { output.removeLast() }
        if isLast { output.append("") }
      default: output.append(segment)
      }
    }
    return "/" + output.joined(separator: "/")
  }
}
