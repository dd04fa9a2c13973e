import JSON
import Testing
import TestSupport

@Suite("JSON values")
struct JSONValueTests {
  @Test(
    "Values are read and written in the same spelling",
    arguments: [
      "null", "true", "false", "0", "-0", "12", "1.50", "1e3", "2E-7",
      "123456789012345678901234567890", "\"\"", "\"a\"", "[]", "[1,[2,[]]]", "{}",
      #"{"b":1,"a":{"c":[null]}}"#, "\"\u{e9}\u{1f600}\"", #""\"\\\n\r\t\b\f\u0001\u007f""#,
    ])
  func roundTrip(text: String) throws {
    let value = try JSONValue(parsing: Array(text.utf8), .strict)
    #expect(String(decoding: value.bytes, as: UTF8.self) == text)
    #expect(try JSONValue(parsing: Array(" \t\r\n\(text) \n".utf8), .strict) == value)
  }

  @Test("Bytes that are not UTF-8 are refused at their place")
  func notUTF8() {
    for (bytes, offset) in [([0x22, 0xff, 0x22], 1), ([0x22, 0xc3, 0x22], 2)] as [([UInt8], Int64)]
    {
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
      #expect(error?.cause == .notUTF8)
      #expect(error?.position.offset == offset)
    }
  }

  @Test("Members are found by their names, the last one of several")
  func members() throws {
    let value = try JSONValue(parsing: Array(#"{"a":[1,2.0],"b":"x","b":"y","c":null}"#.utf8))
    #expect(value["b"]?.text == "y")
    #expect(value["a"]?.array == [.number("1"), .number("2.0")])
    #expect(value["a"]?.elements.map(\.integer) == [1, nil])
    #expect(value["c"]?.elements == [])
    #expect(value["b"]?.elements == [.string("y")])
    #expect(value["x"] == nil)
    #expect(value["a"]?["b"] == nil)
    #expect(value[either: "x", or: "c"] == .null)
  }

  @Test("A value of too many values or too much text is refused")
  func limits() {
    var policy = JSONPolicy()
    (policy.valueCount, policy.totalTextLength) = (3, 4)
    #expect(throws: Never.self) { try JSONValue(parsing: Array("[1,2]".utf8), policy) }
    for text in ["[1,2,3]", #"{"abc":"de","f":0}"#] {
      let error = #expect(throws: JSONError.self) {
        try JSONValue(parsing: Array(text.utf8), policy)
      }
      #expect(error?.cause == .tooLarge)
      #expect(error?.reason == "more than 3 values or 4 bytes of text")
    }
  }

  @Test("A builder keeps the members that are wanted, and some of them whole")
  func filter() throws {
    var builder = JSONValueBuilder(keeping: ["a", "w"], whole: ["w"])
    var value: JSONValue?
    for event in Parse(#"{"a":{"x":[1],"a":2},"y":[{}],"w":{"x":3}}"#).events {
      value = builder.handle(event) ?? value
    }
    #expect(value == ["a": ["a": .number("2")], "w": ["x": .number("3")]])
  }

  @Test("Lines are indented, and characters outside of ASCII escaped, as Python does")
  func indented() throws {
    let text = #"{"a":[],"b":{},"c":[1,{"é":"😀\u007f"}],"d":true}"#
    var writer = JSONWriter(isASCII: true, indentation: 2)
    for event in Parse(text).events { writer.write(event) }
    let lines = #"""
      {
        "a": [],
        "b": {},
        "c": [
          1,
          {
            "\u00e9": "\ud83d\ude00\u007f"
          }
        ],
        "d": true
      }
      """#
    #expect(String(decoding: writer.bytes, as: UTF8.self) == lines)
    writer = JSONWriter(isASCII: true, indentation: 2)
    writer.write(try JSONValue(parsing: Array(text.utf8)))
    #expect(String(decoding: writer.bytes, as: UTF8.self) == lines)
  }
}
