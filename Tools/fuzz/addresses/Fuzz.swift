import Glibc
import Models

/// Numeric addresses and proxies: an address is parsed as the C library parses it, and its description parses to the
/// same address; the description of a proxy keeps its host and port, and its credentials have no control characters.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let text = String(decoding: input, as: UTF8.self)
  checkAddress(text)
  if let proxy = try? ProxyServer(text) { check(proxy, of: text) }
  return 0
}

private func checkAddress(_ text: String) {
  let ours = IPAddress(text)
  // A NUL would end the text for the C library.
  if !text.utf8.contains(0) {
    let theirs =
      text.utf8.contains(UInt8(ascii: ":")) ? bytes(AF_INET6, text, 16) : bytes(AF_INET, text, 4)
    demand(
      ours?.bytes == theirs, "\(text): \(String(describing: ours)), \(String(describing: theirs))")
  }
  guard let ours else { return }
  demand(IPAddress(ours.description) == ours, "\(text) is written as \(ours)")
  demand(IPAddress(bytes: ours.bytes) == ours, "\(text) in bytes")
}

private func bytes(_ family: Int32, _ text: String, _ count: Int) -> [UInt8]? {
  var output = [UInt8](repeating: 0, count: count)
  return inet_pton(family, text, &output) == 1 ? output : nil
}

private func check(_ proxy: ProxyServer, of text: String) {
  demand((1...65_535).contains(proxy.port), "port \(proxy.port)")
  demand((try? ProxyServer(proxy.description))?.port == proxy.port, "\(proxy) reads back elsewhere")
  demand((try? ProxyServer(proxy.description))?.host == proxy.host, "\(proxy) reads back elsewhere")
  let secrets = (proxy.user ?? "") + proxy.password
  demand(!secrets.utf8.contains { $0 < 0x20 || $0 == 0x7f }, "a control character in \(text)")
}
