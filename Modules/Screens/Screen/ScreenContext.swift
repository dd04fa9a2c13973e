/// What all screens share, and none of them changes.
struct ScreenContext: Sendable {
  /// Seconds on the clock of the program.
  let now: Double
  let settings: ScreenSettings
  let display: Display
  let library: LibraryStatus
  let pictures: PictureStore
  /// What a button of the mouse is held down on.
  let heldTarget: HitArea.Target?
}
