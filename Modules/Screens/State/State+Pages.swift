import Models

/// A page of a source that was asked for: each one is asked for once, whatever comes of it.
struct AskedPage: Sendable, Equatable {
  var record: RecordID
  var page: String
}

/// Further pages of a source are loaded when what is looked at is near the end of its record (RM8).
extension State {
  mutating func demandNextPage(_ effects: inout [Effect]) {
    guard let item = openRecord, let next = item.nextPage, library.isRunning,
      isNearEnd(of: item.record.counts.total)
    else { return }
    let page = AskedPage(record: item.id, page: next)
    guard page != askedPage else { return }
    askedPage = page
    effects.append(.perform(.loadMore(item.id)))
  }

  /// Whether at most another screen of what is looked at is left, once that rests.
  /// - Parameter total: of the record; a list that does not know of the last page yet is not at its end.
  private func isNearEnd(of total: Int) -> Bool {
    switch place {
    case .records, .slices: return false
    case .resources: return resources.map { Self.isNearEnd($0.collection, of: total) } ?? false
    case .details:
      // In another order the last row is not the end of the record.
      guard let screen = details, screen.order.isNatural else { return false }
      return Self.isNearEnd(screen.collection, of: total)
    case .viewer:
      guard let screen = viewer else { return false }
      return screen.count == total && screen.index + Self.imagesAhead >= total
    }
  }

  /// The viewer shows one image at a time; so many before the last one the next page is asked for.
  private static let imagesAhead = 5

  private static func isNearEnd(_ collection: CollectionView, of total: Int) -> Bool {
    let visible = collection.visible
    return collection.isAtRest && collection.count == total && total > 0
      && visible.upperBound + visible.count >= total
  }
}
