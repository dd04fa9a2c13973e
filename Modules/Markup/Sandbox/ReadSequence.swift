import Markup
import MarkupMessages
import WorkerProcess

/// A pure state machine that validates the order and the number of a worker's items.
struct ReadSequence {
  enum Step: Equatable {
    case receive([MarkupItem])
    case end
    case fail(MarkupError)
  }

  private let request: MarkupRequest
  private var hasRule = false
  private var counts = ItemCounts()

  init(_ request: MarkupRequest) { self.request = request }

  /// - Throws: `.malformed` for items that no sound worker sends: the first one must be the rule, which must be
  ///   the demanded one, and no other may be; their number is bounded.
  mutating func handle(_ report: ReadReport) throws(WorkerError) -> Step {
    switch report {
    case .items(let items):
      for item in items { try check(item) }
      return .receive(items)
    case .end:
      guard hasRule else { throw WorkerError(.malformed, "a document without a rule") }
      return .end
    case .fail(let code, let detail): return .fail(MarkupError(code, detail))
    }
  }

  private mutating func check(_ item: MarkupItem) throws(WorkerError) {
    if case .rule(let rule) = item {
      guard !hasRule, rule == request.rule ?? rule else {
        throw WorkerError(.malformed, "a rule that was not demanded")
      }
      hasRule = true
      return
    }
    guard hasRule else { throw WorkerError(.malformed, "an item before the rule") }
    counts.count(item)
    guard !counts.isUnsound(request.limits) else {
      throw WorkerError(.malformed, "more items than the request allows")
    }
  }
}
