import Models
import SystemCalls
import Transport

/// Bodies with a content coding, and the ends of bodies.
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

  /// Whether the data of a coding has come to its end, or the file has the mark with which files of its format end. A
  /// picture that lacks a part in spite of the mark is found out when it is decoded.
  var provesEnd: Bool { decoding.isCoded ? decoding.isWhole : hasMarkedEnd }

  private var hasMarkedEnd: Bool {
    // The end of a file of which a part is missing is no mark of its own body.
    guard decision == .restart, !isSegmented, total == nil else { return false }
    do throws(SystemError) {
      let file = try options.folder.open(options.path)
      let beginning = try file.bytes(count: ResourceFormat.sniffLength, at: 0)
      let start = max(0, count - Int64(ResourceFormat.endLength))
      let end = try file.bytes(count: ResourceFormat.endLength, at: start)
      return ResourceFormat(sniffing: beginning).isEnded(
        beginning: Array(beginning.prefix(ResourceFormat.beginningLength)), end: end,
        byteCount: count)
    } catch {
      return false
    }
  }
}
