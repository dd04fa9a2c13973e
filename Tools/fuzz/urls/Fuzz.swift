import HTTP1
import Models

/// A URL, and after the first line end a reference found there. An accepted URL parses to itself when it is written,
/// and no part of it can leave its place in a request.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let lines = input.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
  guard let url = try? HTTPURL(String(decoding: lines.first ?? [], as: UTF8.self)) else { return 0 }
  check(url)
  demand((try? url.resolving("")) == url, "no reference is another URL")
  demand((try? url.resolving(url.description)) == url, "\(url) found at itself is another URL")
  if !url.target.hasPrefix("//") {
    demand((try? url.resolving(url.target)) == url, "the target of \(url) is another one")
  }
  let reference = String(decoding: lines.count > 1 ? lines[1] : [], as: UTF8.self)
  if let resolved = try? url.resolving(reference) {
    check(resolved)
    demand(
      (try? url.resolving(resolved.description)) == resolved, "\(resolved) in full is another one")
  }
  return 0
}

private func check(_ url: HTTPURL) {
  demand((try? HTTPURL(url.description)) == url, "\(url) does not read back as itself")
  demand(url.target.utf8.first == UInt8(ascii: "/"), "the target \(url.target) is no path")
  demand(
    url.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") },
    "the target \(url.target) has what no request line may have")
  demand((1...65_535).contains(url.port), "port \(url.port)")
  demand(
    !url.host.isEmpty && url.host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f },
    "host \(url.host)")
  demand(!hasDotSegment(url.path), "\(url) has a dot segment")
  checkRequest(url)
  guard let canonical = try? HTTPURL(url.equivalenceKey) else {
    return demand(false, "the key of \(url) is no URL: \(url.equivalenceKey)")
  }
  demand(canonical.equivalenceKey == url.equivalenceKey, "the key of a key is another one: \(url)")
}

private func hasDotSegment(_ path: Substring) -> Bool {
  path.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == "." || $0 == ".." }
}

/// From the request that is sent, our own server parses the same host and target.
private func checkRequest(_ url: HTTPURL) {
  let head = RequestHeadMessage(
    method: "GET", target: url.target, fields: HTTPFields(["Host": url.origin.authority]))
  guard let bytes = try? RequestSerializer.bytes(head) else {
    return demand(false, "\(url) cannot be asked for")
  }
  var parser = RequestParser(limits: HeadLimits())
  guard case .head(let received)? = try? parser.parse(bytes.span.bytes).step else {
    return demand(false, "the request for \(url) is not read")
  }
  demand(received == head, "the request for \(url) is read as another one")
}
