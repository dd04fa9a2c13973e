/// Memory in which texts and blobs lie while a statement refers to them. SQLite would allocate a copy
/// of each: for the row of a file that is as much as a tenth of all allocations that a download takes.
package struct BindingRoom {
  private let memory: UnsafeMutableRawBufferPointer
  private var used = 0

  /// - Parameter memory: outlives what the statement knows of its parameters.
  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  /// For statements that run now and then: SQLite copies what it needs.
  static var none: BindingRoom { BindingRoom(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }

  /// - Returns: where a copy of the bytes lies; nil where there is no room for it, and SQLite has to make
  ///   one.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard let start = memory.baseAddress, memory.count - used >= bytes.count else { return nil }
    let copy = start + used
    UnsafeMutableRawBufferPointer(rebasing: memory[used...]).copyMemory(from: bytes)
    used += bytes.count
    return UnsafeRawPointer(copy)
  }
}
