import Models
import TestSupport
import Testing

@testable import TransportSocket

/// Happy Eyeballs, RFC 8305. Addresses are texts whose first letter is their family.
@Suite("The race of the addresses")
struct AddressRaceTests {
  private typealias Race = AddressRace<String>
  private let second: UInt64 = 1_000_000_000
  private let delay = AddressRace<String>.attemptDelay
  private let patience = AddressRace<String>.resolutionDelay

  @Test("IPv6 begins at once, also if IPv4 is late (§3)")
  func sixFirst() {
    var race = Race(questions: [.v4, .v6])
    #expect(race.isResolving)
    #expect(race.handle(.answered(.v6, ["6a"]), now: 5) == .connect("6a"))
    #expect(!race.isResolving)
    #expect(race.nextAttempt == Moment.never)
    #expect(race.handle(.answered(.v4, ["4a"]), now: 5 + delay * 3) == .connect("4a"))
  }

  @Test("IPv4 waits 50 ms for IPv6 (§3)")
  func resolutionDelay() {
    var late = Race(questions: [.v4, .v6])
    #expect(late.handle(.answered(.v4, ["4a"]), now: 7) == .wait)
    #expect(late.nextAttempt == 7 + patience)
    #expect(late.handle(.waited, now: 6 + patience) == .wait)
    #expect(late.handle(.waited, now: 7 + patience) == .connect("4a"))
    var inTime = Race(questions: [.v4, .v6])
    #expect(inTime.handle(.answered(.v4, ["4a"]), now: 7) == .wait)
    #expect(inTime.handle(.answered(.v6, ["6a"]), now: 20) == .connect("6a"))
    var empty = Race(questions: [.v4, .v6])
    #expect(empty.handle(.answered(.v4, ["4a"]), now: 7) == .wait)
    #expect(empty.handle(.answered(.v6, []), now: 20) == .connect("4a"))
    var alone = Race(questions: [.v4])
    #expect(alone.handle(.answered(.v4, ["4a"]), now: 7) == .connect("4a"))
  }

  @Test("The families alternate (§4)")
  func interleaving() {
    var race = Race(questions: [.v4, .v6])
    #expect(race.handle(.answered(.v6, ["6a", "6b", "6c"]), now: 0) == .connect("6a"))
    #expect(race.handle(.answered(.v4, ["4a", "4b"]), now: 1) == .wait)
    var order: [String] = []
    for step: UInt64 in 1...4 {
      guard case .connect(let next) = race.handle(.waited, now: step * delay) else { break }
      order.append(next)
    }
    #expect(order == ["4a", "6b", "4b", "6c"])
    #expect(race.nextAttempt == Moment.never)
  }

  @Test("The next attempt follows after 250 ms, or at once when one fails (§5)")
  func attemptDelay() {
    var race = Race(questions: [.v4])
    #expect(race.handle(.answered(.v4, ["4a", "4b", "4c"]), now: 0) == .connect("4a"))
    #expect(race.nextAttempt == delay)
    #expect(race.handle(.waited, now: delay - 1) == .wait)
    #expect(race.handle(.waited, now: delay) == .connect("4b"))
    #expect(race.handle(.failed, now: delay + 5) == .connect("4c"))
    #expect(race.nextAttempt == Moment.never)
    #expect(race.handle(.failed, now: delay + 6) == .wait)
    #expect(race.handle(.failed, now: delay + 7) == .exhausted)
  }

