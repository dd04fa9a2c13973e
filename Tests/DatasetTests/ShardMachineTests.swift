import Datasets
import Testing

@Suite("The machine of a shard")
struct ShardMachineTests {
  /// Performs the actions of a machine at once, in an order that a generator chooses, and checks the bounds.
  private struct Performer {
    var machine: ShardMachine
    let limits: ShardMachine.Limits
    var pending: [ShardMachine.Event] = []
    var fetching: Set<Int> = []
    var rendering: Set<Int> = []
    var written: [Int] = []
    var abandoned: Set<Int> = []
    var isComplete = false

    mutating func perform(_ actions: [ShardMachine.Action]) {
      for action in actions {
        switch action {
        case .readLines(let count):
          pending += Array(repeating: .lineRead, count: count)
        case .fetch(let index):
          #expect(fetching.insert(index).inserted)
          pending.append(index % 7 == 3 ? .finished(index) : .fetched(index))
        case .render(let index):
          #expect(rendering.insert(index).inserted)
          pending.append(.finished(index))
        case .write(let index):
          written.append(index)
          pending.append(.written(1))
        case .abandon(let index): #expect(abandoned.insert(index).inserted)
        case .complete:
          #expect(!isComplete)
          isComplete = true
        }
      }
      #expect(fetching.count <= limits.transfers)
      #expect(rendering.count <= limits.renderings)
    }

    mutating func step(_ index: Int) {
      let event = pending.remove(at: index)
      switch event {
      case .fetched(let sample): fetching.remove(sample)
      case .finished(let sample):
        fetching.remove(sample)
        rendering.remove(sample)
      case .deadline:
        fetching = []
        rendering = []
      default: break
      }
      perform(machine.handle(event))
    }
  }

  private static func performer(_ count: Int, transfers: Int, renderings: Int) -> Performer {
    let limits = ShardMachine.Limits(transfers: transfers, renderings: renderings)
    return Performer(machine: ShardMachine(count: count, limits), limits: limits)
  }

  @Test("writes every sample once and in order, for any order of events", arguments: 0..<50)
  func order(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var performer = Self.performer(200, transfers: 8, renderings: 3)
    performer.perform(performer.machine.begin())
    while !performer.pending.isEmpty {
      performer.step(Int.random(in: 0..<performer.pending.count, using: &generator))
    }
    #expect(performer.written == Array(0..<200))
    #expect(performer.isComplete)
  }

  @Test("ends all samples at the deadline, also those with unread lines", arguments: 0..<50)
  func deadline(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var performer = Self.performer(100, transfers: 5, renderings: 2)
    performer.perform(performer.machine.begin())
    for _ in 0..<Int.random(in: 0..<120, using: &generator) where !performer.pending.isEmpty {
      performer.step(Int.random(in: 0..<performer.pending.count, using: &generator))
    }
    performer.pending.append(.deadline)
    performer.step(performer.pending.count - 1)
    // A sample that never ends does not keep the shard from ending.
    performer.pending.removeAll { if case .fetched = $0 { true } else { false } }
    while !performer.pending.isEmpty {
      performer.step(Int.random(in: 0..<performer.pending.count, using: &generator))
    }
    #expect(performer.written == Array(0..<100))
    #expect(performer.isComplete)
  }

  @Test("begins no samples while the output does not write")
  func backPressure() {
    var performer = Self.performer(10_000, transfers: 16, renderings: 4)
    performer.perform(performer.machine.begin())
    while let index = performer.pending.firstIndex(where: {
      if case .written = $0 { false } else { true }
    }) {
      performer.step(index)
    }
    #expect(performer.written.count < 1_024 + 64)
    #expect(!performer.isComplete)
  }

  @Test("completes a shard without samples at once")
  func empty() {
    var machine = ShardMachine(
      count: 0, ShardMachine.Limits(transfers: 1, renderings: 1))
    #expect(machine.begin() == [.complete])
  }
}

/// A generator of the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
