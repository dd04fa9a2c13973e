public import SystemCalls

/// A clock whose hands only a test turns.
public final class ManualClock: MonotonicClock {
  private struct State: Sendable {
    var time = 0.0
    var sleepers: [UInt64: Double] = [:]
    var last: UInt64 = 0
    var slept: [Double] = []
    var turnsByItself: Bool
  }

  private let state: Watched<State>

  /// - Parameter turnsByItself: Whether every sleep advances the clock to its end at once, for tests
  ///   that are not about waits.
  public init(turnsByItself: Bool = false) {
    state = Watched(State(turnsByItself: turnsByItself))
  }

  public func now() -> Double { state.value.time }

  /// The number of present sleeps. A sleep that is over is present until its task runs.
  public var sleeperCount: Int { state.value.sleepers.count }

  /// The number of present sleeps that are not over.
  public var unfinishedSleepCount: Int {
    let state = state.value
    return state.sleepers.values.count { $0 > state.time }
  }

  /// The requested durations of all sleeps, in order.
  public var slept: [Double] { state.value.slept }

  public func sleep(until time: Double) async throws {
    let key = state.update { state in
      state.last += 1
      state.slept.append(time - state.time)
      if state.turnsByItself {
        state.time = max(state.time, time)
      } else {
        state.sleepers[state.last] = time
      }
      return state.last
    }
    defer { state.update { $0.sleepers[key] = nil } }
    try await state.until { $0.time >= time }
  }

  public func advance(by seconds: Double) { state.update { $0.time += seconds } }

  /// From now on every sleep, also a present one, advances the clock to its end.
  public func run() {
    state.update { state in
      state.turnsByItself = true
      state.time = max(state.time, state.sleepers.values.max() ?? 0)
    }
  }

  /// Waits until someone sleeps.
  /// - Returns: how long the shortest sleep still is.
  @discardableResult
  public func untilSomeoneSleeps() async throws -> Double {
    try await state.until { !$0.sleepers.isEmpty }
    let now = state.value
    return (now.sleepers.values.min() ?? now.time) - now.time
  }

  /// Waits until someone sleeps whose sleep still is so many seconds long.
  public func untilSomeoneSleeps(for seconds: Double) async throws {
    try await state.until { state in
      state.sleepers.values.contains { $0 - state.time == seconds }
    }
  }

  /// Waits until so many sleep whose sleeps still are so many seconds long.
  public func untilSleepers(_ count: Int, for seconds: Double) async throws {
    try await state.until { state in
      state.sleepers.values.count { $0 - state.time == seconds } >= count
    }
  }

  /// Waits until someone sleeps, then turns the hands to where the first one wakes.
  public func advanceToNextWake() async throws {
    try await state.until { !$0.sleepers.isEmpty }
    state.update { $0.time = max($0.time, $0.sleepers.values.min() ?? $0.time) }
  }
}
