/// A task of the engine that is there at most once at a time. Part of the engine's isolation.
struct Worker {
  /// nil means nothing is at work.
  private(set) var task: Task<Void, Never>?

  mutating func begin(_ task: Task<Void, Never>) { self.task = task }

  /// The task is about to return.
  mutating func end() { task = nil }
}
