import HTTP1
import Testing

@Suite("llhttp's examples", .enabled(if: !LlhttpCorpus.examples.isEmpty, "the corpus is absent"))
struct LlhttpTests {
  /// Where this parser differs on purpose, by title.
  static let differences = [
    "HTTP 101 response with Upgrade and Content-Length header": "an upgrade is never asked for",
    "HTTP 101 response with Upgrade and Transfer-Encoding header": "an upgrade is never asked for",
    "HTTP 100 first, then 400": "an empty line before a status line is no HTTP",
    "Response starting with CRLF": "an empty line before a status line is no HTTP",
    "RTSP response": "another protocol",
    "ICE response": "another protocol",
    "HTTP version 0.9": "too old to have a known length",
    "`chunked` before other transfer-encoding": "chunked has to be last, and alone",
    "multiple transfer-encoding where chunked is not the last one":
      "chunked has to be last, and alone",
    "`chunkedchunked` transfer-encoding does not enable chunked enconding": "an unknown coding",
    "Only LFs present": "a client tolerates LF alone",
    "Only LFs present and no body": "a client tolerates LF alone",
    "No carriage ret": "a client tolerates LF alone",
    "Spaces in header name": "a client drops the line",
    "Trailing space on chunked body": "old servers pad the size; nothing is ambiguous",
    "Content-Length reset when no body is received": "llhttp is told to expect no body",
    "No extension after semicolon": "extensions are skipped, not parsed",
  ]

  @Test("of responses are read or refused as llhttp does, but for the listed differences")
  func responses() {
    var differing: Set<String> = []
    for example in LlhttpCorpus.examples where example.kind == "response" {
      let outcome = receive([example.input[...]])
      expectOneVerdict(example.input, "\(example.file): \(example.title)")
      let isSame =
        switch example.verdict {
        case .complete: outcome.error == nil
        case .incomplete: outcome.error == nil || outcome.error?.code == .truncated
        case .refused: outcome.error != nil
        }
      if !isSame {
        differing.insert(example.title)
        #expect(
          Self.differences[example.title] != nil,
          "\(example.file): \(example.title): \(outcome.error?.description ?? "accepted")")
      }
    }
    #expect(differing == Set(Self.differences.keys))
  }

  @Test("of requests are refused wherever llhttp refuses them")
  func requests() {
    for example in LlhttpCorpus.examples where example.kind == "request" {
      let outcome = accept([example.input[...]])
      #expect(accept(singleBytes(example.input)) == outcome, "\(example.file): \(example.title)")
      // Which methods exist is for the server to say, not for the parser.
      if example.verdict == .refused, example.title != "HTTP protocol and ANNOUNCE method" {
        #expect(outcome.error != nil, "\(example.file): \(example.title)")
      }
    }
  }
}
