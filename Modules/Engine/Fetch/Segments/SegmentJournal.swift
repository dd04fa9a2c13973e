import SystemCalls

/// The list of received ranges behind the end of a partial file that several connections fill.
///
/// The list is part of the file, because everything that moves, deletes or counts partial files then needs no
/// knowledge of it. It begins at the offset at which the complete file ends, and is cut off when the file is
/// complete. Two slots are written in turn, so that one of them is valid after a crash during a write. If
/// neither is valid, only the synced prefix, which the store records, is of use.
///
/// The first write precedes the first byte beyond the prefix: a file that is longer than its content has gaps. The
/// store records as well that the file has a list, because a file that was cut short has lost it.
struct SegmentJournal: Sendable, Equatable {
  /// The bytes that were written; trusted within one boot of the machine.
  var received = ByteRangeSet()
  /// The bytes that were synced; trusted also after a power cut.
  var durable = ByteRangeSet()

  /// The size of a slot in bytes.
  static let slotBytes = 4_096
  private static let slotCount: UInt64 = 2
  /// The largest number of ranges of a list. The plan has at most one range more than connections.
  static let maximumRangeCount = 120
  private static let magic: UInt64 = 0x696d_6764_6c73_6567  // "imgdlseg"
  private static let headerWords = 4

  /// Encodes the lists as one slot. Ranges beyond `maximumRangeCount` are left out, so their bytes would be
  /// requested again.
  /// - Parameter sequence: The number of the write; of two valid slots, the one with the higher number counts.
  func encoded(sequence: UInt64, total: Int64) -> [UInt8] {
    let lists = [received, durable].map { $0.ranges.prefix(Self.maximumRangeCount) }
    var words: [UInt64] = [
      Self.magic, sequence, UInt64(bitPattern: total),
      UInt64(lists[0].count) << 32 | UInt64(lists[1].count),
    ]
    for range in lists.joined() {
      words.append(UInt64(bitPattern: range.lowerBound))
      words.append(UInt64(bitPattern: range.upperBound))
    }
    words.append(Self.checksum(words))
    var bytes = [UInt8]()
    bytes.reserveCapacity(Self.slotBytes)
    for word in words {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    bytes.append(contentsOf: repeatElement(0, count: Self.slotBytes - bytes.count))
    return bytes
  }

  /// Decodes a slot; nil if it is damaged or belongs to a file of another length.
  static func decode(
    _ bytes: some Sequence<UInt8>, total: Int64
  ) -> (sequence: UInt64, journal: SegmentJournal)? {
    var words: [UInt64] = []
    var (word, shift) = (UInt64(0), UInt64(0))
    for byte in bytes.prefix(slotBytes) {
      word |= UInt64(byte) << shift
      shift += 8
      guard shift == 64 else { continue }
      words.append(word)
      (word, shift) = (0, 0)
    }
    guard words.count > headerWords, words[0] == magic, words[2] == UInt64(bitPattern: total) else {
      return nil
    }
    let counts = [Int(words[3] >> 32), Int(words[3] & 0xffff_ffff)]
    guard counts.allSatisfy({ $0 <= maximumRangeCount }) else { return nil }
    let end = headerWords + 2 * (counts[0] + counts[1])
    guard end < words.count, words[end] == checksum(words[..<end]) else { return nil }
    let middle = headerWords + 2 * counts[0]
    guard let received = ranges(words[headerWords..<middle], total),
      let durable = ranges(words[middle..<end], total)
    else { return nil }
    return (words[1], SegmentJournal(received: received, durable: durable))
  }

  private static func ranges(_ words: ArraySlice<UInt64>, _ total: Int64) -> ByteRangeSet? {
    var result: [Range<Int64>] = []
    for index in stride(from: words.startIndex, to: words.endIndex, by: 2) {
      let (start, end) = (Int64(bitPattern: words[index]), Int64(bitPattern: words[index + 1]))
      guard start >= result.last?.upperBound ?? 0, start < end, end <= total else { return nil }
      result.append(start..<end)
    }
    return ByteRangeSet(result)
  }

  /// The 64-bit FNV-1a hash of the words' bytes, least significant byte first. It detects interrupted writes,
  /// not forgery: a program that can write the journal can also change the content of the file.
  private static func checksum(_ words: some Sequence<UInt64>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for word in words {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        hash = (hash ^ (word >> shift & 0xff)) &* 0x0000_0100_0000_01b3
      }
    }
    return hash
  }

  // MARK: - The file

  /// Reads the list of a partial file whose content has `total` bytes; nil if there is none. Blocks.
  static func read(
    from file: OwnedDescriptor, total: Int64
  ) throws(SystemError) -> (sequence: UInt64, journal: SegmentJournal)? {
    let bytes = try file.bytes(count: slotBytes * Int(slotCount), at: total)
    let slots = [bytes.prefix(slotBytes), bytes.dropFirst(slotBytes)]
    return slots.compactMap { decode($0, total: total) }.max { $0.sequence < $1.sequence }
  }

  /// Writes the list to the slot of its number. Blocks.
  func write(
    to file: OwnedDescriptor, sequence: UInt64, total: Int64
  ) throws(SystemError) {
    let offset = total &+ Int64(sequence % Self.slotCount) &* Int64(Self.slotBytes)
    let bytes = encoded(sequence: sequence, total: total)
    try file.write(all: bytes.span.bytes, at: offset)
  }
}
