import ContentCodings
import LibraryAPI
import Markup
import Models
import SystemCalls

/// A document of markup in a gzip file, as sitemaps are often published.
struct GzipDocument: Sendable {
  let source: SpooledSource

  /// Whether the decoded content is a gzip file again.
  func isCompressedTwice() throws -> Bool { try head().map(Self.isGzip) ?? false }

  private static func isGzip(_ head: some Collection<UInt8>) -> Bool {
    head.starts(with: [0x1f, 0x8b])
  }

  /// The error of a document that was compressed twice, as servers do that compress gzip files once more.
  static func compressedTwice(_ name: String) -> LibraryError {
    LibraryError(
      .source, "\(name): is compressed twice with gzip; only one compression is supported")
  }

  /// Returns the first decoded bytes, at most `ResourceFormat.sniffLength`; nil if there are none.
  func head() throws -> [UInt8]? {
    var head: [UInt8] = []
    do {
      try decode { bytes in
        let missing = min(ResourceFormat.sniffLength - head.count, bytes.byteCount)
        bytes.extracting(first: missing).withUnsafeBytes { head.append(contentsOf: $0) }
        return head.count < ResourceFormat.sniffLength
      }
    } catch is DecodingFailure {
      // The error is reported when the document is read, if it is one.
    }
    return head.isEmpty ? nil : head
  }

  /// A decoded document.
  struct Decoded {
    /// The document, in a file without a name.
    let file: OwnedDescriptor
    /// The reason why only the beginning of the document is in the file; nil if all of it is.
    var truncation: String?
  }

  /// Returns the decoded document, or what precedes the end of truncated data.
  /// - Parameters:
  ///   - limits: The limits, of which that of bytes holds for the decoded document.
  ///   - name: The name of the document in messages.
  func decoded(limits: MarkupLimits, name: String) throws -> Decoded {
    if try isCompressedTwice() { throw Self.compressedTwice(name) }
    let file = try makeFile()
    var count = 0
    var failure: (any Error)?
    do {
      try decode { bytes in
        count += bytes.byteCount
        guard count <= limits.bytes else {
          failure = LibraryError(
            .policy,
            "\(name): more than \(limits.bytes) bytes when decoded (\(limits.originOfBytes))")
          return false
        }
        do {
          try file.write(all: bytes)
        } catch {
          failure = error
        }
        return failure == nil
      }
    } catch let error as DecodingFailure {
      let reason = "\(name): \(error.description)"
      guard error.code == .truncated, count > 0 else { throw LibraryError(.source, reason) }
      return Decoded(file: file, truncation: reason)
    }
    if let failure { throw failure }
    return Decoded(file: file)
  }

  private func makeFile() throws -> OwnedDescriptor {
    if source.isTemporary {
      return try FileSystem.unnamedFile(in: FileSystem.parentFolder(of: source.path))
    }
    // The folder of a user's file may not be writable.
    let folder = try FileSystem.temporaryFolder(prefix: "imgdl-source-")
    defer { try? FileSystem.removeTree(folder) }
    return try FileSystem.unnamedFile(in: folder)
  }

  /// Passes the decoded bytes on until `receive` returns false.
  private func decode(_ receive: (RawSpan) -> Bool) throws {
    let file = try FileSystem.open(source.path, followingLinks: !source.isTemporary)
    let decoder = ContentCoding.gzip.makeDecoder()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try file.read(into: buffer), count > 0 {
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes
      guard try decoder.decode(bytes, receive) else { return }
    }
    try decoder.finish()
  }
}
