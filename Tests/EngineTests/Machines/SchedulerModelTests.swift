import Engine
import Models
import TestSupport
import Testing

/// Random runs against the simplest reading of what a scheduler promises.
@Suite struct SchedulerModelTests {
  @Test(
    "Whatever happens: never more than the limits, nothing lost, nothing twice, an end",
    arguments: 0..<60)
  func randomRun(seed: Int) {
    var run = RandomRun(seed: UInt64(seed))
    run.play()
    #expect(run.faults.isEmpty, "\(run.faults.prefix(3)) with seed \(seed)")
  }
}

private struct RandomRun {
  var random: SeededGenerator
  var driver: SchedulerDriver
  var limit: Int
  let hostLimit: Int
  var faults: [String] = []
  /// Ended well, row not written.
  var settling: [Int64] = []
  var written: Set<Int64> = []
  var dropped: Set<Int64> = []
  var heldUntil: [String: Double] = [:]
  var nextID: Int64 = 1
  var startedOnce = 0
  var isBehind = false

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    limit = Int.random(in: 1...12, using: &random)
    hostLimit = Int.random(in: 1...6, using: &random)
    driver = SchedulerDriver(limit: limit, hostLimit: hostLimit)
    driver.answersAtOnce = false
  }

  mutating func play() {
    add(Int.random(in: 1...700, using: &random))
    var steps = 0
    while steps < 4_000 {
      steps += 1
      step(adding: steps < 1_500)
      check()
      if !faults.isEmpty { return }
    }
    drain()
  }

  /// Only what must end now: no more disturbance.
  private mutating func drain() {
    send(.diskBehind(false))
    var steps = 0
    while !driver.scheduler.isIdle || !settling.isEmpty {
      steps += 1
      guard steps < 30_000 else { return faults.append("no end") }
      if driver.pendingLoad != nil {
        driver.answer()
        noteStarts()
      } else if let id = settling.popLast() {
        write(id)
      } else if let item = driver.active.first {
        settle(item.resource.id.rawValue)
      } else {
        driver.now = driver.wake ?? driver.now + 1
        send(.tick)
      }
      check()
      if !faults.isEmpty { return }
    }
    let lost = driver.queue.filter { !dropped.contains($0.resource.record.rawValue) }
    if !lost.isEmpty { faults.append("lost: \(lost.map(\.resource.id))") }
  }

  private mutating func step(adding: Bool) {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<40: if let id = anyActive() { settle(id) }
    case 40..<60: if let id = settling.popLast() { write(id) }
    case 60..<70: if let id = anyActive() { retry(id) }
    case 70..<80:
      if driver.pendingLoad != nil {
        driver.answer()
        noteStarts()
      }
    case 80..<84:
      limit = Int.random(in: 1...12, using: &random)
      send(.limitChanged(limit))
    case 84..<86: if adding { add(Int.random(in: 1...40, using: &random)) }
    case 86..<88: holdHost()
    case 88..<89: if adding { drop() }
    case 89..<91:
      isBehind.toggle()
      send(.diskBehind(isBehind))
    case 91..<92: send(.queueChanged)
    default:
      driver.now += Double.random(in: 0...2, using: &random)
      send(.tick)
    }
  }

  private mutating func add(_ count: Int) {
    for _ in 0..<count {
      let host = "h\(Int.random(in: 0..<5, using: &random))"
      driver.queue.append(SchedulerDriver.item(nextID, host: host, record: nextID / 50))
      nextID += 1
    }
    send(.queueChanged)
  }

  private mutating func send(_ event: Scheduler.Event) {
    let before = driver.active.count
    driver.send(event)
    if isBehind, driver.active.count > before { faults.append("started while the disk is behind") }
    noteStarts()
  }

  /// Nothing starts that is at work, on its way, written, dropped or held.
  private mutating func noteStarts() {
    for item in driver.active.suffix(driver.started.count - startedOnce) {
      let id = item.resource.id.rawValue
      if settling.contains(id) || written.contains(id) { faults.append("\(id) twice") }
      if dropped.contains(item.resource.record.rawValue) { faults.append("\(id) was dropped") }
      if item.notBefore > driver.now { faults.append("\(id) too early") }
      if heldUntil[item.host, default: 0] > driver.now { faults.append("\(item.host) is silent") }
    }
    startedOnce = driver.started.count
  }

  private mutating func check() {
    let ids = driver.activeIDs
    if Set(ids).count != ids.count { faults.append("one runs twice") }
    for (host, items) in Dictionary(grouping: driver.active, by: \.host)
    where items.count > hostLimit { faults.append("\(items.count) at \(host)") }
    if driver.scheduler.activeCount != ids.count { faults.append("miscounted") }
    if driver.scheduler.waitingCount > 4_096 + 512 { faults.append("window") }
  }

  private mutating func anyActive() -> Int64? { driver.activeIDs.randomElement(using: &random) }

  private mutating func settle(_ id: Int64) {
    driver.active.removeAll { $0.resource.id.rawValue == id }
    settling.append(id)
    send(.settling(ResourceID(id)))
  }

  private mutating func write(_ id: Int64) {
    driver.queue.removeAll { $0.resource.id.rawValue == id }
    written.insert(id)
    settling.removeAll { $0 == id }
    send(.settled([ResourceID(id)]))
  }

  private mutating func retry(_ id: Int64) {
    guard let index = driver.active.firstIndex(where: { $0.resource.id.rawValue == id }) else {
      return
    }
    var item = driver.active.remove(at: index)
    item.notBefore = driver.now + Double.random(in: 0...5, using: &random)
    item.attempts += 1
    send(.retry(item))
  }

  private mutating func holdHost() {
    let host = "h\(Int.random(in: 0..<5, using: &random))"
    let time = driver.now + Double.random(in: 0...6, using: &random)
    heldUntil[host] = max(time, heldUntil[host] ?? 0)
    send(.hostWaits(host, until: time))
  }

  private mutating func drop() {
    let record = Int64.random(in: 0...max(0, nextID / 50), using: &random)
    dropped.insert(record)
    send(.dropped(record: RecordID(record)))
  }
}
