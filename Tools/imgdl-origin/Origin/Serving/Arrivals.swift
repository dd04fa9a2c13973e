import Synchronization

/// A list that grows on server threads and that tests can wait for.
final class Arrivals<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<[Element], Never>)] = []
  }

  private let state = Mutex(State())

  var all: [Element] { state.withLock { $0.elements } }

  func append(_ element: Element) {
    let (elements, ready) = state.withLock { state in
      state.elements.append(element)
      let count = state.elements.count
      let ready = state.waiting.filter { $0.count <= count }
      state.waiting.removeAll { $0.count <= count }
      return (ready.isEmpty ? [] : state.elements, ready)
    }
    for waiter in ready { waiter.continuation.resume(returning: elements) }
  }

  /// All elements, once there are `count` or more.
  func wait(count: Int) async -> [Element] {
    await withCheckedContinuation { continuation in
      let elements: [Element]? = state.withLock { state in
        if state.elements.count >= count { return state.elements }
        state.waiting.append((count, continuation))
        return nil
      }
      if let elements { continuation.resume(returning: elements) }
    }
  }
}
