import WorkerProcess

/// The changes to the messages of a worker: their fields, their order, their repetition and their omission. The same
/// seed makes the same changes.
struct Mutation {
  enum Outcome {
    case send([Frame])
    /// Send these bytes, which are no whole message, and close the connection.
    case breakOff([UInt8])
  }

  private var state: UInt64
  private let percent: Int
  private var last: Frame?
  /// A message that follows the next one.
  private var delayed: Frame?
  /// Whether the program may wait for a message that it will not get.
  private(set) var isMessageMissing = false

  init(seed: UInt64, percent: Int) {
    state = seed
    self.percent = percent
  }

  mutating func change(_ frame: Frame, isHonest: Bool) -> Outcome {
    defer { last = frame }
    let isHonest = isHonest || below(100) >= percent
    var outcome = isHonest ? .send([frame]) : changed(frame)
    if let delayed, case .send(let frames) = outcome {
      outcome = .send(frames + [delayed])
      self.delayed = nil
    }
    return outcome
  }

  private mutating func changed(_ frame: Frame) -> Outcome {
    var payload = frame.payload
    switch below(12) {
    case 0:
      isMessageMissing = true
      return .send([])
    case 1: return .send([frame, frame])
    case 2:
      isMessageMissing = true
      delayed = frame
      return .send([])
    case 3: return .send([last ?? frame])
    case 4: return .send([Frame(kind: UInt8(below(256)), payload: payload)])
    case 5: payload.removeLast(below(payload.count + 1))
    case 6: payload += bytes(1 + below(64))
    case 7: payload = bytes(below(300))
    case 8: return .breakOff([UInt8(below(200)), 1, 0, 0, frame.kind])
    case 9: for _ in 0...below(4) { flipBit(in: &payload) }
    default: replaceInteger(in: &payload)
    }
    return .send([Frame(kind: frame.kind, payload: payload)])
  }

  private mutating func flipBit(in payload: inout [UInt8]) {
    guard !payload.isEmpty else { return }
    payload[below(min(payload.count, 200))] ^= 1 << UInt8(below(8))
  }

  /// Puts a number near a limit of its type in the place of one, in little endian.
  private mutating func replaceInteger(in payload: inout [UInt8]) {
    let limits: [UInt64] = [
      0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 40, 1 << 62,
      .max >> 1, 1 << 63, .max,
    ]
    let width = [1, 2, 4, 8][below(4)]
    guard payload.count >= width else { return }
    let (value, start) = (limits[below(limits.count)], below(min(payload.count, 200) - width + 1))
    for index in 0..<width {
      payload[start + index] = UInt8(truncatingIfNeeded: value >> UInt64(index * 8))
    }
  }

  private mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(below(256)) }
  }

  /// Returns a random number below a limit (SplitMix64).
  private mutating func below(_ limit: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    mixed ^= mixed >> 31
    return limit > 0 ? Int(mixed % UInt64(limit)) : 0
  }
}
