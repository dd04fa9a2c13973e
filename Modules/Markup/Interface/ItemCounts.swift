/// Counts the items of one document against its limits.
public struct ItemCounts: Sendable {
  private var entries = 0
  private var problems = 0
  private var others = 0

  public init() {}

  public mutating func count(_ item: MarkupItem) {
    switch item {
    case .entry, .document: entries += 1
    case .problem: problems += 1
    case .rule, .base, .title, .referrerPolicy, .nextPage, .remark, .truncation: others += 1
    }
  }

  /// The error of a document with more entries, or more problems, than the limits permit; nil within them.
  public func excess(_ limits: MarkupLimits) -> MarkupError? {
    let origin = limits.originOfItems
    if entries > limits.items {
      let entries = limits.items == 1 ? "entry" : "entries"
      return MarkupError(
        .limit, "the document has more than \(limits.items) \(entries) (\(origin))")
    }
    if problems > limits.items {
      let parts = limits.items == 1 ? "part" : "parts"
      return MarkupError(
        .limit,
        "the document has more than \(limits.items) \(parts) that cannot be used (\(origin))")
    }
    return nil
  }

  /// Whether the limits permit no further entry, or no further problem.
  public func isFull(_ limits: MarkupLimits) -> Bool {
    entries >= limits.items || problems >= limits.items
  }

  /// Whether no sound worker sends so many items. Before each entry and each problem there is at most one item of
  /// another kind, and there are some before and after all.
  public func isUnsound(_ limits: MarkupLimits) -> Bool {
    excess(limits) != nil || others - 1_000 > entries + problems
  }
}
