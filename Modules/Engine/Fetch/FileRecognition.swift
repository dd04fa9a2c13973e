import Archive
import Models
import SystemCalls

extension ResourceFormat {
  /// The format of a complete file: what its first bytes say, or a zip where they say nothing that could be
  /// shown and the file ends as a zip does. The directory of a zip stands at its end, so that anything may
  /// come before it: the program of a self-extracting archive, for instance.
  ///
  /// Blocks, but where the first bytes tell.
  /// - Parameter file: opens the file for reading; called only where its end has to be looked at.
  init(
    sniffing head: [UInt8], orEndOf file: () throws(SystemError) -> OwnedDescriptor
  ) {
    self.init(sniffing: head)
    // A compressed file may well end in the bytes of a zip that was compressed with it.
    guard kind == .other, self != .gzip, !head.isEmpty else { return }
    guard let descriptor = try? file(), let file = try? ArchiveFile(borrowing: descriptor.raw)
    else { return }
    if withExtendedLifetime(descriptor, { file.endsAsZip }) { self = .zip }
  }
}
