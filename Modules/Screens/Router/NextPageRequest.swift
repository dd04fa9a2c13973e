import Models

/// Further pages of a source are loaded when what is looked at is near the end of its record (RM8). Each page is
/// asked for once, whatever comes of it.
struct NextPageRequest: Sendable {
  private struct SourcePage: Sendable, Equatable {
    var record: RecordID
    var page: String
  }

  /// The page that was requested last.
  private var asked: SourcePage?

  /// - Parameter screen: the one that is shown.
  mutating func demand(_ screen: any Screen, _ library: LibraryStatus) -> [Effect] {
    guard let item = screen.record, let next = item.nextPage, library.isRunning,
      screen.isNearEnd()
    else { return [] }
    let page = SourcePage(record: item.id, page: next)
    guard page != asked else { return [] }
    asked = page
    return [.perform(.loadMore(item.id))]
  }

  /// Another engine may be asked for the same page again.
  mutating func forget() { asked = nil }
}
