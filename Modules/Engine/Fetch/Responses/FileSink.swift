import ContentCodings
import Hashing
import HTTP1
import ImageHeaders
import LibraryAPI
import Models
import ProgressTree
import SystemCalls
import Transport

/// Writes a response body to a partial file and hashes it. Called on the transport's thread.
///
/// @unchecked Sendable: by contract the transport calls one method at a time, and none after it has
/// reported completion; only then does the download read the results and close the file.
final class FileSink: BodySink, @unchecked Sendable {
  /// The body size, in bytes, from which a partial file is worth recording for a later process.
  static let minimumResumableBytes: Int64 = 32 << 10
  /// The number of bytes after which a body is synced; a power cut loses at most this many.
  static let syncInterval: Int64 = 64 << 20

  struct Options: Sendable {
    var path: String
    /// The folder that contains `path`.
    var folder: ConfinedFolder
    /// The largest size of the whole file, in bytes.
    var limit: Int64
    /// The largest number of bytes that a coded body may have for each byte of its coded form.
    var ratio = Int.max
    /// The number of decoded bytes up to which the ratio does not matter, as for archives.
    var ratioAllowance: Int64 = 10 << 20
    var bootID: String
    /// The number of bytes between two syncs; nil for none.
    var syncInterval: Int64? = FileSink.syncInterval
    /// The URL of the request; nil if it is of no use to a later attempt.
    var url: HTTPURL?
    /// The judgement of a response before anything is written.
    var check = WholeBodyCheck()
    /// The maximum width and height of an image, in pixels.
    var imageSide = Int.max
    /// Whether the time of the file becomes that of `Last-Modified`.
    var keepsServerTime = false
  }

  let options: Options
  private let aspects: Aspects?
  private var reportedAt: UInt64 = 0
  private var isJudged = false
  /// The media type of a resource that may be a stream without end; nil otherwise.
  private var streamType: String?
  /// The limit of the recognised kind of a source; nil before its first bytes were judged.
  private var sizeLimit: Aspects.SizeLimit?
  private(set) var decoding = BodyDecoding()
  /// The number of bytes received of a coded body.
  private(set) var codedCount: Int64 = 0
  let priorBytes: ResumeDecision.PriorBytes
  let counter: TransferCounter
  private let owner: any DownloadOwner
  private let run: DownloadRun
  var hasher: BodyHasher
  /// The partial file; nil while it is not open, and when the segments have it.
  var file: OwnedDescriptor?
  private(set) var synced: Int64 = 0
  private var isRemembered = false
  /// The validator with which the partial file is recorded.
  private(set) var validator: Validator
  private var isContinuable = true
  /// The use of several connections, which the response may be worth; nil if that is not wanted, and after the end.
  private(set) var offer: SegmentOffer?
  /// Receives the rest of a large file over several connections; nil until a response is worth it.
  var segments: SegmentedTransfer?
  /// The version of which segments can be requested; nil if the response does not allow that.
  var segmentVersion: SegmentVersion?
  /// Whether further connections are worth it; nil unless that is still open.
  var segmentPace: SegmentPace?
  /// Whether the body is passed to `segments`.
  var isSegmented = false
  /// The head of the response.
  private(set) var head: ResponseHead?
  /// The head of the last redirect that may name mirrors or a description; nil if there was none.
  private(set) var redirect: ResponseHead?

  /// Whether the body was given up because it is the content of a resource.
  private(set) var isLeftToResource = false

  /// Whether the partial file was opened; from then on `partial` describes its content.
  private(set) var hasBegun = false
  private(set) var decision: ResumeDecision?
  /// The head of the response, if it has links to other URLs.
  var headWithLinks: ResponseHead? { head?.fields["Link"] == nil ? nil : head }
  /// The format, or nil until enough bytes to recognise it were received.
  private(set) var format: ResourceFormat?
  /// The first bytes of the file, collected while `format` is nil.
  private(set) var sniffed: [UInt8]
  /// Finds the dimensions of an image; nil once they are known, for a source, and for a resumed file.
  private var imageHeader: ImageHeader?
  /// The length of the partial file in bytes.
  private(set) var count: Int64 = 0
  /// The length of the complete file, or nil if it is unknown.
  private(set) var total: Int64?
  /// The end of the range that the response contains; nil if it is that of the file.
  private var end: Int64?

  /// - Parameters:
  ///   - known: The bytes that an earlier attempt has left in the partial file.
  ///   - prefix: The digest of these bytes, if there are any. The sink becomes the digest's only user.
  ///   - owner: Receives the state of a long body when it becomes worth resuming, and after each sync.
  init(
    _ options: Options, known: ResumeDecision.PriorBytes, prefix: PrefixDigest?,
    hashers: HasherPool, counter: TransferCounter, run: DownloadRun, owner: any DownloadOwner,
    aspects: Aspects? = nil, offer: SegmentOffer? = nil
  ) {
    self.aspects = aspects
    self.offer = offer
    self.options = options
    self.priorBytes = known
    self.counter = counter
    self.run = run
    self.owner = owner
    hasher = BodyHasher(prefix: prefix, pool: hashers)
    sniffed = prefix?.head ?? []
    validator = known.validator
  }

