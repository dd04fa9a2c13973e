import HTTP1
import LibraryAPI
import Models
import Persistence
import Synchronization
import SystemCalls

/// The views of a server's clients.
final class Views: Sendable {
  static let countLimit = 64
  /// The maximum number of ids in all views, of 8 bytes each.
  static let resourceLimit = 8_000_000

  private let table = Mutex(RecentTable<ResourceView>(count: countLimit, weight: resourceLimit))
  private let clock: any MonotonicClock
  private let random: any RandomSource

  init(clock: any MonotonicClock, random: any RandomSource = SystemRandomSource()) {
    self.clock = clock
    self.random = random
  }

  /// - Parameter event: The number of the last event, if the resources are all those of the record in its own order.
  func insert(
    _ resources: [ResourceID], of record: RecordID, completeAt event: UInt64?
  ) -> ResourceView {
    let view = ResourceView(
      id: random.next(), record: record, resources: resources, completeAt: event)
    table.withLock {
      _ = $0.insert(view, id: view.id, weight: resources.count, now: clock.now())
    }
    return view
  }

  /// Returns all resources of a record in its own order, if a view of them was created after the last event.
  func resources(of record: RecordID, completeAt event: UInt64) -> [ResourceID]? {
    table.withLock {
      $0.first(now: clock.now()) { $0.record == record && $0.completeAt == event }?.resources
    }
  }

  func view(_ id: UInt64) -> ResourceView? { table.withLock { $0.value(id, now: clock.now()) } }

  func remove(_ id: UInt64) { table.withLock { _ = $0.remove(id) } }
}

extension Router {
  /// Returns the routes for views: selections of a record's resources whose order does not change during
  /// scrolling.
  static func views(
    _ views: Views, _ reading: LibraryReading, _ service: any LibraryService
  ) -> [Route] {
    [
      Route("POST", "/v1/records/{record}/views") { call in
        let message =
          call.request.body.isEmpty
          ? ViewRequestMessage() : try call.message(ViewRequestMessage.self)
        let tileCount = try message.tileCount(limit: tileLimit)
        let store = try await reading.store()
        let record = try await call.row(in: store)
        let status = try await service.status()
        let selection = try message.selection()
        let event = selection == ResourceSelection() ? status.seq : nil
        let known = event.flatMap { views.resources(of: record.id, completeAt: $0) }
        let resources =
          if let known { known } else { try await store.resourceIDs(of: record.id, selection) }
        let view = views.insert(resources, of: record.id, completeAt: event)
        var answer = ViewMessage(
          view: HexadecimalID.text(view.id), record: record.id.rawValue,
          total: view.resources.count, seq: status.seq ?? 0)
        if tileCount > 0 {
          answer.tiles = try await tiles(view, from: 0, count: tileCount, store, status)
        }
        return try .json(answer)
      },
      Route("GET", "/v1/views/{view}/tiles", query: ["from", "count"]) { call in
        let view = try call.view(in: views)
        let (from, count) = try call.window(limit: tileLimit)
        return try .json(
          try await tiles(
            view, from: from, count: count, try await reading.store(), try await service.status()))
      },
      Route("GET", "/v1/views/{view}/resources", query: ["from", "count"]) { call in
        let view = try call.view(in: views)
        let (from, count) = try call.window(limit: tileLimit)
        let store = try await reading.store()
        let ids = view.resources(from: from, count: count)
        let (record, resources) = try await store.read { rows throws(StoreError) in
          (try rows.record(view.record), try rows.resources(ids))
        }
        let state = Activities(try await service.status())
        return try .json(
          ListMessage(items: resources.map { state.message($0, in: record) }, next: nil))
      },
      Route("POST", "/v1/views/{view}/retry") { call in
        let view = try call.view(in: views)
        return try .count(try await service.retry(view.resources, of: view.record))
      },
      Route("POST", "/v1/views/{view}/reload") { call in
        let view = try call.view(in: views)
        return try .count(try await service.reload(view.resources, of: view.record))
      },
      Route("DELETE", "/v1/views/{view}") { call in
        views.remove(try call.view(in: views).id)
        return .whole(.nothing)
      },
    ]
  }

  /// Returns a part of a view as tiles.
  private static func tiles(
    _ view: ResourceView, from: Int, count: Int, _ store: any LibraryReader, _ status: LibraryStatus
  ) async throws -> TilesMessage {
    let ids = view.resources(from: from, count: count)
    let (record, resources, pages) = try await store.read { rows throws(StoreError) in
      (try rows.record(view.record), try rows.resources(ids), try rows.firstPages(of: ids))
    }
    let state = Activities(status)
    let found = Dictionary(resources.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var message = TilesMessage(from: from, total: view.resources.count)
    for id in ids {
      let resource = found[id]
      message.append(
        id, resource, pages[id], dimensions: state.dimensions(of: id),
        status: resource.map { state.message($0, in: record).status })
    }
    return message
  }

  /// The maximum number of tiles in a response.
  static let tileLimit = 1_024
}

extension Call {
  fileprivate func view(in views: Views) throws(ControlError) -> ResourceView {
    guard let id = HexadecimalID.parse(parameters["view"] ?? "") else {
      throw ControlError(.badRequest, "the view in the path is not 16 hexadecimal digits")
    }
    guard let view = views.view(id) else {
      throw ControlError(.cursorGone, "the view is no longer kept; make it again")
    }
    return view
  }

  /// Returns the range that the query names: `?from=` is an index from 0, `&count=` a number from 1 to
  /// `limit`.
  fileprivate func window(limit: Int) throws(ControlError) -> (from: Int, count: Int) {
    func number(_ name: String, _ missing: Int, _ range: ClosedRange<Int>) throws(ControlError)
      -> Int
    {
      guard let text = request.target[name] else { return missing }
      guard let number = Int(oneSpelling: text), range.contains(number) else {
        throw ControlError(
          .badRequest,
          "\"\(name)\" is not a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    return (
      try number("from", 0, 0...Int(Int32.max)), try number("count", min(512, limit), 1...limit)
    )
  }
}
