/// How pictures reach the screen, best first.
public enum PictureProtocol: String, Sendable, CaseIterable {
  /// kitty's graphics protocol with placements.
  case kitty
  /// The same with Unicode placeholders: cells that represent parts of a picture. Works in tmux.
  case kittyPlaceholders = "kitty-placeholders"
  /// OSC 1337 File of iTerm2, WezTerm, VS Code and others.
  case iTerm2 = "iterm2"
  case sixel
  /// Characters that look like the picture.
  case symbols
  /// The same with ASCII only.
  case ascii
  /// Cells stay blank.
  case none

  /// Whether real pixels are shown.
  public var hasPixels: Bool {
    switch self {
    case .kitty, .kittyPlaceholders, .iTerm2, .sixel: true
    case .symbols, .ascii, .none: false
    }
  }
}

/// What a terminal can do.
public struct Capabilities: Sendable, Hashable {
  public var colours: ColourDepth
  public var pictures: PictureProtocol
  /// Pixels of one cell; 10 × 20 where the terminal does not tell.
  public var cellPixels: PixelSize
  /// Whether the terminal told `cellPixels`.
  public var knowsCellPixels: Bool
  /// DEC private mode 2026: a frame shows at once.
  public var synchronizedOutput: Bool
  /// kitty's keyboard protocol: Esc, Ctrl-I and Tab are told apart, and keys report their release.
  public var kittyKeyboard: Bool
  /// DEC private mode 2027: a grapheme cluster is one character.
  public var graphemeClusters: Bool
  /// Whether characters beyond ASCII are shown (a UTF-8 locale).
  public var unicode: Bool
  /// The background behind default cells, if the terminal or its environment (`COLORFGBG`) told.
  public var background: Colour
  /// What the terminal calls itself: "kitty(0.26.5)", "tmux 3.3a"; empty if it does not tell.
  public var name: String
  public var isTmux: Bool

  public init(
    colours: ColourDepth = .ansi16, pictures: PictureProtocol = .symbols,
    cellPixels: PixelSize? = nil, synchronizedOutput: Bool = false, kittyKeyboard: Bool = false,
    graphemeClusters: Bool = false, unicode: Bool = true, background: Colour = .default,
    name: String = "", isTmux: Bool = false
  ) {
    self.colours = colours
    self.pictures = pictures
    self.cellPixels = cellPixels ?? PixelSize(10, 20)
    knowsCellPixels = cellPixels != nil
    self.synchronizedOutput = synchronizedOutput
    self.kittyKeyboard = kittyKeyboard
    self.graphemeClusters = graphemeClusters
    self.unicode = unicode
    self.background = background
    self.name = name
    self.isTmux = isTmux
  }
}