  @Test("Late addresses join a running race, and a lost race waits for them (§4)")
  func lateAnswers() {
    var race = Race(questions: [.v4, .v6])
    #expect(race.handle(.answered(.v4, ["4a", "4b"]), now: 0) == .wait)
    #expect(race.handle(.waited, now: patience) == .connect("4a"))
    #expect(race.handle(.answered(.v6, ["6a"]), now: patience + 9) == .wait)
    #expect(race.handle(.waited, now: patience + delay) == .connect("6a"))
    #expect(race.handle(.failed, now: patience + delay) == .connect("4b"))
    var lost = Race(questions: [.v4, .v6])
    _ = lost.handle(.answered(.v4, ["4a"]), now: 0)
    #expect(lost.handle(.waited, now: patience) == .connect("4a"))
    #expect(lost.handle(.failed, now: second) == .wait)
    #expect(lost.handle(.answered(.v6, ["6a"]), now: 2 * second) == .connect("6a"))
    #expect(lost.handle(.failed, now: 3 * second) == .exhausted)
  }

  @Test("Without any address the race is lost when the last query is answered")
  func noAddress() {
    var race = Race(questions: [.v4, .v6])
    #expect(race.handle(.answered(.v6, []), now: 1) == .wait)
    #expect(race.handle(.answered(.v4, []), now: 2) == .exhausted)
  }

  @Test("Addresses that failed earlier are last, and the family that worked is first")
  func memory() {
    let bad: Set = ["6a", "4b"]
    var race = Race(questions: [.v4, .v6], isSuspect: { bad.contains($0) })
    _ = race.handle(.answered(.v4, ["4a", "4b"]), now: 0)
    var order: [String] = []
    if case .connect(let address) = race.handle(.answered(.v6, ["6a", "6b"]), now: 1) {
      order.append(address)
    }
    while case .connect(let address) = race.handle(.failed, now: 2) { order.append(address) }
    #expect(order == ["6b", "4a", "6a", "4b"])
    var preferring = Race(questions: [.v4, .v6], first: .v4)
    #expect(preferring.handle(.answered(.v6, ["6a"]), now: 0) == .wait)
    #expect(preferring.handle(.answered(.v4, ["4a"]), now: 1) == .connect("4a"))
  }

  /// The result of an attempt, in nanoseconds after its start; never: nil.
  private enum Fate {
    case connects(UInt64)
    case fails(UInt64)
    case hangs
  }

  @Test("In every race the rules hold, and a reachable address is reached", arguments: 0..<300)
  func model(seed: Int) throws {
    var random = Sequence64(seed: UInt64(seed))
    func time() -> UInt64 { random.next() % 600 * 1_000_000 }
    var answers: [(at: UInt64, family: IPAddress.Family, addresses: [String])] = []
    var fates: [String: Fate] = [:]
    for (family, letter) in [(IPAddress.Family.v4, "4"), (.v6, "6")] {
      let addresses = (0..<Int(random.next() % 4)).map { "\(letter)\($0)" }
      for address in addresses {
        let fate = random.next() % 3
        fates[address] = fate == 0 ? .connects(time()) : fate == 1 ? .fails(time()) : .hangs
      }
      answers.append((time(), family, addresses))
    }
    var race = Race(questions: [.v4, .v6])
    var starts: [(at: UInt64, address: String)] = []
    var events: [(at: UInt64, event: Race.Event)] = answers.map {
      ($0.at, .answered($0.family, $0.addresses))
    }
    var wins: [UInt64] = []
    var failures: [UInt64] = []
    var isExhausted = false
    while true {
      events.sort { $0.at < $1.at }
      let timer = race.nextAttempt
      guard
        let now = [events.first?.at, timer == Moment.never ? nil : timer].compactMap(\.self).min()
      else { break }
      if let win = wins.min(), win <= now { break }
      let isEvent = events.first.map { $0.at <= timer } ?? false
      let event = isEvent ? events.removeFirst().event : .waited
      if case .failed = event { failures.append(now) }
      var action = race.handle(event, now: now)
      if case .connect(let address) = action {
        starts.append((now, address))
        switch fates[address] {
        case .connects(let after)?: wins.append(now + after)
        case .fails(let after)?: events.append((now + after, .failed))
        case .hangs?, nil: break
        }
        action = .wait
      }
      isExhausted = action == .exhausted
      if isExhausted { break }
    }
    // No address is tried twice, or before it is known.
    #expect(Set(starts.map(\.address)).count == starts.count)
    for start in starts {
      let answer = try #require(answers.first { $0.addresses.contains(start.address) })
      #expect(start.at >= answer.at)
    }
    // Starts are 250 ms apart unless something failed in between.
    for (before, after) in zip(starts, starts.dropFirst()) {
      let wasShortened = failures.contains { $0 >= before.at && $0 <= after.at }
      #expect(after.at - before.at >= delay || wasShortened)
    }
    try checkFirst(starts.first, answers)
    let all = answers.flatMap(\.addresses)
    if isExhausted {
      #expect(starts.count == all.count && failures.count == all.count)
    } else if wins.isEmpty {
      #expect(
        starts.count == all.count,
        "an attempt without a result does not keep other addresses from being tried")
    }
  }

  /// §3: the moment and the family of the first attempt.
  private func checkFirst(
    _ start: (at: UInt64, address: String)?,
    _ answers: [(at: UInt64, family: IPAddress.Family, addresses: [String])]
  ) throws {
    let four = try #require(answers.first { $0.family == .v4 })
    let six = try #require(answers.first { $0.family == .v6 })
    guard let start else {
      #expect(four.addresses.isEmpty && six.addresses.isEmpty)
      return
    }
    let end = four.at + patience
    if !six.addresses.isEmpty, four.addresses.isEmpty || six.at <= end {
      #expect(start.at == six.at && start.address == six.addresses[0])
    } else {
      #expect(start.at == max(four.at, min(six.at, end)) && start.address == four.addresses[0])
    }
  }
}

