import Testing
@testable import WebSocket

@Suite struct WebSocketFrameTests {
  @Test(
    "a text has the shortest form of its length",
    arguments: [
      (0, [0x81, 0]), (5, [0x81, 5]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]),
      (65_535, [0x81, 126, 0xff, 0xff]), (65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] as [(Int, [UInt8])])
  func text(count: Int, header: [UInt8]) {
    let payload = [UInt8](repeating: 0x61, count: count)
    #expect(WebSocketFrame.text(payload) == header + payload)
  }

  @Test("control frames are written")
  func control() {
    #expect(WebSocketFrame.ping == [0x89, 0])
    #expect(WebSocketFrame.pong([7, 8]) == [0x8a, 2, 7, 8])
    #expect(WebSocketFrame.close(.protocolError) == [0x88, 2, 0x03, 0xea])
    #expect(WebSocketFrame.close(.normal, "ok") == [0x88, 4, 0x03, 0xe8, 0x6f, 0x6b])
  }

  @Test("a long reason is cut between two characters")
  func longReason() {
    let frame = WebSocketFrame.close(.normal, String(repeating: "é", count: 100))
    #expect(frame.count == 2 + 2 + 122)
    #expect(String(validating: frame.dropFirst(4), as: UTF8.self) != nil)
  }
}
