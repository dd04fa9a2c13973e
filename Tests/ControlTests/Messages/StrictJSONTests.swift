import Foundation
import LibraryAPI
import Testing
import TestSupport
@testable import Control

@Suite("JSON that clients send")
struct StrictJSONTests {
  static let accepted = [
    "0", "-0", "1.5e+10", "1E9", "true", "null", "\"\"", " [ ] ", "{}", "[{},[]]",
    "\t\r\n{\"a\":1}\n",
    #""\"\\\/\b\f\n\r\té€""#, #""😀""#, #""\u0000\u001f""#, "\"é😀\u{7f}\"",
    #"{"a":1,"A":2,"b":{"a":1},"c":[{"a":1},{"a":1}]}"#, #"{"":1," ":2}"#,
  ]

  static let refused: [(String, String)] = [
    ("\"a\nb\"", "a string contains a raw control character (byte 2)"),
    ("\"\u{0}\"", "a string contains a raw control character (byte 1)"),
    ("{\"a\u{1f}\":1}", "a string contains a raw control character (byte 3)"),
    (#""\ud800""#, "a lone surrogate"),
    (#""\udc00""#, "a lone surrogate"),
    (#""\ud83d\u0041""#, "a lone surrogate"),
    (#""\ud83d\ud83d""#, "a lone surrogate"),
    (#""\ud83dx""#, "a lone surrogate"),
    (#"{"\udfff":1}"#, "a lone surrogate"),
    (#""\u12g4""#, "hexadecimal"), (#""\u12"#, "hexadecimal"), (#""\x41""#, "escape"),
    (#""\"#, "escape"), ("\"abc", "not terminated"),
    (#"{"a":1,"a":2}"#, "the key \"a\" occurs twice (byte 7)"),
    (#"{"a":1,"\u0061":2}"#, "the key \"a\" occurs twice"),
    (#"[{"x":{"k":1,"b":2,"k":3}}]"#, "the key \"k\" occurs twice"),
    ("01", "text follows the value"), ("+1", "a value is missing"), ("1.", "digit"),
    (".5", "missing"),
    ("1e", "digit"), ("-", "digit"), ("NaN", "missing"), ("Infinity", "missing"),
    ("True", "missing"), ("nul", "missing"), ("[1,]", "missing"), ("{\"a\":1,}", "not a string"),
    ("[1 2]", "comma"), ("{\"a\" 1}", "colon"), ("{1:2}", "not a string"), ("[}", "missing"),
    ("{]", "not a string"), ("[1}", "comma"), ("", "too early"), ("  ", "too early"),
    ("[", "too early"),
    ("1 // a", "text follows"), ("'a'", "missing"), ("\u{feff}1", "missing"),
    ("1\u{0}", "text follows"),
  ]

  @Test("is taken where RFC 8259 allows it", arguments: accepted)
  func valid(_ text: String) throws {
    try StrictJSON.check(Array(text.utf8), depthLimit: 32)
  }

  @Test("is refused with cause and place where two parsers could differ", arguments: refused)
  func invalid(_ text: String, _ cause: String) {
    do {
      try StrictJSON.check(Array(text.utf8), depthLimit: 32)
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.code == .badBody)
      #expect(error.detail.contains(cause), "\(error.detail)")
    }
  }

  @Test("lies at most 32 deep, however wide it is")
  func depth() throws {
    let allowed = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    try StrictJSON.check(Array(allowed.utf8), depthLimit: 32)
    for deep in ["[\(allowed)]", String(repeating: "{\"a\":", count: 100_000)] {
      #expect(throws: ControlError(.badBody, "the body is nested more than 32 deep")) {
        try StrictJSON.check(Array(deep.utf8), depthLimit: 32)
      }
    }
    let wide = "[" + String(repeating: "{\"a\":[]},", count: 20_000) + "1]"
    try StrictJSON.check(Array(wide.utf8), depthLimit: 32)
    let keys = (0..<20_000).map { "\"k\($0)\":0" }.joined(separator: ",")
    try StrictJSON.check(Array("{\(keys)}".utf8), depthLimit: 32)
    #expect(throws: ControlError.self) {
      try StrictJSON.check(Array("{\(keys),\"k7\":0}".utf8), depthLimit: 32)
    }
  }

  @Test("that is taken is what Foundation's parser takes", arguments: 0..<8)
  func mutations(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let original = Array(#"{"a":[1,-2.5e3,"xé😀",true,null],"b":{"c":{}}}"#.utf8)
    for _ in 0..<500 {
      let bytes = Damage.apply(to: original, &random)
      guard (try? StrictJSON.check(bytes, depthLimit: 32)) != nil,
        String(validating: bytes, as: UTF8.self) != nil
      else { continue }
      #expect(
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil,
        "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test(
    "that is refused is answered with 400 and its cause, alone and in a batch",
    arguments: [
      (#"{"limit":4,"limit":5}"#, "the key \\\"limit\\\" occurs twice"),
      ("{\"limit\":4,\"x\":\"\u{1b}\"}", "raw control character"),
      (#"{"limit":4,"x":"\ud800"}"#, "surrogate"),
    ])
  func answers(_ body: String, _ cause: String) async throws {
    try await withStage { (stage) async throws in
      let answer = try await stage.ask("PUT", "/v1/settings/per-host", body: body)
      #expect(answer?.status == 400)
      #expect(answer?.code == "badBody")
      #expect(answer?.text.contains(cause) == true, "\(answer?.text ?? "")")
      let batch = #"{"calls":[{"method":"PUT","path":"/v1/settings/per-host","body":\#(body)}]}"#
      #expect(try await stage.ask("POST", "/v1/batch", body: batch)?.status == 400)
      #expect(await stage.library.state.perHost == 4)
    }
  }
}
