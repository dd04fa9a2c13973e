import Models

/// The list of records and the screens that are open above it. The stack distributes events to them.
struct ScreenStack: Sendable {
  private(set) var records = RecordsScreen()
  /// The open screens from the bottom to the top.
  private(set) var opened: [any Screen] = []

  /// The visible screen.
  var top: any Screen { opened.last ?? records }
  /// The kinds of all screens, from the list of records upwards.
  var path: [ScreenKind] { [records.kind] + opened.map(\.kind) }
  /// The earliest time at which a screen must be advanced; nil if none must.
  var wake: Double? { ([records.wake] + opened.map(\.wake)).compactMap(\.self).min() }

  /// Returns the topmost open screen of a type, or nil.
  func screen<Kind: Screen>(_ kind: Kind.Type) -> Kind? {
    opened.lazy.compactMap { $0 as? Kind }.last
  }

  mutating func open(_ screen: some Screen) { opened.append(screen) }

  /// Closes the topmost screen.
  /// - Returns: The closed screen; nil if only the list of records, which never closes, is left.
  mutating func close() -> (any Screen)? { opened.popLast() }

  mutating func closeAll() { opened = [] }

  mutating func reduceTop(_ event: ScreenEvent, in context: ScreenContext) -> [ScreenAction] {
    guard let last = opened.indices.last else { return records.reduce(event, in: context) }
    return opened[last].reduce(event, in: context)
  }

  /// Sends an event to the list of records, even while another screen covers the list.
  mutating func reduceRecords(
    _ event: ScreenEvent, in context: ScreenContext
  ) -> [ScreenAction] {
    records.reduce(event, in: context)
  }

  mutating func reduceAll(_ event: ScreenEvent, in context: ScreenContext) -> [ScreenAction] {
    var actions = records.reduce(event, in: context)
    for index in opened.indices { actions += opened[index].reduce(event, in: context) }
    return actions
  }

  mutating func layOut(in context: ScreenContext) {
    guard let last = opened.indices.last else { return records.layOut(in: context) }
    opened[last].layOut(in: context)
  }

  /// Advances all screens to the time of the context.
  /// - Returns: The actions of the topmost screen alone, because the ranges of covered screens are not
  ///   visible.
  mutating func advance(in context: ScreenContext) -> [ScreenAction] {
    var actions = records.advance(in: context)
    for index in opened.indices { actions = opened[index].advance(in: context) }
    return actions
  }

  /// Returns the requests for missing data of the topmost screen and of the list of records, which is kept up
  /// to date below other screens.
  mutating func requestMissingData(in context: ScreenContext) -> [ScreenAction] {
    let actions = records.requestMissingData(in: context)
    guard let last = opened.indices.last else { return actions }
    return actions + opened[last].requestMissingData(in: context)
  }
}
