import LibraryAPI
import Screens

/// Sentences for the user that describe the result of a change to the library.
enum VerbText {
  /// - Parameter refreshing: For a source that the library had already, the hint how to load only its new
  ///   entries; nil if the source is new.
  static func text(_ result: AddResult, refreshing: String?) -> String {
    let records = CountText.text(result.records.count, "record")
    let resources = CountText.text(result.entryCount, "resource")
    var text =
      refreshing.map { "Already in the library; appended again: \(records), \(resources); \($0)" }
      ?? "Added \(records), \(resources)"
    if let first = result.problems.first {
      text += "; \(CountText.text(result.problemCount, "bad entry", "bad entries")): \(first)"
    }
    return text
  }

  static func text(_ result: RefreshResult) -> String {
    if result.isUnchanged { return "Nothing new: the source has not changed" }
    var parts: [String] = []
    if result.newEntries > 0 { parts.append(CountText.text(result.newEntries, "new resource")) }
    if !result.newRecords.isEmpty {
      parts.append(CountText.text(result.newRecords.count, "new record"))
    }
    return parts.isEmpty ? "Nothing new" : parts.joined(separator: ", ")
  }

  /// - Parameter count: The number of resources of a further page that were new.
  static func nextPageText(_ count: Int) -> String {
    count == 0 ? "Nothing new on the next page" : "\(CountText.text(count, "resource")) more"
  }
}
