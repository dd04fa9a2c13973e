import LibraryAPI
public import Models
public import Persistence

/// Writes the rows of a record, read a page at a time, so that the memory use does not depend on their
/// number.
public struct RecordExport: Sendable {
  private let store: any LibraryReader

  private static let pageSize = 1_000

  public init(store: any LibraryReader) { self.store = store }

  /// Writes all rows of a record.
  /// - Parameters:
  ///   - isRaw: Whether texts in CSV that a spreadsheet would run as formulas are left unchanged.
  ///   - hasHeader: Whether a table in CSV begins with the names of its columns.
  ///   - write: Receives whole lines, in the order of the record.
  /// - Throws: `.noSuchRecord`, the errors of the store, `CancellationError`, and the errors of `write`.
  public func export(
    _ id: RecordID, as format: ExportFormat, isRaw: Bool = false,
    hasHeader: Bool = true, write: (String) async throws -> Void
  ) async throws {
    guard let record = try await store.record(id) else {
      throw LibraryError(.noSuchRecord, "there is no record \(id)")
    }
    if format == .csv, hasHeader { try await write(ExportRow.header) }
    var offset = 0
    while case let page = try await store.resources(
      of: id, offset: offset, limit: Self.pageSize), !page.isEmpty
    {
      try Task.checkCancellation()
      offset += page.count
      try await write(
        page.reduce(into: "") { Self.append($1, of: record, as: format, isRaw, to: &$0) })
    }
  }

  private static func append(
    _ resource: Resource, of record: Record, as format: ExportFormat, _ isRaw: Bool,
    to output: inout String
  ) {
    switch format {
    case .csv: ExportRow(resource, in: record).appendCSV(to: &output, isRaw: isRaw)
    case .jsonl: ExportRow(resource, in: record).appendJSON(to: &output)
    case .aria2: output += Aria2Item(resource, in: record).text
    }
  }
}
