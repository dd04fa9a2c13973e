import Models

extension RecordItem {
  /// Returns the actions of a command for one record, on the list of records or on its images.
  /// - Parameter index: The index of the image that `Image Details` selects.
  func actions(
    for command: Command, selecting index: Int = 0, in context: ScreenContext
  ) -> [ScreenAction] {
    switch command {
    case .pause: return [.perform(.perform(record.isPaused ? .resume(id) : .pause(id)))]
    case .refresh:
      return [.perform(.perform(.refresh(id))), .notify("Refreshing \(record.title) …")]
    case .loadMore:
      guard hasMore else {
        return [.notify("This source has no further pages", isOfScreen: true)]
      }
      return [.perform(.perform(.loadMore(id)))]
    case .retry:
      guard RecordEntry(self, in: context.library).isUnsuccessful else {
        return [.notify("Nothing has failed in this record", isOfScreen: true)]
      }
      return [.perform(.perform(.retry(id)))]
    case .reload: return [.confirmReload(of: record)]
    case .remove: return [.confirmRemoval(of: record)]
    case .details: return [.open(.details(self, selecting: index))]
    default: return []
    }
  }
}
