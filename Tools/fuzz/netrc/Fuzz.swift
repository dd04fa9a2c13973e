import Models

/// A host in the first line, and a netrc file after it: no input causes a trap, an error names an existing line, and
/// the credentials that are sent decode to those of the file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let parts = input.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
  let host = String(decoding: parts[0], as: UTF8.self).lowercased()
  let text = String(decoding: parts.count > 1 ? parts[1] : [], as: UTF8.self)
  do throws(CredentialFileError) {
    let netrc = try Netrc(text)
    if let found = netrc.credentials(for: host) { check(found) }
    demand(netrc.credentials(for: "") == nil || text.contains("\"\""), "an entry for no host")
  } catch {
    let lines = 1 + text.lazy.filter(\.isNewline).count
    demand((1...lines).contains(error.line), "line \(error.line) of \(lines)")
  }
  return 0
}

private func check(_ found: BasicCredentials) {
  demand(!found.user.contains(":"), "the user \(found.user) ends at its colon")
  let value = found.fieldValue
  demand(value.hasPrefix("Basic "), value)
  let plain = decode(value.dropFirst(6).utf8)
  demand(plain == Array("\(found.user):\(found.password)".utf8), "\(value) is \(plain)")
}

/// Base64 read by its definition (RFC 4648 §4).
private func decode(_ text: Substring.UTF8View) -> [UInt8] {
  var bits = ""
  for byte in text where byte != UInt8(ascii: "=") {
    let value: UInt8 =
      switch byte {
      case 0x41...0x5a: byte - 0x41
      case 0x61...0x7a: byte - 0x61 + 26
      case 0x30...0x39: byte - 0x30 + 52
      case UInt8(ascii: "+"): 62
      default: 63
      }
    let digits = String(value, radix: 2)
    bits += String(repeating: "0", count: 6 - digits.count) + digits
  }
  var output: [UInt8] = []
  var rest = Substring(bits)
  while rest.count >= 8 {
    output.append(UInt8(rest.prefix(8), radix: 2) ?? 0)
    rest = rest.dropFirst(8)
  }
  return output
}
