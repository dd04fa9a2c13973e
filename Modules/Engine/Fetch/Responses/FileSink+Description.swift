import HTTP1
import Hashing
import Models
import SystemCalls
import Transport

/// The end of a complete file.
extension FileSink {
  /// Closes the file and reports its properties, except for the name: at once, or on a queue after all of
  /// its bytes have been hashed. Fails if the file cannot be read.
  func completeFile(
    _ response: TransportResponse, answer: StoredFile.Answer?,
    _ whenDone: @escaping @Sendable (Result<StoredFile, SystemError>) -> Void
  ) {
    if options.keepsServerTime, let file { setServerTime(file) }
    close()
    hasher.finalize(count) { [self] digest in
      whenDone(digest.map { describe(count, $0, response.head, response.timings, answer) })
    }
  }

  /// Describes the complete file of `byteCount` bytes, except for its name. May read the file.
  func describe(
    _ byteCount: Int64, _ digest: Digest, _ head: ResponseHead, _ timings: TransferTimings,
    _ answer: StoredFile.Answer?
  ) -> StoredFile {
    let format =
      self.format
      ?? ResourceFormat(sniffing: sniffed) { [options] () throws(SystemError) in
        try options.folder.open(options.path)
      }
    var timings = timings
    switch decision {
    case .append: timings.receivedBytes = max(0, byteCount - priorBytes.byteCount)
    case .complete: timings.receivedBytes = 0
    case .restart, .unchanged, .startOver, .requestWhole, .fail, nil: break
    }
    // The header of a 416 response does not describe the file, but the text of the error.
    let mediaType = decision == .complete ? nil : head.fields["Content-Type"]
    var stored = StoredFile(
      name: "", byteCount: byteCount, digest: digest, format: format, validator: partValidator,
      mediaType: mediaType, timings: timings, answer: answer)
    if decision != .complete, let field = head.fields["Content-Disposition"] {
      stored.suggestedName = ContentDisposition.fileName(field)
    }
    return stored
  }

  /// Gives the file the time at which the server's version was modified. A file without it is as good, so that an error
  /// is ignored.
  private func setServerTime(_ file: OwnedDescriptor) {
    guard let text = validator.lastModified, let time = HTTPDate.parse(text), time > 0,
      time <= Machine.unixSeconds
    else { return }
    try? file.setModified(time)
  }

  /// Gives a file that segments have written its time.
  func setServerTime() {
    guard options.keepsServerTime,
      let file = try? options.folder.open(options.path, .writing, create: .never)
    else { return }
    setServerTime(file)
    file.close()
  }
}
