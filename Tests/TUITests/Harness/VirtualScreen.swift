import CVTerm

/// A terminal without a window, libvterm's: what a person would see.
struct VirtualScreen: ~Copyable {
  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  private(set) var columns: Int
  private(set) var rows: Int
  /// What the terminal answers to the question for its background (OSC 11), which libvterm does not
  /// know; nil: nothing.
  private let background: String?
  /// The end of what was written, in which a question may have begun.
  private var tail: [UInt8] = []

  struct NoMemory: Error {}

  init(columns: Int, rows: Int, background: String? = nil) throws {
    self.background = background
    guard let terminal = vterm_new(Int32(rows), Int32(columns)),
      let screen = vterm_obtain_screen(terminal)
    else { throw NoMemory() }
    self.terminal = terminal
    self.screen = screen
    (self.columns, self.rows) = (columns, rows)
    vterm_set_utf8(terminal, 1)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
  }

  deinit { vterm_free(terminal) }

  /// - Returns: what the terminal answers to what it was asked.
  mutating func write(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes {
      _ = vterm_input_write(terminal, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    vterm_screen_flush_damage(screen)
    var answer = [UInt8](repeating: 0, count: 4_096)
    let count = answer.withUnsafeMutableBytes {
      vterm_output_read(terminal, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return told(bytes) + answer.prefix(count)
  }

  /// The answer to the question for the background, if that is in these bytes.
  private mutating func told(_ bytes: [UInt8]) -> [UInt8] {
    guard let background else { return [] }
    let question = Array("\u{1b}]11;?".utf8)
    let text = tail + bytes
    tail = Array(text.suffix(question.count - 1))
    guard text.firstRange(of: question) != nil else { return [] }
    return Array("\u{1b}]11;\(background)\u{1b}\\".utf8)
  }

  mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    vterm_set_size(terminal, Int32(rows), Int32(columns))
  }

  /// Each row's backgrounds, as 0xRRGGBB.
  var backgrounds: [[UInt32]] {
    (0..<rows).map { row in
      (0..<columns).map { imgdl_vterm_cell_at(screen, Int32($0), Int32(row)).background }
    }
  }

  /// Each row's cells as text; the right half of a wide character is empty.
  var cells: [[String]] {
    (0..<rows).map { row in
      (0..<columns).map { column in
        let cell = imgdl_vterm_cell_at(screen, Int32(column), Int32(row))
        let scalars = withUnsafeBytes(of: cell.characters) {
          Array($0.bindMemory(to: UInt32.self).prefix { $0 != 0 })
        }
        if scalars.first == .max { return "" }
        let text = scalars.compactMap { Unicode.Scalar($0) }.map { String($0) }.joined()
        return text.isEmpty ? " " : text
      }
    }
  }
}
