import CVTerm

@testable import Terminal

/// A terminal without a window: libvterm. Does not wrap at the right edge, as a session sets it.
final class VirtualTerminal {
  static let foreground: UInt32 = 0x010203
  static let background: UInt32 = 0x040506

  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  private(set) var size: Size

  init(_ size: Size) throws {
    self.size = size
    guard let terminal = vterm_new(Int32(size.rows), Int32(size.columns)),
      let screen = vterm_obtain_screen(terminal)
    else { throw NoMemory() }
    self.terminal = terminal
    self.screen = screen
    vterm_set_utf8(terminal, 1)
    imgdl_vterm_default_colours(terminal, Self.foreground, Self.background)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
    write(Array("\u{1b}[?1049h\u{1b}[?7l\u{1b}[m".utf8))
  }

  struct NoMemory: Error {}

  deinit { vterm_free(terminal) }

  func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes {
      _ = vterm_input_write(terminal, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    vterm_screen_flush_damage(screen)
  }

  func resize(_ new: Size) {
    size = new
    vterm_set_size(terminal, Int32(new.rows), Int32(new.columns))
  }

  struct Shown: Equatable {
    var scalars: [UInt32]
    var width: Int
    var style: Style
  }

  func cell(_ column: Int, _ row: Int) -> Shown {
    let cell = imgdl_vterm_cell_at(screen, Int32(column), Int32(row))
    let scalars = withUnsafeBytes(of: cell.characters) {
      Array($0.bindMemory(to: UInt32.self).prefix { $0 != 0 })
    }
    var attributes: Attributes = []
    if cell.bold != 0 { attributes.insert(.bold) }
    if cell.underline != 0 { attributes.insert(.underline) }
    if cell.italic != 0 { attributes.insert(.italic) }
    if cell.reverse != 0 { attributes.insert(.reverse) }
    if cell.strike != 0 { attributes.insert(.strikethrough) }
    return Shown(
      scalars: scalars.isEmpty ? [0x20] : scalars, width: Int(cell.width),
      style: Style(.rgb(cell.foreground), on: .rgb(cell.background), attributes))
  }

  func text(ofRow row: Int) -> String {
    var text = String.UnicodeScalarView()
    for column in 0..<size.columns {
      text.append(contentsOf: cell(column, row).scalars.compactMap { Unicode.Scalar($0) })
    }
    return String(text)
  }

  /// The first cell that does not show what the buffer has, in words; nil if all do.
  func difference(from buffer: CellBuffer) -> String? {
    for row in 0..<buffer.height {
      for column in 0..<buffer.width {
        let wanted = buffer[column, row]
        if wanted.width == 0 { continue }
        let shown = cell(column, row)
        if !Self.isSame(wanted, shown) {
          return "(\(column), \(row)): wanted \(wanted.text.debugDescription) \(wanted.style), "
            + "shown \(shown.scalars.map { String($0, radix: 16) }) \(shown.style)"
        }
      }
    }
    return nil
  }

  private static func isSame(_ wanted: Cell, _ shown: Shown) -> Bool {
    var style = wanted.style
    if style.foreground.isDefault { style.foreground = .rgb(foreground) }
    if style.background.isDefault { style.background = .rgb(background) }
    style.attributes.remove(.dim)
    guard style == shown.style else { return false }
    let scalars = wanted.text.unicodeScalars.map(\.value)
    // Where terminals differ, libvterm may show a part of the cluster, or what it makes of the
    // second half; the cells beside it are what counts.
    if wanted.kind.contains(.disputed) { return shown.scalars.first == scalars.first }
    return shown.width == wanted.width
      && shown.scalars == Array(scalars.prefix(Int(imgdl_vterm_longest())))
  }
}
