/// Determines the capabilities of a terminal. All queries are sent in one burst with DA1 last, because every
/// terminal answers DA1, and terminals answer in order. The probe does no I/O: callers send the bytes that it
/// returns, and pass it the replies.
///
/// Replies after that to DA1 are used as well, since a slow connection or a multiplexer may delay them.
struct CapabilityProbe {
  /// The environment variables of the process, some of which terminals set.
  private let environment: [String: String]
  private var colours: ColourDepth
  private var name = ""
  private var hasKittyGraphics = false
  private var hasSixel = false
  private var modes: [Int: Int] = [:]
  private var hasKittyKeyboard = false
  private var cellPixels: PixelSize?
  private var sixelLimit: PixelSize?
  private var hasQueriedSixelLimit = false
  private var background: Colour
  /// Whether the terminal has answered DA1, and thus the whole first burst.
  private(set) var isComplete = false
  private var hasQueriedThroughTmux = false

  /// The image number in the graphics query, which no image uses.
  static let queryNumber = 31

  init(environment: [String: String]) {
    self.environment = environment
    colours = Self.colours(environment)
    background = Self.background(environment)
    isTmux = !(environment["TMUX"] ?? "").isEmpty
  }

  private(set) var isTmux: Bool

  /// The bytes of the first burst of queries.
  var queries: [UInt8] {
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

  /// The graphics query with placeholders (`U`), which kitty supports and answers from 0.28 on.
  private static let placeholderQuery: StaticString =
    "\u{1b}_Gi=31,s=1,v=1,a=q,U=1,t=d,f=24;AAAA\u{1b}\\"

  /// The query for the background of default cells (OSC 11).
  private static let backgroundQuery: StaticString = "\u{1b}]11;?\u{1b}\\"

  /// XTSMGRAPHICS: the query for the largest sixel image.
  private static let sixelLimitQuery: StaticString = "\u{1b}[?2;1;0S"

  /// The largest image of xterm with its standard setting (`maxGraphicSize`), until it has answered.
  private static let xtermLimit = PixelSize(1000, 1000)

  /// Handles a reply.
  /// - Returns: The bytes to send next, usually none.
  mutating func receive(_ reply: TerminalReply) -> [UInt8] {
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
    case .sixelLimit(let size):
      if size.width > 0, size.height > 0 { sixelLimit = size }
    case .graphics(let image, let message):
      // Any answer counts: a terminal that rejects the query's data still supports the protocol.
      if image == Self.queryNumber, message == "OK" || message.hasPrefix("E") {
        hasKittyGraphics = true
      }
    }
    return isTmux ? tmuxQuery() : sixelQuery()
  }

  /// Asks a terminal with sixel for the largest image: xterm draws nothing of a larger one. Other terminals are not
  /// asked, because some take a final `S` without its private mark for the order to scroll.
  private mutating func sixelQuery() -> [UInt8] {
    guard isComplete, hasSixel, !hasQueriedSixelLimit else { return [] }
    hasQueriedSixelLimit = true
    var output = Output()
    output.append(Self.sixelLimitQuery)
    return output.bytes
  }

  /// Queries the outer terminal, in which tmux runs. With `allow-passthrough` off, tmux drops the queries,
  /// and missing replies mean that there is no support. The setting belongs to the user and is not changed.
  private mutating func tmuxQuery() -> [UInt8] {
    guard isTmux, isComplete, !hasQueriedThroughTmux else { return [] }
    hasQueriedThroughTmux = true
    var output = Output()
    // Each query is wrapped separately, because the outer terminal answers each one. tmux before 3.4 does not
    // answer OSC 11 itself.
    for question in [Self.placeholderQuery, Self.backgroundQuery] {
      var inner = Output()
      inner.append(question)
      TmuxPassthrough.wrap(inner.bytes, &output)
    }
    return output.bytes
  }

  /// The capabilities according to the replies so far.
  var capabilities: Capabilities {
    let unicode = Self.isUTF8(environment)
    return Capabilities(
      colours: depth, images: images(unicode), cellPixels: cellPixels,
      synchronizedOutput: [1, 2, 3].contains(modes[2026]), kittyKeyboard: hasKittyKeyboard,
      graphemeClusters: [1, 2, 3].contains(modes[2027]), unicode: unicode, background: background,
      name: name, isTmux: isTmux,
      sixelLimit: sixelLimit ?? (name.hasPrefix("XTerm") ? Self.xtermLimit : nil))
  }

  // MARK: - Colours

  private var depth: ColourDepth {
    if colours == .none || environment["TERM"] == "linux" { return colours }
    // tmux accepts all colours and reduces them for the outer terminal.
    let lower = name.lowercased()
    let known = [
      "tmux", "kitty", "foot", "wezterm", "iterm2", "ghostty", "konsole", "contour", "xterm",
      "vte", "mlterm", "rio", "alacritty", "mintty",
    ]
    return known.contains { lower.hasPrefix($0) } ? .trueColour : colours
  }

  private static func colours(_ environment: [String: String]) -> ColourDepth {
    // `NO_COLOR` disables colours if it is present and not empty (no-color.org).
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

  /// Returns the background in `COLORFGBG`, in which rxvt, Konsole and others pass the foreground and the
  /// background as two of the first sixteen colours, sometimes with another word in between (`15;default;0`).
  private static func background(_ environment: [String: String]) -> Colour {
    let parts = (environment["COLORFGBG"] ?? "").split(separator: ";")
    guard parts.count >= 2, let index = parts.last.flatMap({ UInt8($0) }), index < 16 else {
      return .default
    }
    return .palette(index)
  }

  // MARK: - Images

  private func images(_ unicode: Bool) -> ImageProtocol {
    let characters: ImageProtocol = unicode ? .symbols : .ascii
    if isTmux {
      // Placeholders are cells, which tmux moves like any others; sixel and iTerm2 images would keep their
      // position when tmux scrolls or switches windows.
      return hasKittyGraphics && unicode ? .kittyPlaceholders : characters
    }
    if (environment["STY"] ?? "").isEmpty == false { return characters }
    let lower = name.lowercased()
    if speaksITerm2(lower) { return .iTerm2 }
    if hasKittyGraphics { return .kitty }
    return hasSixel ? .sixel : characters
  }

  /// Returns whether iTerm2's protocol is the best one that the terminal of this name supports.
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
