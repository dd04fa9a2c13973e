import Gzip
import Hashing
import HTTP1
import LibraryAPI
import Models
import ProgressTree
import SystemCalls
import Transport

/// Writes a body into a partial file, hashing on the way. Called on the transport's thread.
///
/// @unchecked Sendable: the transport calls one method at a time and none once it tells of the
/// end (its contract); the download reads the results and closes the file only then.
final class FileSink: BodySink, @unchecked Sendable {
  /// A body is worth remembering if the program dies when so many bytes of it are there.
  static let worthResuming: Int64 = 32 << 10
  /// How much may be lost to a power cut.
  static let syncInterval: Int64 = 64 << 20

  struct Options: Sendable {
    var path: String
    /// Where the path is.
    var folder: ConfinedFolder
    /// Bytes of the whole file.
    var limit: Int64
    var bootID: String
    /// nil means never.
    var syncInterval: Int64? = FileSink.syncInterval
  }

  /// The checks and reports for a body that is a source: it is examined while it is received.
  struct Aspects: Sendable {
    /// Why a body with these first bytes is of no use; nil means it may be.
    var refusal: @Sendable ([UInt8]) -> String?
    /// Is told now and then how many bytes are there, and of how many.
    var report: @Sendable (Int64, Int64?) -> Void

    /// Nanoseconds between two reports.
    static let reportInterval: UInt64 = 250_000_000
  }

  private let options: Options
  private let aspects: Aspects?
  private var reportedAt: UInt64 = 0
  private var isJudged = false
  /// Undoes gzip, if the body comes with it.
  private var reader: GzipReader?
  let known: ResumeDecision.Known
  private let counter: TransferCounter
  private let owner: any DownloadOwner
  private let run: DownloadRun
  private var hasher: BodyHasher
  private var file: OwnedDescriptor?
  private var synced: Int64 = 0
  private var isRemembered = false
  private var validator: Validator
  private var isContinuable = true

  /// Whether the partial file was opened: from then on it holds what `partial` says.
  private(set) var hasBegun = false
  private(set) var decision: ResumeDecision?
  /// nil if it takes more than a few bytes to tell it.
  private var format: ResourceFormat?
  /// The first bytes of the file, as long as `format` is nil.
  private(set) var sniffed: [UInt8]
  /// Bytes in the file.
  private(set) var count: Int64 = 0
  /// The whole length, if it is known.
  private(set) var total: Int64?

