/// The environment that screens receive with each event, and that they cannot change.
struct ScreenContext: Sendable {
  /// The current time in seconds on the clock of the program.
  let now: Double
  let settings: ScreenSettings
  let display: Display
  let library: ReportedLibrary
  let images: ImageStore
  /// The target on which a mouse button is held down, or nil.
  let pressedTarget: HitArea.Target?
}
