import LibraryAPI
import Models
import Persistence
import SystemCalls
import Transport

/// Creates the scheduler's items for resources, with the answers and partial files that the store holds for
/// their requests. Has no state of its own.
final class ItemLookup: Stage {
  /// - Parameters:
  ///   - base: The precedence of the resources' records; nil to use the priority of each record.
  ///   - raised: The precedence given by viewers or callers; nil if no viewer or caller wants the
  ///     resources.
  func schedulerItems(
    _ resources: [Resource], base: Precedence? = nil, raised: Precedence? = nil
  ) throws(StoreError) -> [Scheduler.Item] {
    try catalog.loadRecords(of: resources)
    var origins = KeyTable<RecordID, Origin>()
    for id in resources.records {
      origins[id] = Origin(
        isPublic: catalog.forbidsPrivateAddresses(id), scope: catalog.scope(of: id),
        identity: catalog.identity(of: records[id]?.source),
        isOnDemand: raised != nil && records[id]?.isLazy ?? false,
        newestResourceAtAdd: records.newestResourceAtAdd[id])
    }
    var items = items(resources, origins, raised)
    let answers = try store.answers(to: items.map(\.request))
    for index in items.indices {
      // The base precedence is the given one, or that of the resource's record.
      items[index].subscriber.base =
        base ?? Precedence(records[items[index].subscriber.resource.record]?.priority ?? .normal)
    }
    if answers.isEmpty, partialFiles.isEmpty { return items }
    let now = ports.wallClock.unixSeconds()
    for index in items.indices {
      let request = items[index].request
      if let existing = answers[request], existing.resource != items[index].subscriber.resource.id {
        let freshUntil = existing.file.answer?.freshUntil ?? 0
        items[index].existing = Job.ExistingAnswer(file: existing, isFresh: freshUntil > now)
      }
      if partialFiles.mayHaveRow(request) {
        items[index].mayHaveRow = true
        items[index].partial =
          if let known = partialFiles[request] { known } else {
            try store.partial(of: request)
          }
      }
    }
    return items
  }

  /// The properties that resources inherit from their record.
  private struct Origin: Sendable {
    let isPublic: Bool
    let scope: CredentialScope
    let identity: String
    let isOnDemand: Bool
    let newestResourceAtAdd: ResourceID?
  }

  private func items(
    _ resources: [Resource], _ origins: KeyTable<RecordID, Origin>, _ raised: Precedence?
  ) -> [Scheduler.Item] {
    var naming = RequestNaming(context.downloads.defaults.user, .none)
    return resources.compactMap { resource in
      guard let origin = origins[resource.record] else { return nil }
      naming.scope = origin.scope
      naming.identity =
        standalone.contains(resource) ? catalog.identity(of: resource) : origin.identity
      let name = naming.name(resource.url, resource.fields, isPublic: origin.isPublic)
      let subscriber = Job.Subscriber(
        resource: resource, raised: raised, isOnDemand: origin.isOnDemand,
        newestResourceAtAdd: origin.newestResourceAtAdd)
      return Scheduler.Item(
        subscriber: subscriber, request: name.request, host: name.host, location: name.location)
    }
  }
}
