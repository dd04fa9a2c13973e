/// The order of `Image Details`.
public struct DetailOrder: Sendable, Hashable {
  public var column = DetailColumn.number
  public var isReversed = false

  public init() {}

  init(column: DetailColumn) { self.column = column }

  public var isNatural: Bool { column == .number && !isReversed }
}

public enum DetailColumn: String, Sendable, CaseIterable {
  case number, name, size, time, rate, host, wait, transfer
}
