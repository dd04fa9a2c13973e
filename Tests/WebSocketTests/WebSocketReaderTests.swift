import Testing
@testable import WebSocket

/// The reader of a client's frames, each input whole and byte by byte.
@Suite struct WebSocketReaderTests {
  struct Outcome: Equatable {
    var events: [WebSocketReader.Event] = []
    var code: UInt16?
  }

  private static func outcome(
    _ bytes: [UInt8], limit: Int = WebSocketReader.standardLimit, step: Int = .max
  ) -> Outcome {
    var reader = WebSocketReader(limit: limit)
    var outcome = Outcome()
    var rest = bytes[...]
    repeat {
      reader.receive(Array(rest.prefix(step)))
      rest = rest.dropFirst(step)
      do throws(WebSocketError) {
        while let event = try reader.next() { outcome.events.append(event) }
      } catch {
        outcome.code = error.code.rawValue
        #expect((try? reader.next()) == .some(nil), "an error is thrown once")
      }
    } while !rest.isEmpty
    return outcome
  }

  private static func check(
    _ frames: [ClientFrame], _ expected: Outcome, limit: Int = WebSocketReader.standardLimit
  ) {
    let bytes = frames.flatMap(\.bytes)
    for step in [Int.max, 1, 3, 7] {
      #expect(outcome(bytes, limit: limit, step: step) == expected, "in pieces of \(step)")
    }
  }

  @Test("the masked text of RFC 6455 section 5.7 is read")
  func exampleOfTheRFC() {
    let bytes: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
    #expect(Self.outcome(bytes) == Outcome(events: [.text("Hello")]))
  }

