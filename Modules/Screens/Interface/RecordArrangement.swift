/// Which records are shown, in which order.
public struct RecordArrangement: Sendable, Hashable {
  public enum Order: String, Sendable, CaseIterable {
    case added, title, size, state

    /// What it is called on the screen.
    var text: String {
      switch self {
      case .added: "time of addition"
      case .title: "title"
      case .size: "size"
      case .state: "what is left to do"
      }
    }
  }

  /// Part of the title, whatever the case; empty: all.
  public var filter = ""
  public var order = Order.added
  public var isReversed = false

  public init() {}

  /// Whether the store's own order will do.
  public var isNatural: Bool { filter.isEmpty && order == .added && !isReversed }
}
