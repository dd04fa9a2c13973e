import Models

/// The list of records and the screens that are open above it. Events go through here to the screens.
struct ScreenStack: Sendable {
  private(set) var records = RecordsScreen()
  /// The one on top comes last.
  private(set) var opened: [any Screen] = []

  /// What is shown.
  var top: any Screen { opened.last ?? records }
  /// Of all screens, from the list of records upwards.
  var path: [Place] { [records.place] + opened.map(\.place) }
  /// When one of them has something to do; nil means nothing moves by itself.
  var wake: Double? { ([records.wake] + opened.map(\.wake)).compactMap(\.self).min() }

  /// The open screen of that kind.
  func screen<Kind: Screen>(_ kind: Kind.Type) -> Kind? {
    opened.lazy.compactMap { $0 as? Kind }.last
  }

  mutating func open(_ screen: some Screen) { opened.append(screen) }

  /// - Returns: the screen that was on top; nil means the list of records is not closed.
  mutating func close() -> (any Screen)? { opened.popLast() }

  mutating func closeAll() { opened = [] }

  mutating func reduceTop(_ event: ScreenEvent, in context: ScreenContext) -> [ScreenAction] {
    guard let last = opened.indices.last else { return records.reduce(event, in: context) }
    return opened[last].reduce(event, in: context)
  }

  /// For what concerns the list of records wherever it happens.
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

  /// - Returns: what the screen on top requests: what comes to rest below it is not looked at.
  mutating func settle(in context: ScreenContext) -> [ScreenAction] {
    var actions = records.settle(in: context)
    for index in opened.indices { actions = opened[index].settle(in: context) }
    return actions
  }

  /// The list of records is kept up to date below other screens, too.
  mutating func demand(in context: ScreenContext) -> [ScreenAction] {
    let actions = records.demand(in: context)
    guard let last = opened.indices.last else { return actions }
    return actions + opened[last].demand(in: context)
  }
}
