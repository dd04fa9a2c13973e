import Models

/// What happens to a screen.
enum ScreenEvent: Sendable {
  /// A key of the table or a button.
  case command(Command)
  case itemPressed(Int)
  /// Pressed and let go.
  case itemClicked(Int)
  /// Pressed for long (RM9).
  case itemHeld(Int)
  /// The next press after one that has lifted an item.
  case liftEnded
  case headingPressed(DetailColumn)
  /// Of the pictures of a record: 0...1.
  case positionChosen(Double)
  /// Of the number of downloads: 0...1.
  case concurrencyChosen(Double)
  /// Lines; negative: towards the beginning.
  case wheelTurned(Int)
  case pasted(String)
  /// While the screen takes text.
  case typed(Gesture)
  /// What the program says of the library.
  case received(Input)
  /// A file of the record was opened with its password.
  case unlocked(ResourceID)
  /// The screen above was closed.
  /// - Parameter index: the image of the record that a viewer has shown last.
  case uncovered(index: Int?)
}
