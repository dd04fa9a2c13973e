public import Terminal

/// How every ink looks on every other, for the background and the colours that a terminal has.
public struct Theme: Sendable, Equatable {
  public let scheme: ColourScheme
  /// Of all inks on the first ink, then on the second one, and so on.
  private let styles: [Style]

  /// - Parameters:
  ///   - scheme: nil means as the background asks for.
  ///   - background: of the terminal; the default where it does not tell.
  ///   - depth: of the terminal.
  public init(
    _ scheme: ColourScheme? = nil, background: Colour = .default, depth: ColourDepth = .trueColour
  ) {
    let told = ColourScheme(background: background)
    let scheme = scheme ?? told
    self.scheme = scheme
    // A scheme that contradicts the terminal was chosen because the terminal is wrong.
    let behind = background.isDefault || told != scheme ? scheme.usualBackground : background
    styles = TextRole.allCases.flatMap { ground in
      TextRole.allCases.map { ink in
        Self.style(of: ink, on: ground, scheme, behind: behind, depth)
      }
    }
  }

  private static func style(
    of ink: TextRole, on ground: TextRole, _ scheme: ColourScheme, behind: Colour,
    _ depth: ColourDepth
  ) -> Style {
    var style = scheme.style(ink)
    let below = scheme.style(ground)
    if style.background.isDefault { style.background = below.background }
    // Text in the terminal's own colours is as readable as the terminal makes it; on a colour of
    // ours it needs one of ours.
    if style.foreground.isDefault, !style.background.isDefault {
      style.foreground = below.foreground
    }
    style.foreground = style.foreground.readable(
      on: style.background.isDefault ? behind : style.background, atLeast: ink.leastContrast,
      depth: depth)
    // Only where no colour says the same: dimming would take away from a contrast that is just
    // enough, and each terminal dims in its own way.
    if depth == .none, ink == .faint || ink == .disabled { style.attributes.insert(.dim) }
    return style
  }

  /// - Parameter ground: the ink that fills the place below, if that has a background.
  public func style(_ ink: TextRole, on ground: TextRole = .text) -> Style {
    styles[ground.rawValue * Self.inkCount + ink.rawValue]
  }

  private static let inkCount = TextRole.allCases.count
}
