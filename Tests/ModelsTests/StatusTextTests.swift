import Models
import Testing

@Suite("The texts of states")
struct StatusTextTests {
  private static let waiting = counts(queued: 1, finished: 1)
  private static let settled = counts(finished: 2)

  private static func counts(queued: Int = 0, finished: Int = 0, failed: Int = 0) -> ResourceCounts
  {
    var counts = ResourceCounts()
    counts.queued = queued
    counts.finished = finished
    counts.failed = failed
    return counts
  }

  @Test(
    "A record says the most urgent thing",
    arguments: [
      (waiting, ActivityCounts(downloading: 1, unzipping: 1, rendering: 1), true, "Paused"),
      (
        waiting, ActivityCounts(downloading: 1, unzipping: 1, rendering: 1), false, "Downloading..."
      ),
      (waiting, ActivityCounts(unzipping: 1, rendering: 1), false, "Unzipping..."),
      (waiting, ActivityCounts(rendering: 1), false, "Rendering..."),
      (waiting, ActivityCounts(), false, "Queuing..."),
      (waiting, ActivityCounts(), true, "Paused"),
      (settled, ActivityCounts(), false, "Finished"),
      (settled, ActivityCounts(), true, "Finished"),
      (settled, ActivityCounts(downloading: 1), false, "Downloading..."),
      (counts(finished: 1, failed: 2), ActivityCounts(), false, "Finished, 2 failed"),
      (counts(failed: 1), ActivityCounts(), true, "Finished, 1 failed"),
      (counts(queued: 1, failed: 1), ActivityCounts(), false, "Queuing..."),
      (counts(), ActivityCounts(), false, "Finished"),
    ])
  func record(counts: ResourceCounts, activity: ActivityCounts, isPaused: Bool, expected: String) {
    #expect(StatusText.record(counts, activity: activity, isPaused: isPaused) == expected)
  }

  @Test(
    "The status of a resource is its activity, or else its state",
    arguments: [
      (.queued, nil, "Queueing"), (.stored, nil, "Rendering"), (.fetched, nil, "Rendering"),
      (.finished, nil, "Finished"), (.failed, nil, "Error"),
      (.queued, .unzipping, "Unzipping"), (.finished, .rendering, "Rendering"),
      (.queued, .downloading(received: 42, expected: 100), "Downloading 42%"),
      (.queued, .downloading(received: 0, expected: 3), "Downloading 0%"),
      (.queued, .downloading(received: 3, expected: 3), "Downloading 99%"),
      (.queued, .downloading(received: 9, expected: 3), "Downloading 99%"),
      (.queued, .downloading(received: -9, expected: 3), "Downloading 0%"),
      (.queued, .downloading(received: .max, expected: 1), "Downloading 99%"),
      (.queued, .downloading(received: .min, expected: 1), "Downloading 0%"),
      (.queued, .downloading(received: 1_234_567, expected: nil), "Downloading 1.2 MB"),
      (.queued, .downloading(received: 7, expected: 0), "Downloading 7 B"),
      (.queued, .downloading(received: 7, expected: -1), "Downloading 7 B"),
    ] as [(ResourceState, ResourceActivity?, String)])
  func resource(state: ResourceState, activity: ResourceActivity?, expected: String) {
    #expect(StatusText.resource(state, activity: activity) == expected)
  }

