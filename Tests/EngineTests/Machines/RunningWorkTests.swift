import Synchronization
import Testing
import Transport

@testable import Engine

@Suite struct RunningWorkTests {
  private final class Work: Cancellable {
    private let count = Atomic(0)
    var cancelCount: Int { count.load(ordering: .relaxed) }
    func cancel() { count.add(1, ordering: .relaxed) }
  }

  @Test("A cancellation reaches the work that was begun last, and all work that begins later")
  func cancels() {
    let running = RunningWork()
    let (first, second, third) = (Work(), Work(), Work())
    running.start { first }
    running.start { second }
    let before = running.isCancelled
    running.cancel()
    let after = running.isCancelled
    #expect(!before && after)
    #expect([first, second].map(\.cancelCount) == [0, 1])
    running.start { third }
    #expect(third.cancelCount == 1)
  }

  @Test("Work that ends and is followed by other work before it is recorded does not replace it")
  func endsAtOnce() {
    let running = RunningWork()
    let (first, second) = (Work(), Work())
    running.start {
      running.start { second }
      return first
    }
    running.cancel()
    #expect([first, second].map(\.cancelCount) == [0, 1])
  }
}
