import HTTP1
import Testing

@Suite("Damaged messages")
struct MutationTests {
  @Test("never stop the parser, and cuts never change the verdict", arguments: 0..<16)
  func responses(_ seed: UInt64) {
    var random = Seeded(state: seed)
    for _ in 0..<300 {
      let row = allCases[Int.random(in: 0..<allCases.count, using: &random)]
      let bytes = damage(Array(row.text.utf8.prefix(2_000)), &random)
      let whole = receive([bytes[...]])
      let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
      #expect(receive(pieces(bytes, cuts: cuts)) == whole)
    }
  }

  @Test("never stop the request parser", arguments: 0..<8)
  func requests(_ seed: UInt64) {
    var random = Seeded(state: seed)
    let request = "POST /a?b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhelloGET"
    for _ in 0..<300 {
      let bytes = damage(Array(request.utf8), &random)
      let cut = Int.random(in: 0...bytes.count, using: &random)
      #expect(accept(pieces(bytes, cuts: [cut])) == accept([bytes[...]]))
    }
  }

  @Test("never stop the readers of dates and delays", arguments: 0..<8)
  func dates(_ seed: UInt64) {
    var random = Seeded(state: seed)
    let texts = [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994", "120",
    ]
    for _ in 0..<300 {
      let bytes = damage(Array(texts[Int.random(in: 0..<4, using: &random)].utf8), &random)
      let text = String(decoding: bytes, as: UTF8.self)
      let now = Int64.random(in: .min ... .max, using: &random)
      if let seconds = HTTPDate.parse(text, now: now) {
        #expect(HTTPDate.parse(HTTPDate.format(seconds)) == seconds)
      }
      if let delay = RetryAfter.parse(text, now: now) { #expect(delay.delay(now: now) >= 0) }
      #expect(HTTPDate.format(now).utf8.count == 29)
    }
  }

  /// Changes, removes, doubles or inserts a few bytes; structural ones more often than chance has it.
  private func damage(_ original: [UInt8], _ random: inout Seeded) -> [UInt8] {
    let structural = Array("\r\n\0 :;,0fF/\t".utf8) + [0xff]
    var bytes = original
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let offset = Int.random(in: 0...bytes.count, using: &random)
      let byte = structural[Int.random(in: 0..<structural.count, using: &random)]
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.insert(byte, at: offset)
      case 1 where offset < bytes.count: bytes[offset] = byte
      case 2 where offset < bytes.count: bytes.remove(at: offset)
      case 3 where offset < bytes.count: bytes[offset] ^= UInt8.random(in: 1...255, using: &random)
      default:
        let end = min(bytes.count, offset + Int.random(in: 0...40, using: &random))
        bytes.insert(contentsOf: bytes[offset..<end], at: offset)
      }
    }
    return bytes
  }
}
