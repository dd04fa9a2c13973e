extension RandomAccessCollection<UInt8> {
  /// The bytes after a UTF-8 byte order mark (RFC 3629 §6), which some editors write at the beginning of a
  /// text, or all bytes if there is no mark.
  package var withoutByteOrderMark: SubSequence {
    starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self[...]
  }
}
