/// Finds the end of the last complete message in what gallery-dl has written, so that a list that breaks off can be
/// ended there.
struct GalleryOutline {
  private enum State {
    /// No message has begun.
    case start
    /// The first bracket has been read, which is that of a message or of an array of messages.
    case undecided
    case lines, array
    /// The array has ended.
    case ended
    /// The text is no list of messages, or no longer.
    case broken
  }

  private var state = State.start
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var offset: Int64 = 0

  /// Whether the messages are the elements of one array; otherwise each is a line of its own.
  private(set) var isArray = false
  /// The offset after the last complete message; nil if there is none.
  private(set) var messageEnd: Int64?

  /// Whether the array of messages has no end, or other text after its end. Of lines, a bad one costs only itself.
  var isInterrupted: Bool { isArray && state != .ended && messageEnd != nil }

  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      offset &+= 1
      if isInString {
        readString(byte)
      } else if byte > 0x20, state != .broken, !isByteOrderMark(byte) {
        readStructure(byte)
      }
    }
  }

  private func isByteOrderMark(_ byte: UInt8) -> Bool {
    state == .start && offset <= 3 && [0xef, 0xbb, 0xbf].contains(byte)
  }

  private mutating func readString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private mutating func readStructure(_ byte: UInt8) {
    if state == .undecided {
      isArray = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
      state = isArray ? .array : .lines
    }
    // Outside of messages, nothing but the bracket of the next one is expected.
    guard depth > 0 || (byte == UInt8(ascii: "[") && state != .ended) else {
      return state = .broken
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      depth &+= 1
      if state == .start { state = .undecided }
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      depth &-= 1
      if depth == (isArray ? 1 : 0) { messageEnd = offset }
      if isArray, depth == 0 { state = .ended }
    default: break
    }
  }
}
