import Datasets
import SystemCalls

/// The bytes of a sample's image.
enum SampleImage: Sendable {
  case memory([UInt8])
  /// A range of the spill file.
  case spilled(OwnedDescriptor, offset: Int64, count: Int64)

  var byteCount: Int64 {
    switch self {
    case .memory(let bytes): Int64(bytes.count)
    case .spilled(_, _, let count): count
    }
  }

  /// The number of bytes that the image takes in memory.
  var memory: Int {
    switch self {
    case .memory(let bytes): bytes.count
    case .spilled: 0
    }
  }
}

/// Keeps the images of samples until they are written: in memory at first, then in a file without a name, so
/// that neither a slow server nor a slow reader of the report fills the memory.
struct SpillFile {
  /// The maximum number of bytes in memory.
  private static let limit = 32 << 20
  /// The size in bytes of the pieces in which a file is copied.
  private static let chunk = 1 << 20

  private let folder: String
  private var memory = 0
  private var file: OwnedDescriptor?
  private var end: Int64 = 0

  init(folder: String) { self.folder = folder }

  mutating func keep(_ bytes: [UInt8]) throws(ShardError) -> SampleImage {
    guard memory + bytes.count > Self.limit else {
      memory += bytes.count
      return .memory(bytes)
    }
    do throws(SystemError) {
      let file = try openFile()
      try file.write(all: bytes.span.bytes, at: end)
      defer { end += Int64(bytes.count) }
      return .spilled(file, offset: end, count: Int64(bytes.count))
    } catch {
      throw .failed(error.description)
    }
  }

  /// Keeps the bytes of a file, so that the caller can close it.
  mutating func keep(_ source: OwnedDescriptor, count: Int64) throws(ShardError) -> SampleImage {
    do throws(SystemError) {
      guard count > Self.chunk || memory + Int(count) > Self.limit else {
        memory += Int(count)
        return .memory(try source.bytes(count: Int(count), at: 0))
      }
      let file = try openFile()
      var copied: Int64 = 0
      while copied < count {
        let bytes = try source.bytes(
          count: Int(min(Int64(Self.chunk), count - copied)), at: copied)
        try file.write(all: bytes.span.bytes, at: end + copied)
        copied += Int64(bytes.count)
      }
      defer { end += count }
      return .spilled(file, offset: end, count: count)
    } catch {
      throw .failed(error.description)
    }
  }

  private mutating func openFile() throws(SystemError) -> OwnedDescriptor {
    if let file { return file }
    let new = try FileSystem.unnamedFile(in: folder)
    file = new
    return new
  }

  /// Counts bytes of memory that were written.
  mutating func forget(_ count: Int) { memory -= count }
}
