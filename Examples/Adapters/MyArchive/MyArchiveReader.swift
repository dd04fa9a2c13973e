public import Archive
import Glibc
public import Models
public import Wiring

/// Makes the reader known as `my-archive`.
public enum MyArchivePlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("my-archive", for: .archive) { _ in MyArchiveReader() }
  }
}

/// Reads TAR archives (POSIX.1-2017, pax, ustar interchange format). It is Swift alone, whose checked
/// arithmetic and bounds make a damaged archive an error; a reader that calls a C library belongs into a
/// worker, as those of `imgdl-unpack` do.
public struct MyArchiveReader: ArchiveReader {
  public let formats: Set<ResourceFormat> = [.tar]

  public init() {}

  public func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    let file = try TarFile(path)
    var index = 0
    while let header = try file.nextHeader() {
      let entry = ArchiveEntry(
        index: index, name: header.name, kind: header.kind, compressedSize: header.size,
        uncompressedSize: header.size)
      index += 1
      switch try visitor.visit(entry) {
      case .stop: return
      case .skip: break
      case .read: try deliver(header, of: file, to: visitor)
      }
      try file.skip(header)
    }
  }

  /// In blocks: nothing is as large as an entry says that it is.
  private func deliver(
    _ header: TarHeader, of file: TarFile, to visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    var offset = file.position
    let end = offset + header.size
    while offset < end {
      let block = try file.bytes(at: offset, count: Int(min(64 << 10, end - offset)))
      guard !block.isEmpty else {
        return try visitor.failEntry(ArchiveError(.truncated, "", entryName: header.name))
      }
      try visitor.receive(block.span.bytes)
      offset += Int64(block.count)
    }
    try visitor.endEntry()
  }
}

/// The 512 bytes before the data of an entry.
private struct TarHeader {
  static let length = 512

  let name: String
  let kind: ArchiveEntry.Kind
  let size: Int64

  /// - Parameter bytes: The 512 bytes of the header.
  init(_ bytes: [UInt8]) throws(ArchiveError) {
    // The sum of all bytes, those of the sum itself taken for blanks.
    let sum = bytes.indices.reduce(0) { $0 + ((148..<156).contains($1) ? 32 : Int(bytes[$1])) }
    guard let size = Self.number(bytes[124..<136]), let stated = Self.number(bytes[148..<156]),
      stated == Int64(sum)
    else { throw ArchiveError(.damaged, "the archive is damaged: a header of it is wrong") }
    let prefix = bytes[257..<262].elementsEqual("ustar".utf8) ? Self.text(bytes[345..<500]) : ""
    name = (prefix.isEmpty ? "" : prefix + "/") + Self.text(bytes[0..<100])
    kind =
      switch bytes[156] {
      case 0, UInt8(ascii: "0"): .file
      case UInt8(ascii: "5"): .directory
      default: .other
      }
    self.size = size
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Octal digits between blanks and zeros.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let digits = bytes.drop { $0 == 32 }.prefix { $0 != 0 && $0 != 32 }
    return Int64(String(decoding: digits, as: UTF8.self), radix: 8).flatMap { $0 < 0 ? nil : $0 }
  }
}

/// A regular file that is read from one header to the next.
private final class TarFile {
  private let descriptor: Int32
  private let size: Int64
  /// The offset of the next byte: after a header, that of the entry's data.
  private(set) var position: Int64 = 0

  init(_ path: String) throws(ArchiveError) {
    // A link could lead out of the library, and opening a FIFO would wait for its other end.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    var status = stat()
    let isRegular =
      descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = Int64(status.st_size)
    guard isRegular else {
      throw ArchiveError(
        .io, "the archive cannot be read: it is no regular file, or not ours to read")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Returns: nil at the end of the archive: a block of zeros, or the end of the file.
  func nextHeader() throws(ArchiveError) -> TarHeader? {
    let block = try bytes(at: position, count: TarHeader.length)
    guard block.count == TarHeader.length || position <= size else {
      throw ArchiveError(.truncated, "")
    }
    guard block.contains(where: { $0 != 0 }) else { return nil }
    guard block.count == TarHeader.length else { throw ArchiveError(.truncated, "") }
    position += Int64(block.count)
    return try TarHeader(block)
  }

  /// Data is filled up to a multiple of 512 bytes.
  func skip(_ header: TarHeader) throws(ArchiveError) {
    let (end, isBeyond) = position.addingReportingOverflow(header.size)
    let (next, isFarBeyond) = end.addingReportingOverflow((512 - header.size % 512) % 512)
    guard !isBeyond, !isFarBeyond else {
      throw ArchiveError(.damaged, "the archive is damaged: an entry is larger than any file")
    }
    position = next
  }

  /// Returns the bytes at an offset; fewer than `count` at the end of the file.
  func bytes(at offset: Int64, count: Int) throws(ArchiveError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        let got = pread(descriptor, base + filled, count - filled, off_t(offset) + off_t(filled))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        filled += got
      }
    }
    guard failure == 0 else {
      throw ArchiveError(.io, "the archive cannot be read (\(String(cString: strerror(failure))))")
    }
    return bytes
  }
}
