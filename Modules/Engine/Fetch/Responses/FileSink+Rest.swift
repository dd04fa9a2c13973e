/// The continuation of a file of which a response was only a part.
extension FileSink {
  /// Reports the point from which the next request continues: at once, or on a queue after all bytes have been hashed.
  /// The file need not be read again. The sink must not be used afterwards. Reports nil if the file cannot be read.
  func passOn(_ whenDone: @escaping @Sendable (ResumePoint?) -> Void) {
    var known = priorBytes
    let part = part
    (known.url, known.validator, known.totalBytes) = (part.url, part.validator, total)
    (known.byteCount, known.syncedByteCount, known.segments) = (count, synced, nil)
    known.endangered?.byteCount = count
    hasher.passOn(count) { [known, sniffed, count] hasher in
      guard let hasher = try? hasher.get() else { return whenDone(nil) }
      whenDone(
        ResumePoint(
          priorBytes: known, prefix: PrefixDigest(hasher, count: count, head: sniffed)))
    }
  }
}
