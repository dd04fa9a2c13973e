public import Models
import Persistence

/// What viewers look at comes first; of a lazy record it is all that comes (LZ2).
extension Engine {
  public func look(at range: Range<Int>, of record: RecordID, as viewer: ViewerID) {
    follow(.looked(viewer, record, range))
  }

  public func lookAway(from record: RecordID?, as viewer: ViewerID) {
    follow(.left(viewer, record))
  }

  func follow(_ event: ViewportBook.Event) {
    let action = viewports.handle(event, now: ports.clock.now())
    for (record, range) in action.lower { lower(range, of: record) }
    for (record, range, rank) in action.raise {
      Task { await self.raise(range, of: record, rank == .visible ? .visible : .prefetch) }
    }
    guard let wake = action.wake else { return }
    let clock = ports.clock
    resting?.cancel()
    resting = Task { [weak self] in
      guard (try? await clock.sleep(until: wake)) != nil else { return }
      await self?.rested()
    }
  }

  private func rested() { follow(.tick) }

  private func raise(
    _ range: Range<Int>, of record: RecordID, _ precedence: Precedence
  ) async {
    do {
      let found = try await store.resources(
        of: record, offset: range.lowerBound, limit: range.count)
      // Meanwhile somebody may have looked away.
      for (place, resource) in zip(range, found)
      where viewports.rank(of: place, in: record) > .rest {
        inSight[record, default: [:]][place] = resource.id
      }
      let wanted = found.filter { resource in
        resource.state == .queued && inSight[record]?.values.contains(resource.id) ?? false
      }
      guard !wanted.isEmpty, isStarted else { return }
      for record in Set(wanted.map(\.record)) {
        if let row = try await store.record(record) { track(row) }
      }
      send(.wanted(try await items(wanted, raised: precedence)))
    } catch {
      fail(EngineError.wrapping(error))
    }
  }

  private func lower(_ range: Range<Int>, of record: RecordID) {
    let ids = range.compactMap { inSight[record]?.removeValue(forKey: $0) }
    if inSight[record]?.isEmpty ?? false { inSight[record] = nil }
    if !ids.isEmpty { send(.unwanted(ids)) }
  }
}
