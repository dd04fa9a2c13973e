/// A decoder of the terminal's bytes into events and replies: a pure state machine that accepts pieces of any
/// size.
///
/// A single ESC is ambiguous: it is the Esc key, or the start of a sequence whose rest has not arrived. While
/// `isWaiting`, the caller waits for some 25 ms after the last byte, then calls `deadlinePassed`, and repeats
/// this until `isWaiting` is false.
struct InputDecoder {
  enum Item: Sendable, Equatable {
    case input(InputEvent)
    case reply(TerminalReply)
  }

  /// The limit for a paste in bytes of UTF-8; further bytes are dropped.
  static let pasteLimit = 1 << 20
  /// The limit for a sequence in bytes, more than any supported sequence has.
  static let sequenceLimit = 4096

  private enum State {
    case ground
    case escape
    /// A sequence after `CSI`, and whether a second ESC preceded it (Alt).
    case control(alt: Bool)
    /// A sequence after `SS3`.
    case single(alt: Bool)
    /// A DCS, OSC or APC string, identified by its first byte, up to ST or BEL.
    case string(UInt8)
    /// ESC within a string, which ends the string if a backslash follows.
    case stringEscape(UInt8)
    /// An X10 mouse report, of which three bytes follow.
    case mouse
    case utf8
    case paste
  }

  private var state = State.ground
  private var buffer: [UInt8] = []
  private var pasted: [UInt8] = []
  private var pasteIsTruncated = false
  /// The number of bytes of `ESC [ 201 ~` matched at the end of a paste.
  private var matched = 0
  private var afterEscape = false
  private var mouseButtons = MouseReport.Buttons()
  /// The number of consecutive deadlines that passed within a string or a paste.
  private var silence = 0
  private(set) var items: [Item] = []

  init() {}

  /// The number of deadlines after which an unfinished reply or paste is abandoned; slow links need several.
  static let maximumMissedDeadlines = 40

  /// Whether the bytes so far may be incomplete, such as ESC alone.
  var isWaiting: Bool {
    if case .ground = state { false } else { true }
  }

  /// Returns the items decoded since the last call, and removes them.
  mutating func drain() -> [Item] {
    defer { items.removeAll(keepingCapacity: true) }
    return items
  }

  mutating func decode(_ bytes: some Sequence<UInt8>) {
    silence = 0
    for byte in bytes { step(byte) }
  }

  /// Interprets or discards an incomplete sequence, because no further byte arrived in time.
  mutating func deadlinePassed() {
    switch state {
    case .ground: return
    case .escape:
      if afterEscape { key(.escape) }
      key(.escape)
    case .control: if buffer.isEmpty { key(.character("["), .alt) }
    case .single: key(.character("O"), .alt)
    case .utf8: character("\u{fffd}")
    case .mouse: break
    case .string(let kind) where buffer.isEmpty:
      key(.character(Character(Unicode.Scalar(kind))), .alt)
    case .string, .stringEscape, .paste:
      silence &+= 1
      if silence < Self.maximumMissedDeadlines { return }
      if case .paste = state { finishPaste() }
    }
    reset()
  }

  private mutating func reset() {
    state = .ground
    buffer.removeAll(keepingCapacity: true)
    afterEscape = false
  }

  private mutating func step(_ byte: UInt8) {
    switch state {
    case .ground: ground(byte)
    case .escape: escape(byte)
    case .control(let alt): control(byte, alt)
    case .single(let alt): single(byte, alt)
    case .string(let kind): string(byte, kind)
    case .stringEscape(let kind): stringEscape(byte, kind)
    case .mouse: mouse(byte)
    case .utf8: utf8(byte)
    case .paste: paste(byte)
    }
  }

  // MARK: - Plain bytes

  private mutating func ground(_ byte: UInt8) {
    switch byte {
    case 0x1b: state = .escape
    case 0x20..<0x7f: character(Character(Unicode.Scalar(byte)))
    case 0xc2...0xf4:
      state = .utf8
      buffer.append(byte)
    case 0x80...: character("\u{fffd}")
    default:
      let event = ControlKeys.event(byte)
      key(event.key, event.modifiers)
    }
  }

  private mutating func utf8(_ byte: UInt8) {
    guard byte & 0xc0 == 0x80 else {
      // The character was truncated; the new byte starts another item.
      character("\u{fffd}")
      reset()
      return ground(byte)
    }
    buffer.append(byte)
    let first = buffer[0]
    let length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    guard buffer.count == length else { return }
    character(String(decoding: buffer, as: UTF8.self).first ?? "\u{fffd}")
    reset()
  }

