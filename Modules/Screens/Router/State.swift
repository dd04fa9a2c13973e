public import Models
public import Terminal

/// The state of the whole user interface. Only `reduce` changes it, and `draw` renders it.
///
/// Screens, dialogs, images and the status of the library are components that manage their own state. This
/// type forwards events to them and carries out the actions that they return.
public struct State: Sendable {
  private let settings: ScreenSettings
  /// The time of the last input in seconds.
  private(set) var now = 0.0
  private(set) var display: Display
  private(set) var library = ReportedLibrary()
  private(set) var images: ImageStore
  private(set) var screens = ScreenStack()
  /// The open dialog, which lies in front of the screens and receives every key.
  private(set) var dialog: (any Dialog)?
  private(set) var notice: Notice?
  /// The last source if it could not be added, which the next dialog suggests for a correction.
  private var failedSource: String?
  private var pointer = Pointer()
  private var visibleRange = VisibleRangeReporter()
  private var nextPage = NextPageRequest()

  /// Creates the initial state.
  /// - Parameters:
  ///   - size: The size of the terminal in cells.
  ///   - capabilities: The capabilities of the terminal, or nil while they are unknown.
  public init(_ settings: ScreenSettings, size: Size, capabilities: Capabilities? = nil) {
    self.settings = settings
    display = Display(size, scheme: settings.scheme)
    images = ImageStore(byteLimit: settings.imageBytes)
    if let capabilities { display.adopt(capabilities) }
  }

  /// The visible screen.
  public var screenKind: ScreenKind { screens.top.kind }

  /// The time at which `tick` is due, in seconds on the clock of `reduce`; nil if nothing changes with time.
  public var wake: Double? {
    [screens.wake, notice?.until, pointer.wake, images.wake].compactMap(\.self).min()
  }

  /// The records whose progress is shown.
  public var watchedRecords: Set<RecordID> {
    let visible = screens.records.visibleRecords.map(\.id)
    return Set(visible + screens.opened.compactMap { $0.record?.id })
  }

  /// The environment that screens receive with each event.
  var context: ScreenContext {
    ScreenContext(
      now: now, settings: settings, display: display, library: library, images: images,
      pressedTarget: pointer.pressedTarget)
  }

  // MARK: - Events

  /// Handles an input, which is the only way to change the state.
  /// - Parameter now: The time in seconds on a clock that never goes back.
  /// - Returns: The effects that the program has to perform, in order.
  public mutating func reduce(_ input: Input, at now: Double) -> [Effect] {
    self.now = now
    var effects: [Effect] = []
    switch input {
    case .terminal(let event): receive(event, &effects)
    case .tick: break
    default: receive(input, &effects)
    }
    if !display.isTooSmall { screens.layOut(in: context) }
    advance(&effects)
    requestMissing(&effects)
    return effects
  }

  private mutating func receive(_ event: InputEvent, _ effects: inout [Effect]) {
    switch event {
    case .resize(let size):
      let old = display.size
      display.resize(to: size)
      if size.columns * size.rows < old.columns * old.rows { images.windowShrank(at: now) }
    case .capabilities(let capabilities): display.adopt(capabilities)
    case .resumed: break
    default:
      guard let gesture = Gesture(event) else { return }
      if gesture == .key("^z") {
        effects.append(.suspend)
      } else if gesture == .key("^l") {
        effects.append(.redraw)
      } else if dialog != nil {
        let target = { [self] in draw().target(at: $0)?.target }
        if let event = DialogEvent(gesture, target: target) {
          sendToDialog(event, &effects)
        }
      } else if screens.top.acceptsText {
        sendToScreen(.typed(gesture), &effects)
      } else {
        handle(gesture, &effects)
      }
    }
  }

