public import Models

/// A record as the list of records needs it.
public struct RecordItem: Sendable, Equatable {
  public var record: Record
  /// Its resources are the slices of a series.
  public var isSeries: Bool
  /// There are pages of its source that were not read yet (RM8).
  public var hasMore: Bool

  public init(record: Record, isSeries: Bool = false, hasMore: Bool = false) {
    self.record = record
    self.isSeries = isSeries
    self.hasMore = hasMore
  }

  public var id: RecordID { record.id }
}
