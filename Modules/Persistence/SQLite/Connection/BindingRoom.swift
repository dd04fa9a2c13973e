/// Memory for the texts and blobs that are bound to a statement's parameters. Without it, SQLite would
/// allocate a copy of each value; for the row of a file, these copies make up to a tenth of all allocations
/// of a download.
package struct BindingRoom {
  private let memory: UnsafeMutableRawBufferPointer
  private var usedCount = 0

  /// - Parameter memory: The memory, which must outlive the statement's bindings.
  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  /// An instance without memory, so that SQLite copies the values. Used for statements that do not run often.
  static var none: BindingRoom { BindingRoom(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }

  /// Copies bytes into the memory.
  /// - Returns: The address of the copy, or nil if the memory is full, so that SQLite has to copy the bytes.
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
