import Glibc

/// Untrusted bytes with bounds-checked access: every read returns a value or nil and never traps.
public struct ByteView {
  private let bytes: UnsafeRawBufferPointer

  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  public var count: Int { bytes.count }

  public func byte(_ offset: Int) -> UInt8? {
    offset >= 0 && offset < bytes.count ? bytes[offset] : nil
  }

  /// Reads an unsigned integer of `size` bytes, 1...4. Returns nil if it extends beyond the bytes.
  public func number(at offset: Int, size: Int, bigEndian: Bool = true) -> Int? {
    guard offset >= 0, (1...4).contains(size), bytes.count >= size, offset <= bytes.count - size
    else { return nil }
    var value = 0
    for index in 0..<size {
      value = value << 8 | Int(bytes[offset + (bigEndian ? index : size - 1 - index)])
    }
    return value
  }

  /// Returns `count` bytes from `offset` on, or fewer if the bytes end before.
  public func slice(_ offset: Int, _ count: Int) -> ByteView {
    let start = min(max(0, offset), bytes.count)
    let end = start + min(max(0, count), bytes.count - start)
    return ByteView(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
  }

  public func slice(from offset: Int) -> ByteView { slice(offset, bytes.count) }

  /// Returns the offset of the next occurrence of a byte, or nil if there is none.
  public func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start >= 0, start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return base.distance(to: UnsafeRawPointer(found))
  }

  public func starts(with text: StaticString, at offset: Int = 0) -> Bool {
    let size = text.utf8CodeUnitCount
    guard offset >= 0, bytes.count >= size, offset <= bytes.count - size else { return false }
    for index in 0..<size where bytes[offset + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Whether a text that is not empty is anywhere in the bytes.
  public func contains(_ text: StaticString) -> Bool {
    var offset = 0
    while let place = firstIndex(of: text.utf8Start.pointee, from: offset) {
      if starts(with: text, at: place) { return true }
      offset = place + 1
    }
    return false
  }

  public var array: [UInt8] { Array(bytes) }

  /// Returns the offset of a slice of these bytes; nil for other bytes, and for none.
  public func offset(of slice: ByteView) -> Int? {
    guard let start = slice.bytes.baseAddress, let base = bytes.baseAddress, start >= base else {
      return nil
    }
    let offset = base.distance(to: start)
    return offset < bytes.count ? offset : nil
  }
}
