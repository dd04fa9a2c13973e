import Glibc

/// Ends the run with a message, which libFuzzer prints above the input that caused it.
func demand(_ holds: Bool, _ what: @autoclosure () -> String) {
  if holds { return }
  let text = "demanded: \(what())\n"
  _ = write(STDERR_FILENO, text, text.utf8.count)
  abort()
}

/// Decisions that depend on the input alone, so that every run of it is the same (FNV-1a, SplitMix64).
struct Chance {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ input: [UInt8]) {
    for byte in input { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  /// 0 ..< `bound`; 0 where that is empty.
  mutating func below(_ bound: Int) -> Int {
    bound > 0 ? Int(truncatingIfNeeded: next() % UInt64(bound)) : 0
  }
}

/// `bytes` in pieces of at most `length`.
func pieces(_ bytes: [UInt8], of length: Int) -> [ArraySlice<UInt8>] {
  stride(from: 0, to: bytes.count, by: max(1, length)).map {
    bytes[$0..<min(bytes.count, $0 + max(1, length))]
  }
}

/// `bytes` split in two at a pseudorandom offset.
func halves(_ bytes: [UInt8], _ chance: inout Chance) -> [ArraySlice<UInt8>] {
  let cut = chance.below(bytes.count + 1)
  return [bytes[..<cut], bytes[cut...]]
}
