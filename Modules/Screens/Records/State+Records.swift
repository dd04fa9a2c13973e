import Models

/// What keys and buttons do on screen 1.
extension State {
  mutating func recordsCommand(_ command: Command, _ effects: inout [Effect]) {
    if let movement = CollectionView.Movement(command) {
      return records.collection.move(movement, at: now)
    }
    switch command {
    case .open: openRecord(at: records.collection.selection, &effects)
    case .back:
      records.collection.lifted = nil
      guard !records.arrangement.isNatural else { return }
      records.arrangement = RecordArrangement()
      records.rearrange()
    case .filter: records.filterField = TextField(suggestion: records.arrangement.filter)
    case .sort:
      records.arrangement.order = RecordArrangement.Order.allCases.next(
        after: records.arrangement.order)
      records.rearrange()
    case .reverse:
      records.arrangement.isReversed.toggle()
      records.rearrange()
    case .lift: lift(records.collection.lifted == nil ? records.collection.selection : nil)
    default:
      guard let item = records.selected else { return }
      recordCommand(command, item, &effects)
    }
  }

  /// What is done to one record, on screen 1 or 2.
  mutating func recordCommand(
    _ command: Command, _ item: RecordItem, _ effects: inout [Effect]
  ) {
    let id = item.id
    switch command {
    case .pause: effects.append(.perform(item.record.isPaused ? .resume(id) : .pause(id)))
    case .refresh:
      effects.append(.perform(.refresh(id)))
      tell("Refreshing \(item.record.title) …")
    case .loadMore:
      guard item.hasMore else {
        return tell("This source has no further pages", isOfScreen: true)
      }
      effects.append(.perform(.loadMore(id)))
    case .retry:
      guard RecordEntry(item, in: library).isUnsuccessful else {
        return tell("Nothing has failed in this record", isOfScreen: true)
      }
      effects.append(.perform(.retry(id)))
    case .reload: effects.append(.perform(.reload(id)))
    case .remove: dialog = .confirm(.remove(item.record))
    case .details: openDetails(item, selecting: resources?.collection.selection ?? 0)
    default: break
    }
  }

  /// DL7: a record opens as a grid, a lazy one as a list; a series in its viewer.
  mutating func openRecord(at index: Int, _ effects: inout [Effect]) {
    guard let item = records.window.item(at: index) else { return }
    records.collection.select(index, at: now)
    records.collection.lifted = nil
    if item.isSeries {
      openSlices(item, &effects)
    } else {
      openResources(item)
    }
    effects.append(.recall(item.id))
  }

  /// Keys while the filter is typed: the list follows every one of them.
  mutating func filter(_ gesture: Gesture, _ effects: inout [Effect]) {
    guard var field = records.filterField else { return }
    switch gesture {
    case .key("escape"), .key("^c"):
      records.filterField = nil
      records.arrangement.filter = ""
      records.rearrange()
    case .key("enter"), .key("tab"): records.filterField = nil
    case .key("up"), .key("down"), .key("pageup"), .key("pagedown"):
      records.filterField = nil
      if case .key(let stroke) = gesture, let command = KeyTable.command(for: stroke, in: .records)
      {
        perform(command, &effects)
      }
    case .key(let stroke):
      _ = field.handle(stroke)
      records.filterField = field
      setFilter(field.text)
    case .paste(let text):
      field.insert(text)
      records.filterField = field
      setFilter(field.text)
    case .press, .wheel:
      records.filterField = nil
    case .drag, .release: break
    }
  }

  private mutating func setFilter(_ text: String) {
    guard text != records.arrangement.filter else { return }
    records.arrangement.filter = text
    records.rearrange()
  }

  /// Back to where we came from.
  mutating func back(_ effects: inout [Effect]) {
    guard path.count > 1, let old = path.popLast() else { return }
    press = nil
    switch old {
    case .records: break
    case .resources: resources = nil
    case .details: details = nil
    case .viewer:
      if let viewer {
        effects.append(.remember(viewer.record.id, viewer.index))
        resources?.collection.select(viewer.index, at: now)
        pictures.endViewing()
      }
      viewer = nil
    case .slices:
      if let slices { effects.append(.remember(slices.record.id, slices.position)) }
      slices = nil
    }
    // What is in sight now is to be looked at again.
    resources?.collection.forgetAnnouncement(at: now)
  }
}
