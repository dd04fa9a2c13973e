import LibraryAPI
import Models
import Persistence
import Synchronization
import TestSupport
@testable import Engine

/// What is under way in one engine on behalf of users, and what came of it.
final class InterleavingWork: Sendable, CustomStringConvertible {
  struct Verb: Sendable {
    let step: InterleavingScript.Step
    /// The record that it concerns.
    let target: RecordID?
  }

  private struct State: Sendable {
    var verbs: Set<Int> = []
    /// By number, with whether they were given up.
    var calls: [Int: Bool] = [:]
    var answers: [Int: String] = [:]
    var appended: [(list: Int, records: [RecordID])] = []
  }

  private let state = Mutex(State())

  var description: String { state.withLock { "verbs \($0.verbs), calls \($0.calls)" } }

  var isDone: Bool { state.withLock { $0.verbs.isEmpty && $0.calls.isEmpty } }

  /// Whether all verbs and cancelled calls have returned, and `callers` calls are waiting.
  func waits(with callers: Int) -> Bool {
    state.withLock { state in
      state.verbs.isEmpty && state.calls.count == callers && !state.calls.values.contains(true)
    }
  }

  func begin(verb: Int) { state.withLock { _ = $0.verbs.insert(verb) } }

  func end(verb: Int, _ answer: String) {
    state.withLock { state in
      state.verbs.remove(verb)
      state.answers[verb] = answer
    }
  }

  func appended(_ records: [RecordID], of list: Int) {
    state.withLock { $0.appended.append((list, records)) }
  }

  func begin(call: Int) { state.withLock { $0.calls[call] = false } }

  func end(call: Int) { state.withLock { $0.calls[call] = nil } }

  func giveUp(_ call: Int, _ task: Task<Void, Never>) {
    state.withLock { state in if state.calls[call] != nil { state.calls[call] = true } }
    task.cancel()
  }

  func takeAnswers() -> [Int: String] {
    state.withLock { state in
      defer { state.answers = [:] }
      return state.answers
    }
  }

  func takeAppended() -> [(list: Int, records: [RecordID])] {
    state.withLock { state in
      defer { state.appended = [] }
      return state.appended
    }
  }
}

extension Engine {
  /// Begins all of them in this order, and nothing else of the engine between their first turns.
  func begin(_ verbs: [InterleavingWork.Verb], _ work: InterleavingWork, from first: Int) {
    for (offset, verb) in verbs.enumerated() {
      work.begin(verb: first + offset)
      Task { work.end(verb: first + offset, await perform(verb, work)) }
    }
  }

  /// Begins to ask for one resource.
  func beginCall(
    _ call: Int, _ url: String, _ policy: CachePolicy, _ work: InterleavingWork
  ) -> Task<Void, Never> {
    work.begin(call: call)
    return Task {
      _ = try? await resource(at: HTTPURL(url), policy)
      work.end(call: call)
    }
  }

  /// - Returns: what it answered, errors included.
  private func perform(_ verb: InterleavingWork.Verb, _ work: InterleavingWork) async -> String {
    do {
      // A record that never was.
      let id = verb.target ?? RecordID(1_000_000)
      switch verb.step {
      case .add(let list, let again):
        let result = try await add(
          Lab.request(
            Interleaving.list(list), again: again, isLazy: list == InterleavingScript.lazyList))
        if result.outcome == .appended { work.appended(result.records, of: list) }
        return "\(result.outcome), \(result.entryCount)"
      case .pause(let list): return "\(try await pause(list.map { _ in id }))"
      case .resume(let list): return "\(try await resume(list.map { _ in id }))"
      case .retry(let list): return "\(try await retry(list.map { _ in id }))"
      case .cancel: return "\(try await cancel(id))"
      case .reload: return "\(try await reload(id))"
      case .remove: try await remove(id)
      case .reset: try await reset()
      case .setPriority(let priority, _): try await setPriority(priority, of: id)
      case .setConcurrency(let limit): try await setConcurrency(limit)
      case .setPerHost(let limit): try await setPerHost(limit)
      case .look(let viewer, _, let range):
        setVisibleRange(range, of: id, for: ViewerID(UInt64(viewer)))
      case .lookAway(let viewer): clearVisibleRange(of: nil, for: ViewerID(UInt64(viewer)))
      case .call, .giveUp, .answer, .advance, .restart: break
      }
      return "done"
    } catch {
      return "\((error as? LibraryError)?.code.rawValue ?? "\(error)")"
    }
  }

  func looks(_ isMet: @Sendable (Stages) -> Bool) -> Bool { isMet(stages) }

  /// What a test that waits in vain prints.
  var situation: String { stages.situation }
}

extension Stages {
  /// Nothing of the engine is under way but transfers that stand still, sleeps, and callers who wait.
  /// - Parameters:
  ///   - held: transfers that stand still.
  ///   - sleepers: how many sleeps on the clock are not over: the task of one that is over is about to run.
  func isAtRest(held: Int, sleepers: Int, work: InterleavingWork) -> Bool {
    let isGathering = commits.pacing.isGathering
    guard transfers.running.count == held, commits.committing.task == nil,
      commits.queue.isEmpty || isGathering, lifecycle.areVerbsAtRest, !pages.isMaking,
      !transfers.scheduler.scan.isLoading, work.waits(with: context.standalone.waiterCount)
    else { return false }
    return sleepers == (transfers.timer.time == nil ? 0 : 1) + (isGathering ? 1 : 0)
  }

  fileprivate var situation: String {
    """
    idle \(lifecycle.isIdle), transfers \(transfers.running.count), commits \(commits.queue.count), \
    committing \(commits.committing.task != nil), gathering \(commits.pacing.isGathering), \
    verbs \(!lifecycle.areVerbsAtRest), parts \(lifecycle.partCount), \
    pages \(pages.queue.tasks.count), loading \(transfers.scheduler.scan.isLoading), \
    callers \(context.standalone.waiterCount), \
    timer \(transfers.timer.time.map { "\($0)" } ?? "none"), \
    paused \(verbs.libraryState.isPaused), waiting \(transfers.scheduler.waitingCount), \
    active \(transfers.scheduler.activeCount)
    """
  }
}
