import Manifests
import Testing

@Suite("JSON events")
struct JSONEventParserTests {
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
      #expect(Parse(bytes).error?.offset == 10)
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
    #expect(error?.code == .notJSON)
    #expect(error?.offset == offset)
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test(
    "A text that ends early says what it ends in",
    arguments: ["", " ", "[", "[\"a", "{", "[1,", "-", "tr"])
  func truncated(text: String) {
    #expect(Parse(text).error?.code == .truncated)
  }

  @Test("Nesting is allowed up to the limit and no further")
  func depth() {
    let limits = ManifestLimits(depth: 3)
    #expect(Parse("[[{}]]", limits: limits).error == nil)
    #expect(Parse("[[{\"a\":[]}]]", limits: limits).error?.code == .tooDeep)
  }

  @Test("A text is allowed up to the limit and no further, however it is written and cut")
  func length() {
    let limits = ManifestLimits(textLength: 8)
    for (inside, isGood) in [
      ("12345678", true), ("123456789", false), (#"1234567\n"#, true), (#"12345678\n"#, false),
      (#"12345\u20ac"#, true), (#"123456\u20ac"#, false), ("123456é", true), ("1234567é", false),
      (#"1234567\uD83D"#, false), ("12345678\u{1}", false),
    ] {
      let bytes = Array("[\"\(inside)\"]".utf8)
      let parse = Parse(bytes, limits: limits)
      #expect((parse.error == nil) == isGood, "\(inside)")
      for first in 1..<bytes.count {
        #expect(Parse(bytes, limits: limits, chunks: [first]) == parse, "\(inside) at \(first)")
      }
    }
    #expect(Parse("[12345678]", limits: limits).error == nil)
    #expect(Parse("[123456789]", limits: limits).error?.code == .tooLong)
  }

  @Test("A string of two mebibytes is refused at its place, in bounded memory")
  func hugeString() {
    let bytes = Array("[\n\"".utf8) + [UInt8](repeating: 0x61, count: 2 << 20) + Array("\"]".utf8)
    let error = Parse(bytes).error
    #expect(error?.code == .tooLong)
    #expect(error?.offset == 2)
    #expect(error?.line == 2)
  }

  @Test("UTF-16 and UTF-32 are refused by name, with and without a mark")
  func encodings() {
    let text = "[\"a\"]"
    let units = Array(text.utf16)
    let little16 = units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    let big16 = units.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xff)] }
    let little32 = text.utf8.flatMap { byte -> [UInt8] in [byte, 0, 0, 0] }
    let big32 = text.utf8.flatMap { byte -> [UInt8] in [0, 0, 0, byte] }
    for bytes in [
      little16, big16, little32, big32, [0xff, 0xfe] + little16, [0xfe, 0xff] + big16,
      [0xff, 0xfe, 0, 0] + little32, [0, 0, 0xfe, 0xff] + big32,
    ] {
      let error = Parse(bytes).error
      #expect(error?.code == .encoding)
      #expect(error?.reason.contains("UTF-16") == true)
    }
  }

  @Test("After an error every call throws it again, and finish too")
  func staysFailed() {
    var parser = JSONEventParser()
    var log = EventLog()
    #expect(throws: ManifestError.self) {
      try parser.receive(Array("[x".utf8).span.bytes, into: &log)
    }
    #expect(throws: ManifestError.self) {
      try parser.receive(Array("[]".utf8).span.bytes, into: &log)
    }
    #expect(throws: ManifestError.self) { try parser.finish(into: &log) }
    #expect(log.events == [.beginArray])
  }

  @Test("A parser that stops behind the first value says how far it read")
  func stops() throws {
    var parser = JSONEventParser(stopsAfterValue: true)
    var log = EventLog()
    let bytes = Array(" {} \n[1]".utf8)
    #expect(try parser.receive(bytes.span.bytes, into: &log) == 3)
    #expect(parser.isComplete)
    #expect(log.events == [.beginObject, .endObject])
  }

  @Test("A handler's error ends the parse and gets the place of its event")
  func handlerError() throws {
    struct Refusal: JSONEventHandler {
      mutating func handle(_ event: JSONEvent) throws(ManifestError) {
        guard event == .null else { return }
        var parser = JSONEventParser()
        var log = EventLog()
        try parser.finish(into: &log)
      }
    }
    var parser = JSONEventParser(file: "a.json")
    var handler = Refusal()
    let error = #expect(throws: ManifestError.self) {
      try parser.receive(Array("[1,\nnull]".utf8).span.bytes, into: &handler)
    }
    #expect(error?.line == 2)
    #expect(error?.column == 4)
    #expect(error?.description.hasPrefix("a.json, line 2, column 4: ") == true)
  }
}
