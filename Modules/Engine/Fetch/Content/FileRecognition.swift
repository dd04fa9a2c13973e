import Archive
import Models
import SystemCalls

extension ResourceFormat {
  /// The format of a complete file, recognised from its first bytes. If these bytes are of no format that
  /// can be shown, a file that ends like a zip is a zip: the directory of a zip is at its end, and anything
  /// may precede it, for instance the program of a self-extracting archive. If the file begins with a long
  /// XML prolog, more of the file is read.
  ///
  /// Blocks, unless the first bytes decide.
  /// - Parameter file: Opens the file for reading; called only if the first bytes do not decide.
  init(
    sniffing head: [UInt8], orEndOf file: () throws(SystemError) -> OwnedDescriptor
  ) {
    self.init(sniffing: head)
    if isUndecided, let length = Self.neededLength(head),
      let bytes = try? file().bytes(count: length, at: 0)
    {
      self.init(sniffing: bytes)
    }
    // The last bytes of a gzip file may be those of a zip file that it contains.
    guard kind == .other, self != .gzip, !head.isEmpty else { return }
    guard let descriptor = try? file(), let file = try? ArchiveFile(borrowing: descriptor.raw)
    else { return }
    if withExtendedLifetime(descriptor, { file.endsAsZip }) { self = .zip }
  }
}