  @Test(
    "payloads of every form of the length are read",
    arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 70_001])
  func lengths(count: Int) {
    let text = String(repeating: "a", count: count)
    let bytes = ClientFrame.text(text).bytes
    #expect(Self.outcome(bytes) == Outcome(events: [.text(text)]))
    #expect(Self.outcome(bytes, step: 4_096) == Outcome(events: [.text(text)]))
  }

  static let messages: [([ClientFrame], [WebSocketReader.Event])] = [
    ([.text("a", isFinal: false), .continuation("b")], [.text("ab")]),
    (
      [.text("a", isFinal: false), .continuation("", isFinal: false), .continuation("é")],
      [.text("aé")]
    ),
    // A character may be divided between two fragments.
    (
      [
        ClientFrame(first: 0x01, payload: [0xc3]), ClientFrame(first: 0x80, payload: [0xa9]),
      ], [.text("é")]
    ),
    // Control frames may stand between fragments.
    (
      [.text("a", isFinal: false), ClientFrame(first: 0x89, payload: [1, 2]), .continuation("b")],
      [.ping([1, 2]), .text("ab")]
    ),
    ([ClientFrame(first: 0x8a, payload: [9])], [.pong([9])]),
    ([.close()], [.close(nil)]),
    ([.close(1000, Array("bye".utf8))], [.close(.normal)]),
    // Nothing is read after a close frame.
    ([.close(1001), .text("late")], [.close(.goingAway)]),
    ([.text("a"), .text("b")], [.text("a"), .text("b")]),
    ([.text("")], [.text("")]),
  ]

  @Test("messages, fragments and control frames are read", arguments: messages)
  func reading(frames: [ClientFrame], events: [WebSocketReader.Event]) {
    Self.check(frames, Outcome(events: events))
  }

  static let violations: [(String, [ClientFrame], UInt16)] = [
    ("unmasked", [ClientFrame(first: 0x81, payload: [0x61], mask: nil)], 1002),
    ("reserved bit 1", [ClientFrame(first: 0xc1)], 1002),
    ("reserved bit 2", [ClientFrame(first: 0xa1)], 1002),
    ("reserved bit 3", [ClientFrame(first: 0x91)], 1002),
    ("opcode 3", [ClientFrame(first: 0x83)], 1002),
    ("opcode 7", [ClientFrame(first: 0x87)], 1002),
    ("opcode 11", [ClientFrame(first: 0x8b)], 1002),
    ("opcode 15", [ClientFrame(first: 0x8f)], 1002),
    ("fragmented ping", [ClientFrame(first: 0x09)], 1002),
    ("fragmented close", [ClientFrame(first: 0x08)], 1002),
    (
      "long ping", [ClientFrame(first: 0x89, payload: [UInt8](repeating: 0, count: 126))], 1002
    ),
    ("continuation of nothing", [.continuation("a")], 1002),
    ("two beginnings", [.text("a", isFinal: false), .text("b")], 1002),
    (
      "length 125 in 16 bits",
      [
        ClientFrame(
          first: 0x81, payload: [UInt8](repeating: 0x61, count: 125), length: [126, 0, 125])
      ],
      1002
    ),
    (
      "length 65535 in 64 bits",
      [ClientFrame(first: 0x81, length: [127, 0, 0, 0, 0, 0, 0, 0xff, 0xff])], 1002
    ),
    (
      "length of 64 bits",
      [ClientFrame(first: 0x81, length: [127, 0x80, 0, 0, 0, 0, 0, 0, 0])], 1002
    ),
    ("binary", [ClientFrame(first: 0x82, payload: [1])], 1003),
    ("not UTF-8", [ClientFrame(first: 0x81, payload: [0xff])], 1007),
    ("overlong UTF-8", [ClientFrame(first: 0x81, payload: [0xc0, 0xaf])], 1007),
    ("surrogate", [ClientFrame(first: 0x81, payload: [0xed, 0xa0, 0x80])], 1007),
    ("close of one byte", [ClientFrame(first: 0x88, payload: [3])], 1002),
    ("close 999", [.close(999)], 1002),
    ("close 1004", [.close(1004)], 1002),
    ("close 1005", [.close(1005)], 1002),
    ("close 1006", [.close(1006)], 1002),
    ("close 1015", [.close(1015)], 1002),
    ("close 2999", [.close(2999)], 1002),
    ("close 5000", [.close(5000)], 1002),
    ("close reason", [.close(1000, [0xff])], 1007),
  ]

  @Test("violations have their close code", arguments: violations)
  func violating(name: String, frames: [ClientFrame], code: UInt16) {
    Self.check(frames, Outcome(code: code))
  }

  @Test(
    "every close code that a client may send is read",
    arguments: [1000, 1001, 1002, 1003, 1007, 1011, 1014, 3000, 4999] as [UInt16])
  func closeCodes(code: UInt16) throws {
    guard case .close(let read?)? = Self.outcome(ClientFrame.close(code).bytes).events.first else {
      Issue.record("no close event")
      return
    }
    #expect(read.rawValue == code)
  }

  @Test("a message beyond the limit is refused by its header, in one frame or in fragments")
  func limit() {
    Self.check([.text("12345")], Outcome(events: [.text("12345")]), limit: 5)
    Self.check([.text("123456")], Outcome(code: 1009), limit: 5)
    Self.check(
      [.text("123", isFinal: false), .continuation("456")], Outcome(code: 1009), limit: 5)
    // The length alone is enough.
    let header = Array(
      ClientFrame(first: 0x81, length: [127, 0, 0, 0, 1, 0, 0, 0, 0]).bytes.prefix(14))
    #expect(Self.outcome(header) == Outcome(code: 1009))
    // Each message has the whole limit.
    Self.check(
      [.text("12345"), .text("12345")], Outcome(events: [.text("12345"), .text("12345")]), limit: 5)
  }

  @Test("no sequence of short inputs traps")
  func arbitraryBytes() {
    var state: UInt64 = 1
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: state >> 56))
      }
      #expect(Self.outcome(bytes) == Self.outcome(bytes, step: 1))
    }
  }
}
