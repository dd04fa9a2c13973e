import LibraryAPI
import Models

/// The callers that wait for single resources. Part of the engine's isolation.
struct Waiters {
  typealias Continuation = CheckedContinuation<Void, any Error>

  private struct Waiter {
    let number: UInt64
    let continuation: Continuation
  }

  private var waiting = KeyTable<ResourceID, [Waiter]>()
  private var last: UInt64 = 0

  mutating func newNumber() -> UInt64 {
    last += 1
    return last
  }

  var isEmpty: Bool { waiting.isEmpty }
  var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

  func isWaited(for id: ResourceID) -> Bool { waiting.contains(id) }

  mutating func add(_ number: UInt64, for id: ResourceID, _ continuation: Continuation) {
    waiting[id, default: []].append(Waiter(number: number, continuation: continuation))
  }

  /// Removes a waiting caller and resumes it with `CancellationError`.
  /// - Returns: Whether the resource has lost its last caller.
  mutating func cancel(_ number: UInt64, _ id: ResourceID) -> Bool {
    guard var list = waiting[id], let index = list.firstIndex(where: { $0.number == number })
    else { return false }
    list.remove(at: index).continuation.resume(throwing: CancellationError())
    waiting[id] = list.isEmpty ? nil : list
    return list.isEmpty
  }

  mutating func resume(_ id: ResourceID, with result: Result<Void, any Error>) {
    for waiter in waiting.removeValue(forKey: id) ?? [] { waiter.continuation.resume(with: result) }
  }

  mutating func failAll(_ error: LibraryError) {
    let all = waiting.values.flatMap { $0 }
    waiting = KeyTable()
    for waiter in all { waiter.continuation.resume(throwing: error) }
  }
}