@Suite("The memory of addresses")
struct AddressMemoryTests {
  private let four = IPAddress(v4: 1)
  private let six = IPAddress(v6: 1 << 64)

  @Test("A family that was overtaken is last for ten minutes")
  func overtaken() {
    var memory = AddressMemory()
    #expect(memory.firstFamily(of: "a", now: 0) == .v6)
    memory.recordConnection("a", four, overtaking: [six], now: 0)
    #expect(memory.firstFamily(of: "a", now: 1) == .v4)
    #expect(memory.suspects(of: "a", now: 1) == [six])
    #expect(memory.firstFamily(of: "b", now: 1) == .v6)
    memory.recordConnection("a", four, overtaking: [], now: AddressMemory.lifetime - 1)
    #expect(memory.firstFamily(of: "a", now: AddressMemory.lifetime) == .v6)
    #expect(memory.suspects(of: "a", now: AddressMemory.lifetime).isEmpty)
  }

  @Test("An address that works again is no longer last")
  func recovery() {
    var memory = AddressMemory()
    memory.recordFailure("a", six, now: 0)
    #expect(memory.suspects(of: "a", now: 1) == [six])
    #expect(memory.firstFamily(of: "a", now: 1) == .v4)
    memory.recordFailure("a", four, now: 1)
    #expect(memory.firstFamily(of: "a", now: 1) == .v6)
    memory.recordConnection("a", four, overtaking: [], now: 2)
    memory.recordConnection("a", six, overtaking: [], now: 2)
    #expect(memory.suspects(of: "a", now: 3).isEmpty)
    memory.recordConnection("a", four, overtaking: [], now: 4)
    #expect(memory.firstFamily(of: "a", now: 5) == .v6)
  }

  @Test("The number of hosts is bounded")
  func bounded() {
    var memory = AddressMemory()
    for number in 0..<5_000 { memory.recordFailure("h\(number)", six, now: UInt64(number)) }
    #expect(memory.suspects(of: "h4999", now: 5_000) == [six])
    let kept = (0..<5_000).count { !memory.suspects(of: "h\($0)", now: 5_000).isEmpty }
    #expect(kept <= AddressMemory.maximumHosts)
  }
}
