/// What the settings of the program say to the screens.
public struct ScreenSettings: Sendable {
  /// The library's folder, for the title line.
  public var libraryName: String
  /// What Add begins with: the setting `source.default`.
  public var defaultSource: String
  /// Bytes of decoded pictures that are kept in memory.
  public var pictureBytes: Int
  /// The colours; nil means those that the terminal's background asks for.
  public var scheme: ColourScheme?

  public init(
    libraryName: String, defaultSource: String = "", pictureBytes: Int = 64 << 20,
    scheme: ColourScheme? = nil
  ) {
    self.libraryName = libraryName
    self.defaultSource = defaultSource
    self.pictureBytes = pictureBytes
    self.scheme = scheme
  }
}
