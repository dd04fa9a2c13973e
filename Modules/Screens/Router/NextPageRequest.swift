import Models

/// Requests the next page of a source when the visible part is near the end of its record (RM8). Each page is
/// requested once, even if the request fails.
struct NextPageRequest: Sendable {
  private struct SourcePage: Sendable, Equatable {
    var record: RecordID
    var page: String
  }

  /// The page that was requested last.
  private var requestedPage: SourcePage?

  /// Returns the request for the next page if one is due.
  /// - Parameter screen: The visible screen.
  mutating func demand(_ screen: any Screen, _ library: ReportedLibrary) -> [Effect] {
    guard let item = screen.record, let next = item.nextPage, library.isRunning,
      screen.isNearEnd()
    else { return [] }
    let page = SourcePage(record: item.id, page: next)
    guard page != requestedPage else { return [] }
    requestedPage = page
    return [.perform(.loadMore(item.id))]
  }

  /// Allows the same page to be requested again, from another engine.
  mutating func reset() { requestedPage = nil }
}
