import Terminal

/// The mouse.
extension State {
  mutating func press(at point: Point, _ effects: inout [Effect]) {
    guard let hit = draw().target(at: point) else { return }
    // A lifted item goes back with the next press, wherever that is.
    if liftedItem != nil {
      lift(nil)
      return
    }
    press = Press(target: hit.target, since: now, area: hit.area)
    switch hit.target {
    case .command(let command): perform(command, &effects)
    case .item(let index): select(index)
    case .concurrency, .position: slide(to: point, &effects)
    case .column(let column): sortDetails(by: column)
    case .button, .nothing: break
    }
  }

  mutating func drag(to point: Point, _ effects: inout [Effect]) {
    guard let press else { return }
    switch press.target {
    case .concurrency, .position: slide(to: point, &effects)
    case .item where !press.area.contains(point):
      // No click any more.
      if !press.isUsed { self.press = nil }
    default: break
    }
  }

  mutating func release(at point: Point, _ effects: inout [Effect]) {
    guard let press else { return }
    self.press = nil
    if case .item(let index) = press.target, !press.isUsed, press.area.contains(point) {
      open(index, &effects)
    }
  }

  mutating func wheel(at point: Point, _ lines: Int, _ effects: inout [Effect]) {
    switch place {
    case .records:
      if records.collection.scroll(lines * 3, at: now) { perform(.refresh, &effects) }
    case .resources:
      let step = resources?.collection.geometry.layout == .list ? 3 : 1
      if resources?.collection.scroll(lines * step, at: now) == true {
        perform(.refresh, &effects)
      }
    case .details: _ = details?.collection.scroll(lines * 3, at: now)
    case .viewer: perform(lines < 0 ? .previous : .next, &effects)
    case .slices: moveSlice(by: lines)
    }
  }

  private mutating func slide(to point: Point, _ effects: inout [Effect]) {
    guard let press else { return }
    let steps = max(1, press.area.columns - 1)
    let fraction = Double(point.column - press.area.column) / Double(steps)
    switch press.target {
    case .concurrency: setConcurrency(ConcurrencyScale.value(at: fraction), &effects)
    case .position:
      let share = min(1, max(0, fraction))
      if place == .slices {
        let last = (slices?.slices.count ?? 1) - 1
        goToSlice(Int((share * Double(max(0, last))).rounded()))
      } else {
        let last = (viewer?.count ?? 1) - 1
        viewer?.go(to: Int((share * Double(max(0, last))).rounded()))
      }
    default: break
    }
  }

  /// The item that was lifted, wherever we are.
  var liftedItem: Int? {
    switch place {
    case .records: records.collection.lifted
    case .resources: resources?.collection.lifted
    case .details, .viewer, .slices: nil
    }
  }

  mutating func lift(_ index: Int?) {
    switch place {
    case .records: records.collection.lifted = index
    case .resources: resources?.collection.lifted = index
    case .details, .viewer, .slices: break
    }
  }

  private mutating func select(_ index: Int) {
    switch place {
    case .records: records.collection.select(index, at: now)
    case .resources: resources?.collection.select(index, at: now)
    case .details: details?.collection.select(index, at: now)
    case .viewer, .slices: break
    }
  }

  mutating func open(_ index: Int, _ effects: inout [Effect]) {
    switch place {
    case .records: openRecord(at: index, &effects)
    case .resources: openResource(at: index, &effects)
    case .details: openDetail(at: index, &effects)
    case .viewer, .slices: break
    }
  }
}
