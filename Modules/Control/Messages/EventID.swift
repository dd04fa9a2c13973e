/// The id of an event across restarts: `ENGINE-SEQ`, the id of the engine's run and the event's number in
/// that run. A reader that reconnects after a restart sends the id of an earlier run, and therefore receives
/// a snapshot marked as following a gap.
struct EventID: Sendable, Equatable, CustomStringConvertible {
  /// The id of the engine's run: hexadecimal digits, random for each start of the server.
  let engine: String
  /// The number of the event, from 1; 0 means before the first event.
  let seq: UInt64

  init(engine: String, seq: UInt64) {
    self.engine = engine
    self.seq = seq
  }

  /// Parses the format of ``description``; nil for any other spelling.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...16).contains(parts[0].utf8.count),
      parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      let seq = UInt64(oneSpelling: parts[1])
    else { return nil }
    self.init(engine: String(parts[0]), seq: seq)
  }

  var description: String { "\(engine)-\(seq)" }
}

extension FixedWidthInteger {
  /// Parses a number in its canonical spelling, without a plus sign or leading zeros; nil for any other.
  init?(oneSpelling text: some StringProtocol) {
    guard let number = Self(String(text)), "\(number)" == text else { return nil }
    self = number
  }
}
