import Terminal

/// Where the parts of the present screen are. Fits from 40 × 12 up.
struct ScreenLayout: Sendable {
  static let smallest = Size(40, 12)

  let title: Rect
  /// Names of columns; empty where there are none.
  let header: Rect
  /// The list, the grid or the picture.
  let content: Rect
  /// A line for what has just happened; empty for pictures, which it overlays.
  let rule: Rect
  /// Sums and sliders.
  let footer: Rect
  let buttons: Rect

  init(_ state: State) {
    var rest = Rect(state.size)
    let isPicture = state.place == .viewer || state.place == .slices
    title = rest.takeTop(1)
    switch state.place {
    case .details: header = rest.takeTop(1)
    case .records: header = rest.takeTop(rest.columns >= RecordRow.wide && rest.rows >= 15 ? 1 : 0)
    default: header = rest.takeTop(0)
    }
    let mayHaveTwo = rest.rows >= 15 && !isPicture
    buttons = rest.takeBottom(mayHaveTwo && state.buttonsWidth > rest.columns - 2 ? 2 : 1)
    switch state.place {
    case .records: footer = rest.takeBottom(rest.columns >= 100 ? 1 : 2)
    case .viewer, .slices: footer = rest.takeBottom(1)
    default: footer = rest.takeBottom(0)
    }
    rule = rest.takeBottom(isPicture ? 0 : 1)
    content = rest
  }
}

extension State {
  var isTooSmall: Bool {
    size.columns < ScreenLayout.smallest.columns || size.rows < ScreenLayout.smallest.rows
  }

  /// Gives every collection the room that it has now.
  mutating func arrange() {
    guard !isTooSmall else { return }
    let content = ScreenLayout(self).content.size
    switch place {
    case .records:
      let tile = RecordRow().size(in: .list, room: content)
      records.collection.fit(
        CollectionGeometry(.list, viewport: content, tile: tile), at: now)
    case .resources:
      guard let layout = resources?.collection.geometry.layout else { return }
      let tile = resourceTile.size(in: layout, room: content)
      resources?.collection.fit(
        CollectionGeometry(layout, viewport: content, tile: tile), at: now)
      takeUpSelection()
    case .details:
      details?.collection.fit(
        CollectionGeometry(
          .list, viewport: content, tile: DetailRow().size(in: .list, room: content)), at: now)
      if let wanted = details?.wantedSelection, let count = details?.collection.count, count > 0 {
        details?.wantedSelection = nil
        details?.collection.select(wanted, at: now)
      }
    case .viewer, .slices: break
    }
  }

  var resourceTile: ResourceTile { ResourceTile(cellPixels: cellPixels) }

  /// Where the record was left.
  private mutating func takeUpSelection() {
    guard let wanted = resources?.pendingSelection, (resources?.collection.count ?? 0) > 0 else {
      return
    }
    resources?.pendingSelection = nil
    resources?.collection.select(wanted, at: now)
  }
}
