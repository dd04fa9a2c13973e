/// The colours and attributes of a cell.
public struct Style: Sendable, Hashable {
  public var foreground: Colour
  public var background: Colour
  public var attributes: Attributes

  public init(
    _ foreground: Colour = .default, on background: Colour = .default,
    _ attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's default colours without attributes.
  public static let plain = Style()

  /// Returns the style with additional attributes.
  public func with(_ attributes: Attributes) -> Style {
    Style(foreground, on: background, self.attributes.union(attributes))
  }

  /// Returns the style with another background.
  public func on(_ background: Colour) -> Style { Style(foreground, on: background, attributes) }

  /// Returns the style with another foreground.
  public func coloured(_ foreground: Colour) -> Style {
    Style(foreground, on: background, attributes)
  }
}

public struct Attributes: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let bold = Attributes(rawValue: 1)
  public static let dim = Attributes(rawValue: 2)
  public static let italic = Attributes(rawValue: 4)
  public static let underline = Attributes(rawValue: 8)
  public static let reverse = Attributes(rawValue: 16)
  public static let strikethrough = Attributes(rawValue: 32)
}
