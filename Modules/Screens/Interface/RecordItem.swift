public import Models

/// The content of a row in the list of records.
public struct RecordItem: Sendable, Equatable {
  public var record: Record
  /// The number of the record in the library, from 1. All programs use it to name the record.
  public var number: Int
  /// Whether the resources are the slices of a series.
  public var isSeries: Bool
  /// The next page of the source that has not been loaded yet (RM8); nil if there is none.
  public var nextPage: String?
  /// The location of the source (a host, or a file's folder), which distinguishes records of the same title.
  public var origin: String
  /// The number of resources that the user has cancelled; the record's failed count includes them.
  public var cancelled: Int

  public init(
    record: Record, number: Int, isSeries: Bool = false, nextPage: String? = nil,
    origin: String = "", cancelled: Int = 0
  ) {
    self.record = record
    self.number = number
    self.isSeries = isSeries
    self.nextPage = nextPage
    self.origin = origin
    self.cancelled = cancelled
  }

  public var id: RecordID { record.id }
  public var hasMore: Bool { nextPage != nil }

  /// Replaces the item by the row of the same record, if `rows` contains one.
  /// - Parameter rows: Rows of any records, newer than the item.
  mutating func update(from rows: [RecordItem]) {
    if let new = rows.first(where: { $0.id == id }) { self = new }
  }
}
