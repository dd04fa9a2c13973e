import Models

/// What one entry of a list says, before it is checked.
struct EntryDraft: Sendable {
  var url: String?
  var title: String?
  var sha256: String?
  var headers = HTTPFields()
  /// Why it cannot be used, if that is known already.
  var fault: String?

  static func faulty(_ reason: String) -> EntryDraft {
    var draft = EntryDraft()
    draft.fault = reason
    return draft
  }

  /// The first fault is the one that is reported.
  mutating func fail(_ reason: String) {
    if fault == nil { fault = reason }
  }
}
