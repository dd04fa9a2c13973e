/// The filter and the order of the list of records.
public struct RecordArrangement: Sendable, Hashable {
  public enum Order: String, Sendable, CaseIterable {
    case added, title, size, state

    /// The name of the order on the screen.
    var text: String {
      switch self {
      case .added: "time of addition"
      case .title: "title"
      case .size: "size"
      case .state: "unfinished resources"
      }
    }
  }

  /// A case-insensitive part of the title; empty for all records.
  public var filter = ""
  public var order = Order.added
  public var isReversed = false

  public init() {}

  /// Whether the list has the store's own order and no filter.
  public var isNatural: Bool { filter.isEmpty && order == .added && !isReversed }
}
