public import Models

/// A record as the list of records needs it.
public struct RecordItem: Sendable, Equatable {
  public var record: Record
  /// Its number in the library, from 1, by which every program calls it.
  public var number: Int
  /// Its resources are the slices of a series.
  public var isSeries: Bool
  /// The next page of its source that was not read yet (RM8).
  public var nextPage: String?
  /// Where its source is: a host, or the folder of a file. Tells records with one title apart.
  public var origin: String
  /// How many of the resources that count as failed the user has cancelled.
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

  /// Counts and pauses of the record change with its row.
  /// - Parameter rows: any that were read; the one of this record need not be among them.
  mutating func update(from rows: [RecordItem]) {
    if let new = rows.first(where: { $0.id == id }) { self = new }
  }
}