  private mutating func handle(_ gesture: Gesture, _ effects: inout [Effect]) {
    switch gesture {
    case .key(let stroke):
      guard let command = KeyBindings.command(for: stroke, in: screenKind) else { return }
      perform(command, &effects)
    case .press(let point):
      guard let hit = draw().target(at: point) else { return }
      // While an item is lifted, a press at any position puts the item back.
      guard screens.top.lifted == nil else { return sendToScreen(.liftEnded, &effects) }
      sendToScreen(pointer.press(hit, at: point, now), &effects)
    case .drag(let point): sendToScreen(pointer.drag(to: point), &effects)
    case .release(let point): sendToScreen(pointer.release(at: point), &effects)
    case .wheel(_, let lines): sendToScreen(.wheelTurned(lines), &effects)
    case .paste(let text): sendToScreen(.pasted(text), &effects)
    }
  }

  private mutating func sendToScreen(_ event: ScreenEvent?, _ effects: inout [Effect]) {
    guard let event else { return }
    if case .command(let command) = event { return perform(command, &effects) }
    apply(screens.reduceTop(event, in: context), &effects)
  }

  private mutating func sendToDialog(_ event: DialogEvent, _ effects: inout [Effect]) {
    guard !event.isCancellation else { return dialog = nil }
    switch dialog?.reduce(event, in: display.size) {
    case nil: break
    case .stays(let actions): apply(actions, &effects)
    case .closes(let actions):
      dialog = nil
      apply(actions, &effects)
    case .becomes(let other): dialog = other
    }
  }

  /// Performs a command that all screens have in common; passes any other command to the visible screen.
  private mutating func perform(_ command: Command, _ effects: inout [Effect]) {
    switch command {
    case .help: dialog = HelpDialog(screenKind)
    case .redraw: effects.append(.redraw)
    case .suspend: effects.append(.suspend)
    case .quit:
      if library.endsWithProgram { dialog = ConfirmationDialog.quit } else { quit(&effects) }
    case .pauseAll where library.isContinuable:
      effects.append(.perform(.start))
      notify("Starting the downloads again …")
    case .pauseAll:
      guard library.snapshot.isPausable else { return notify("Nothing to pause") }
      effects.append(.perform(library.snapshot.isPaused ? .resume(nil) : .pause(nil)))
    case .fewer, .more: apply(screens.reduceRecords(.command(command), in: context), &effects)
    default: apply(screens.reduceTop(.command(command), in: context), &effects)
    }
  }

  // MARK: - Program reports

  private mutating func receive(_ input: Input, _ effects: inout [Effect]) {
    switch input {
    case .snapshot(let snapshot): library.receive(snapshot, at: now)
    case .owner(let owner):
      library.connect(to: owner)
      nextPage.reset()
    case .lost(let reason): library.disconnect(because: reason)
    case .notice(let text): notify(text)
    case .failed(let text): notify(text, isError: true)
    case .addFailed(let source, let reason):
      failedSource = source
      notify("\(reason) (a corrects it)", isError: true)
    case .placeholders(let placeholders): images.insert(placeholders)
    case .image(let key, let answer):
      if images.receive(key, answer, at: now) { effects += visibleRange.reportAgain() }
    case .unlockAnswered(let request, let answer):
      // The text contains only the number of the resource, so the title of its record is added.
      if case .failed(let text) = answer {
        notify("\(request.title), \(text)", isError: true, isOfScreen: true)
      }
      sendToDialog(.unlockAnswered(request, answer), &effects)
    case .changed(let change): receive(change, &effects)
    default: break
    }
    apply(screens.reduceAll(.received(input), in: context), &effects)
  }

  private mutating func receive(_ change: LibraryChange, _ effects: inout [Effect]) {
    if change.wasReset {
      effects += visibleRange.clear()
      sendToDialog(.removed(nil), &effects)
      screens.closeAll()
      images.removeAll()
      library.startOver()
      nextPage.reset()
      return notify("Everything was deleted")
    }
    library.receive(change.transitions)
    for id in change.removed {
      sendToDialog(.removed(id), &effects)
      while screens.top.record?.id == id { close(&effects) }
    }
  }

  // MARK: - Actions of screens and dialogs

  private mutating func apply(_ actions: [ScreenAction], _ effects: inout [Effect]) {
    for action in actions { apply(action, &effects) }
  }

