extension RandomAccessCollection<UInt8> {
  /// The bytes behind a byte order mark (RFC 3629 §6), which some editors write at the beginning of a UTF-8 text;
  /// all bytes where there is none.
  package var withoutByteOrderMark: SubSequence {
    starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self[...]
  }
}