  func redirected(by head: ResponseHead) {
    if ResponseLog.mayNameURLs(head) { redirect = head }
  }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    var decision = ResumeDecision(head, known: priorBytes, decodable: decodable)
    if let failure = options.check.failure(head, replacing: priorBytes.endangered) {
      decision = .fail(failure)
    }
    self.decision = decision
    self.head = head
    switch decision {
    case .append(let total, let end):
      self.total = total
      self.end = end
      let answer = try accept(keeping: priorBytes.byteCount)
      if answer == .accept { try offerSegments(head) }
      return answer
    case .restart:
      streamType = aspects == nil ? Self.streamType(head.fields) : nil
      decoding = BodyDecoding(head.fields)
      total = decoding.isCoded ? nil : head.contentLength
      validator = Validator(head.fields)
      // A coded body cannot be resumed: ranges count coded bytes, and the file contains decoded ones.
      isContinuable =
        !decoding.isCoded
        && (validator.entityTag != nil || Self.isContinuable(head.fields))
      if priorBytes.byteCount > 0 {
        hasher.restart()
        sniffed = []
        format = nil
      }
      let answer = try accept(keeping: 0)
      if answer == .accept { try offerSegments(head) }
      return answer
    case .complete:
      try open(keeping: priorBytes.byteCount)
      return .refuse
    case .unchanged, .startOver, .requestWhole, .fail: return .refuse
    }
  }

  /// The value of `Accept-Encoding` that suits the sink. A range refers to bytes that are not coded.
  var acceptEncoding: String {
    aspects == nil || priorBytes.byteCount > 0 ? "identity" : ContentCoding.acceptEncoding
  }

  /// The codings that are decoded: those that the request of a source offers, and for a resource gzip, which
  /// some servers send although the request excludes it.
  private var decodable: [ContentCoding] { aspects == nil ? [.gzip] : ContentCoding.allCases }

  private func accept(keeping length: Int64) throws(SinkError) -> BodyDecision {
    if let total, total > options.limit {
      decision = .fail(.tooLarge(limit: options.limit))
      return .refuse
    }
    try open(keeping: length)
    counter.expect(total, from: count)
    imageHeader = length == 0 && aspects == nil ? ImageHeader(maximumSide: options.imageSide) : nil
    return .accept
  }

  private func open(keeping length: Int64) throws(SinkError) {
    do {
      let file = try options.folder.open(
        options.path, .writing, create: length > 0 ? .never : .replacing,
        mode: LibraryLayout.original)
      hasBegun = true
      if length > 0, !keepsSegments { try file.truncate(to: length) }
      self.file = file
      count = length
      synced = min(length, priorBytes.syncedByteCount)
    } catch {
      throw SinkError(error)
    }
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    if segmentPace != nil { try reconsiderSegments() }
    if let segments, segmentVersion != nil {
      if !isSegmented, count >= Self.minimumResumableBytes, segments.isGranted {
        try beginSegments()
      }
      if isSegmented { return try segments.receive(bytes) }
    }
    if decoding.isCoded { codedCount &+= Int64(bytes.byteCount) }
    do throws(SinkError) {
      try decoding.receive(bytes) { (decoded) throws(SinkError) in
        if codedCount > 0 { try checkRatio(of: count &+ Int64(decoded.byteCount)) }
        try append(decoded)
      }
    } catch {
      if let problem = decoding.problem { decision = .fail(.content(problem)) }
      throw error
    }
  }

  /// Ends the decoding of the body and returns the reason if the decoded content is incomplete.
  func endDecoding() -> String? { decoding.end() }

  private func append(_ bytes: RawSpan) throws(SinkError) {
    guard let file else { throw SinkError("the file of the download is not open") }
    let (sum, overflow) = count.addingReportingOverflow(Int64(bytes.byteCount))
    guard !overflow, sum <= options.limit else {
      decision = .fail(.tooLarge(limit: options.limit))
      throw SinkError("too large")
    }
    if let end, sum > end {
      let reason = "the server sent more bytes than the range that it named"
      decision = .fail(.protocolViolation(reason))
      throw SinkError(reason)
    }
    do throws(SystemError) {
      try file.write(all: bytes, at: count)
      try hasher.append(bytes, upTo: sum) { () throws(SystemError) in
        try FrontierHasher.open(options.path, in: options.folder)
      }
    } catch {
      throw SinkError(error)
    }
    if format == nil || aspects != nil, sniffed.count < ResourceFormat.sniffLength { sniff(bytes) }
    if let streamType, format == nil { try refuseStream(streamType) }
    if imageHeader != nil { readImageHeader(bytes) }
    count = sum
    counter.set(received: count)
    if let aspects { try inspect(aspects) }
    if count >= Self.minimumResumableBytes, count != total { try reportLongBody() }
  }

  /// Records why the body is given up.
  func fail(_ failure: DownloadFailure) { decision = .fail(failure) }

  private func sniff(_ bytes: RawSpan) {
    if count == 0 { format = bytes.withUnsafeBytes { ResourceFormat(magic: $0) } }
    guard format == nil || aspects != nil else { return }
    let wanted = min(ResourceFormat.sniffLength - sniffed.count, bytes.byteCount)
    bytes.extracting(first: wanted).withUnsafeBytes { sniffed.append(contentsOf: $0) }
  }

  private func readImageHeader(_ bytes: RawSpan) {
    imageHeader?.append(bytes)
    switch imageHeader?.state {
    case .needsMore?: return
    case .dimensions(let dimensions)?: counter.set(dimensions: dimensions)
    case .unknown?, nil: break
    }
    imageHeader = nil
  }

  /// Ends a body as soon as its first bytes show that it need not be received, and reports the progress.
  private func inspect(_ aspects: Aspects) throws(SinkError) {
    if !isJudged, sniffed.count >= ResourceFormat.sniffLength {
      isJudged = true
      try obey(aspects)
    }
    // The stated length tells as soon as the kind is known that the body cannot be read.
    if let sizeLimit, max(count, total ?? 0) > sizeLimit.byteCount {
      decision = .fail(.tooLarge(limit: sizeLimit.byteCount, reason: sizeLimit.reason))
      throw SinkError("too large")
    }
    let now = Machine.monotonicNanoseconds
    guard now &- reportedAt >= Aspects.reportInterval else { return }
    reportedAt = now
    aspects.report(count, total)
  }

  private func obey(_ aspects: Aspects) throws(SinkError) {
    guard let head else { return }
    switch aspects.judge(head, sniffed, total) {
    case .refused(let reason) where format == nil:
      decision = .fail(.content(reason))
      throw SinkError(reason)
    // Bytes of an earlier attempt are not given up.
    case .isResource where decision == .restart:
      isLeftToResource = true
      throw SinkError("the body is that of a resource")
    case .accepted(let limit): sizeLimit = limit
    case .refused, .isResource: break
    }
  }

  /// Reports a long body to the owner once, and again after each sync, so that a power cut loses little of
  /// the body.
  private func reportLongBody() throws(SinkError) {
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
    if let partial { owner.partialFileChanged(partial, of: run) }
  }

  /// Whether the body may be resumed without an entity tag. Two versions may have the same date; the date
  /// distinguishes them only if the file was unchanged for some time before the response (RFC 9110
  /// §8.8.2.2).
  private static func isContinuable(_ fields: HTTPFields) -> Bool {
    guard fields["ETag"] == nil, let modified = fields["Last-Modified"] else { return true }
    return HTTPDate.isStrong(lastModified: modified, date: fields["Date"])
  }

  /// The state from which the next attempt can resume; nil if the file cannot be resumed.
  var partial: PartialDownload? {
    if isSegmented { return segments?.partial }
    let part = part
    guard hasBegun, count > 0, isContinuable, part.validator.ifRange != nil || isJoined else {
      return nil
    }
    return PartialDownload(
      validator: part.validator, totalBytes: total, bootID: options.bootID, syncedBytes: synced,
      url: part.url)
  }

  /// Whether the file contains bytes of several URLs, which a digest verifies at the end.
  private var isJoined: Bool {
    guard case .append? = decision else { return false }
    return priorBytes.continuation == .verifiedByChecksum
  }

  /// The URL and the validator of the bytes in the file.
  var part: PartContinuation.Part {
    let known = PartContinuation.Part(
      url: priorBytes.url, validator: priorBytes.validator, totalBytes: total)
    switch decision {
    case .append?:
      guard let url = options.url else { return known }
      return priorBytes.continuation.appended(
        to: known, by: PartContinuation.Candidate(url: url.equivalenceKey))
    case .complete?: return known
    default:
      return PartContinuation.Part(
        url: options.url.map { PartSource(url: $0.equivalenceKey, answeredBy: head).text },
        validator: validator, totalBytes: total)
    }
  }

  /// The validator of the bytes in the file, as in `part`, whose URL takes longer to find.
  var partValidator: Validator {
    switch decision {
    case .append?, .complete?: part.validator
    default: validator
    }
  }

  /// The reason why the response makes the bytes on disk useless; nil if it continues them, or if there are none.
  var restartCause: DownloadFailure? {
    guard let head, priorBytes.byteCount > 0, decision == .restart || decision == .startOver else {
      return nil
    }
    return ResumeDecision.restartCause(head, priorBytes)
  }

  /// Whether the response has the whole file, and not a part or an error.
  var hasWholeBody: Bool {
    head.map { (200..<300).contains($0.status) && !$0.isPart } ?? false
  }

  func close() {
    file?.close()
    file = nil
    // The offer refers to the download, whose work may refer to this sink.
    offer = nil
  }
}