  @Test("A text promises work only where an engine will do it")
  func promises() {
    func text(_ isPaused: Bool, _ isOnDemand: Bool, _ isRunning: Bool) -> [String] {
      [
        StatusText.record(
          Self.waiting, activity: ActivityCounts(), isPaused: isPaused, isOnDemand: isOnDemand,
          isRunning: isRunning),
        StatusText.resource(
          .queued, activity: nil, isPaused: isPaused, isOnDemand: isOnDemand, isRunning: isRunning),
      ]
    }
    #expect(text(false, false, true) == ["Queuing...", "Queueing"])
    #expect(text(false, false, false) == ["Stopped", "Stopped"])
    for isRunning in [true, false] {
      #expect(text(false, true, isRunning) == ["On demand", "On demand"])
      #expect(text(true, true, isRunning) == ["Paused", "Paused"])
      #expect(text(true, false, isRunning) == ["Paused", "Paused"])
    }
    #expect(
      StatusText.record(
        Self.waiting, activity: ActivityCounts(downloading: 1), isPaused: false, isOnDemand: true)
        == "Downloading...")
    #expect(StatusText.resource(.fetched, activity: nil, isRunning: false) == "Stopped")
  }

  @Test("What the user has named of a lazy record does not wait for a viewer")
  func named() {
    var record = Record(
      id: RecordID(1), source: SourceID(1), title: "t", folder: "t", isLazy: true)
    var resource = Resource(id: ResourceID(1), record: record.id, index: 1, url: "http://h/1")
    #expect(record.isOnDemand && resource.isOnDemand(in: record))
    record.counts.named = 1
    #expect(!record.isOnDemand && resource.isOnDemand(in: record))
    resource.isNamed = true
    #expect(!resource.isOnDemand(in: record))
    #expect(!Record(id: RecordID(1), source: SourceID(1), title: "t", folder: "t").isOnDemand)
  }

  @Test(
    "What a client with a queue of its own has not started is paused, and does not wait for a viewer"
  )
  func queuedByClient() {
    for isRunning in [true, false] {
      #expect(
        StatusText.record(
          Self.waiting, activity: ActivityCounts(), isPaused: false, isOnDemand: true,
          isQueuedByClient: true, isRunning: isRunning) == "Paused")
      #expect(
        StatusText.resource(
          .queued, activity: nil, isOnDemand: true, isQueuedByClient: true, isRunning: isRunning)
          == "Paused")
    }
    #expect(
      StatusText.record(
        Self.waiting, activity: ActivityCounts(downloading: 1), isPaused: false, isOnDemand: true,
        isQueuedByClient: true) == "Downloading...")
  }

  @Test("A cancelled resource has not failed, and a failed one is not finished")
  func cancelled() {
    let counts = Self.counts(finished: 7, failed: 5)
    func text(_ cancelled: Int) -> [String] {
      [
        StatusText.record(
          counts, activity: ActivityCounts(), isPaused: false, cancelled: cancelled),
        StatusText.done(counts, cancelled: cancelled),
      ]
    }
    #expect(text(0) == ["Finished, 5 failed", "7/12, 5 failed"])
    #expect(text(2) == ["Finished, 3 failed, 2 cancelled", "7/12, 3 failed, 2 cancelled"])
    #expect(text(5) == ["Finished, 5 cancelled", "7/12, 5 cancelled"])
    #expect(StatusText.done(Self.counts(finished: 7)) == "7/7")
    var resource = Resource(
      id: ResourceID(1), record: RecordID(1), index: 1, url: "http://h/a", state: .failed)
    #expect(StatusText.resource(resource, activity: nil) == "Error")
    resource.reason = Resource.cancelledReason
    #expect(StatusText.resource(resource, activity: nil) == "Cancelled")
  }

  @Test(
    "Bytes are written for people",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_049, "1.0 kB"), (1_050, "1.1 kB"),
      (999_949, "999.9 kB"), (999_950, "1.0 MB"), (1_250_000, "1.3 MB"),
      (999_949_999, "999.9 MB"), (999_950_000, "1.0 GB"), (1_000_000_000_000, "1.0 TB"),
      (.max, "9223372.0 TB"), (-1, "-1 B"), (.min, "-9223372036854775808 B"),
    ] as [(Int64, String)])
  func bytes(count: Int64, expected: String) {
    #expect(ByteText.short(count) == expected)
  }

  @Test("Counts add up by state")
  func counting() {
    var sum = Self.counts(queued: 1, finished: 2, failed: 3)
    sum.bytes = 10
    for state in ResourceState.allCases { sum[state] += 1 }
    #expect(sum.total == 11 && sum.settled == 7)
    sum += sum
    #expect(sum.queued == 4 && sum.stored == 2 && sum.fetched == 2 && sum.bytes == 20)
    #expect(ResourceState.allCases.filter(\.isSettled) == [.finished, .failed])
  }
}
