/// Tells an input file of aria2 from a text list, which has neither mirrors nor options.
enum Aria2Recognition {
  /// Options of aria2 that input files have.
  private static let options: Set<String> = [
    "all-proxy", "allow-overwrite", "always-resume", "auto-file-renaming", "checksum",
    "conditional-get", "continue", "dir", "file-allocation", "gid", "header", "http-passwd",
    "http-user", "lowest-speed-limit", "max-connection-per-server", "max-download-limit",
    "max-file-not-found", "max-tries", "min-split-size", "out", "parameterized-uri", "pause",
    "piece-length", "referer", "remote-time", "retry-wait", "split", "timeout", "use-head",
    "user-agent",
  ]

  private static let schemes = ["http://", "https://", "ftp://", "sftp://", "magnet:"]

  /// Whether the text is an input file of aria2, although it may also be taken for a table: all its columns are URIs.
  /// - Parameter sample: The first bytes of a text; the last line may be incomplete.
  static func recognisesColumns(_ sample: [UInt8]) -> Bool {
    guard recognises(sample) else { return false }
    // The last line is judged like the others, because the beginning of a URI has its scheme.
    return sample.split(separator: 0x0a).allSatisfy { line in
      let text = String(decoding: line, as: UTF8.self)
      let content = Aria2Reader.trimmed(text[...])
      if content.isEmpty || content.hasPrefix("#") { return true }
      let isIndented = text.utf8.first == 0x20 || text.utf8.first == 0x09
      if isIndented { return isURL(content) || content.utf8.contains(UInt8(ascii: "=")) }
      return content.utf8.split(separator: 0x09).allSatisfy { isURL(Substring($0)) }
    }
  }

  /// - Parameter sample: The first bytes of a text; the last line may be incomplete.
  static func recognises(_ sample: [UInt8]) -> Bool {
    guard mayHaveContinuation(sample.span) else { return false }
    var follows = false
    for line in sample.split(separator: 0x0a) {
      let text = String(decoding: line, as: UTF8.self)
      let content = Aria2Reader.trimmed(text[...])
      if content.isEmpty || content.hasPrefix("#") { continue }
      if text.utf8.first == 0x20 || text.utf8.first == 0x09 {
        if follows, isOption(content) { return true }
        continue
      }
      let parts = content.utf8.split(separator: 0x09).map { Substring($0) }
      follows = isURL(parts[0])
      if follows, parts.dropFirst().contains(where: isURL) { return true }
    }
    return false
  }

  /// Whether the text has what a mirror follows, a tab, or what an option follows, a blank at the beginning of a line. Most
  /// lists have neither, and their lines need not be examined.
  private static func mayHaveContinuation(_ sample: Span<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for index in sample.indices {
      let byte = sample[index]
      if byte == 0x09 || byte == 0x20 && previous == 0x0a { return true }
      previous = byte
    }
    return false
  }

  private static func isURL(_ text: Substring) -> Bool {
    let start = text.prefix(8).lowercased()
    return schemes.contains { start.hasPrefix($0) }
  }

  private static func isOption(_ content: Substring) -> Bool {
    guard let equals = content.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
    return options.contains(String(content[..<equals]))
  }

  /// Whether the text may be the name of an option.
  static func isKey(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}
