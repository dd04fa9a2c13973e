import Models
import Transport

/// Bodies with a content coding.
extension FileSink {
  /// Ends a coded body that grows as no real content does, so that little traffic cannot fill the disk.
  func checkRatio(of byteCount: Int64) throws(SinkError) {
    guard byteCount > options.ratioAllowance else { return }
    let (allowed, isHuge) = codedCount.multipliedReportingOverflow(by: Int64(options.ratio))
    guard !isHuge, byteCount > allowed else { return }
    let reason =
      "the response unpacks to more than \(options.ratio) times its size (limits.archiveRatio)"
    fail(.tooLarge(limit: options.limit, reason: reason))
    throw SinkError(reason)
  }

  var provesEnd: Bool { decoding.isWhole }
}
