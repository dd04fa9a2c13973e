import Testing
@testable import Aria2

@Suite struct JSONTests {
  @Test(
    "values are read and written in the same spelling",
    arguments: [
      "null", "true", "false", "0", "-0", "12", "1.50", "1e3", "2E-7",
      "123456789012345678901234567890",
      "\"\"", "\"a\"", "[]", "[1,[2,[]]]", "{}", #"{"b":1,"a":{"c":[null]}}"#,
      "\"\u{e9}\u{1f600}\"",
      #""\"\\\n\r\t\u0001\u007f""#,
    ])
  func roundTrip(text: String) throws {
    let value = try JSONReader.value(of: Array(text.utf8))
    #expect(String(decoding: value.bytes, as: UTF8.self) == text)
    #expect(try JSONReader.value(of: Array(" \t\r\n\(text) \n".utf8)) == value)
  }

  @Test(
    "escapes are resolved",
    arguments: [
      (#""\u0041""#, "A"), (#""\/\b\f""#, "/\u{8}\u{c}"), (#""\ud83d\ude00""#, "\u{1f600}"),
      (#""\u00e9""#, "\u{e9}"),
    ])
  func escapes(text: String, expected: String) throws {
    #expect(try JSONReader.value(of: Array(text.utf8)) == .text(expected))
  }

  @Test(
    "other texts are refused",
    arguments: [
      "", " ", "nul", "nulll", "+1", "01", "1.", ".5", "1e", "--1", "\"", "\"a", "'a'", "[", "[1",
      "[1,",
      "[1,]", "[,]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{1:1}", "1 2",
      "[1] x",
      #""\x""#, #""\u12""#, #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "\"\u{1}\"",
      #"{"a":1,"a":2}"#, "NaN", "Infinity", "\u{feff}1",
    ])
  func refusing(text: String) {
    #expect(throws: JSONReader.Failure.self) { try JSONReader.value(of: Array(text.utf8)) }
  }

  @Test("bytes that are not UTF-8 are refused")
  func notUTF8() {
    #expect(throws: JSONReader.Failure.self) { try JSONReader.value(of: [0x22, 0xff, 0x22]) }
  }

  @Test("the depth is bounded")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONReader.value(of: nested(JSONReader.depthLimit))
    #expect(throws: JSONReader.Failure.self) {
      try JSONReader.value(of: nested(JSONReader.depthLimit + 1))
    }
    #expect(throws: JSONReader.Failure.self) { try JSONReader.value(of: nested(1_000_000)) }
  }
}
