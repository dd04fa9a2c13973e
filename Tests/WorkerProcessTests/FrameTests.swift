import Testing
import WorkerProcess

@Suite struct FrameTests {
  @Test("every kind of value is read back as it was written")
  func roundTrip() throws {
    var writer = FrameWriter()
    writer.append(UInt8.max)
    writer.append(Int64.min)
    writer.append(Int32(-2))
    writer.append(true)
    writer.append(-0.5)
    writer.append("grün ✓")
    writer.append([1, 2, 3] as [UInt8])
    writer.append(optional: nil as String?) { $0.append($1) }
    writer.append(optional: 7 as UInt16?) { $0.append($1) }
    writer.append(list: ["a", "", "b"]) { $0.append($1) }

    var reader = FrameReader(writer.bytes)
    #expect(try reader.integer(UInt8.self) == .max)
    #expect(try reader.integer(Int64.self) == .min)
    #expect(try reader.integer(Int32.self) == -2)
    #expect(try reader.bool())
    #expect(try reader.double() == -0.5)
    #expect(try reader.string() == "grün ✓")
    #expect(try reader.data() == [1, 2, 3])
    #expect(try reader.optional { (r) throws(WorkerError) in try r.string() } == nil)
    #expect(try reader.optional { (r) throws(WorkerError) in try r.integer(UInt16.self) } == 7)
    let list = try reader.list { (r) throws(WorkerError) in try r.string() }
    #expect(list == ["a", "", "b"])
    try reader.checkComplete()
  }

  @Test("a message that is cut anywhere, or has bytes left over, is malformed")
  func cuts() throws {
    var writer = FrameWriter()
    writer.append("text")
    writer.append(UInt64(1))
    writer.append(list: [1, 2]) { $0.append($1 as Int) }
    for length in 0..<writer.bytes.count {
      #expect(throws: WorkerError.self) { try Self.read(Array(writer.bytes.prefix(length))) }
    }
    try Self.read(writer.bytes)
    #expect(throws: WorkerError.self) { try Self.read(writer.bytes + [0]) }
  }

  @Test("claims of length beyond the message, wrong flags and wrong text are malformed")
  func lies() throws {
    var huge = FrameReader([0xff, 0xff, 0xff, 0xff, 1])
    #expect(throws: WorkerError.self) { try huge.data() }
    var list = FrameReader([0xff, 0xff, 0xff, 0xff])
    #expect(throws: WorkerError.self) {
      try list.list { (r) throws(WorkerError) in try r.integer(UInt8.self) }
    }
    var flag = FrameReader([2])
    #expect(throws: WorkerError.self) { try flag.bool() }
    var text = FrameReader([2, 0, 0, 0, 0xc3, 0x28])
    #expect(throws: WorkerError.self) { try text.string() }
  }

  @Test("random bytes never trap")
  func randomBytes() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      _ = try? Self.read(bytes)
    }
  }

  private static func read(_ bytes: [UInt8]) throws {
    var reader = FrameReader(bytes)
    _ = try reader.string()
    _ = try reader.integer(UInt64.self)
    _ = try reader.list { (r) throws(WorkerError) in try r.integer(Int.self) }
    try reader.checkComplete()
  }
}

/// SplitMix64: the same numbers in every run.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
