/// The continuation of a file of which a response was only a part.
extension FileSink {
  /// Reports the point from which the next request continues: at once, or on a queue after all bytes have been hashed.
  /// The file need not be read again. The sink must not be used afterwards.
  func passOn(_ whenDone: @escaping @Sendable (ResumePoint) -> Void) {
    var known = priorBytes
    let part = part
    (known.url, known.validator, known.totalBytes) = (part.url, part.validator, total)
    (known.byteCount, known.syncedByteCount, known.segments) = (count, synced, nil)
    known.endangered?.byteCount = count
    hasher.passOn { [known, sniffed, count] hasher in
      whenDone(
        ResumePoint(
          priorBytes: known, prefix: PrefixDigest(hasher, count: count, head: sniffed)))
    }
  }
}
