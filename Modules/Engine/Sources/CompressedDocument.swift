import ContentCodings
import LibraryAPI
import Manifests
import Models
import SystemCalls

/// A document in a file of gzip or Zstandard, as sitemaps and long lists are often published. A file of Brotli has no
/// magic number, so that Brotli is only known as the coding of a response.
struct CompressedDocument: Sendable {
  private let source: SpooledSource
  private let coding: ContentCoding

  /// The result is nil for a source that is not compressed.
  init?(_ source: SpooledSource) {
    guard source.isWhole, let coding = Self.coding(source.head) else { return nil }
    (self.source, self.coding) = (source, coding)
  }

  private static func coding(_ head: [UInt8]) -> ContentCoding? {
    switch ManifestRecognition.recognise(head: head) {
    case .archive(.gzip): .gzip
    case .zstd: .zstd
    default: nil
    }
  }

  /// The first decoded bytes, at most `ResourceFormat.sniffLength`.
  struct Head: Sendable {
    var bytes: [UInt8] = []
    /// The reason why the bytes end before that length, if the data is damaged or cut off.
    var failure: DecodingFailure?

    var kind: ManifestRecognition? {
      bytes.isEmpty ? nil : ManifestRecognition.recognise(head: bytes)
    }
  }

  func head() throws -> Head {
    var head = Head()
    do {
      try decode { bytes in
        let missing = min(ResourceFormat.sniffLength - head.bytes.count, bytes.byteCount)
        bytes.extracting(first: missing).withUnsafeBytes { head.bytes.append(contentsOf: $0) }
        return head.bytes.count < ResourceFormat.sniffLength
      }
    } catch let failure as DecodingFailure {
      head.failure = failure
    }
    return head
  }

  /// Whether the decoded content has no bytes, or only white space. Content above the limit counts as other content.
  func isBlank(limit: Int) throws -> Bool {
    var (count, isBlank) = (0, true)
    do {
      try decode { bytes in
        count += bytes.byteCount
        isBlank = count <= limit && bytes.withUnsafeBytes { $0.allSatisfy(\.isWhiteSpace) }
        return isBlank
      }
    } catch is DecodingFailure {
      return false
    }
    return isBlank
  }

  /// Returns the error of a document whose content is neither a list nor an archive.
  /// - Parameter name: The name of the document in messages.
  func refusal(_ head: Head, _ name: String) -> LibraryError {
    if let error = knownFault(head, name) { return error }
    return LibraryError(
      .source,
      "\(name): "
        + (head.failure?.description
          ?? "the content of the \(coding.rawValue) data is not a list in a known format"))
  }

  /// Returns the error of a list that is compressed twice or is not UTF-8; nil for any other content.
  func knownFault(_ head: Head, _ name: String) -> LibraryError? {
    compressedTwice(head, name)
      ?? head.kind?.refusal.map { LibraryError(.source, "\(name): \($0)") }
  }

  /// Returns the error of a document that was compressed twice, as servers do that compress such files once more.
  private func compressedTwice(_ head: Head, _ name: String) -> LibraryError? {
    guard let inner = Self.coding(head.bytes) else { return nil }
    let codings = inner == coding ? coding.rawValue : "\(inner.rawValue) and \(coding.rawValue)"
    return LibraryError(
      .source, "\(name): is compressed twice with \(codings); only one compression is supported")
  }

  /// The largest size of a decoded document.
  struct Limit: Sendable {
    let bytes: Int
    /// The name of the limit in messages.
    let origin: String
  }

  /// Returns the decoded document, or what precedes the end of truncated data.
  /// - Parameter name: The name of the document in messages.
  func decoded(_ limit: Limit, name: String) throws -> SourceContent {
    if let error = compressedTwice(try head(), name) { throw error }
    let file = try makeFile()
    var count = 0
    var failure: (any Error)?
    do {
      try decode { bytes in
        count += bytes.byteCount
        guard count <= limit.bytes else {
          failure = LibraryError(
            .policy, "\(name): more than \(limit.bytes) bytes when decoded (\(limit.origin))")
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
      return SourceContent(file: file, byteCount: Int64(count), truncation: reason)
    }
    if let failure { throw failure }
    return SourceContent(file: file, byteCount: Int64(count))
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
    let decoder = coding.makeDecoder()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try file.read(into: buffer), count > 0 {
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes
      guard try decoder.decode(bytes, receive) else { return }
    }
    try decoder.finish()
  }
}

extension UInt8 {
  var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}
