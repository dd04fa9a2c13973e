/// One cell of the screen. All its 16 bytes are defined, so that cells can be compared with memcmp(3).
public struct Cell: Sendable, Equatable {
  /// A Unicode scalar, the number of an entry of `ClusterTable`, or a number that identifies an image.
  var content: UInt32
  public var foreground: Colour
  public var background: Colour
  public var attributes: Attributes
  var kind: Kind
  /// An unused field that makes the size 16 and keeps every byte defined.
  private var reserved: UInt16 = 0

  /// The interpretation of `content`. The two lowest bits are the width in columns.
  struct Kind: OptionSet, Sendable, Equatable {
    let rawValue: UInt8

    /// The right half of a wide cluster, whose left half holds the content.
    static let continuation: Kind = []
    static let narrow = Kind(rawValue: 1)
    static let wide = Kind(rawValue: 2)
    /// `content` is an entry of `ClusterTable`.
    static let cluster = Kind(rawValue: 4)
    /// `content` identifies an image that is shown in this cell.
    static let image = Kind(rawValue: 8)
    /// Terminals disagree on the width of this cluster.
    static let disputed = Kind(rawValue: 16)
    /// `content` is a row and a column of an image: see `PlaceholderCell`.
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

  /// The width in columns: 2 for the left half of a wide cluster, 0 for its right half, else 1.
  public var width: Int { kind.width }

  /// Whether the cell shows an image.
  public var showsImage: Bool { kind.contains(.image) }

  /// The text of the cell; empty for the right half of a wide cluster and for an image.
  public var text: String {
    if !kind.isDisjoint(with: [.image, .placeholder]) || kind.width == 0 { return "" }
    if kind.contains(.cluster) { return ClusterTable.shared.text(content) }
    return Unicode.Scalar(content).map { String(Character($0)) } ?? "\u{fffd}"
  }
}
