import Models

/// An event for a screen.
enum ScreenEvent: Sendable {
  /// A command from a key of the table or from a button.
  case command(Command)
  case itemPressed(Int)
  /// An item was pressed and released.
  case itemClicked(Int)
  /// An item was pressed for long (RM9).
  case itemLongPressed(Int)
  /// A press of the mouse puts the lifted item back.
  case liftEnded
  case headingPressed(DetailColumn)
  /// A position on the slider of a viewer, 0...1.
  case positionChosen(Double)
  /// A position on the slider of the number of downloads, 0...1.
  case concurrencyChosen(Double)
  /// A turn of the mouse wheel, in lines; negative values scroll towards the beginning.
  case wheelTurned(Int)
  case pasted(String)
  /// A gesture while the screen accepts text.
  case typed(Gesture)
  /// A report of the program about the library.
  case received(Input)
  /// A file of the record was unlocked with its password.
  case unlocked(ResourceID)
  /// The screen above this one was closed.
  /// - Parameter index: The index of the image that a viewer has shown last, or nil.
  case uncovered(index: Int?)
}
