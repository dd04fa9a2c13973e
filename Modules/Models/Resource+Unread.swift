extension Resource {
  /// Returns the remark about the entries of an archive that are of a kind that imgdl does not read, while others have
  /// become pages.
  /// - Parameters:
  ///   - count: The number of the entries; nil if the archive cannot be read to its end.
  ///   - reason: That of the first entry, or of the end.
  package static func remark(unreadEntries count: Int?, _ reason: String) -> String {
    switch count {
    case nil: "the rest is not read: \(reason)"
    case 1: "1 entry is not read: \(reason)"
    case let count?: "\(count) entries are not read; the first: \(reason)"
    }
  }

  /// Whether the reason says that entries of an archive are not read, although the resource is finished.
  public var hasUnreadEntries: Bool {
    guard let reason, state == .finished, file?.format.kind == .archive else { return false }
    return reason.contains(" is not read: ") || reason.contains(" entries are not read; ")
  }
}
