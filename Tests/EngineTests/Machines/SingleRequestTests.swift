import Models
import Persistence
import Testing

@testable import Engine

/// Requests without a job in the scheduler.
@Suite struct SingleRequestTests {
  private typealias ID = SingleRequests.ID

  private func item(_ number: Int, host: HostName = "h") -> Scheduler.Item {
    let resource = Resource(
      id: ResourceID(Int64(number)), record: RecordID(1), index: number,
      url: "http://\(host.text)/\(number)", state: .queued)
    return Scheduler.Item(
      subscriber: Job.Subscriber(resource: resource),
      request: RequestKey(high: UInt64(number), low: 0), host: host,
      location: ResourceLocation(resource.url))
  }

  @Test("A single request uses the slots of its host and of all hosts")
  func limits() {
    var scheduler = Scheduler(limit: 3, hostLimit: 2)
    for number in 1...3 {
      let action = scheduler.handle(.requestWanted(ID(UInt64(number)), "h"), now: 0)
      #expect(action.startRequests == (number < 3 ? [ID(UInt64(number))] : []))
    }
    #expect(scheduler.handle(.requestWanted(ID(4), "i"), now: 0).startRequests == [ID(4)])
    #expect(scheduler.handle(.requestWanted(ID(5), "j"), now: 0).startRequests == [])
    #expect(scheduler.usedSlots == 3)
    #expect(scheduler.handle(.requestEnded(ID(4)), now: 0).startRequests == [ID(5)])
    #expect(scheduler.handle(.requestEnded(ID(1)), now: 0).startRequests == [ID(3)])
    for number in [2, 3, 5] { _ = scheduler.handle(.requestEnded(ID(UInt64(number))), now: 0) }
    #expect(scheduler.usedSlots == 0)
    // Ending a request twice changes nothing.
    _ = scheduler.handle(.requestEnded(ID(2)), now: 0)
    #expect(scheduler.usedSlots == 0)
  }

  @Test("A request precedes the jobs of its host, and a job gets the slot that it leaves")
  func precedence() {
    var scheduler = Scheduler(limit: 8, hostLimit: 1)
    #expect(scheduler.handle(.wanted([item(1), item(2)]), now: 0).start.count == 1)
    #expect(scheduler.handle(.requestWanted(ID(1), "h"), now: 0).startRequests == [])
    let ended = scheduler.handle(.ended(item(1).request), now: 0)
    #expect(ended.startRequests == [ID(1)] && ended.start.isEmpty)
    let left = scheduler.handle(.requestEnded(ID(1)), now: 0)
    #expect(left.start.map(\.request) == [item(2).request])
  }

  @Test("A pause does not hold a request back; a request that is not wanted any more never starts")
  func pauseAndCancel() {
    var scheduler = Scheduler(limit: 8, hostLimit: 1, isPaused: true)
    #expect(scheduler.handle(.requestWanted(ID(1), "h"), now: 0).startRequests == [ID(1)])
    #expect(scheduler.handle(.requestWanted(ID(2), "h"), now: 0).startRequests == [])
    _ = scheduler.handle(.requestEnded(ID(2)), now: 0)
    #expect(scheduler.handle(.requestEnded(ID(1)), now: 0).startRequests == [])
    #expect(scheduler.usedSlots == 0)
  }

  @Test("A request waits for the end of a backoff, and is refused by an unreachable host")
  func backoff() throws {
    var scheduler = Scheduler(limit: 8, hostLimit: 4)
    _ = scheduler.handle(.requestWanted(ID(1), "h"), now: 0)
    _ = scheduler.handle(
      .host("h", .throttled(startedAt: 0, retryAfter: 5, reason: "HTTP 429", chance: 1)), now: 1)
    _ = scheduler.handle(.requestEnded(ID(1)), now: 1)
    let waits = scheduler.handle(.requestWanted(ID(2), "h"), now: 2)
    #expect(waits.startRequests == [] && waits.wake == 6)
    #expect(scheduler.handle(.tick, now: 6).startRequests == [ID(2)])
    _ = scheduler.handle(.requestEnded(ID(2)), now: 6)
    var now = 10.0
    while !scheduler.isUnreachable("h", at: now), now < 10_000 {
      _ = scheduler.handle(
        .host("h", .refused(startedAt: now, reason: "refused", chance: 1)), now: now)
      if !scheduler.isUnreachable("h", at: now) { now += 100 }
    }
    let refused = scheduler.handle(.requestWanted(ID(3), "h"), now: now)
    #expect(refused.startRequests == [])
    #expect(refused.refuseRequests == [SingleRequests.Refusal(id: ID(3), reason: "refused")])
    #expect(scheduler.usedSlots == 0)
  }

  @Test("A further connection of a large file is withdrawn for a request")
  func segments() {
    var scheduler = Scheduler(limit: 8, hostLimit: 2)
    _ = scheduler.handle(.wanted([item(1)]), now: 0)
    let granted = scheduler.handle(.segmentsWanted(item(1).request, 4), now: 0)
    #expect(granted.startSegments.count == 1)
    let action = scheduler.handle(.requestWanted(ID(1), "h"), now: 0)
    #expect(action.startRequests == [] && action.withdrawSegments == [item(1).request])
    let ended = scheduler.handle(.segmentEnded(item(1).request), now: 0)
    #expect(ended.startRequests == [ID(1)] && ended.startSegments.isEmpty)
    #expect(scheduler.handle(.requestEnded(ID(1)), now: 0).startSegments.count == 1)
  }
}
