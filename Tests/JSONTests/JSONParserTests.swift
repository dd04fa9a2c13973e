import JSON
import Testing

@Suite("JSON events")
struct JSONParserTests {
  @Test("Every kind of value is an event, in order")
  func events() {
    let parse = Parse(#" {"a": [1, -2.5e+3, true, false, null, "x"], "b": {}} "#)
    #expect(parse.error == nil)
    #expect(
      parse.events == [
        .beginObject, .key("a"), .beginArray, .number("1"), .number("-2.5e+3"), .bool(true),
        .bool(false), .null, .string("x"), .endArray, .key("b"), .beginObject, .endObject,
        .endObject,
      ])
  }

  @Test(
    "Escapes stand for their characters",
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
      (#""\u0041\u00e9\u20AC""#, "Aé€"),
      (#""\uD834\uDD1E""#, "\u{1d11e}"),
      (#""\u0000""#, "\0"),
      (#""é€𝄞 as they are""#, "é€𝄞 as they are"),
      (#""a\uD83D""#, "a\u{fffd}"),
      (#""\uD83Dx""#, "\u{fffd}x"),
      (#""\uD83D\n""#, "\u{fffd}\n"),
      (#""\uD83D\u0041""#, "\u{fffd}A"),
      (#""\uD83D\uD83D\uDE00""#, "\u{fffd}\u{1f600}"),
      (#""\uDE00\uD83D""#, "\u{fffd}\u{fffd}"),
    ])
  func escapes(text: String, meaning: String) {
    #expect(Parse(text).events == [.string(meaning)])
    let cut = Parse(Array(text.utf8), chunks: Array(repeating: 1, count: text.utf8.count))
    #expect(cut.events == [.string(meaning)])
  }

  @Test("Every length and alignment of plain text is found to end where it ends")
  func plainRuns() {
    for ending in ["\"", "\\n\"", "\u{7f}\"", "é\""] {
      for length in 0..<40 {
        let run = String(repeating: "a", count: length)
        let parse = Parse("[\"" + run + ending + "]")
        let meaning = run + (ending == "\\n\"" ? "\n" : String(ending.dropLast()))
        #expect(parse.events == [.beginArray, .string(meaning), .endArray])
      }
    }
    for byte in UInt8(0)..<0x20 {
      let bytes = Array("\"abcdefghi".utf8) + [byte] + Array("jkl\"".utf8)
      #expect(Parse(bytes).error?.position.offset == 10)
    }
  }

  @Test(
    "An error names its byte, line and column",
    arguments: [
      ("[1,\n 2,\n  x]", 10, 3, 3), ("[1}", 2, 1, 3), ("{\"a\" 1}", 5, 1, 6),
      ("[\"a\r\n\"]", 3, 1, 4), ("[1]\n\n]", 5, 3, 1), ("[\"\\x\"]", 3, 1, 4),
      ("[\"\\u12g4\"]", 6, 1, 7), ("\u{feff}[x", 4, 1, 2), ("[01]", 2, 1, 3), ("[tru]", 4, 1, 5),
    ])
  func places(text: String, offset: Int64, line: Int, column: Int) {
    let error = Parse(text).error
    #expect(error?.isTruncated == false)
    #expect(error?.position.offset == offset)
    #expect(error?.position.line == line)
    #expect(error?.position.column == column)
    #expect(error?.description.hasPrefix("line \(line), column \(column): ") == true)
  }

  @Test(
    "A text that ends early says what it ends in",
    arguments: ["", " ", "[", "[\"a", "{", "[1,", "-", "tr"])
  func truncated(text: String) {
    #expect(Parse(text).error?.isTruncated == true)
  }

  @Test("Nesting is allowed up to the limit and no further")
  func depth() {
    var policy = JSONPolicy()
    policy.depth = 3
    #expect(Parse("[[{}]]", policy).error == nil)
    #expect(Parse("[[{\"a\":[]}]]", policy).error?.cause == .tooDeep)
  }

  @Test("A text is allowed up to the limit and no further, however it is written and cut")
  func length() {
    var policy = JSONPolicy()
    policy.textLength = 8
    for (inside, isGood) in [
      ("12345678", true), ("123456789", false), (#"1234567\n"#, true), (#"12345678\n"#, false),
      (#"12345\u20ac"#, true), (#"123456\u20ac"#, false), ("123456é", true), ("1234567é", false),
      (#"1234567\uD83D"#, false), ("12345678\u{1}", false),
    ] {
      let bytes = Array("[\"\(inside)\"]".utf8)
      let parse = Parse(bytes, policy)
      #expect((parse.error == nil) == isGood, "\(inside)")
      for first in 1..<bytes.count {
        #expect(Parse(bytes, policy, chunks: [first]) == parse, "\(inside) at \(first)")
      }
    }
    #expect(Parse("[12345678]", policy).error == nil)
    #expect(Parse("[123456789]", policy).error?.cause == .tooLong)
  }

  @Test("A string of two mebibytes is refused at its place, in bounded memory")
  func hugeString() {
    let bytes = Array("[\n\"".utf8) + [UInt8](repeating: 0x61, count: 2 << 20) + Array("\"]".utf8)
    let error = Parse(bytes).error
    #expect(error?.cause == .tooLong)
    #expect(error?.position.offset == 2)
    #expect(error?.position.line == 2)
  }

  @Test("After an error every call throws it again, and finish too")
  func staysFailed() throws {
    var parser = JSONParser()
    var index = 0
    #expect(try parser.next(Array("[x".utf8).span.bytes, &index) == .beginArray)
    #expect(throws: JSONError.self) { try parser.next(Array("[x".utf8).span.bytes, &index) }
    index = 0
    #expect(throws: JSONError.self) { try parser.next(Array("[]".utf8).span.bytes, &index) }
    #expect(throws: JSONError.self) { try parser.finish() }
    parser.restart(atLine: 2)
    #expect(try parser.next(Array("[]".utf8).span.bytes, &index) == .beginArray)
  }

  @Test("A parser that stops behind the first value says how far it read")
  func stops() throws {
    var policy = JSONPolicy()
    policy.stopsAfterValue = true
    var parser = JSONParser(policy)
    let bytes = Array(" {} \n[1]".utf8)
    var index = 0
    #expect(try parser.next(bytes.span.bytes, &index) == .beginObject)
    #expect(try parser.next(bytes.span.bytes, &index) == .endObject)
    #expect(try parser.next(bytes.span.bytes, &index) == nil)
    #expect(index == 3)
    #expect(parser.isComplete)
  }

  @Test("An event has the place of its last byte, and a number that of the byte after it")
  func placesOfEvents() throws {
    var parser = JSONParser()
    let bytes = Array("[1,\n\"é\", null]".utf8)
    var index = 0
    var columns: [Int] = []
    while let event = try parser.next(bytes.span.bytes, &index) {
      columns.append(parser.position(of: event, endingAt: index).column)
    }
    #expect(columns == [1, 3, 4, 10, 11])
  }
}
