import Engine
import Models

/// Plays the engine and the store for a `Scheduler`: does what it answers, by hand.
struct SchedulerDriver {
  var scheduler: Scheduler
  /// The queue of the store, by id.
  var queue: [Scheduler.Item] = []
  var active: [Scheduler.Item] = []
  var started: [Int64] = []
  var wake: Double?
  var now = 0.0
  var loads: [(after: ResourceID?, count: Int)] = []
  /// Loads wait for `answer` when this is off.
  var answersAtOnce = true
  var pendingLoad: (after: ResourceID?, count: Int)?

  init(limit: Int, hostLimit: Int = 100) {
    scheduler = Scheduler(limit: limit, hostLimit: hostLimit)
  }

  static func item(_ id: Int64, host: String = "h", record: Int64 = 1) -> Scheduler.Item {
    Scheduler.Item(
      resource: Resource(
        id: ResourceID(id), record: RecordID(record), index: Int(id), url: "http://\(host)/\(id)"),
      host: host)
  }

  var activeIDs: [Int64] { active.map(\.resource.id.rawValue) }

  mutating func send(_ event: Scheduler.Event) {
    let action = scheduler.handle(event, now: now)
    started += action.start.map(\.resource.id.rawValue)
    active += action.start
    wake = action.wake
    guard let count = action.load else { return }
    loads.append((scheduler.cursor, count))
    pendingLoad = (scheduler.cursor, count)
    if answersAtOnce { answer() }
  }

  /// Answers the load with what is in the queue now.
  mutating func answer() {
    guard let load = pendingLoad else { return }
    let found = window(load)
    answer(found, isEnd: found.count < load.count)
  }

  func window(_ load: (after: ResourceID?, count: Int)) -> [Scheduler.Item] {
    Array(
      queue.filter { item in load.after.map { item.resource.id > $0 } ?? true }
        .prefix(load.count))
  }

  mutating func answer(_ items: [Scheduler.Item], isEnd: Bool) {
    pendingLoad = nil
    send(.loaded(items, isEnd: isEnd))
  }

  /// The download ended well: its row is written at once.
  mutating func finish(_ id: Int64) {
    settle(id)
    write(id)
  }

  /// The download ended well; its row is on its way.
  mutating func settle(_ id: Int64) {
    active.removeAll { $0.resource.id == ResourceID(id) }
    send(.settling(ResourceID(id)))
  }

  mutating func write(_ id: Int64) {
    if let index = queue.firstIndex(where: { $0.resource.id == ResourceID(id) }) {
      queue.remove(at: index)
    }
    send(.settled([ResourceID(id)]))
  }

  mutating func retry(_ id: Int64, at time: Double) {
    guard let index = active.firstIndex(where: { $0.resource.id == ResourceID(id) }) else { return }
    var item = active.remove(at: index)
    item.notBefore = time
    item.attempts += 1
    send(.retry(item))
  }
}
