/// Holds a task of the engine of which at most one runs at a time. Part of the engine's isolation.
struct Worker {
  /// The running task, or nil if there is none.
  private(set) var task: Task<Void, Never>?

  mutating func start(_ task: Task<Void, Never>) { self.task = task }

  /// Records that the task is about to return.
  mutating func finish() { task = nil }
}
