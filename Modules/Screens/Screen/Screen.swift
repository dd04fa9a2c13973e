import Models
import Terminal

/// A screen owns its state, turns events into actions, and draws itself, without side effects.
///
/// The router sends events to the screens, shows the topmost screen, and carries out the actions.
protocol Screen: Sendable {
  /// The kind of the screen, which determines the meaning of keys.
  var kind: ScreenKind { get }
  /// The record that the screen shows; nil if it shows all records.
  var record: RecordItem? { get }
  /// The time at which `advance` is due, in seconds on the clock of the context; nil if nothing changes with
  /// time.
  var wake: Double? { get }
  /// The index of the item that a long press has lifted.
  var lifted: Int? { get }
  /// Whether keys are currently text input.
  var acceptsText: Bool { get }
  /// The index of the current image, which is remembered when the screen closes.
  var position: Int? { get }

  mutating func reduce(_ event: ScreenEvent, in context: ScreenContext) -> [ScreenAction]
  /// Adapts the screen to the current size of the terminal. Called for the topmost screen only.
  mutating func layOut(in context: ScreenContext)
  /// Advances the screen to the time of the context.
  mutating func advance(in context: ScreenContext) -> [ScreenAction]
  /// Returns the requests for visible data that is missing.
  mutating func requestMissingData(in context: ScreenContext) -> [ScreenAction]

  /// Returns the keys of the visible images by descending priority; empty until the screen is at rest.
  func visibleImages(in context: ScreenContext) -> [ImageKey]
  /// Whether the screen is at rest with at most one more screenful of the record left (RM8).
  func isNearEnd() -> Bool

  /// Whether the command has an effect at present; otherwise its button is greyed (DL6).
  func isEnabled(_ command: Command, in context: ScreenContext) -> Bool
  /// Returns the label of a command's button if it differs from the key table.
  func label(_ command: Command) -> String?

  /// Returns the number of rows for the names of columns.
  /// - Parameter room: The size in cells without the title line.
  func headerRows(in room: Size) -> Int
  /// Returns the number of rows for sums and sliders.
  func footerRows(in room: Size) -> Int
  /// Draws everything except the buttons and the message line.
  func draw(in layout: ScreenLayout, _ context: ScreenContext, on canvas: inout Canvas)
  /// Returns the text of the message line while there is no notice.
  func statusText(in context: ScreenContext) -> String?
  /// Draws the text field in the message line while the user types.
  func drawTextField(in area: Rect, on canvas: inout Canvas)
}

extension Screen {
  var lifted: Int? { nil }
  var acceptsText: Bool { false }
  var position: Int? { nil }

  func visibleImages(in context: ScreenContext) -> [ImageKey] { [] }
  func isNearEnd() -> Bool { false }
  func label(_ command: Command) -> String? { nil }
  func headerRows(in room: Size) -> Int { 0 }
  func footerRows(in room: Size) -> Int { 0 }
  func statusText(in context: ScreenContext) -> String? { nil }
  func drawTextField(in area: Rect, on canvas: inout Canvas) {}

  func isEnabled(_ command: Command, in context: ScreenContext) -> Bool {
    guard command == .retry else { return true }
    return record.map { RecordEntry($0, in: context.library).isUnsuccessful } ?? false
  }

  /// Returns the areas of the screen's parts.
  func layout(in context: ScreenContext) -> ScreenLayout {
    ScreenLayout(
      context.display.size, isImage: kind.showsOneImage, header: headerRows,
      footer: footerRows, buttonColumns: buttons(in: context).columns)
  }

  /// Returns the buttons of the screen's commands with their current labels.
  func buttons(in context: ScreenContext) -> ButtonBar {
    ButtonBar(
      KeyBindings.bindings(in: kind).compactMap { binding in
        guard let button = binding.button else { return nil }
        let common = commonLabel(binding.command, context.library)
        return ButtonBar.Button(
          stroke: binding.strokes.first?.label ?? "",
          label: common ?? label(binding.command) ?? button, command: binding.command,
          isEnabled: binding.command == .pauseAll
            ? context.library.isContinuable || context.library.snapshot.isPausable
            : isEnabled(binding.command, in: context))
      })
  }

  private func commonLabel(_ command: Command, _ library: ReportedLibrary) -> String? {
    guard command == .pauseAll else { return nil }
    return library.isContinuable ? "Continue" : library.snapshot.isPaused ? "Resume" : "Pause"
  }
}

extension ScreenKind {
  /// Whether the screen shows a single image, over which messages are drawn.
  var showsOneImage: Bool { self == .viewer || self == .slices }
}
