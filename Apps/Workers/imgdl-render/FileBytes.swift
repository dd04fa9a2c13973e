import Glibc
import Rendering
import SystemCalls

/// The bytes of an open file, valid as long as this object exists. Small files are read into memory, large
/// ones are mapped. If a mapped file is truncated meanwhile, the worker dies (SIGBUS), and its parent process
/// handles that.
final class FileBytes {
  private static let mappingThreshold = 1 << 20

  let bytes: UnsafeRawBufferPointer
  private let memory: UnsafeMutableRawPointer?
  private let isMapped: Bool

  init(_ file: OwnedDescriptor) throws(RenderError) {
    let size: Int
    do throws(SystemError) {
      let status = try file.status()
      guard status.kind == .file else { throw SystemError(errno: EINVAL, call: "read") }
      size = Int(clamping: status.size)
    } catch {
      throw RenderError(.io, escaping: error.description)
    }
    guard size > 0 else { throw RenderError(.damaged, "the file is empty") }
    isMapped = size > Self.mappingThreshold
    guard let memory = isMapped ? Self.map(file.raw, size) : malloc(size) else {
      throw RenderError(.limit, "\(size) bytes are more than a worker has memory for")
    }
    self.memory = memory
    let count = isMapped ? size : Self.read(file.raw, into: memory, count: size)
    bytes = UnsafeRawBufferPointer(start: memory, count: count)
    guard count > 0 else { throw RenderError(.io, "cannot read the file") }
  }

  deinit {
    if isMapped { munmap(memory, bytes.count) } else { free(memory) }
  }

  private static func map(_ file: Int32, _ size: Int) -> UnsafeMutableRawPointer? {
    let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0)
    return memory == MAP_FAILED ? nil : memory
  }

  /// Reads from the start of the file, regardless of the descriptor's offset.
  private static func read(
    _ file: Int32, into memory: UnsafeMutableRawPointer, count: Int
  ) -> Int {
    var filled = 0
    while filled < count {
      let got = pread(file, memory + filled, count - filled, off_t(filled))
      if got < 0 && errno == EINTR { continue }
      if got <= 0 { break }
      filled += got
    }
    return filled
  }
}
