import Datasets
import Hashing
import Models
import Synchronization
import SystemCalls
import Transport

/// Receives the body of one transfer into a file without a name, and computes its hash.
///
/// `@unchecked Sendable`: the transport makes one call at a time, and the worker reads the properties only
/// after the transfer has ended.
final class SampleBody: BodySink, @unchecked Sendable {
  private let shard: ShardDescription
  private let storage: BodyStorage
  private var digest: MessageDigest?
  private(set) var file: OwnedDescriptor?
  private(set) var byteCount: Int64 = 0
  /// The number of bytes that count towards the memory of the storage.
  private var memory: Int64 = 0
  /// The reason why the response is not wanted.
  private(set) var refusal: SampleReport?

  init(_ shard: ShardDescription, _ storage: BodyStorage) {
    self.shard = shard
    self.storage = storage
    digest = shard.hash.map { MessageDigest($0.algorithm) }
  }

  deinit { storage.release(memory) }

  /// The hash in hexadecimal digits; nil if none is computed. Called once.
  func finishHash() -> String? { digest?.finish().digits }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    if !(200..<300).contains(head.status) {
      refusal = .failed(status: head.status)
    } else if RobotsDirectives.forbidUse(
      head.fields, token: shard.userAgentToken, disallowed: shard.disallowedDirectives)
    {
      refusal = SampleReport(.failedToDownload, message: RobotsDirectives.message)
    }
    return refusal == nil ? .accept : .refuse
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    digest?.update(bytes)
    do throws(SystemError) {
      let file = try openFile(for: bytes.byteCount)
      try file.write(all: bytes, at: byteCount)
    } catch {
      throw SinkError(disk: error.description, isFull: error.isDiskFull)
    }
    byteCount += Int64(bytes.byteCount)
  }

  /// Returns the file; a body that grows beyond its share of the memory moves to the disk.
  private func openFile(for count: Int) throws(SystemError) -> OwnedDescriptor {
    if let file, memory == 0 { return file }
    if storage.reserve(Int64(count), after: memory) {
      memory += Int64(count)
      if let file { return file }
      let new = try Channels.memoryFile("imgdl-sample")
      file = new
      return new
    }
    let new = try FileSystem.unnamedFile(in: storage.folder)
    if let file {
      let present = try file.bytes(count: Int(byteCount), at: 0)
      try new.write(all: present.span.bytes, at: 0)
    }
    storage.release(memory)
    memory = 0
    file = new
    return new
  }
}

/// The memory that bodies may take at a time, and the folder for those beyond it.
final class BodyStorage: Sendable {
  /// The maximum size in bytes of a body in memory.
  private static let bodyLimit: Int64 = 1 << 20
  /// The maximum size in bytes of all bodies in memory.
  private static let limit: Int64 = 48 << 20

  let folder: String
  private let used = Atomic<Int64>(0)

  init(folder: String) { self.folder = folder }

  /// Reserves memory for a body.
  /// - Parameter present: The bytes that the body has reserved already.
  /// - Returns: false if the body has to move to the disk.
  func reserve(_ count: Int64, after present: Int64) -> Bool {
    guard present + count <= Self.bodyLimit else { return false }
    let total = used.wrappingAdd(count, ordering: .relaxed).newValue
    guard total > Self.limit else { return true }
    release(count)
    return false
  }

  func release(_ count: Int64) { used.wrappingSubtract(count, ordering: .relaxed) }
}

extension ShardDescription.Hash {
  fileprivate var algorithm: Checksum.Algorithm {
    switch self {
    case .md5: .md5
    case .sha256: .sha256
    case .sha512: .sha512
    }
  }
}
