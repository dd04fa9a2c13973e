import HTTP1
import Models
import Testing

@Suite("Response parser")
struct ResponseParserTests {
  @Test("reads or refuses each response as RFC 9112 says", arguments: allCases)
  func table(_ row: ResponseCase) {
    let outcome = receive(row.text, isResponseToHEAD: row.isResponseToHEAD)
    switch row.expected {
    case .body(let body, let reuse):
      #expect(outcome.error == nil)
      #expect(outcome.text == body)
      #expect(outcome.isComplete)
      #expect(outcome.allowsReuse == reuse)
      #expect(outcome.surplus.isEmpty)
    case .failure(let code):
      #expect(outcome.error?.code == code)
      #expect(!outcome.allowsReuse)
    }
  }

  @Test("gives the same result however the bytes are cut", arguments: allCases)
  func cuts(_ row: ResponseCase) {
    let bytes = Array(row.text.utf8)
    let head = row.isResponseToHEAD
    let whole = receive([bytes[...]], isResponseToHEAD: head)
    #expect(receive(singleBytes(bytes), isResponseToHEAD: head) == whole)
    // Long inputs only repeat one byte: their beginning and end hold every kind of cut.
    let offsets = bytes.count <= 600 ? Array(0...bytes.count) : Array(0..<80) + [bytes.count - 1]
    for offset in offsets {
      #expect(
        receive(pieces(bytes, cuts: [offset]), isResponseToHEAD: head) == whole,
        "cut before byte \(offset)")
    }
  }

  @Test("takes no response for complete that ends before its end", arguments: allCases)
  func ends(_ row: ResponseCase) {
    expectEndsAreSeen(Array(row.text.utf8), isResponseToHEAD: row.isResponseToHEAD)
  }

  @Test("joins a folded line with one space")
  func folding() {
    let outcome = receive(
      "HTTP/1.1 200 OK\r\nX: a \r\n \t b\r\n\t\r\n c\r\nContent-Length: 0\r\n\r\n")
    #expect(outcome.fields == [["X", "a b c"], ["Content-Length", "0"]])
  }

  @Test("counts folded lines as lines: each of them has to be put behind others")
  func manyFolds() {
    func head(folds: Int) -> String {
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: a\r\n" + String(repeating: " b\r\n", count: folds)
        + "\r\n"
    }
    #expect(receive(head(folds: 254)).error == nil)
    #expect(receive(head(folds: 255)).error?.code == .tooManyFields)
  }

  @Test("keeps bytes that are not UTF-8 as Latin-1, and UTF-8 as it is")
  func encodings() {
    let start = Array("HTTP/1.1 200 OK\r\nX: ".utf8)
    let end = Array("\r\nContent-Length: 0\r\n\r\n".utf8)
    #expect(receive([(start + [0xe9, 0x74] + end)[...]]).fields[0] == ["X", "ét"])
    #expect(receive([(start + [0xc3, 0xa9, 0x74] + end)[...]]).fields[0] == ["X", "ét"])
  }

  @Test("leaves the bytes after the message unread")
  func surplus() {
    let outcome = receive("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\n")
    #expect(outcome.text == "hi")
    #expect(String(decoding: outcome.surplus, as: UTF8.self) == "HTTP/1.1 200 OK\r\n")
  }

  @Test("takes a head of exactly the limit and refuses one byte more")
  func headLimit() {
    let limit = 65_536
    let start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: "
    let fill = limit - start.utf8.count - 4
    let fits = start + String(repeating: "y", count: fill) + "\r\n\r\n"
    let exceeds = start + String(repeating: "y", count: fill + 1) + "\r\n\r\n"
    #expect(receive(fits).error == nil)
    #expect(receive(exceeds).error?.code == .headTooLarge)
    #expect(receive(start + String(repeating: "y", count: limit)).error?.code == .headTooLarge)
  }

  @Test("counts chunk extensions over the whole message")
  func extensionsAddUp() {
    let start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let chunks = String(repeating: "1;aaaaaaaaaaaaaaa\r\nx\r\n", count: 1_025)
    #expect(receive(start + chunks).error?.code == .chunkExtensionTooLarge)
  }

  @Test("decodes ten thousand tiny chunks")
  func tinyChunks() {
    let chunks = String(repeating: "1\r\nx\r\n", count: 10_000)
    let outcome = receive(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n")
    #expect(outcome.body.count == 10_000)
    #expect(outcome.allowsReuse)
  }

  @Test("knows the framing after the head and the length that is left")
  func progress() throws {
    var parser = ResponseParser()
    #expect(parser.framing == nil)
    let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8)
    _ = try parser.parse(head.span.bytes)
    #expect(parser.framing == .length(5))
    let part = Array("he".utf8)
    let (consumed, step) = try parser.parse(part.span.bytes)
    #expect(consumed == 2)
    #expect(step == .body(0..<2))
    #expect(parser.remainingLength == 3)
    #expect(!parser.isComplete)
  }

  @Test("takes every character of a token in a name, and no other (RFC 9110 §5.6.2)")
  func names() {
    let marks = Set("!#$%&'*+-.^_`|~".utf8)
    for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ":") {
      let character = Character(Unicode.Scalar(byte))
      let isToken =
        marks.contains(byte) || character.isASCII && (character.isLetter || character.isNumber)
      let head = Array("HTTP/1.1 200 OK\r\nA".utf8) + [byte] + Array(": x\r\n\r\n".utf8)
      let outcome = receive([head[...]])
      let name = outcome.fields.first?.first
      if isToken {
        #expect(name == "A\(character)", "\(byte)")
      } else if byte == 0x20 || byte == 0x09 {
        #expect(name == "A")
      } else {
        #expect(outcome.error != nil || name == nil, "\(byte)")
      }
    }
  }

  @Test("drops a line whose name is not a token, with its continuation lines")
  func malformedNames() {
    let outcome = receive(
      "HTTP/1.1 200 OK\r\nA: 1\r\nX(a): b\r\n c\r\n d\r\n"
        + "B : 2\r\n e\r\nContent-Length: 0\r\n\r\n")
    #expect(outcome.fields == [["A", "1"], ["B", "2 e"], ["Content-Length", "0"]])
    #expect(!outcome.allowsReuse)
  }

  @Test("repeats its error for ever")
  func errorsAreFinal() throws {
    var parser = ResponseParser()
    let garbage = Array("garbage".utf8)
    let good = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
    #expect(throws: HTTPParseError.self) { _ = try parser.parse(garbage.span.bytes) }
    #expect(throws: HTTPParseError.self) { _ = try parser.parse(good.span.bytes) }
    #expect(throws: HTTPParseError.self) { try parser.finishInput() }
  }

  @Test("escapes control characters of the server in the error")
  func escapedDetail() {
    let outcome = receive("HTTP/1.1 200 OK\r\n\u{1b}[31mred\r\n\r\n")
    #expect(outcome.error?.detail == #"header line without a colon: "\x1b[31mred""#)
  }
}
