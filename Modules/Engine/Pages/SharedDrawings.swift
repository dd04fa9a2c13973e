import Models

/// The drawings in progress and their callers. Callers that want the same images share one drawing, which is cancelled
/// when it has lost its last caller. Part of the engine's isolation.
struct SharedDrawings {
  typealias Continuation = CheckedContinuation<Void, any Error>
  /// The number of a caller or a drawing.
  typealias Number = UInt64

  struct Key: Hashable {
    /// The name of the first image.
    let name: String
    /// The resource whose original is drawn; nil for an entry of an archive. A reload of the resource ends the drawing
    /// in vain, but not those of others with the same content.
    let resource: ResourceID?
    /// The password of an encrypted document. A wrong one fails its own callers only.
    let password: String?

    init(_ drawing: PageDrawing, of resource: ResourceID) {
      name = drawing.name
      self.resource = drawing.original == nil ? nil : resource
      password = drawing.maker.password?.text
    }
  }

  private struct Drawing {
    let number: Number
    let task: Task<Void, Never>
    var callers: [Number: Continuation] = [:]
  }

  private var drawings: [Key: Drawing] = [:]
  private var last: Number = 0

  mutating func newNumber() -> Number {
    last += 1
    return last
  }

  /// Adds a caller to the drawing in progress, or begins one.
  /// - Parameter begin: Begins a drawing with the given number; it calls `end` when it has ended.
  mutating func add(
    _ caller: Number, to key: Key, _ continuation: Continuation,
    _ begin: (Number) -> Task<Void, Never>
  ) {
    if drawings[key] == nil {
      let number = newNumber()
      drawings[key] = Drawing(number: number, task: begin(number))
    }
    drawings[key]?.callers[caller] = continuation
  }

  /// Resumes a caller with `CancellationError`. A drawing without callers is cancelled; the next caller begins another.
  mutating func cancel(_ caller: Number, of key: Key) {
    guard let continuation = drawings[key]?.callers.removeValue(forKey: caller) else { return }
    continuation.resume(throwing: CancellationError())
    guard let drawing = drawings[key], drawing.callers.isEmpty else { return }
    drawing.task.cancel()
    drawings[key] = nil
  }

  mutating func end(_ number: Number, of key: Key, with result: Result<Void, any Error>) {
    guard drawings[key]?.number == number else { return }
    for caller in drawings.removeValue(forKey: key)?.callers.values ?? [:].values {
      caller.resume(with: result)
    }
  }

  /// The number of callers of all drawings.
  var callerCount: Int { drawings.values.reduce(0) { $0 + $1.callers.count } }

  func cancelAll() {
    for drawing in drawings.values { drawing.task.cancel() }
  }

  /// The task of any drawing in progress.
  var anyTask: Task<Void, Never>? { drawings.values.first?.task }
}