  /// - Parameters:
  ///   - known: what is in the file.
  ///   - prefix: has seen those bytes, if there are any; this sink is its only user from now on.
  ///   - owner: is told when a body worth resuming has begun, and after each sync.
  init(
    _ options: Options, known: ResumeDecision.Known, prefix: PrefixDigest?,
    hashers: HasherPool, counter: TransferCounter, run: DownloadRun, owner: any DownloadOwner,
    aspects: Aspects? = nil
  ) {
    self.aspects = aspects
    self.options = options
    self.known = known
    self.counter = counter
    self.run = run
    self.owner = owner
    hasher = BodyHasher(prefix: prefix, pool: hashers)
    sniffed = prefix?.head ?? []
    validator = known.validator
  }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    let decision = ResumeDecision(head, known: known)
    self.decision = decision
    switch decision {
    case .append(let total):
      self.total = total
      return try accept(keeping: known.have)
    case .restart:
      let isCoded = ContentCoding(head.fields) == .gzip
      reader = isCoded ? GzipReader() : nil
      total = isCoded ? nil : head.contentLength
      validator = Validator(head.fields)
      // Ranges would be those of the coded bytes.
      isContinuable =
        !isCoded && (validator.entityTag != nil || Self.isContinuable(head.fields))
      if known.have > 0 {
        hasher.restart()
        sniffed = []
        format = nil
      }
      return try accept(keeping: 0)
    case .complete:
      try open(keeping: known.have)
      return .refuse
    case .unchanged, .startOver, .fail: return .refuse
    }
  }

  private func accept(keeping length: Int64) throws(SinkError) -> BodyDecision {
    if let total, total > options.limit {
      decision = .fail(.tooLarge(limit: options.limit))
      return .refuse
    }
    try open(keeping: length)
    counter.expect(total, from: count)
    return .accept
  }

  private func open(keeping length: Int64) throws(SinkError) {
    do {
      let file = try options.folder.open(
        options.path, .writing, create: length > 0 ? .never : .replacing,
        mode: LibraryLayout.original)
      hasBegun = true
      if length > 0 { try file.truncate(to: length) }
      self.file = file
      count = length
      synced = min(length, known.synced)
    } catch {
      throw SinkError(error)
    }
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    guard let reader else { return try append(bytes) }
    var failure: SinkError?
    do throws(GzipReader.Failure) {
      _ = try reader.read(bytes) { decoded in
        do throws(SinkError) {
          try append(decoded)
          return true
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      decision = .fail(.content(error.description))
      throw SinkError(error.description)
    }
    if let failure { throw failure }
  }

  /// The body has ended: why what was decoded is not whole, if it is not.
  func endDecoding() -> String? {
    do throws(GzipReader.Failure) {
      try reader?.finish()
      return nil
    } catch {
      return error.description
    }
  }

  private func append(_ bytes: RawSpan) throws(SinkError) {
    guard let file else { throw SinkError("the file of the download is not open") }
    let (sum, overflow) = count.addingReportingOverflow(Int64(bytes.byteCount))
    guard !overflow, sum <= options.limit else {
      decision = .fail(.tooLarge(limit: options.limit))
      throw SinkError("too large")
    }
    do {
      try file.write(all: bytes, at: count)
    } catch {
      throw SinkError(error)
    }
    hasher.note(bytes)
    if format == nil, sniffed.count < ResourceFormat.sniffLength { sniff(bytes) }
    count = sum
    counter.set(received: count)
    if let aspects { try look(aspects) }
    if count >= Self.worthResuming, count != total { try noteLongBody() }
  }

  private func sniff(_ bytes: RawSpan) {
    if count == 0 { format = bytes.withUnsafeBytes { ResourceFormat(magic: $0) } }
    guard format == nil else { return }
    let wanted = min(ResourceFormat.sniffLength - sniffed.count, bytes.byteCount)
    bytes.extracting(first: wanted).withUnsafeBytes { sniffed.append(contentsOf: $0) }
  }

  /// A source that can be none is refused by its first bytes, not when all of it has come.
  private func look(_ aspects: Aspects) throws(SinkError) {
    if !isJudged, format != nil || sniffed.count >= ResourceFormat.sniffLength {
      isJudged = true
      if format == nil, let reason = aspects.refusal(sniffed) {
        decision = .fail(.content(reason))
        throw SinkError(reason)
      }
    }
    let now = Machine.monotonicNanoseconds
    guard now &- reportedAt >= Aspects.reportInterval else { return }
    reportedAt = now
    aspects.report(count, total)
  }

  /// A long body is remembered once, and made safe every so often, so that a power cut loses little
  /// of it.
  private func noteLongBody() throws(SinkError) {
    if let interval = options.syncInterval, count - synced >= interval, let file {
      do {
        try file.syncData()
      } catch {
        throw SinkError(error)
      }
      synced = count
      isRemembered = false
    }
    guard !isRemembered else { return }
    isRemembered = true
    if let partial { owner.remember(partial, of: run) }
  }

  /// Two versions may have one date: it tells them apart only if the file had been left alone for a
  /// while when it was sent (RFC 9110 §8.8.2.2). Without a tag and such a date nothing is continued.
  private static func isContinuable(_ fields: HTTPFields) -> Bool {
    guard fields["ETag"] == nil, let modified = fields["Last-Modified"] else { return true }
    return HTTPDate.isStrong(lastModified: modified, date: fields["Date"])
  }

  /// What the next attempt can continue from; nil if that is nothing.
  var partial: PartialDownload? {
    guard hasBegun, count > 0, isContinuable, validator.ifRange != nil else { return nil }
    return PartialDownload(
      validator: validator, totalBytes: total, bootID: options.bootID, syncedBytes: synced)
  }

  /// What the whole file is, apart from its name; at once, or on a queue when all of it has been
  /// hashed. Closes it.
  func finish(
    _ response: TransportResponse, answer: StoredFile.Answer?,
    _ whenDone: @escaping @Sendable (StoredFile) -> Void
  ) {
    close()
    let format =
      self.format
      ?? ResourceFormat(sniffing: sniffed) { [options] () throws(SystemError) in
        try options.folder.open(options.path)
      }
    // What answers that nothing is left (416) does not describe the file.
    let mediaType = decision == .complete ? nil : response.head.fields["Content-Type"]
    hasher.finish { [self] digest in
      whenDone(
        StoredFile(
          name: "", byteCount: count, digest: digest,
          format: format, validator: validator,
          mediaType: mediaType, timings: response.timings, answer: answer))
    }
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
