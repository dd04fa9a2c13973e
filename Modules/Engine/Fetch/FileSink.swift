import Hashing
import Models
import ProgressTree
import Synchronization
import SystemCalls
import Transport

/// Writes a body into a partial file, hashing on the way. Called on the transport's thread.
///
/// @unchecked Sendable: the transport calls one method at a time and none after `perform` has
/// returned (its contract); the download reads the results only after that.
final class FileSink: BodySink, @unchecked Sendable {
  struct Resume: Sendable {
    var have: Int64 = 0
    var validator = Validator()
    var totalBytes: Int64?
  }

  /// A body that is worth remembering if the program dies: larger or of unknown length.
  static let worthResuming: Int64 = 256 << 10
  /// How much may be lost to a power cut.
  static let syncInterval: Int64 = 64 << 20

  private let path: String
  private let limit: Int64
  private let resume: Resume
  private let counter: TransferCounter
  private let began: @Sendable (PartialDownload) -> Void
  private let bootID: String
  private var hasher: SHA256Hasher
  private var file: OwnedDescriptor?
  private var unsynced: Int64 = 0

  var resumed: Int64 { resume.have }
  private(set) var decision: ResumeDecision?
  private(set) var head: ResponseHead?
  /// The first bytes of the file.
  private(set) var sniffed: [UInt8]
  /// Bytes in the file.
  private(set) var count: Int64 = 0
  /// The whole length, if it is known.
  private(set) var total: Int64?

  /// - Parameters:
  ///   - hasher: has seen the `resume.have` bytes that are in the file.
  ///   - sniffed: their beginning.
  ///   - began: called once when a body worth resuming begins, and after each sync.
  init(
    path: String, limit: Int64, resume: Resume, hasher: SHA256Hasher, sniffed: [UInt8],
    bootID: String, counter: TransferCounter,
    began: @escaping @Sendable (PartialDownload) -> Void
  ) {
    self.path = path
    self.limit = limit
    self.resume = resume
    self.hasher = hasher
    self.sniffed = sniffed
    self.bootID = bootID
    self.counter = counter
    self.began = began
  }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    self.head = head
    var decision = ResumeDecision(head, have: resume.have, validator: resume.validator)
    if decision == .append || decision == .restart {
      let start = decision == .append ? resume.have : 0
      total = head.contentLength.map { $0 + start }
      if let total, total > limit { decision = .fail(.tooLarge(limit: limit)) }
    }
    self.decision = decision
    switch decision {
    case .append: try open(keeping: resume.have)
    case .restart:
      if resume.have > 0 {
        hasher = SHA256Hasher()
        sniffed = []
      }
      try open(keeping: 0)
    case .complete, .askAgain, .fail: return .refuse
    }
    counter.expect(total, from: count)
    counter.set(received: count)
    if total ?? .max >= Self.worthResuming { began(partial(synced: 0)) }
    return .accept
  }

  private func open(keeping length: Int64) throws(SinkError) {
    do {
      let file = try FileSystem.open(path, .writing, create: length > 0 ? .never : .replacing)
      if length > 0 { try file.truncate(to: length) }
      self.file = file
      count = length
    } catch {
      throw SinkError(error)
    }
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    guard let file else { throw SinkError("the file of the download is not open") }
    let (sum, overflow) = count.addingReportingOverflow(Int64(bytes.byteCount))
    guard !overflow, sum <= limit else {
      decision = .fail(.tooLarge(limit: limit))
      throw SinkError("too large")
    }
    do {
      try file.write(all: bytes, at: count)
    } catch {
      throw SinkError(error)
    }
    hasher.update(bytes)
    if sniffed.count < ResourceFormat.sniffLength { sniff(bytes) }
    count = sum
    counter.set(received: count)
    try sync(after: Int64(bytes.byteCount))
  }

  private func sniff(_ bytes: RawSpan) {
    let wanted = min(ResourceFormat.sniffLength - sniffed.count, bytes.byteCount)
    for index in 0..<wanted {
      sniffed.append(bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
    }
  }

  /// Every so often the partial file is made safe, so that a power cut loses little of a large one.
  private func sync(after added: Int64) throws(SinkError) {
    unsynced += added
    guard unsynced >= Self.syncInterval, let file else { return }
    unsynced = 0
    do {
      try file.syncData()
    } catch {
      throw SinkError(error)
    }
    began(partial(synced: count))
  }

  func partial(synced: Int64) -> PartialDownload {
    PartialDownload(
      validator: head.map { Validator($0.fields) } ?? resume.validator, totalBytes: total,
      bootID: bootID, syncedBytes: synced)
  }

  /// Closes the file; the digest is of everything in it.
  func finish() -> Digest {
    close()
    return hasher.finalize()
  }

  func close() {
    file?.close()
    file = nil
  }
}

extension SinkError {
  init(_ error: SystemError) {
    self.init(error.description, isDiskFull: error.isDiskFull)
  }
}
