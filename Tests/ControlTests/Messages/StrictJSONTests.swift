import Foundation
import LibraryAPI
import Testing
import TestSupport
@testable import Control

@Suite("JSON that clients send")
struct StrictJSONTests {
  @Test(
    "is refused with cause and place where two parsers could differ",
    arguments: [
      (
        "{\"a\u{1f}\":1}",
        "the body is not JSON: a string contains a raw control character (byte 3)"
      ),
      (#"{"a":1,"\u0061":2}"#, "the key \"a\" occurs twice (byte 7)"),
      (String(repeating: "[", count: 33), "the body is nested more than 32 deep"),
    ])
  func invalid(_ text: String, _ detail: String) {
    #expect(throws: ControlError(.badBody, detail)) { try JSONText.check(Array(text.utf8)) }
  }

  @Test("that is not UTF-8 is refused")
  func notUTF8() {
    #expect(throws: ControlError(.badBody, "the body is not UTF-8")) {
      try JSONText.check([0x22, 0xff, 0x22])
    }
  }

  @Test("that is taken is what Foundation's parser takes", arguments: 0..<8)
  func mutations(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let original = Array(#"{"a":[1,-2.5e3,"xé😀",true,null],"b":{"c":{}}}"#.utf8)
    for _ in 0..<500 {
      let bytes = Damage.apply(to: original, &random)
      guard (try? JSONText.check(bytes)) != nil else { continue }
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