  private mutating func character(_ character: Character) {
    key(.character(character), afterEscape ? .alt : [])
    afterEscape = false
  }

  private mutating func key(
    _ key: Key, _ modifiers: Modifiers = [], kind: KeyEvent.Kind = .press
  ) {
    items.append(.input(.key(KeyEvent(key, modifiers, kind: kind))))
  }

  // MARK: - After ESC

  private mutating func escape(_ byte: UInt8) {
    let alt = afterEscape
    switch byte {
    case 0x5b: state = .control(alt: alt)
    case 0x4f: state = .single(alt: alt)
    case 0x50, 0x5d, 0x5f:
      state = .string(byte)
      afterEscape = false
    case 0x1b:
      // A second ESC means Alt with a sequence, or that Esc was pressed twice.
      if alt { key(.escape) }
      afterEscape = true
    default:
      if alt { key(.escape) }
      reset()
      afterEscape = byte >= 0x20 && byte != 0x7f
      if afterEscape {
        ground(byte)
      } else {
        let event = ControlKeys.event(byte)
        key(event.key, event.modifiers.union(.alt))
      }
    }
  }

  private mutating func single(_ byte: UInt8, _ alt: Bool) {
    reset()
    if byte == 0x1b { return ground(byte) }
    if let found = FunctionKeys.single(byte) { key(found, alt ? .alt : []) }
  }

  private mutating func control(_ byte: UInt8, _ alt: Bool) {
    switch byte {
    case 0x20..<0x40:
      if buffer.count < Self.sequenceLimit { buffer.append(byte) }
    case 0x4d where buffer.isEmpty: state = .mouse
    case 0x5b where buffer.isEmpty:
      // The Linux console sends F1 to F5 as CSI [ A to CSI [ E.
      buffer.append(byte)
    case 0x40..<0x7f:
      let sequence = buffer
      reset()
      finish(ControlSequence(sequence, final: byte), alt)
    default:
      // The byte is not part of any sequence, so the sequence was truncated.
      reset()
      ground(byte)
    }
  }

  private mutating func finish(_ sequence: ControlSequence?, _ alt: Bool) {
    guard let sequence else { return }
    if sequence.isPasteStart {
      state = .paste
      pasted.removeAll(keepingCapacity: false)
      pasteIsTruncated = false
      matched = 0
    } else if let reply = sequence.reply {
      items.append(.reply(reply))
    } else if let event = sequence.event(alt: alt, &mouseButtons) {
      items.append(.input(event))
    }
  }

  private mutating func mouse(_ byte: UInt8) {
    buffer.append(byte)
    guard buffer.count == 3 else { return }
    let report = buffer.map { Int($0) - 32 }
    reset()
    if let event = MouseReport.event(
      code: report[0], column: report[1], row: report[2], isRelease: false, &mouseButtons)
    {
      items.append(.input(.mouse(event)))
    }
  }

  // MARK: - Strings

  private mutating func string(_ byte: UInt8, _ kind: UInt8) {
    switch byte {
    case 0x1b: state = .stringEscape(kind)
    case 0x07 where kind == 0x5d: finishString(kind)
    // CAN and SUB cancel a sequence (ECMA-48).
    case 0x18, 0x1a: reset()
    default:
      if buffer.count < Self.sequenceLimit { buffer.append(byte) }
    }
  }

  private mutating func stringEscape(_ byte: UInt8, _ kind: UInt8) {
    if byte == 0x5c { return finishString(kind) }
    // The string was truncated; ESC starts the next sequence.
    reset()
    state = .escape
    escape(byte)
  }

  private mutating func finishString(_ kind: UInt8) {
    let content = buffer
    reset()
    if let reply = StringReply.decode(kind, content) { items.append(.reply(reply)) }
  }

  // MARK: - Paste

  private static let pasteEnd = Array("\u{1b}[201~".utf8)

  private mutating func paste(_ byte: UInt8) {
    if byte == Self.pasteEnd[matched] {
      matched &+= 1
      guard matched == Self.pasteEnd.count else { return }
      finishPaste()
      return reset()
    }
    for kept in Self.pasteEnd.prefix(matched) { appendPasted(kept) }
    matched = 0
    if byte == Self.pasteEnd[0] { matched = 1 } else { appendPasted(byte) }
  }

  private mutating func finishPaste() {
    items.append(.input(.paste(PasteText.paste(pasted, isTruncated: pasteIsTruncated))))
    pasted = []
  }

  private mutating func appendPasted(_ byte: UInt8) {
    if pasted.count < Self.pasteLimit { pasted.append(byte) } else { pasteIsTruncated = true }
  }
}
