/// The settings of the program that concern the screens.
public struct ScreenSettings: Sendable {
  /// The library's folder, for the title line.
  public var libraryName: String
  /// The initial text of the Add dialog, from the setting `source.default`.
  public var defaultSource: String
  /// The limit for decoded images in memory, in bytes.
  public var imageBytes: Int
  /// The colour scheme; nil to derive it from the terminal's background.
  public var scheme: ColourScheme?

  public init(
    libraryName: String, defaultSource: String = "", imageBytes: Int = 64 << 20,
    scheme: ColourScheme? = nil
  ) {
    self.libraryName = libraryName
    self.defaultSource = defaultSource
    self.imageBytes = imageBytes
    self.scheme = scheme
  }
}
