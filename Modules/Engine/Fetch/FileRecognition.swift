import Archive
import Models
import SystemCalls

extension ResourceFormat {
  /// The format of a complete file: what its first bytes say, or a zip where they say nothing that could be
  /// shown and the file ends as a zip does. The directory of a zip stands at its end, so that anything may
  /// come before it: the program of a self-extracting archive, for instance. Where they are the beginning of a
  /// long XML prolog, more of them are looked at.
  ///
  /// Blocks, but where the first bytes tell.
  /// - Parameter file: opens the file for reading; called only where the first bytes do not tell.
  init(
    sniffing head: [UInt8], orEndOf file: () throws(SystemError) -> OwnedDescriptor
  ) {
    self.init(sniffing: head)
    if head.count >= Self.sniffLength, Self.hasOpenProlog(head),
      let bytes = try? file().bytes(count: Self.prologLimit, at: 0)
    {
      self.init(sniffing: bytes)
    }
    // A compressed file may well end in the bytes of a zip that was compressed with it.
    guard kind == .other, self != .gzip, !head.isEmpty else { return }
    guard let descriptor = try? file(), let file = try? ArchiveFile(borrowing: descriptor.raw)
    else { return }
    if withExtendedLifetime(descriptor, { file.endsAsZip }) { self = .zip }
  }
}
