import LibraryAPI
import Models
import ProgressTree
import Testing
import TestSupport
@testable import Control

@Suite("Messages")
struct MessageTests {
  @Test("encode every kind of event without loss", arguments: Samples.eventKinds)
  func events(_ kind: LibraryEvent.Kind) throws {
    let event = LibraryEvent(seq: .max, kind: kind)
    let bytes = try JSONText.encode(EventMessage(event))
    #expect(!bytes.contains(0x0a))
    #expect(!bytes.contains(0x0d))
    #expect(try JSONText.decode(EventMessage.self, from: bytes).event() == event)
  }

  @Test("encode a number that JSON cannot represent as zero")
  func finiteNumbers() throws {
    var status = Samples.status()
    status.progress.bytesPerSecond = .infinity
    status.progress.secondsLeft = .nan
    status.hosts[0].secondsToWait = -.infinity
    let bytes = try JSONText.encode(StatusMessage(status))
    let back = try JSONText.decode(StatusMessage.self, from: bytes).status()
    #expect(back.progress.bytesPerSecond == 0)
    #expect(back.progress.secondsLeft == 0)
    #expect(back.hosts[0].secondsToWait == 0)
    #expect(back.progress.records == status.progress.records)
  }

  @Test("ignore unknown members")
  func unknownFields() throws {
    let text = "{\"limit\": 4, \"new\": {\"deep\": [[1, \"]\"], null]}, \"x\": 1e400}"
    #expect(try JSONText.decode(LimitMessage.self, from: Array(text.utf8)).limit.value == 4)
  }

  static let refused: [(String, String)] = [
    ("{\"limit\": \"4\"}", "\"limit\" is not a whole number"),
    ("{\"limit\": true}", "\"limit\" is not a whole number"),
    ("{\"limit\": null}", "\"limit\" is not a whole number"),
    ("{\"limit\": [4]}", "\"limit\" is not a whole number"),
    ("{\"limit\": 1.5}", "\"limit\" is out of range"),
    ("{\"limit\": 99999999999999999999}", "\"limit\" is out of range"),
    ("{}", "\"limit\" is missing"),
    ("[]", "the body is not an object"),
    ("4", "the body is not an object"),
    ("null", "the body is not an object"),
    (
      "{\"limit\": 4", "the body is not JSON: a comma or a closing bracket is missing (byte 11)"
    ),
    ("{\"limit\": 4} x", "the body is not JSON: text follows the value (byte 13)"),
    ("{limit: 4}", "the body is not JSON: a key is not a string (byte 1)"),
    ("", "the request has no body"),
  ]

  @Test("refuse a value of the wrong type by its name", arguments: refused)
  func wrongTypes(_ text: String, _ detail: String) {
    #expect(throws: ControlError(.badBody, detail)) {
      try JSONText.decode(LimitMessage.self, from: Array(text.utf8))
    }
  }

  @Test("refuse a source with no, several or unknown locations")
  func sources() throws {
    let refused = [
      "{}": "exactly one of \"url\", \"file\", \"standardInput\", \"upload\" is needed",
      "{\"url\":\"http://a\",\"file\":\"/a\"}":
        "exactly one of \"url\", \"file\", \"standardInput\", \"upload\" is needed",
      "{\"file\":\"a/b\"}": "\"file\" is not an absolute path",
      "{\"file\":\"\"}": "\"file\" is not an absolute path",
      "{\"file\":\"/a\\u0000b\"}": "\"file\" is not an absolute path",
      "{\"standardInput\":\"x\"}": "\"standardInput\" is not an absolute path",
      "{\"url\":\"http://a\",\"displayName\":\"b\"}":
        "\"displayName\" is only for \"standardInput\"",
      "{\"url\":\"file:///etc/passwd\"}": "\"url\": scheme \"file\" is not http or https",
      "{\"file\":\"/a\",\"format\":\"xml\"}":
        "\"format\" is not one of json, json-lines, text, csv, tsv, aria2, gallery-dl, series, iiif, zip, html, listing, feed, sitemap, metalink, bucket, resource",
      "{\"file\":\"/a\",\"again\":\"yes\"}": "\"again\" is not true or false",
    ]
    for (text, detail) in refused {
      let code: ControlError.Code = text.contains("etc/passwd") ? .badValue : .badBody
      #expect(throws: ControlError(code, detail)) {
        try JSONText.decode(SourceMessage.self, from: Array(text.utf8)).request()
      }
    }
  }

  @Test("are decoded without a trap, for any input", arguments: 0..<8)
  func mutations(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let originals = [
      try JSONText.encode(StatusMessage(Samples.status())),
      try JSONText.encode(CachedResourceMessage(try Samples.resource())),
      try JSONText.encode(EventMessage(LibraryEvent(seq: 4, kind: Samples.eventKinds[6]))),
    ]
    for _ in 0..<100 {
      var bytes = originals[Int.random(in: 0..<3, using: &random)]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let offset = Int.random(in: 0..<bytes.count, using: &random)
        let structural = Array("{}[]\",:0-e\\u\n".utf8)
        bytes[offset] = structural[Int.random(in: 0..<structural.count, using: &random)]
      }
      _ = try? JSONText.decode(StatusMessage.self, from: bytes).status()
      _ = try? JSONText.decode(CachedResourceMessage.self, from: bytes).resource()
      _ = try? JSONText.decode(EventMessage.self, from: bytes).event()
    }
  }

  @Test("have one code for each cause")
  func codes() {
    let engine = Set(LibraryError.Code.allCases.map(\.rawValue))
    let control = Set(ControlError.Code.allCases.map(\.rawValue))
    #expect(engine.isDisjoint(with: control))
    for code in ControlError.Code.allCases {
      let problem = ProblemMessage(ControlError(code, "x"))
      #expect(problem.code == code.rawValue)
      #expect((400...599).contains(problem.status))
      #expect(!problem.title.isEmpty)
    }
  }
}
