import JSON
import Testing
import TestSupport

/// What each policy accepts, in small texts.
@Suite("JSON by policy")
struct ConformanceTests {
  private static let policies: [(name: Character, policy: JSONPolicy)] = [
    ("r", JSONPolicy()), ("s", .strict), ("l", .lenient), ("p", .python),
  ]

  /// Texts that every policy accepts.
  private static let accepted = [
    "0", "-0", "12", "1.50", "1.5e+10", "1E9", "2E-7", "123456789012345678901234567890", "true",
    "false", "null", "\"\"", "\"a\"", " [ ] ", "{}", "[{},[]]", "[1,[2,[]]]", "\t\r\n{\"a\":1}\n",
    #""\"\\\/\b\f\n\r\té€""#, #""😀""#, #""\u0000\u001f""#, "\"é😀\u{7f}\"",
    #"{"a":1,"A":2,"b":{"a":1},"c":[{"a":1},{"a":1}]}"#, #"{"":1," ":2}"#,
    #"{"é":1,"e\u0301":2}"#,
  ]

  /// Texts, the policies that accept them (r: the standard one, s: strict, l: lenient, p: Python's), and why the
  /// strict one does not, with the offset of the byte.
  private static let decided: [(text: String, policies: String, summary: String, offset: Int64)] = [
    ("\"a\nb\"", "l", "a string contains a raw control character", 2),
    ("\"\u{0}\"", "l", "a string contains a raw control character", 1),
    ("{\"a\u{1f}\":1}", "l", "a string contains a raw control character", 3),
    (#""\ud800""#, "rlp", "a string contains a lone surrogate", 7),
    (#""\udc00""#, "rlp", "a string contains a lone surrogate", 6),
    (#""\ud83d\u0041""#, "rlp", "a string contains a lone surrogate", 12),
    (#""\ud83d\ud83d""#, "rlp", "a string contains a lone surrogate", 12),
    (#""\ud83dx""#, "rlp", "a string contains a lone surrogate", 7),
    (#""\ud83d\n""#, "rlp", "a string contains a lone surrogate", 8),
    (#"{"\udfff":1}"#, "rlp", "a string contains a lone surrogate", 7),
    (#""\u12g4""#, "", "an escape lacks a hexadecimal digit", 5),
    (#""\u12"#, "", "an escape lacks a hexadecimal digit", 5),
    (#""\x41""#, "l", "a string contains an invalid escape", 2),
    (#""\"#, "", "a string contains an invalid escape", 2),
    ("\"", "", "a string is not terminated", 1), ("\"abc", "", "a string is not terminated", 4),
    (#"{"a":1,"a":2}"#, "rlp", "the key \"a\" occurs twice", 7),
    (#"{"a":1,"\u0061":2}"#, "rlp", "the key \"a\" occurs twice", 7),
    (#"[{"x":{"k":1,"b":2,"k":3}}]"#, "rlp", "the key \"k\" occurs twice", 19),
    ("01", "l", "text follows the value", 1), ("nulll", "l", "text follows the value", 4),
    ("1 2", "l", "text follows the value", 2), ("[1] x", "l", "text follows the value", 4),
    ("1 // a", "l", "text follows the value", 2), ("1\u{0}", "l", "text follows the value", 1),
    ("{}}", "l", "text follows the value", 2),
    ("1.", "l", "a number lacks a digit", 2), ("1e", "l", "a number lacks a digit", 2),
    ("-", "l", "a number lacks a digit", 1), ("--1", "l", "a number lacks a digit", 1),
    ("-Infinity", "lp", "a number lacks a digit", 1), ("-NaN", "l", "a number lacks a digit", 1),
    ("-Inf", "l", "a number lacks a digit", 1), ("Nan", "l", "a value is missing", 0),
    ("NaN", "lp", "a value is missing", 0), ("Infinity", "lp", "a value is missing", 0),
    ("True", "l", "a value is missing", 0), ("[tru]", "l", "a value is missing", 4),
    ("+1", "l", "a value is missing", 0), (".5", "l", "a value is missing", 0),
    ("'a'", "l", "a value is missing", 0), ("// a\n1", "l", "a value is missing", 0),
    ("é", "l", "a value is missing", 0), ("\u{c}[1]", "l", "a value is missing", 0),
    ("\u{feff}1", "rl", "a value is missing", 0),
    ("[1,]", "l", "a value is missing", 3), ("[,]", "l", "a value is missing", 1),
    ("[,1]", "l", "a value is missing", 1), ("[1,,2]", "l", "a value is missing", 3),
    (#"{"a":}"#, "", "a value is missing", 5), (#"{"a":,"b":1}"#, "", "a value is missing", 5),
    ("[}", "", "a value is missing", 1), ("]", "", "a value is missing", 0),
    (",", "", "a value is missing", 0),
    (#"{"a":1,}"#, "l", "a key is not a string", 7), ("{,}", "l", "a key is not a string", 1),
    ("{1:2}", "", "a key is not a string", 1), ("{a:1}", "", "a key is not a string", 1),
    ("{]", "", "a key is not a string", 1), ("{", "", "a key is not a string", 1),
    (#"{"a" 1}"#, "", "a colon is missing", 5), (#"{"a""#, "", "a colon is missing", 4),
    ("[1 2]", "l", "a comma or a closing bracket is missing", 3),
    (#"["a""b"]"#, "l", "a comma or a closing bracket is missing", 4),
    (#"{"a":1 "b":2}"#, "l", "a comma or a closing bracket is missing", 7),
    ("[1}", "", "a comma or a closing bracket is missing", 2),
    (#"{"a":1]"#, "", "a comma or a closing bracket is missing", 6),
    ("[1", "", "a comma or a closing bracket is missing", 2),
    ("", "", "it ends too early", 0), ("  ", "", "it ends too early", 2),
    ("[", "", "it ends too early", 1), (#"{"a":"#, "", "it ends too early", 5),
    ("nul", "l", "it ends too early", 3),
  ]

  @Test("What RFC 8259 allows and no two parsers read differently is accepted", arguments: accepted)
  func everywhere(_ text: String) throws {
    for (name, policy) in Self.policies {
      #expect(Parse(text, policy).error == nil, "\(name)")
    }
  }

  @Test("Any other text is accepted by some policies, and refused with cause and place")
  func decisions() {
    for (text, accepting, summary, offset) in Self.decided {
      for (name, policy) in Self.policies {
        #expect((Parse(text, policy).error == nil) == accepting.contains(name), "\(text) \(name)")
      }
      let error = Parse(text, .strict).error
      #expect(error?.summary == summary, "\(text)")
      #expect(error?.position.offset == offset, "\(text)")
    }
  }

  @Test("However a text is cut, its events and its error are the same")
  func cut() {
    for text in Self.accepted + Self.decided.map(\.text) {
      let bytes = Array(text.utf8)
      for (name, policy) in Self.policies {
        let whole = Parse(bytes, policy)
        let single = Array(repeating: 1, count: bytes.count)
        #expect(Parse(bytes, policy, chunks: single) == whole, "\(text) \(name)")
        for length in 0..<bytes.count {
          #expect(Parse(bytes, policy, chunks: [length]) == whole, "\(text) \(name) \(length)")
        }
      }
    }
  }

  @Test(
    "What only pages contain is read in their sense",
    arguments: [
      ("[1,,2 3,]", "[1,2,3]"), (#"{,"a":1 "b":[,],}"#, #"{"a":1,"b":[]}"#),
      ("[\"a\nb\", '', NaN, 012, undefined, true]", #"["a\nb",null,null,012,null,true]"#),
      (#""\a\é\ud83dx""#, "\"aé\u{fffd}x\""), ("\u{1}[\u{c}] ; rest", "[]"),
    ])
  func lenience(text: String, meaning: String) throws {
    let value = try JSONValue(parsing: Array(text.utf8), .lenient)
    #expect(String(decoding: value.bytes, as: UTF8.self) == meaning)
  }

  @Test("Numbers of Python that are not finite are kept as they are written")
  func nonFinite() throws {
    let text = #"[NaN,{"a":-Infinity},Infinity,-1]"#
    let value = try JSONValue(parsing: Array(text.utf8), .python)
    #expect(value.array?.first == .number("NaN"))
    #expect(String(decoding: value.bytes, as: UTF8.self) == text)
  }

  @Test("Nesting is bounded, and width is not")
  func depth() {
    let allowed = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    #expect(Parse(allowed, .strict).error == nil)
    for deep in ["[\(allowed)]", String(repeating: "{\"a\":", count: 100_000)] {
      #expect(Parse(deep, .strict).error?.cause == .tooDeep)
    }
    let wide = "[" + String(repeating: "{\"a\":[]},", count: 20_000) + "1]"
    #expect(Parse(wide, .strict).error == nil)
    let keys = (0..<20_000).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(Parse("{\(keys)}", .strict).error == nil)
    #expect(Parse("{\(keys),\"k7\":0}", .strict).error?.cause == .repeatedName)
  }
}
