/// Finds out what a terminal can do: asks everything in one burst, DA1 last, since every terminal
/// answers that one and they answer in order. Pure: bytes to send, answers in, capabilities out.
///
/// Answers that come after the fence still count: over a slow line, or through a multiplexer.
struct CapabilityProbe {
  /// The variables that a terminal leaves in the environment of its programs.
  private let environment: [String: String]
  private var colours: ColourDepth
  private var name = ""
  private var hasKittyGraphics = false
  private var hasSixel = false
  private var modes: [Int: Int] = [:]
  private var hasKittyKeyboard = false
  private var cellPixels: PixelSize?
  private var background: Colour
  /// Whether DA1 was answered: the terminal has nothing more to say about the first burst.
  private(set) var isComplete = false
  private var askedThrough = false

  /// The picture number of the query; one that no picture gets.
  static let queryNumber = 31

  init(environment: [String: String]) {
    self.environment = environment
    colours = Self.colours(environment)
    background = Self.background(environment)
    isTmux = !(environment["TMUX"] ?? "").isEmpty
  }

  private(set) var isTmux: Bool

  /// What to send first.
  var questions: [UInt8] {
    var output = Output()
    output.append("\u{1b}[>0q")
    if !isTmux { output.append(Self.graphicsQuery) }
    output.append("\u{1b}[16t")
    output.append(Self.backgroundQuery)
    output.append("\u{1b}[?2026$p\u{1b}[?2027$p\u{1b}[?u\u{1b}[c")
    return output.bytes
  }

  private static let graphicsQuery: StaticString =
    "\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\"

  /// The same for placeholders (`U`): kitty before 0.28, which has none, does not answer.
  private static let placeholderQuery: StaticString =
    "\u{1b}_Gi=31,s=1,v=1,a=q,U=1,t=d,f=24;AAAA\u{1b}\\"

  /// OSC 11: the background behind default cells.
  private static let backgroundQuery: StaticString = "\u{1b}]11;?\u{1b}\\"

  /// Takes an answer.
  /// - Returns: what to send next, mostly nothing.
  mutating func take(_ reply: TerminalReply) -> [UInt8] {
    switch reply {
    case .attributes(let list):
      isComplete = true
      hasSixel = list.dropFirst().contains(4)
    case .mode(let mode, let value): modes[mode] = value
    case .version(let text):
      name = text
      if text.hasPrefix("tmux") { isTmux = true }
    case .keyboardFlags: hasKittyKeyboard = true
    case .cellPixels(let size):
      if size.width > 0, size.height > 0 { cellPixels = size }
    case .background(let colour): background = colour
    case .graphics(let picture, let message):
      // Any answer counts: one that refuses the query's data still speaks the protocol.
      if picture == Self.queryNumber, message == "OK" || message.hasPrefix("E") {
        hasKittyGraphics = true
      }
    }
    return questionThroughTmux()
  }

  /// Asks the terminal around tmux. With `allow-passthrough` off, tmux drops this; then no answer
  /// comes, which is an answer too. The setting itself is the user's and is left alone.
  private mutating func questionThroughTmux() -> [UInt8] {
    guard isTmux, isComplete, !askedThrough else { return [] }
    askedThrough = true
    var output = Output()
    // Each in a string of its own: the terminal around tmux answers them one by one. tmux before 3.4
    // does not answer OSC 11 itself.
    for question in [Self.placeholderQuery, Self.backgroundQuery] {
      var inner = Output()
      inner.append(question)
      TmuxPassthrough.wrap(inner.bytes, &output)
    }
    return output.bytes
  }

  /// What is known so far.
  var capabilities: Capabilities {
    let unicode = Self.isUTF8(environment)
    return Capabilities(
      colours: depth, pictures: pictures(unicode), cellPixels: cellPixels,
      synchronizedOutput: [1, 2, 3].contains(modes[2026]), kittyKeyboard: hasKittyKeyboard,
      graphemeClusters: [1, 2, 3].contains(modes[2027]), unicode: unicode, background: background,
      name: name, isTmux: isTmux)
  }

  // MARK: - Colours

  private var depth: ColourDepth {
    if colours == .none || environment["TERM"] == "linux" { return colours }
    // tmux takes all colours and brings them down for the terminal around it.
    let lower = name.lowercased()
    let known = [
      "tmux", "kitty", "foot", "wezterm", "iterm2", "ghostty", "konsole", "contour", "xterm",
      "vte", "mlterm", "rio", "alacritty", "mintty",
    ]
    return known.contains { lower.hasPrefix($0) } ? .trueColour : colours
  }

  private static func colours(_ environment: [String: String]) -> ColourDepth {
    // no-color.org: present and not empty.
    if !(environment["NO_COLOR"] ?? "").isEmpty { return .none }
    let terminal = environment["TERM"] ?? ""
    if ["", "dumb"].contains(terminal) || terminal.hasPrefix("vt") { return .none }
    let colour = environment["COLORTERM"] ?? ""
    if colour == "truecolor" || colour == "24bit" || terminal.hasSuffix("-direct") {
      return .trueColour
    }
    if terminal.contains("kitty") || terminal.contains("ghostty") { return .trueColour }
    return terminal.contains("256") ? .palette256 : .ansi16
  }

  /// What rxvt, Konsole and others tell their programs: the foreground and the background as two of
  /// the first sixteen colours, perhaps with another word in between (`15;default;0`).
  private static func background(_ environment: [String: String]) -> Colour {
    let parts = (environment["COLORFGBG"] ?? "").split(separator: ";")
    guard parts.count >= 2, let index = parts.last.flatMap({ UInt8($0) }), index < 16 else {
      return .default
    }
    return .palette(index)
  }

  // MARK: - Pictures

  private func pictures(_ unicode: Bool) -> PictureProtocol {
    let characters: PictureProtocol = unicode ? .symbols : .ascii
    if isTmux {
      // Placeholders are cells, which tmux moves like others; sixel and iTerm2 pictures would stay
      // where they are when it scrolls or shows another window.
      return hasKittyGraphics && unicode ? .kittyPlaceholders : characters
    }
    if (environment["STY"] ?? "").isEmpty == false { return characters }
    let lower = name.lowercased()
    if speaksITerm2(lower) { return .iTerm2 }
    if hasKittyGraphics { return .kitty }
    return hasSixel ? .sixel : characters
  }

  /// Terminals that do iTerm2's pictures better than anything else they can.
  private func speaksITerm2(_ name: String) -> Bool {
    if name.hasPrefix("iterm2") || name.hasPrefix("wezterm") || name.hasPrefix("mintty") {
      return true
    }
    let program = environment["TERM_PROGRAM"] ?? ""
    return ["iTerm.app", "WezTerm", "vscode", "WarpTerminal", "Tabby", "Hyper", "mintty"]
      .contains(program) && !hasKittyGraphics
  }

  private static func isUTF8(_ environment: [String: String]) -> Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      if let value = environment[name], !value.isEmpty {
        let lower = value.lowercased()
        return lower.contains("utf-8") || lower.contains("utf8")
      }
    }
    return false
  }
}
