import Models
import Persistence
import Screens

/// Sorts rows in orders that the store does not support. All rows are read once, `page` at a time.
enum RowSorter {
  private static let page = 1_000

  /// - Returns: The records in the requested order, and the position of each in the store's own order, from
  ///   1.
  static func sortedRecords(
    _ arrangement: RecordArrangement, _ store: any LibraryReader
  ) async throws -> (ids: [RecordID], numbers: [UInt32]) {
    var found: [(id: RecordID, number: UInt32, title: String, size: Double)] = []
    var offset = 0
    let filter = arrangement.filter.lowercased()
    while case let records = try await store.records(offset: offset, limit: page),
      !records.isEmpty
    {
      for (place, record) in records.enumerated() {
        let title = record.title.lowercased()
        guard filter.isEmpty || title.contains(filter) else { continue }
        let number = UInt32(clamping: offset + place + 1)
        found.append((record.id, number, title, size(record, arrangement.order)))
      }
      offset += records.count
    }
    switch arrangement.order {
    case .added: break
    case .title: found.sort { ($0.title, $0.id) < ($1.title, $1.id) }
    case .size, .state: found.sort { ($0.size, $0.id) < ($1.size, $1.id) }
    }
    if arrangement.isReversed { found.reverse() }
    return (found.map(\.id), found.map(\.number))
  }

  /// Returns the sort key of a record. By size, records with the most resources come first. By state, records
  /// with the most unfinished resources come first, and among equals, records with failures.
  private static func size(_ record: Record, _ order: RecordArrangement.Order) -> Double {
    let counts = record.counts
    return order == .size
      ? -Double(counts.total)
      : -Double(counts.total - counts.settled) - (counts.failed > 0 ? 0.5 : 0)
  }

  static func sortedResources(
    of record: RecordID, _ order: DetailOrder, _ store: any LibraryReader
  ) async throws -> [ResourceID] {
    var texts: [(id: ResourceID, key: String)] = []
    var numbers: [(id: ResourceID, key: Double)] = []
    var offset = 0
    let isText = DetailValue.isText(order.column)
    while case let rows = try await store.resources(of: record, offset: offset, limit: page),
      !rows.isEmpty
    {
      offset += rows.count
      for row in rows {
        if isText {
          texts.append((row.id, DetailValue.text(order.column, row).lowercased()))
        } else {
          numbers.append((row.id, DetailValue.number(order.column, row) ?? .infinity))
        }
      }
    }
    texts.sort { ($0.key, $0.id) < ($1.key, $1.id) }
    numbers.sort { ($0.key, $0.id) < ($1.key, $1.id) }
    let ids = isText ? texts.map(\.id) : numbers.map(\.id)
    return order.isReversed ? ids.reversed() : ids
  }
}