  private mutating func apply(_ action: ScreenAction, _ effects: inout [Effect]) {
    switch action {
    case .perform(let effect):
      if case .perform(.add) = effect { failedSource = nil }
      effects.append(effect)
    case .setVisibleRange(let id, let range): effects += visibleRange.report(at: range, of: id)
    case .open(let destination): open(destination, &effects)
    case .close: close(&effects)
    case .notify(let text, let isOfScreen): notify(text, isOfScreen: isOfScreen)
    case .showSourceDialog(let pasted):
      dialog = SourceDialog(
        suggestion: failedSource ?? settings.defaultSource, pasted: pasted)
    case .confirmReset: dialog = ConfirmationDialog.reset
    case .confirmRemoval(let record): dialog = ConfirmationDialog.remove(record)
    case .confirmReload(let record): dialog = ConfirmationDialog.reload(record)
    case .askForPassword(let resource, let record, let target):
      dialog = PasswordDialog(resource, of: record, opening: target)
    case .unlock(let request, let document):
      if let document { images.protect(document) }
      effects.append(.unlock(request))
    case .showUnlocked(let request, let document, let target):
      images.unlock(request.resource)
      apply(screens.reduceAll(.unlocked(request.resource), in: context), &effects)
      if let target { open(.viewer(target), &effects) }
      if document != nil { images.enter(request.password, for: request.resource) }
    case .quit: quit(&effects)
    }
  }

  private mutating func open(_ destination: Destination, _ effects: inout [Effect]) {
    switch destination {
    case .resources(let record, let index):
      screens.open(ResourcesScreen(record, selecting: index))
    case .details(let record, let index): screens.open(DetailsScreen(record, selecting: index))
    case .viewer(let target):
      images.beginViewing()
      screens.open(ViewerScreen(target, at: now))
      effects.append(.loadSlices(target.record.id))
    case .slices(let record):
      let screen = SlicesScreen(record)
      screens.open(screen)
      apply(screen.initialRequests, &effects)
    }
  }

  /// Closes the topmost screen.
  private mutating func close(_ effects: inout [Effect]) {
    guard let closed = screens.close() else { return }
    pointer.cancel()
    if let record = closed.record, let position = closed.position {
      effects.append(.remember(record.id, position))
    }
    if closed.kind == .viewer { images.endViewing() }
    apply(screens.reduceAll(.uncovered(index: closed.position), in: context), &effects)
  }

  private mutating func quit(_ effects: inout [Effect]) {
    if let viewer = screens.screen(ViewerScreen.self), let record = viewer.record {
      effects.append(.remember(record.id, viewer.location.index))
    }
    effects.append(.quit)
  }

  private mutating func notify(_ text: String, isError: Bool = false, isOfScreen: Bool = false) {
    notice = Notice(text, isError: isError, path: isOfScreen ? screens.path : nil, at: now)
  }

  // MARK: - Time

  private mutating func advance(_ effects: inout [Effect]) {
    if let notice, notice.isOver(at: now, on: screens.path) { self.notice = nil }
    sendToScreen(pointer.advance(to: now), &effects)
    apply(screens.advance(in: context), &effects)
    images.advance(to: now)
    if images.isTrimDue(at: now) {
      images.trim(toSide: longestImageSide)
      effects.append(.releaseMemory)
    }
  }

  /// The largest side in pixels of any image that this window requests.
  private var longestImageSide: Int {
    let shown = screens.top.visibleImages(in: context).map(\.side).max() ?? 0
    return max(shown, ImageKey.roundedSide(display.longestSide))
  }

  /// Requests the visible data and images that are missing.
  private mutating func requestMissing(_ effects: inout [Effect]) {
    apply(screens.requestMissingData(in: context), &effects)
    if screens.opened.isEmpty { effects += visibleRange.clear() }
    effects += nextPage.demand(screens.top, library)
    let isDrawn = display.showsImages && !display.isTooSmall
    let keys = isDrawn ? screens.top.visibleImages(in: context) : []
    if let order = images.request(keys) { effects.append(.decode(order)) }
  }
}
