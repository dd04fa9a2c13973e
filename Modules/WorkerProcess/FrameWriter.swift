/// Encodes the payload of a frame: integers in little-endian order, and texts and bytes with their length
/// before them. `FrameReader` reads the values in the same order.
public struct FrameWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// Appends an integer of at most 8 bytes.
  @inlinable
  public mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
    append(UInt64(truncatingIfNeeded: value), size: Integer.bitWidth / 8)
  }

  @usableFromInline
  mutating func append(_ value: UInt64, size: Int) {
    for index in 0..<min(size, 8) {
      bytes.append(UInt8(truncatingIfNeeded: value &>> UInt64(8 &* index)))
    }
  }

  public mutating func append(_ value: Bool) { bytes.append(value ? 1 : 0) }

  public mutating func append(_ value: Double) { append(value.bitPattern) }

  public mutating func append(_ text: String) {
    append(UInt32(clamping: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  public mutating func append(_ data: [UInt8]) {
    append(UInt32(clamping: data.count))
    bytes.append(contentsOf: data)
  }

  /// Appends a flag that tells whether there is a value, and the value.
  public mutating func append<Value>(
    optional value: Value?, _ write: (inout FrameWriter, Value) -> Void
  ) {
    append(value != nil)
    if let value { write(&self, value) }
  }

  /// Appends the number of elements, and each element.
  public mutating func append<Element>(
    list: [Element], _ write: (inout FrameWriter, Element) -> Void
  ) {
    append(UInt32(clamping: list.count))
    for element in list { write(&self, element) }
  }
}
