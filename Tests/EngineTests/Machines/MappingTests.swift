import Synchronization
import TestSupport
import Testing

@testable import Engine

@Suite(.timeLimit(.minutes(60))) struct MappingTests {
  private struct Failure: Error {}

  @Test("Results come in the order of the elements, not more at once than allowed")
  func ordered() async throws {
    let atWork = Atomic<Int>(0)
    let most = Atomic<Int>(0)
    let results = try await Array(0..<200).mapped(width: 3) { index, element in
      let now = atWork.wrappingAdd(1, ordering: .relaxed).newValue
      most.max(now, ordering: .relaxed)
      for _ in 0..<(element % 7) { await Task.yield() }
      atWork.wrappingSubtract(1, ordering: .relaxed)
      return index * 10 + element
    }
    #expect(results == (0..<200).map { $0 * 11 })
    #expect((1...3).contains(most.load(ordering: .relaxed)))
  }

  @Test("An error ends it, after all that had begun have ended")
  func failing() async {
    let atWork = Atomic<Int>(0)
    await #expect(throws: Failure.self) {
      _ = try await Array(0..<50).mapped(width: 4) { index, _ in
        atWork.wrappingAdd(1, ordering: .relaxed)
        defer { atWork.wrappingSubtract(1, ordering: .relaxed) }
        await Task.yield()
        if index == 7 { throw Failure() }
      }
    }
    #expect(atWork.load(ordering: .relaxed) == 0)
  }
}
