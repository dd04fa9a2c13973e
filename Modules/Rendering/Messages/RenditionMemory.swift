import CLinux
import Glibc
public import Rendering
public import SystemCalls
public import WorkerProcess

/// The memory in which a worker hands over pictures that are too large for a message.
///
/// The worker says how large they are (`RenderReply.large`). The program makes the memory, gives it
/// its length permanently, and sends it. The worker maps it, copies its pictures there one behind the
/// other, and lets go of it. The program seals the contents before it looks: what it reads is what
/// everybody will read from then on, and a worker that keeps a hand on it is found out.
public struct RenditionMemory: Sendable {
  public let descriptor: OwnedDescriptor
  /// Bytes. Only what is written to takes memory.
  public let capacity: Int

  /// Of a program: new, empty memory.
  /// - Parameter capacity: wanted. To the kernel it is a file: `ulimit -f` may allow less, and most
  ///   pictures need less.
  public init(capacity: Int) throws(WorkerError) {
    let capacity = min(capacity, Int(clamping: imgdl_file_size_limit()))
    self.capacity = capacity
    descriptor = OwnedDescriptor(imgdl_memory_file("imgdl-renditions"))
    guard descriptor.isOpen, ftruncate(descriptor.raw, off_t(capacity)) == 0,
      imgdl_seal_length(descriptor.raw) == 0
    else {
      let error = SystemError.last("make memory for pictures")
      throw WorkerError(.system, error.description, systemError: error)
    }
  }

  static let frameKind: UInt8 = 2

  /// What brings it to the worker.
  public var frame: Frame { Frame(kind: Self.frameKind, descriptors: [descriptor]) }

  /// Of a worker: the memory that a message has brought.
  /// - Returns: nil for a message of another kind.
  public init?(_ frame: Frame) throws(RenderError) {
    guard frame.kind == Self.frameKind else { return nil }
    guard let descriptor = frame.descriptors.first else {
      throw RenderError(.io, "no memory came with the message")
    }
    do throws(SystemError) {
      capacity = Int(clamping: try descriptor.status().size)
    } catch {
      throw RenderError(.io, escaping: error.description)
    }
    self.descriptor = descriptor
  }

  /// Copies the pictures to its beginning, one after the other.
  public func write(_ renditions: [Rendition]) throws(RenderError) {
    let size = renditions.reduce(0) { $0 + $1.bytes.count }
    guard size <= capacity else {
      throw RenderError(
        .limit,
        "pictures of \(size) bytes exceed the \(capacity) that this process may write (ulimit -f)")
    }
    guard size > 0 else { return }
    guard
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.raw, 0),
      memory != MAP_FAILED
    else { throw RenderError(.io, "no memory for \(size) bytes of pictures") }
    defer { munmap(memory, size) }
    var offset = 0
    for rendition in renditions {
      rendition.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(start: memory + offset, count: $0.count).copyMemory(from: $0)
      }
      offset += rendition.bytes.count
    }
  }

  /// From now on nobody changes the contents.
  func seal() throws(WorkerError) {
    guard imgdl_seal_contents(descriptor.raw) == 0 else {
      throw WorkerError(
        .malformed,
        "the worker has kept a hand on its pictures (\(SystemError.last("seal").reason))")
    }
  }

  /// - Parameters: checked against `capacity`.
  func bytes(count: Int, at offset: Int) throws(WorkerError) -> [UInt8] {
    guard offset >= 0, count >= 0, count <= capacity - offset else {
      throw WorkerError(.malformed, "a picture beyond the memory for it")
    }
    do throws(SystemError) {
      return try descriptor.bytes(count: count, at: Int64(offset))
    } catch {
      throw WorkerError(.system, error.description, systemError: error)
    }
  }
}

extension RenderRequest {
  /// Bytes that the answer's pictures can have at most.
  public var memoryCapacity: Int {
    guard case .render(_, let sides, _) = operation else { return 0 }
    // Four bytes a pixel, and what a PNG adds to a picture that does not compress.
    let most = sides.reduce(0) { sum, side in
      let side = min(max(0, side), 65_535)
      return sum + side * side / 64 * 65 * 4 + side * 16 + 65_536
    }
    return min(most, RenderReply.maxBytes)
  }
}
