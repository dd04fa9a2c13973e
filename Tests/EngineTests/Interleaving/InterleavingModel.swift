import Models

/// What must hold at the end of a script with any timing.
struct InterleavingModel {
  struct Expected {
    let list: Int
    /// `cancel` was the last word, or may have been.
    var mayBeCancelled = false
    /// `pause` was the last word. It holds nothing where nothing was left to do.
    var mayBePaused = false
    var priority = RecordPriority.normal
  }

  /// By record: those that are not removed.
  var records: [RecordID: Expected] = [:]
  var mayBePaused = false
  var concurrency: Int?
  var perHost: Int?
  /// What viewers look at.
  var views: [Int: [RecordID: Range<Int>]] = [:]
  /// For each thing that was done, a URL may be asked for once more.
  var reasonsToAsk = 0

  /// A burst begins. Its targets are known.
  mutating func note(_ steps: [InterleavingScript.Step], _ targets: [RecordID?]) {
    let cancelled = zip(steps, targets).compactMap { step, target -> RecordID? in
      if case .cancel = step { target } else { nil }
    }
    let paused = zip(steps, targets).compactMap { step, target -> RecordID? in
      if case .pause = step { target } else { nil }
    }
    for (step, target) in zip(steps, targets) {
      note(step, target, cancelledBeside: cancelled, pausedBeside: paused)
    }
  }

  private mutating func note(
    _ step: InterleavingScript.Step, _ target: RecordID?, cancelledBeside: [RecordID],
    pausedBeside: [RecordID]
  ) {
    switch step {
    case .answer, .advance, .setConcurrency, .setPerHost, .setPriority: break
    default: reasonsToAsk += 1
    }
    switch step {
    case .pause(list: nil): mayBePaused = true
    case .resume(list: nil):
      mayBePaused = false
      // Those that are paused when it begins: an earlier pause may still wait for another verb.
      for id in records.keys where !pausedBeside.contains(id) { records[id]?.mayBePaused = false }
    case .retry(list: nil):
      for id in records.keys where !cancelledBeside.contains(id) {
        records[id]?.mayBeCancelled = false
      }
    case .pause: change(target) { $0.mayBePaused = true }
    case .resume: change(target) { $0.mayBePaused = false }
    case .retry: change(target) { $0.mayBeCancelled = false }
    case .cancel: change(target) { $0.mayBeCancelled = true }
    case .setPriority(let priority, _): change(target) { $0.priority = priority }
    case .setConcurrency(let limit): concurrency = limit
    case .setPerHost(let limit): perHost = limit
    case .remove: if let target { forget(target) }
    case .reset: self = InterleavingModel(reasonsToAsk: reasonsToAsk)
    case .restart: views = [:]
    case .look(let viewer, _, let range):
      if let target { views[viewer, default: [:]][target] = range }
    case .lookAway(let viewer): views[viewer] = nil
    case .add, .reload, .call, .giveUp, .answer, .advance: break
    }
  }

  private mutating func change(_ id: RecordID?, _ body: (inout Expected) -> Void) {
    guard let id, var record = records[id] else { return }
    body(&record)
    records[id] = record
  }

  private mutating func forget(_ id: RecordID) {
    records[id] = nil
    for viewer in views.keys { views[viewer]?[id] = nil }
  }

  init(reasonsToAsk: Int = 0) { self.reasonsToAsk = reasonsToAsk }

  mutating func appended(_ ids: [RecordID], of list: Int) {
    for id in ids { records[id] = Expected(list: list) }
  }

  /// The newest record of a list.
  func newest(of list: Int) -> RecordID? {
    records.filter { $0.value.list == list }.keys.max()
  }

  /// Nothing keeps what is queued from being done.
  var holdsNothing: Bool { !mayBePaused && !records.values.contains(where: \.mayBePaused) }

  func isVisible(_ place: Int, of record: RecordID) -> Bool {
    views.values.contains { $0[record]?.contains(place) ?? false }
  }
}
