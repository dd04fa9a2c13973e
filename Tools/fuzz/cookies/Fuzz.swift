import Models

/// The first line is a URL, the rest a cookie file: the cookies that are sent are those of a plain implementation of
/// RFC 6265, and contain nothing that could end the field.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let parts = input.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
  let text = String(decoding: parts.count > 1 ? parts[1] : [], as: UTF8.self)
  guard let url = try? HTTPURL(String(decoding: parts[0], as: UTF8.self)) else { return 0 }
  let file: CookieFile
  do throws(CredentialFileError) {
    file = try CookieFile(text)
  } catch {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    demand((1...max(1, lines.count)).contains(error.line), "line \(error.line) of \(lines.count)")
    return 0
  }
  let now: Int64 = 1_800_000_000
  let value = file.fieldValue(for: url, now: now)
  demand(value == expected(text, url, now), "\(value ?? "nothing") for \(url)")
  if let value {
    demand(
      value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }, "a control character in \(value)")
    var fields = HTTPFields()
    fields.append("Cookie", value)
    demand(fields["cookie"] == value, "the field \(value)")
  }
  return 0
}

/// The same by its definition: every line, then the longer paths first (RFC 6265 §5.4).
private func expected(_ text: String, _ url: HTTPURL, _ now: Int64) -> String? {
  var found: [(path: Int, pair: String)] = []
  let host = url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
  // Domains are looked at from the host upwards; among equal paths that order counts.
  var levels = [host]
  if IPAddress(host) == nil {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    for count in 1..<max(1, labels.count) { levels.append(labels[count...].joined(separator: ".")) }
  }
  for (level, domain) in levels.enumerated() {
    for line in text.split(whereSeparator: \.isNewline) {
      var line = String(line)
      if line.hasPrefix("#HttpOnly_") {
        line.removeFirst(10)
      } else if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) {
        continue
      }
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 6 else { continue }
      guard String(fields[0].lowercased().drop { $0 == "." }) == domain else { continue }
      let reachesBelow =
        fields[1].uppercased() == "TRUE" && domain.contains(".") && IPAddress(domain) == nil
      let expires = Int64(fields[4]) ?? 0
      guard level == 0 || reachesBelow, expires <= 0 || expires > now,
        fields[3].uppercased() != "TRUE" || url.scheme == .https
      else { continue }
      let path = fields[2].hasPrefix("/") ? fields[2] : "/"
      guard covers(path, url.path) else { continue }
      let value = fields.count > 6 ? fields[6] : ""
      found.append((path.utf8.count, fields[5].isEmpty ? value : "\(fields[5])=\(value)"))
    }
  }
  let ordered = found.enumerated().sorted {
    $0.element.path == $1.element.path ? $0.offset < $1.offset : $0.element.path > $1.element.path
  }
  return ordered.isEmpty ? nil : ordered.map(\.element.pair).joined(separator: "; ")
}

/// RFC 6265 §5.1.4.
private func covers(_ cookie: String, _ asked: Substring) -> Bool {
  let (path, asked) = (Array(cookie.utf8), Array(asked.utf8))
  guard asked.starts(with: path) else { return false }
  return asked.count == path.count || path.last == 0x2f || asked[path.count] == 0x2f
}
