import Models

/// What is needed to draw what is in sight, and is not here.
extension State {
  mutating func demand(_ effects: inout [Effect]) {
    effects += records.demand()
    if path.count == 1, let looking {
      self.looking = nil
      effects.append(.lookAway(looking))
    }
    switch place {
    case .records: break
    case .resources: demandResources(&effects)
    case .details: demandDetails(&effects)
    case .viewer: demandViewer(&effects)
    case .slices: demandSlices(&effects)
    }
    demandNextPage(&effects)
    demandPictures(&effects)
  }

  private mutating func demandResources(_ effects: inout [Effect]) {
    guard let screen = resources, let range = resources?.window.need(screen.collection.visible)
    else { return }
    effects.append(.loadResources(screen.record.id, range, ids: nil))
  }

  private mutating func demandDetails(_ effects: inout [Effect]) {
    guard let screen = details else { return }
    let id = screen.record.id
    if !screen.order.isNatural, screen.ids == nil || details?.isStaleOrder == true {
      guard !screen.isArranging else { return }
      details?.isArranging = true
      details?.arrangedOrder = screen.order
      effects.append(.arrangeResources(id, screen.order))
      return
    }
    guard let range = details?.window.need(screen.collection.visible) else { return }
    let ids = screen.ids.map { Array($0[range.clamped(to: 0..<$0.count)]) }
    effects.append(.loadResources(id, range, ids: ids))
  }

  private mutating func demandViewer(_ effects: inout [Effect]) {
    guard let screen = viewer else { return }
    if let range = viewer?.window.need(screen.index..<(screen.index + 1)) {
      effects.append(.loadResources(screen.record.id, range, ids: nil))
    }
    viewer?.know(now)
    if let resource = screen.current,
      let picture = viewerPicture(resource, page: screen.page)
    {
      viewer?.former = picture
    }
    if viewer?.settle() == true {
      // What comes next is wanted as well.
      look(screen.record.id, max(0, screen.index - 1)..<(screen.index + 3), &effects)
    }
    if screen.showsInfo, let id = screen.current?.id, screen.pages?.id != id {
      viewer?.pages = (id, [])
      effects.append(.loadPages(id))
    }
  }

  private mutating func demandSlices(_ effects: inout [Effect]) {
    guard let screen = slices, slices?.settle(at: now) == true, !screen.record.record.isLazy else {
      return
    }
    look(screen.record.id, max(0, screen.position - 2)..<(screen.position + 6), &effects)
  }

  /// Pictures of what is in sight, once it rests. What is not wanted any more is not decoded.
  private mutating func demandPictures(_ effects: inout [Effect]) {
    let keys = showsPictures && !isTooSmall ? keysInSight : []
    if let order = pictures.request(keys) { effects.append(.decode(order)) }
  }

  private var keysInSight: [PictureKey] {
    switch place {
    case .records, .details: return []
    case .resources:
      guard let screen = resources, screen.collection.isAtRest, let side = tileSide else {
        return []
      }
      return screen.collection.visible.compactMap { index in
        screen.window.item(at: index).flatMap { PictureKey($0, side: side) }
      }
    case .viewer: return viewerKeys
    case .slices:
      guard let screen = slices else { return [] }
      // As far around the position as fits into memory; some at a time, the nearest first.
      let side = sliceSide
      let room = max(16, pictures.byteLimit / 10 * 8 / (side * side * 4))
      var keys: [PictureKey] = []
      for index in screen.order(limit: room) {
        guard let key = sliceKey(screen.slices[index], side: side) else { continue }
        if index == screen.position || !pictures.hasAnswer(for: key) { keys.append(key) }
        if keys.count >= 32 { break }
      }
      return keys
    }
  }

  private var viewerKeys: [PictureKey] {
    guard let screen = viewer, let current = screen.current else { return [] }
    let side = viewerSide
    var keys: [PictureKey] = []
    if let key = viewerKey(current, page: screen.page, side: side) { keys.append(key) }
    for (index, page) in screen.neighbours {
      guard let resource = screen.window.item(at: index),
        let key = viewerKey(resource, page: page, side: side)
      else { continue }
      keys.append(key)
    }
    return keys
  }
}
