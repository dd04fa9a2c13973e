import CLinux
import Glibc
public import Rendering
public import SystemCalls
public import WorkerProcess

/// The shared memory in which a worker returns images that are too large for a message.
///
/// The worker reports their size (`RenderReply.large`). The program creates the memory, seals its length, and
/// sends it. The worker maps it, copies its images into it one after the other, and unmaps it. The program
/// seals the contents before it reads them: they can no longer change, and sealing fails if the worker still
/// has a writable mapping.
public struct RenditionMemory: Sendable {
  public let descriptor: OwnedDescriptor
  /// The size in bytes. Only pages that are written to occupy memory.
  public let capacity: Int

  /// Creates empty memory in the program that requests images.
  /// - Parameter capacity: The requested size in bytes. The kernel treats the memory as a file, so the size
  ///   is reduced to the limit of `ulimit -f`; most images need less.
  public init(capacity: Int) throws(WorkerError) {
    let capacity = min(capacity, Int(clamping: imgdl_file_size_limit()))
    self.capacity = capacity
    descriptor = OwnedDescriptor(imgdl_memory_file("imgdl-renditions"))
    guard descriptor.isOpen, ftruncate(descriptor.raw, off_t(capacity)) == 0,
      imgdl_seal_length(descriptor.raw) == 0
    else {
      let error = SystemError.last("create memory for images")
      throw WorkerError(.system, error.description, systemError: error)
    }
  }

  static let frameKind: UInt8 = 2

  /// The message that carries the memory to the worker.
  public var frame: Frame { Frame(kind: Self.frameKind, descriptors: [descriptor]) }

  /// Receives the memory in a worker.
  /// - Returns: nil for a message of another kind.
  public init?(_ frame: Frame) throws(RenderError) {
    guard frame.kind == Self.frameKind else { return nil }
    guard let descriptor = frame.descriptors.first else {
      throw RenderError(.io, "the message has no memory descriptor")
    }
    do throws(SystemError) {
      capacity = Int(clamping: try descriptor.status().size)
    } catch {
      throw RenderError(.io, escaping: error.description)
    }
    self.descriptor = descriptor
  }

  /// Copies the images to the beginning of the memory, one after the other.
  public func write(_ renditions: [Rendition]) throws(RenderError) {
    let size = renditions.reduce(0) { $0 + $1.bytes.count }
    guard size <= capacity else {
      throw RenderError(
        .limit,
        "images of \(size) bytes exceed the \(capacity) that this process may write (ulimit -f)")
    }
    guard size > 0 else { return }
    guard
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.raw, 0),
      memory != MAP_FAILED
    else { throw RenderError(.io, "no memory for \(size) bytes of images") }
    defer { munmap(memory, size) }
    var offset = 0
    for rendition in renditions {
      rendition.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(start: memory + offset, count: $0.count).copyMemory(from: $0)
      }
      offset += rendition.bytes.count
    }
  }

  /// Seals the contents, so that no process can change them any more.
  func seal() throws(WorkerError) {
    guard imgdl_seal_contents(descriptor.raw) == 0 else {
      throw WorkerError(
        .malformed,
        "the worker still has a writable mapping of its images (\(SystemError.last("seal").reason))"
      )
    }
  }

  /// Reads the bytes of an image. `count` and `offset` are not trusted: they are checked against `capacity`.
  func bytes(count: Int, at offset: Int) throws(WorkerError) -> [UInt8] {
    guard offset >= 0, count >= 0, count <= capacity - offset else {
      throw WorkerError(.malformed, "an image beyond its memory")
    }
    do throws(SystemError) {
      return try descriptor.bytes(count: count, at: Int64(offset))
    } catch {
      throw WorkerError(.system, error.description, systemError: error)
    }
  }
}

extension RenderRequest {
  /// The maximum total size in bytes of the images of a reply.
  public var memoryCapacity: Int {
    let sides: [Int]
    switch operation {
    case .probe: return 0
    case .render(_, let requested, _): sides = requested
    // A sample that keeps the size of its image may be as large as any image.
    case .sample: return RenderReply.maxBytes
    case .tiles: return RenderReply.maxBytes
    }
    // Four bytes per pixel, and the overhead of a PNG for an incompressible image.
    let most = sides.reduce(0) { sum, side in
      let side = min(max(0, side), 65_535)
      return sum + side * side / 64 * 65 * 4 + side * 16 + 65_536
    }
    return min(most, RenderReply.maxBytes)
  }
}
