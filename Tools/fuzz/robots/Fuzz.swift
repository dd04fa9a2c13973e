import Models

/// The target of a URL in the first line, and a robots.txt file after it: no file causes a trap, a longer file with the
/// same rules gives the same decision, and the file itself is always allowed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let line = input.prefix { $0 != 0x0a }
  let text = Array(input.dropFirst(line.count + 1))
  let token = ProductToken(userAgent: "imgdl/1.2")
  let rules = RobotsRules(parsing: text, for: token)
  let origin = HTTPURL.Origin(scheme: .http, host: "h", port: 80)
  demand(rules.allows(HTTPURL(origin: origin, target: "/robots.txt")), "the file is disallowed")
  if let delay = rules.crawlDelay {
    demand(delay >= 0 && delay <= RobotsRules.maximumCrawlDelay, "a delay of \(delay)")
  }
  let target = String(decoding: line, as: UTF8.self)
  guard let url = try? HTTPURL("http://h/").resolving(target) else { return 0 }
  let verdict = rules.allows(url)
  // A byte order mark is one only at the beginning.
  let comment = text.starts(with: [0xef, 0xbb, 0xbf]) ? "" : "# comment\r\n\n"
  let padded = Array(comment.utf8) + text + Array("\nSitemap: /x\n".utf8)
  demand(RobotsRules(parsing: padded, for: token).allows(url) == verdict, "\(url): padded")
  let named = Array("User-agent: IMGDL\nDisallow:\n".utf8)
  let own = RobotsRules(parsing: text + Array("\n".utf8) + named, for: token)
  if rules == .none { demand(own.allows(url), "\(url): no rules") }
  return 0
}
