/// The name of an event across restarts: `ENGINE-SEQ`, the run of the engine and the number that the event
/// has in it. The id of another run is never taken for one of this run, so a reader that comes back after a
/// restart gets a snapshot and is told of the gap.
struct EventID: Sendable, Equatable, CustomStringConvertible {
  /// Random for each start of the server: hexadecimal digits.
  let engine: String
  /// From 1; 0 represents the time before the first event.
  let seq: UInt64

  init(engine: String, seq: UInt64) {
    self.engine = engine
    self.seq = seq
  }

  /// Reads what ``description`` wrote; nil for every other spelling.
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
  /// A number in the one spelling that it has here: without a plus sign or leading zeros.
  init?(oneSpelling text: some StringProtocol) {
    guard let number = Self(String(text)), "\(number)" == text else { return nil }
    self = number
  }
}
