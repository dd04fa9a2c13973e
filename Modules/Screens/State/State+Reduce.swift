public import Terminal
import Models

extension State {
  /// Takes an input in. All that the program does follows from here.
  /// - Parameter now: seconds on a clock that never goes back.
  /// - Returns: what to do next, in order.
  public mutating func reduce(_ input: Input, at now: Double) -> [Effect] {
    self.now = now
    var effects: [Effect] = []
    switch input {
    case .terminal(let event): terminal(event, &effects)
    case .tick: break
    default: news(input, &effects)
    }
    arrange()
    settle(&effects)
    demand(&effects)
    return effects
  }

  private mutating func terminal(_ event: InputEvent, _ effects: inout [Effect]) {
    switch event {
    case .resize(let new): resize(to: new)
    case .capabilities(let capabilities): adopt(capabilities)
    case .resumed: break
    default:
      guard let gesture = Gesture(event) else { return }
      if gesture == .key("^z") {
        effects.append(.suspend)
      } else if gesture == .key("^l") {
        effects.append(.redraw)
      } else if dialog != nil {
        self.dialog(gesture, &effects)
      } else if records.filterField != nil, place == .records {
        filter(gesture, &effects)
      } else {
        act(on: gesture, &effects)
      }
    }
  }

  private mutating func resize(to new: Size) {
    let isSmaller = new.columns * new.rows < size.columns * size.rows
    size = new
    if isSmaller { pictures.windowShrank(at: now) }
  }

  /// Longest side in pixels of any picture that this window asks for.
  private var largestSide: Int {
    let window = max(size.columns * cellPixels.columns, size.rows * cellPixels.rows)
    return max(viewerSide, PictureKey.roundedSide(window))
  }

  /// What the terminal can do decides how large pictures are decoded, and its background which
  /// colours are used.
  public mutating func adopt(_ capabilities: Capabilities) {
    let cell = capabilities.cellPixels
    // Art of symbols shows at most a few points a cell.
    cellPixels =
      capabilities.pictures.hasPixels
      ? Size(max(1, cell.width), max(1, cell.height)) : Size(8, 16)
    showsPictures = capabilities.pictures != .none
    theme = Theme(
      scheme, background: capabilities.background, depth: capabilities.colours)
  }

  private mutating func act(on gesture: Gesture, _ effects: inout [Effect]) {
    switch gesture {
    case .key(let stroke):
      guard let command = KeyTable.command(for: stroke, in: place) else { return }
      perform(command, &effects)
    case .press(let point): press(at: point, &effects)
    case .drag(let point): drag(to: point, &effects)
    case .release(let point): release(at: point, &effects)
    case .wheel(let point, let lines): wheel(at: point, lines, &effects)
    case .paste(let text):
      // A path or a URL that is pasted into the list is to be added.
      guard place == .records, !text.firstLine.isEmpty else { return }
      var add = AddDialog(field: TextField())
      add.field.insert(text.firstLine)
      dialog = .add(add)
    }
  }

  /// Does what a key or a button asks for.
  mutating func perform(_ command: Command, _ effects: inout [Effect]) {
    switch command {
    case .help: dialog = .help(place, 0)
    case .redraw: effects.append(.redraw)
    case .suspend: effects.append(.suspend)
    case .quit: quit(&effects)
    case .add where place == .records:
      dialog = .add(AddDialog(field: TextField(suggestion: defaultSource)))
    case .reset where place == .records: dialog = .confirm(.reset)
    case .pauseAll where library.isContinuable:
      effects.append(.perform(.start))
      tell("Starting the downloads again …")
    case .pauseAll:
      guard library.facts.isPausable else { return tell("Nothing to pause") }
      effects.append(.perform(library.facts.isPaused ? .resume(nil) : .pause(nil)))
    case .fewer: setConcurrency(ConcurrencyScale.step(concurrency, by: -1), &effects)
    case .more: setConcurrency(ConcurrencyScale.step(concurrency, by: 1), &effects)
    default:
      switch place {
      case .records: recordsCommand(command, &effects)
      case .resources: resourcesCommand(command, &effects)
      case .details: detailsCommand(command, &effects)
      case .viewer: viewerCommand(command, &effects)
      case .slices: slicesCommand(command, &effects)
      }
    }
  }

  private mutating func quit(_ effects: inout [Effect]) {
    guard library.endsWithProgram else { return leave(&effects) }
    dialog = .confirm(.quit)
  }

  mutating func leave(_ effects: inout [Effect]) {
    if let viewer { effects.append(.remember(viewer.record.id, viewer.index)) }
    effects.append(.quit)
  }

  // MARK: - The number of downloads

  /// What was chosen here, until the library says the same.
  var concurrency: Int { records.concurrency ?? library.facts.concurrency }

  mutating func setConcurrency(_ value: Int, _ effects: inout [Effect]) {
    guard value != concurrency else { return }
    records.concurrency = value
    effects.append(.perform(.setConcurrency(value)))
  }

  // MARK: - Time

  private mutating func settle(_ effects: inout [Effect]) {
    if let notice, now >= notice.until || notice.path.map({ $0 != path }) ?? false {
      self.notice = nil
    }
    if let press, let wake = press.wake, now >= wake, case .item(let index) = press.target {
      self.press?.isUsed = true
      lift(index)
    }
    _ = records.collection.settle(at: now)
    if let range = resources?.collection.settle(at: now) { rested(range, &effects) }
    if let range = details?.collection.settle(at: now) { rested(range, &effects) }
    slices?.advance(to: now)
    pictures.settle(at: now)
    if pictures.isTrimDue(at: now) {
      pictures.trim(toSide: largestSide)
      effects.append(.giveMemoryBack)
    }
  }

  /// - Parameter isOfScreen: it is about what the present screen shows, and not seen on another one.
  mutating func tell(_ text: String, isError: Bool = false, isOfScreen: Bool = false) {
    notice = Notice(
      text: text, isError: isError, path: isOfScreen ? path : nil,
      until: now + (isError ? 10 : 4))
  }
}

/// The steps of the slider that sets how many downloads run at the same time.
enum ConcurrencyScale {
  static let stops =
    Array(1...16) + [20, 24, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024]

  static func step(_ value: Int, by steps: Int) -> Int {
    if steps > 0 { return stops.first { $0 > value } ?? stops[stops.count - 1] }
    return stops.last { $0 < value } ?? stops[0]
  }

  /// 0...1
  static func fraction(_ value: Int) -> Double {
    let index = stops.lastIndex { $0 <= value } ?? 0
    return Double(index) / Double(stops.count - 1)
  }

  static func value(at fraction: Double) -> Int {
    let place = (min(1, max(0, fraction)) * Double(stops.count - 1)).rounded()
    return stops[Int(place)]
  }
}
