import Composition
import LibraryAPI
import Models
import Persistence
import Rendering
import Screens
import Terminal

/// Reads from the store the rows that the screens show, a window at a time.
extension LibrarySession {
  func handle(_ effect: Effect) async {
    if case .unlock(let request) = effect { return await unlock(request) }
    do {
      let connection = try await connected()
      let store = connection.store
      switch effect {
      case .loadRecords(let range, let ids): try await loadRecords(range, ids, store)
      case .sortRecords(let arrangement):
        let (ids, numbers) = try await RowSorter.sortedRecords(arrangement, store)
        sortedRecords = (ids, numbers)
        inbox.post(.recordsSorted(arrangement, ids))
      case .loadResources(let record, let range, let ids):
        try await loadResources(record, range, ids, store)
      case .sortResources(let record, let order):
        let ids = try await RowSorter.sortedResources(of: record, order, store)
        inbox.post(.resourcesSorted(record, order, ids))
      case .loadPages(let id):
        let isRemote = try await store.resource(id)?.hasRemotePages ?? false
        inbox.post(
          .pages(
            id,
            isRemote
              ? try await connection.service.remotePages(of: id) : try await store.pages(of: id)))
      case .loadSlices(let record): try await loadSlices(record, store)
      case .setVisibleRange(let record, let range):
        await connection.service.setVisibleRange(range, of: record, for: viewer)
      case .clearVisibleRange(let record):
        await connection.service.clearVisibleRange(of: record, for: viewer)
      case .perform(let verb): await perform(verb)
      case .remember(let record, let index):
        readingPositions.setPosition(index, of: record, in: path)
      case .recall(let record):
        if let index = readingPositions.position(of: record, in: path) {
          inbox.post(.remembered(record, index))
        }
      case .unlock, .decode, .releaseMemory, .redraw, .suspend, .quit: break
      }
    } catch {
      inbox.post(.failed(Self.message(error)))
    }
  }

  private func loadRecords(
    _ range: Range<Int>, _ ids: [RecordID]?, _ store: any LibraryReader
  ) async throws {
    var records: [Record] = []
    if let ids {
      for id in ids { if let record = try await store.record(id) { records.append(record) } }
    } else {
      records = try await store.records(offset: range.lowerBound, limit: range.count)
    }
    var items: [RecordItem] = []
    for (place, record) in records.enumerated() {
      let source = try await source(of: record, store)
      // Further pages of a source continue its first record.
      var nextPage = source?.state.nextPage
      if nextPage != nil, try await store.firstRecord(of: record.source) != record.id {
        nextPage = nil
      }
      let cancelled =
        record.counts.failed > 0
        ? try await store.failedCount(of: record.id, reason: Resource.cancelledReason) : 0
      items.append(
        RecordItem(
          record: record,
          number: number(of: record.id, at: range.lowerBound + place, isArranged: ids != nil),
          isSeries: source?.state.isSeries ?? false, nextPage: nextPage,
          origin: source?.origin ?? "", cancelled: cancelled))
    }
    let count = try await store.recordCount()
    inbox.post(.records(range, items, count: count, isArranged: ids != nil))
  }

  /// Returns the number of a record, which is its position in the store's order, from 1. In a sorted list the
  /// number is looked up at `place` and at the next position, because the removal of a record shifts the rows
  /// after it.
  private func number(of id: RecordID, at place: Int, isArranged: Bool) -> Int {
    guard isArranged else { return place + 1 }
    let nearby = [place, place + 1].first {
      sortedRecords.ids.indices.contains($0) && sortedRecords.ids[$0] == id
    }
    return nearby.map { Int(sortedRecords.numbers[$0]) } ?? place + 1
  }

  private func source(of record: Record, _ store: any LibraryReader) async throws -> SourceRow? {
    if let known = sources[record.source] { return known }
    let row = try await store.source(record.source)
    if sources.count > 10_000 { sources = [:] }
    sources[record.source] = row
    return row
  }

  private func loadResources(
    _ record: RecordID, _ range: Range<Int>, _ ids: [ResourceID]?, _ store: any LibraryReader
  ) async throws {
    guard let row = try await store.record(record) else { return }
    var resources: [Resource] = []
    if let ids {
      for id in ids {
        if let resource = try await store.resource(id) { resources.append(resource) }
      }
    } else {
      resources = try await store.resources(
        of: record, offset: range.lowerBound, limit: range.count)
    }
    inbox.post(.resources(record, range, resources, count: row.counts.total))
    let found = resources.map(\.id)
    let pages = try await store.read { rows throws(StoreError) in try rows.firstPages(of: found) }
    let placeholders = pages.compactMapValues { $0.thumbHash.flatMap(Image.init(placeholder:)) }
    if !placeholders.isEmpty { inbox.post(.placeholders(placeholders)) }
  }

  /// Reads the slices of a record. Requests that arrive during a read are answered by one further read.
  private func loadSlices(_ record: RecordID, _ store: any LibraryReader) async throws {
    guard slicesBeingRead[record] == nil else {
      slicesBeingRead[record] = true
      return
    }
    slicesBeingRead[record] = false
    repeat {
      slicesBeingRead[record] = false
      var slices: [Slice] = []
      while slices.count < Slice.limit,
        case let page = try await store.resources(of: record, offset: slices.count, limit: 1_000),
        !page.isEmpty
      {
        slices += page.map { Slice($0) }
      }
      inbox.post(.slices(record, slices))
    } while slicesBeingRead[record] == true
    slicesBeingRead[record] = nil
  }
}
