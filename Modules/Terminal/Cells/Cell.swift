/// One cell of the screen, 16 bytes, which two screens compare as bytes.
public struct Cell: Sendable, Equatable {
  /// A Unicode scalar, an entry of `ClusterTable`, or a number that represents a picture.
  var content: UInt32
  public var foreground: Colour
  public var background: Colour
  public var attributes: Attributes
  var kind: Kind
  /// Keeps the size at 16 and every byte defined.
  private var reserved: UInt16 = 0

  /// What `content` is. The two lowest bits are the width in columns.
  struct Kind: OptionSet, Sendable, Equatable {
    let rawValue: UInt8

    /// The right half of a wide cluster, whose left half holds the content.
    static let continuation: Kind = []
    static let narrow = Kind(rawValue: 1)
    static let wide = Kind(rawValue: 2)
    /// `content` is an entry of `ClusterTable`.
    static let cluster = Kind(rawValue: 4)
    /// `content` represents a picture that shows here.
    static let picture = Kind(rawValue: 8)
    /// Terminals disagree on how wide this cluster is.
    static let disputed = Kind(rawValue: 16)
    /// `content` is a row and a column of a picture: see `PlaceholderCell`.
    static let placeholder = Kind(rawValue: 32)

    var width: Int { Int(rawValue & 3) }
  }

  init(content: UInt32, kind: Kind, style: Style) {
    self.content = content
    self.kind = kind
    foreground = style.foreground
    background = style.background
    attributes = style.attributes
  }

  public static let blank = Cell(content: 0x20, kind: .narrow, style: .plain)

  public var style: Style {
    get { Style(foreground, on: background, attributes) }
    set {
      foreground = newValue.foreground
      background = newValue.background
      attributes = newValue.attributes
    }
  }

  /// Columns: 2 for the left half of a wide cluster, 0 for its right half, else 1.
  public var width: Int { kind.width }

  /// Whether a picture shows here.
  public var showsPicture: Bool { kind.contains(.picture) }

  /// What is written here; empty for the right half of a wide cluster and where a picture shows.
  public var text: String {
    if !kind.isDisjoint(with: [.picture, .placeholder]) || kind.width == 0 { return "" }
    if kind.contains(.cluster) { return ClusterTable.shared.text(content) }
    return Unicode.Scalar(content).map { String(Character($0)) } ?? "\u{fffd}"
  }
}
