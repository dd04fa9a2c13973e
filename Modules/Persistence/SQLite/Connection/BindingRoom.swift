/// Memory for the texts and blobs that a statement's parameters refer to. Otherwise SQLite allocates a copy
/// of each, which for the row of a file makes up to a tenth of all allocations of a download.
package struct BindingRoom {
  private let memory: UnsafeMutableRawBufferPointer
  private var usedCount = 0

  /// - Parameter memory: The memory, which must outlive the statement's bindings.
  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  /// A room without memory, so that SQLite copies the values. For statements that do not run often.
  static var none: BindingRoom { BindingRoom(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }

  /// - Returns: The address of a copy of the bytes, or nil if the room is full and SQLite has to make the
  ///   copy.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard let start = memory.baseAddress, memory.count - usedCount >= bytes.count else {
      return nil
    }
    let copy = start + usedCount
    UnsafeMutableRawBufferPointer(rebasing: memory[usedCount...]).copyMemory(from: bytes)
    usedCount += bytes.count
    return UnsafeRawPointer(copy)
  }
}
