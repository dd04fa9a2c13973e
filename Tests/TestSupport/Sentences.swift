public import Testing

/// Expects a reason that people understand by itself: it says of what it speaks, and the words of a library
/// stand in brackets behind ours.
public func expectSentence(_ reason: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let lowered = reason.lowercased()
  for empty in ["no reason given", "unknown error", "nil", "(null)", "optional("] {
    #expect(!lowered.contains(empty), "\(reason)", sourceLocation: sourceLocation)
  }
  // What we say ourselves.
  let words = reason.split(separator: "(").first.map { String($0) } ?? ""
  #expect(words.split(separator: " ").count >= 3, "\(reason)", sourceLocation: sourceLocation)
  #expect(
    !words.contains("_") && !words.contains("::"), "\(reason)", sourceLocation: sourceLocation)
  let first = words.split(separator: " ").first.map { String($0).lowercased() } ?? ""
  #expect(
    !predicates.contains(first), "nothing says of what: \(reason)", sourceLocation: sourceLocation)
}

/// With these a sentence goes on, and none begins.
private let predicates: Set<String> = [
  "is", "are", "was", "has", "have", "had", "its", "their", "cannot", "could", "needs", "holds",
  "ends",
  "contains", "unpacks", "exceeds", "failed", "died", "not", "needed", "lost", "refused", "ended",
]
