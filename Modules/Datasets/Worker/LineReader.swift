import Datasets
import SystemCalls

/// Reads lines from a descriptor. Blocks; used on one thread at a time.
///
/// `@unchecked Sendable`: the worker's thread reads the line of a shard; then only the queue of the input
/// reads, the lines of the samples. The thread reads again after the mailbox has passed it the last of them.
final class LineReader: @unchecked Sendable {
  /// The maximum length of a line in bytes.
  private static let limit = 1 << 20

  /// The number of lines returned so far.
  private(set) var lineCount = 0
  private let descriptor: OwnedDescriptor
  private var buffer: [UInt8] = []
  private var position = 0
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)

  init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

  deinit { chunk.deallocate() }

  /// Returns the next line without its end; nil at the end of the input.
  /// - Throws: `.malformed` for a line that is too long or incomplete.
  func next() throws(ShardError) -> [UInt8]? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { position = end + 1 }
        lineCount += 1
        return Array(buffer[position..<end])
      }
      buffer.removeFirst(position)
      position = 0
      searched = buffer.count
      guard searched <= Self.limit else {
        throw .malformed("line \(lineCount + 1) has more than \(Self.limit) bytes")
      }
      guard try fill() else {
        guard buffer.isEmpty else {
          throw .malformed("the input ends within line \(lineCount + 1)")
        }
        return nil
      }
    }
  }

  private func fill() throws(ShardError) -> Bool {
    do throws(SystemError) {
      let count = try descriptor.read(into: chunk)
      buffer += chunk[..<count]
      return count > 0
    } catch {
      throw .failed(error.description)
    }
  }
}
