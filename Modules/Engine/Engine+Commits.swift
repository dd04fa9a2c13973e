import Models
import Persistence
import ProgressTree

/// What happens around the committer: on the way in and after a batch is durable.
extension Engine {
  func commit(_ work: Committer.Work) async {
    if committer == nil {
      committer = Committer(
        layout: layout, store: store, disk: disk, durability: settings.durability
      ) { [weak self] batch, error in await self?.committed(batch, error) }
    }
    uncommitted += 1
    await committer?.add(work)
  }

  private func committed(_ batch: [Committer.Work], _ error: EngineError?) async {
    uncommitted -= batch.count
    if let error { fail(error) }
    for work in batch where error == nil {
      switch work {
      case .arrival(let arrival): arrived(arrival)
      case .change(let change): changed(change)
      }
    }
    if uncommitted <= Self.uncommittedLimit, !heldSlots.isEmpty {
      let slots = heldSlots
      heldSlots = []
      for slot in slots { send(.ended(slot.0, host: slot.host)) }
    }
    await pumpPages()
    noteIfIdle()
  }

  private func arrived(_ arrival: Committer.Arrival) {
    let resource = arrival.resource
    switch arrival.followUp {
    case .fetched:
      ports.progress.stage(resource.id, .rendering)
      pageStage.add(resource, file: arrival.file)
    default: settled(resource.id, record: resource.record, failure: nil, url: resource.url)
    }
  }

  private func changed(_ change: ResourceChange) {
    switch change {
    case .finished, .failed: break
    default: return
    }
    let resource: Resource
    if let work = pageStage.committed(change.id) {
      resource = work.resource
    } else if let failed = givenUp.removeValue(forKey: change.id) {
      resource = failed
    } else {
      return
    }
    switch change {
    case .failed(_, let reason, _):
      settled(resource.id, record: resource.record, failure: reason, url: resource.url)
    default: settled(resource.id, record: resource.record, failure: nil, url: resource.url)
    }
  }

  private func settled(_ id: ResourceID, record: RecordID, failure: String?, url: String) {
    ports.progress.settle(id, failed: failure != nil)
    if let failure {
      events.emit(.failed(id, record: record, url: url, reason: failure))
    } else {
      events.emit(.finished(id, record: record))
    }
  }
}
