import Models
import ProgressTree
import Testing

@testable import Screens

@Suite("The sum of all records") struct LibrarySumTests {
  private func counts(_ finished: Int, of total: Int) -> ResourceCounts {
    var counts = ResourceCounts()
    counts.finished = finished
    counts.queued = total - finished
    return counts
  }

  private func progress(_ finished: Int, of total: Int, _ fraction: Double) -> LibraryProgress {
    var progress = LibraryProgress()
    progress.total = total
    progress.finished = finished
    progress.fraction = fraction
    return progress
  }

  @Test("counts every record after a restart, of which the engine has touched only some")
  func restart() {
    let sum = LibrarySum(counts(900, of: 1_000), progress(0, of: 100, 0.05))
    #expect((sum.finished, sum.total) == (900, 1_000))
    #expect(abs(sum.fraction - 0.905) < 1e-9)
  }

  @Test("is as new as the snapshot where that knows every record")
  func running() {
    let sum = LibrarySum(counts(10, of: 100), progress(20, of: 100, 0.25))
    #expect((sum.finished, sum.total) == (20, 100))
    #expect(abs(sum.fraction - 0.25) < 1e-9)
    let idle = LibrarySum(counts(7, of: 7), LibraryProgress())
    #expect((idle.finished, idle.total, idle.fraction) == (7, 7, 1))
    #expect(LibrarySum(ResourceCounts(), LibraryProgress()).fraction == 0)
  }

  @Test("and rates stand still when the engine has gone; what is done stays")
  func lost() {
    var facts = LibrarySnapshot()
    facts.active = 3
    facts.hosts = ["http://h: HTTP 429"]
    facts.progress = progress(2, of: 5, 0.5)
    facts.progress.bytesPerSecond = 1_000
    facts.activities = [ResourceID(1): .unzipping]
    facts.stop()
    #expect(!facts.isMoving && !facts.isPausable)
    #expect(facts.hosts.isEmpty && facts.activities.isEmpty)
    #expect((facts.progress.bytesPerSecond, facts.progress.fraction) == (0, 0.5))
  }
}
