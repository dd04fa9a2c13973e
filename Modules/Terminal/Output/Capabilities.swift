/// The protocols for showing images, best first.
public enum ImageProtocol: String, Sendable, CaseIterable {
  /// kitty's graphics protocol with placements.
  case kitty
  /// kitty's graphics protocol with Unicode placeholders: cells that show parts of an image. Works in tmux.
  case kittyPlaceholders = "kitty-placeholders"
  /// OSC 1337 File of iTerm2, WezTerm, VS Code and others.
  case iTerm2 = "iterm2"
  case sixel
  /// Characters that resemble the image.
  case symbols
  /// ASCII characters that resemble the image.
  case ascii
  /// Images are not shown; their cells stay blank.
  case none

  /// Whether the protocol shows pixels rather than characters.
  public var hasPixels: Bool {
    switch self {
    case .kitty, .kittyPlaceholders, .iTerm2, .sixel: true
    case .symbols, .ascii, .none: false
    }
  }
}

/// The capabilities of a terminal.
public struct Capabilities: Sendable, Hashable {
  public var colours: ColourDepth
  public var images: ImageProtocol
  /// The size of a cell in pixels; 10 × 20 if the terminal does not report it.
  public var cellPixels: PixelSize
  /// Whether the terminal has reported `cellPixels`.
  public var knowsCellPixels: Bool
  /// Whether the terminal supports synchronized output (DEC private mode 2026), which shows a frame at once.
  public var synchronizedOutput: Bool
  /// Whether the terminal supports kitty's keyboard protocol, which distinguishes Esc, Ctrl-I and Tab, and
  /// reports the release of keys.
  public var kittyKeyboard: Bool
  /// Whether the terminal treats a grapheme cluster as one character (DEC private mode 2027).
  public var graphemeClusters: Bool
  /// Whether characters beyond ASCII are shown (a UTF-8 locale).
  public var unicode: Bool
  /// The background of default cells as the terminal or its environment (`COLORFGBG`) reports it.
  public var background: Colour
  /// The name that the terminal reports, such as "kitty(0.26.5)" or "tmux 3.3a"; empty if it reports none.
  public var name: String
  public var isTmux: Bool
  /// The largest sixel image that the terminal draws, in pixels; nil if it has not named a limit.
  public var sixelLimit: PixelSize?

  public init(
    colours: ColourDepth = .ansi16, images: ImageProtocol = .symbols,
    cellPixels: PixelSize? = nil, synchronizedOutput: Bool = false, kittyKeyboard: Bool = false,
    graphemeClusters: Bool = false, unicode: Bool = true, background: Colour = .default,
    name: String = "", isTmux: Bool = false, sixelLimit: PixelSize? = nil
  ) {
    self.colours = colours
    self.images = images
    self.cellPixels = cellPixels ?? PixelSize(10, 20)
    knowsCellPixels = cellPixels != nil
    self.synchronizedOutput = synchronizedOutput
    self.kittyKeyboard = kittyKeyboard
    self.graphemeClusters = graphemeClusters
    self.unicode = unicode
    self.background = background
    self.name = name
    self.isTmux = isTmux
    self.sixelLimit = sixelLimit
  }
}
