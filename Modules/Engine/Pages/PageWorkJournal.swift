import Models
import Persistence

/// Records which originals an engine was processing when it ended, so that an original that ends the process does
/// not keep the others from being processed.
///
/// Before a resource is processed its id is written to the store. Each write costs a transaction, so the
/// journal also names several resources that follow soon. If an engine finds a journal with running
/// resources when it opens the library, one of them may have ended the earlier engine: they are suspects, and
/// each is processed alone, after all other work. The end of an engine never fails a resource: nearly always the
/// user, the system or a power cut has ended it, and decoders run in other processes, whose ends do.
///
/// Pure: the engine reads and writes the store.
struct PageWorkJournal {
  /// The number of resources that the journal names beyond those that can start at once.
  static let lookahead = 8

  /// The number of engines that ended while they processed each resource.
  private var interruptions: [ResourceID: Int] = [:]
  /// The resources that the stored journal names as running.
  private var named: Set<ResourceID> = []
  /// The resources that the journal being written names; nil while none is being written.
  private var writing: Set<ResourceID>?

  init() {}

  /// Restores the interruption counts from the journal that an earlier engine has left in the store.
  /// - Parameter isWaiting: Returns whether a resource is still to be processed.
  init(
    _ left: [PageWork], isWaiting: (ResourceID) async throws -> Bool
  ) async rethrows {
    for work in left {
      let count = work.interruptionCount + (work.isRunning ? 1 : 0)
      if count > 0, try await isWaiting(work.resource) { interruptions[work.resource] = count }
    }
  }

  func isSuspect(_ id: ResourceID) -> Bool { interruptions[id] != nil }

  /// Returns whether the stored journal names the resource, so that its processing may begin.
  func names(_ id: ResourceID) -> Bool { named.contains(id) }

  /// The journal to write to the store before the resources may start; nil if the stored journal names
  /// them already, or while another journal is being written. The caller calls `written` next.
  /// - Parameters:
  ///   - needed: The resources that must be named.
  ///   - perhaps: Further resources, in order; the journal names the first `lookahead` of them too.
  ///   - running: The resources being processed now.
  mutating func write(
    before needed: some Sequence<ResourceID>, andPerhaps perhaps: some Sequence<ResourceID> = [],
    running: some Sequence<ResourceID>
  ) -> [PageWork]? {
    guard writing == nil, needed.contains(where: { !named.contains($0) }) else { return nil }
    let names = Set(needed).union(perhaps.prefix(Self.lookahead)).union(running)
    writing = names
    return names.sorted().map { work($0, isRunning: true) }
      + idle.filter { !names.contains($0.resource) }
  }

  mutating func written(_ hasSucceeded: Bool) {
    if hasSucceeded, let writing { named = writing }
    writing = nil
  }

  /// Clears the interruption count of a resource that was processed successfully.
  mutating func workEnded(_ id: ResourceID) { interruptions[id] = nil }

  /// The journal while nothing is processed: only the resources that have interrupted an engine.
  var idle: [PageWork] {
    interruptions.keys.sorted().map { work($0, isRunning: false) }
  }

  private func work(_ id: ResourceID, isRunning: Bool) -> PageWork {
    PageWork(id, interruptionCount: interruptions[id] ?? 0, isRunning: isRunning)
  }
}
