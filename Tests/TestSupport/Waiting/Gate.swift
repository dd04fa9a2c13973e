/// Makes tasks wait until it is opened.
public final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    var waiting = 0
  }

  private let state = Watched(State())

  public init() {}

  /// The number of waiting tasks.
  public var waiting: Int { state.value.waiting }

  public func open() { state.update { $0.isOpen = true } }

  /// Makes later tasks wait again.
  public func close() { state.update { $0.isOpen = false } }

  /// Throws when the task is cancelled.
  @concurrent
  public func pass() async throws {
    state.update { $0.waiting += 1 }
    defer { state.update { $0.waiting -= 1 } }
    try await state.until(\.isOpen)
  }

  /// Returns once so many, or more, stand before it.
  @concurrent
  public func untilWaiting(_ count: Int = 1) async throws {
    try await state.until { $0.waiting >= count }
  }
}
