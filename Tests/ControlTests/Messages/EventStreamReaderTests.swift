import TestSupport
import Testing

@testable import Control

@Suite("Event stream reader")
struct EventStreamReaderTests {
  static let stream =
    ":\n\nid: 5\ndata: {\"a\":1}\n\nevent: snapshot\nid\ndata:x\ndata\ndata:  y\n\n"
    + "event: none\nid: 9\n\nretry: 5\nunknown: x\ndata: \u{1f600}:z\r\n\r\n\revent:a\rdata:b\r\rdata: cut"

  static let events = [
    EventStreamReader.Event(id: "5", data: Array("{\"a\":1}".utf8)),
    EventStreamReader.Event(name: "snapshot", id: "", data: Array("x\n\n y".utf8)),
    EventStreamReader.Event(data: Array("\u{1f600}:z".utf8)),
    EventStreamReader.Event(name: "a", data: Array("b".utf8)),
  ]

  @Test("finds the same events for any division of the bytes")
  func cuts() throws {
    let bytes = Array(Self.stream.utf8)
    for cut in 0...bytes.count {
      var reader = EventStreamReader()
      let found =
        try reader.receive(Array(bytes[..<cut])) + reader.receive(Array(bytes[cut...]))
      #expect(found == Self.events)
    }
    var reader = EventStreamReader()
    var found: [EventStreamReader.Event] = []
    for byte in bytes { found += try reader.receive([byte]) }
    #expect(found == Self.events)
  }

  @Test("reads what the server writes")
  func roundTrip() throws {
    var reader = EventStreamReader()
    let bytes =
      ServerSentEvent.bytes("progress", data: [0x7b, 0x7d]) + ServerSentEvent.heartbeat
      + ServerSentEvent.bytes(nil, id: EventID(engine: "7f", seq: .max), data: Array("x".utf8))
    #expect(
      try reader.receive(bytes) == [
        EventStreamReader.Event(name: "progress", data: Array("{}".utf8)),
        EventStreamReader.Event(id: "7f-18446744073709551615", data: Array("x".utf8)),
      ])
  }

  @Test("refuses an event that is longer than the limit, in one line or in many")
  func limit() {
    for text in ["data: 0123456789", "data:01\ndata:234\ndata:5678\ndata:9"] {
      var reader = EventStreamReader(limit: 15)
      #expect(throws: ControlError.self) { try reader.receive(Array(text.utf8)) }
    }
  }

  @Test("accepts any input without a trap", arguments: 0..<8)
  func mutations(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var bytes = Array(Self.stream.utf8)
      for _ in 0..<8 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          Array("\r\n: di\0\u{ff}".utf8)[Int.random(in: 0..<8, using: &random)]
      }
      let cut = Int.random(in: 0...bytes.count, using: &random)
      var whole = EventStreamReader()
      var parts = EventStreamReader()
      let expected = try whole.receive(bytes)
      let found = try parts.receive(Array(bytes[..<cut])) + parts.receive(Array(bytes[cut...]))
      #expect(found == expected)
    }
  }
}
