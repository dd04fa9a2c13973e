import Models

/// The values of one entry of a list before validation.
struct EntryDraft: Sendable {
  var url: String?
  var title: String?
  /// The file name that the list proposes.
  var name: String?
  var sha256: String?
  var byteCount: Int64?
  /// Other URLs of the same content, the best one first.
  var mirrors: [String] = []
  var headers = HTTPFields()
  /// The reason why the entry cannot be used, or nil if none is known yet.
  var fault: String?

  static func faulty(_ reason: String) -> EntryDraft {
    var draft = EntryDraft()
    draft.fault = reason
    return draft
  }

  /// Sets the fault; only the first one is reported.
  mutating func fail(_ reason: String) {
    if fault == nil { fault = reason }
  }
}
