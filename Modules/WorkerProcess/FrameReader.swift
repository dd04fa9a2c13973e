/// Decodes the payload of a frame. Any bytes result in values or in a `WorkerError` with `.malformed`, never
/// in a trap, and allocations are bounded by the size of the payload.
public struct FrameReader: Sendable {
  private let bytes: [UInt8]
  private var position = 0

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public init(_ frame: Frame) { self.init(frame.payload) }

  public var remainingCount: Int { bytes.count - position }

  /// The bytes that have not been read yet.
  var rest: [UInt8] { position < bytes.count ? Array(bytes[position...]) : [] }

  /// Reads an integer of at most 8 bytes.
  @inlinable
  public mutating func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type = Integer.self
  ) throws(WorkerError) -> Integer {
    Integer(truncatingIfNeeded: try number(size: Integer.bitWidth / 8))
  }

  @usableFromInline
  mutating func number(size: Int) throws(WorkerError) -> UInt64 {
    guard remainingCount >= size else { throw .malformed("a message that is too short") }
    var value: UInt64 = 0
    for index in 0..<min(size, 8) {
      value |= UInt64(bytes[position + index]) &<< UInt64(8 &* index)
    }
    position += size
    return value
  }

  public mutating func bool() throws(WorkerError) -> Bool {
    switch try integer(UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw .malformed("a flag that is neither 0 nor 1")
    }
  }

  public mutating func double() throws(WorkerError) -> Double {
    Double(bitPattern: try integer())
  }

  public mutating func data() throws(WorkerError) -> [UInt8] { Array(try slice()) }

  public mutating func string() throws(WorkerError) -> String {
    guard let text = String(validating: try slice(), as: UTF8.self) else {
      throw .malformed("text that is not UTF-8")
    }
    return text
  }

  public mutating func optional<Value>(
    _ read: (inout FrameReader) throws(WorkerError) -> Value
  ) throws(WorkerError) -> Value? {
    try bool() ? try read(&self) : nil
  }

  /// Reads a list.
  /// - Parameter read: Reads an element, which must have at least one byte.
  public mutating func list<Element>(
    _ read: (inout FrameReader) throws(WorkerError) -> Element
  ) throws(WorkerError) -> [Element] {
    let count = Int(try integer(UInt32.self))
    // No capacity is reserved, because the count is not trustworthy.
    guard count <= remainingCount else { throw .malformed("a list longer than its message") }
    var result: [Element] = []
    for _ in 0..<count { result.append(try read(&self)) }
    return result
  }

  /// Checks that all bytes have been read. Call it last.
  public func checkComplete() throws(WorkerError) {
    guard remainingCount == 0 else { throw .malformed("a message that is too long") }
  }

  private mutating func slice() throws(WorkerError) -> ArraySlice<UInt8> {
    let count = Int(try integer(UInt32.self))
    guard count <= remainingCount else { throw .malformed("a length beyond its message") }
    defer { position += count }
    return bytes[position..<(position + count)]
  }
}
