import Models
import Terminal

/// One screen: it owns its state, turns events into actions, and draws itself. Pure.
///
/// The router sends it events, shows the one on top, and carries actions out.
protocol Screen: Sendable {
  /// Which keys mean something here.
  var place: Place { get }
  /// The record that it is about; nil means all of them.
  var record: RecordItem? { get }
  /// When `settle` is due, in seconds on the clock of the context; nil means nothing moves by itself.
  var wake: Double? { get }
  /// The item that a long press has lifted.
  var lifted: Int? { get }
  /// Whether keys are text at this moment.
  var takesText: Bool { get }
  /// The image that is looked at, kept for the next time when the screen is closed.
  var position: Int? { get }

  mutating func reduce(_ event: ScreenEvent, in context: ScreenContext) -> [ScreenAction]
  /// Takes the room that there is now. Only the screen on top is asked.
  mutating func layOut(in context: ScreenContext)
  /// Time has passed.
  mutating func settle(in context: ScreenContext) -> [ScreenAction]
  /// Asks for what it shows and does not have.
  mutating func demand(in context: ScreenContext) -> [ScreenAction]

  /// The pictures of what is visible and rests, the first one first.
  func visiblePictures(in context: ScreenContext) -> [PictureKey]
  /// Whether at most another screen of the record is left, once what is shown rests (RM8).
  func isNearEnd() -> Bool

  /// Greyed where it would do nothing (DL6).
  func isEnabled(_ command: Command, in context: ScreenContext) -> Bool
  /// On a button, where it differs from the key table.
  func label(_ command: Command) -> String?

  /// Rows for the names of columns.
  /// - Parameter room: without the title line.
  func headerRows(in room: Size) -> Int
  /// Rows for sums and sliders.
  func footerRows(in room: Size) -> Int
  /// All but the buttons and the line for messages.
  func draw(in layout: ScreenLayout, _ context: ScreenContext, on canvas: inout Canvas)
  /// What is worth saying while nothing has just happened.
  func note(in context: ScreenContext) -> String?
  /// What is typed, in the line for messages.
  func drawTextField(in area: Rect, on canvas: inout Canvas)
}

extension Screen {
  var lifted: Int? { nil }
  var takesText: Bool { false }
  var position: Int? { nil }

  func visiblePictures(in context: ScreenContext) -> [PictureKey] { [] }
  func isNearEnd() -> Bool { false }
  func label(_ command: Command) -> String? { nil }
  func headerRows(in room: Size) -> Int { 0 }
  func footerRows(in room: Size) -> Int { 0 }
  func note(in context: ScreenContext) -> String? { nil }
  func drawTextField(in area: Rect, on canvas: inout Canvas) {}

  func isEnabled(_ command: Command, in context: ScreenContext) -> Bool {
    guard command == .retry else { return true }
    return record.map { RecordEntry($0, in: context.library).isUnsuccessful } ?? false
  }

  /// Where its parts are.
  func layout(in context: ScreenContext) -> ScreenLayout {
    ScreenLayout(
      context.display.size, isPicture: place.showsOnePicture, header: headerRows,
      footer: footerRows, buttonColumns: buttons(in: context).columns)
  }

  /// Its commands that have a button, with what is on them now.
  func buttons(in context: ScreenContext) -> ButtonBar {
    ButtonBar(
      KeyTable.bindings(in: place).compactMap { binding in
        guard let button = binding.button else { return nil }
        let common = commonLabel(binding.command, context.library)
        return ButtonBar.Button(
          stroke: binding.strokes.first?.label ?? "",
          label: common ?? label(binding.command) ?? button, command: binding.command,
          isEnabled: binding.command == .pauseAll
            ? context.library.isContinuable || context.library.facts.isPausable
            : isEnabled(binding.command, in: context))
      })
  }

  private func commonLabel(_ command: Command, _ library: LibraryStatus) -> String? {
    guard command == .pauseAll else { return nil }
    return library.isContinuable ? "Continue" : library.facts.isPaused ? "Resume" : "Pause"
  }
}

extension Place {
  /// Whether the screen is one picture, over which messages are laid.
  var showsOnePicture: Bool { self == .viewer || self == .slices }
}
