public import Terminal

/// The styles of all roles on all backgrounds, for one terminal.
public struct Theme: Sendable, Equatable {
  public let scheme: ColourScheme
  /// The styles as a matrix, whose rows are background roles and whose columns are foreground roles.
  private let styles: [Style]

  /// Creates the styles for a terminal.
  /// - Parameters:
  ///   - scheme: The colour scheme, or nil to derive it from the background.
  ///   - background: The terminal's background; `.default` if it is unknown.
  ///   - depth: The terminal's colour depth.
  public init(
    _ scheme: ColourScheme? = nil, background: Colour = .default, depth: ColourDepth = .trueColour
  ) {
    let detectedScheme = ColourScheme(background: background)
    let scheme = scheme ?? detectedScheme
    self.scheme = scheme
    // The user may choose a scheme because the terminal reports a wrong background, so a contradiction is
    // resolved in favour of the scheme.
    let behind =
      background.isDefault || detectedScheme != scheme ? scheme.defaultBackground : background
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
    // Default colours are left to the terminal; on a background of the scheme, the foreground must come from
    // the scheme as well.
    if style.foreground.isDefault, !style.background.isDefault {
      style.foreground = below.foreground
    }
    style.foreground = style.foreground.readable(
      on: style.background.isDefault ? behind : style.background, atLeast: ink.minimumContrast,
      depth: depth)
    // The dim attribute is used only on terminals without colours: it would reduce a contrast that is just
    // sufficient, and every terminal dims differently.
    if depth == .none, ink == .faint || ink == .disabled { style.attributes.insert(.dim) }
    return style
  }

  /// - Parameter ground: The role with whose background the area is already filled.
  public func style(_ ink: TextRole, on ground: TextRole = .text) -> Style {
    styles[ground.rawValue * Self.roleCount + ink.rawValue]
  }

  private static let roleCount = TextRole.allCases.count
}
