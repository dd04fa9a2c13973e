/// Decides which transfer runs in which helper process, and which one is blamed when a helper dies.
///
/// A helper that dies takes all its transfers with it, although at most one of them caused the
/// crash. New transfers share the main slot. If its helper dies with several active transfers, all
/// become suspects and run again, each alone in a solo slot; a helper that dies with a single
/// transfer was killed by it. No transfer runs more than twice.
///
/// A pure state machine: it starts no process and has no clock.
struct SlotScheduler {
  /// A place for one helper process at a time.
  enum Slot: Hashable {
    case main
    case solo(Int)
  }

  enum Event {
    case submitted(UInt64)
    /// The head of the final response has arrived; such a transfer is less suspect than one without
    /// a response.
    case answered(UInt64)
    /// The transfer has ended, and the helper has released it.
    case finished(UInt64)
    /// The transfer was cancelled before it ran.
    case withdrawn(UInt64)
    case ready(Slot)
    /// The helper's process has ended or was killed. The transfers in `unreleased` had ended
    /// without being released by the helper; they may have caused its end, too.
    case helperDied(Slot, unreleased: [UInt64])
  }

  enum Action: Equatable {
    case start(Slot)
    case stop(Slot)
    case run(UInt64, Slot)
    /// Fail the transfer that killed its helper.
    case failCulprit(UInt64)
    /// Fail the transfer, because the helper could repeatedly not be started.
    case refuse(UInt64)
  }

  private enum State { case stopped, starting, ready }

  private struct SlotState {
    var state = State.stopped
    var running: Set<UInt64> = []
  }

  private let capacity: Int
  private let maxFailedStarts: Int
  private let soloSlots: [Slot]
  private var slots: [Slot: SlotState] = [:]
  private var newTransfers = Queue()
  private var suspects = Queue()
  private var slotsByTransfer: [UInt64: Slot] = [:]
  private var answered: Set<UInt64> = []
  /// The number of consecutive starts that did not reach `ready`.
  private var failedStarts = 0

  /// - Parameters:
  ///   - capacity: The maximum number of active transfers in the main slot.
  ///   - soloSlots: The maximum number of suspects that run at the same time.
  init(capacity: Int = 64, soloSlots: Int = 2, maxFailedStarts: Int = 3) {
    self.capacity = capacity
    self.maxFailedStarts = maxFailedStarts
    self.soloSlots = (0..<soloSlots).map { .solo($0) }
  }

  mutating func handle(_ event: Event) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .submitted(let id): newTransfers.append(id)
    case .answered(let id): answered.insert(id)
    case .finished(let id): forget(id)
    case .withdrawn(let id):
      newTransfers.remove(id)
      suspects.remove(id)
      forget(id)
    case .ready(let slot):
      slots[slot, default: SlotState()].state = .ready
      failedStarts = 0
    case .helperDied(let slot, let unreleased):
      for id in unreleased { forget(id) }
      actions += removeSlot(slot, isCertain: unreleased.isEmpty)
    }
    return actions + fill()
  }

  private mutating func forget(_ id: UInt64) {
    answered.remove(id)
    if let slot = slotsByTransfer.removeValue(forKey: id) { slots[slot]?.running.remove(id) }
  }

  private mutating func removeSlot(_ slot: Slot, isCertain: Bool) -> [Action] {
    let old = slots.removeValue(forKey: slot) ?? SlotState()
    for id in old.running { slotsByTransfer.removeValue(forKey: id) }
    if old.state == .starting {
      failedStarts += 1
      guard failedStarts >= maxFailedStarts else { return [] }
      failedStarts = 0
      return (newTransfers.removeAll() + suspects.removeAll()).map { .refuse($0) }
    }
    if isCertain, old.running.count == 1, let culprit = old.running.first {
      answered.remove(culprit)
      return [.failCulprit(culprit)]
    }
    // Transfers without a response come first, because a response's header crashes a helper more
    // often than its body.
    for id in old.running.sorted(by: { isMoreSuspect($0, $1) }) { suspects.append(id) }
    return []
  }

  private func isMoreSuspect(_ a: UInt64, _ b: UInt64) -> Bool {
    let (answeredA, answeredB) = (answered.contains(a), answered.contains(b))
    return answeredA == answeredB ? a < b : answeredB
  }

  /// Assigns waiting transfers to slots with free capacity.
  private mutating func fill() -> [Action] {
    var actions: [Action] = []
    if !newTransfers.isEmpty { actions += startIfStopped(.main) }
    while isReady(.main), running(in: .main) < capacity, let id = newTransfers.popFirst() {
      actions.append(run(id, in: .main))
    }
    for slot in soloSlots where running(in: slot) == 0 {
      if isReady(slot), let id = suspects.popFirst() {
        actions.append(run(id, in: slot))
      }
    }
    actions += startSoloSlots()
    for slot in soloSlots where isReady(slot) && running(in: slot) == 0 && suspects.isEmpty {
      slots.removeValue(forKey: slot)
      actions.append(.stop(slot))
    }
    return actions
  }

  private mutating func startSoloSlots() -> [Action] {
    var actions: [Action] = []
    var starting = soloSlots.count { slots[$0]?.state == .starting }
    for slot in soloSlots where slots[slot] == nil && starting < suspects.count {
      actions += startIfStopped(slot)
      starting += 1
    }
    return actions
  }

  private mutating func startIfStopped(_ slot: Slot) -> [Action] {
    guard slots[slot] == nil else { return [] }
    slots[slot] = SlotState(state: .starting)
    return [.start(slot)]
  }

  private mutating func run(_ id: UInt64, in slot: Slot) -> Action {
    slots[slot]?.running.insert(id)
    slotsByTransfer[id] = slot
    return .run(id, slot)
  }

  private func isReady(_ slot: Slot) -> Bool { slots[slot]?.state == .ready }

  private func running(in slot: Slot) -> Int { slots[slot]?.running.count ?? 0 }
}

extension SlotScheduler {
  /// A first-in, first-out queue from which any member can be removed in constant time.
  private struct Queue {
    private var order: [UInt64] = []
    private var first = 0
    private var members: Set<UInt64> = []

    var isEmpty: Bool { members.isEmpty }
    var count: Int { members.count }

    mutating func append(_ id: UInt64) {
      order.append(id)
      members.insert(id)
    }

    mutating func remove(_ id: UInt64) { members.remove(id) }

    mutating func popFirst() -> UInt64? {
      while first < order.count {
        let id = order[first]
        first += 1
        if members.remove(id) != nil {
          if first > 1_000 && first * 2 > order.count {
            order.removeFirst(first)
            first = 0
          }
          return id
        }
      }
      return nil
    }

    mutating func removeAll() -> [UInt64] {
      defer { self = Queue() }
      return order[first...].filter { members.contains($0) }
    }
  }
}
