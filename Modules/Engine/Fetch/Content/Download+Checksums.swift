import Hashing
import LibraryAPI
import Models
import SystemCalls
import Threading

/// Checksums of other algorithms than SHA-256. The file is read once more for them when it is complete, since few
/// lists and servers state such ones: its bytes are usually still in the page cache.
extension Download {
  /// Returns the algorithms of the stated checksums with which the file was not yet hashed.
  func missingAlgorithms(of file: StoredFile) -> [Checksum.Algorithm] {
    contentCheck.missingAlgorithms(of: file)
  }

  /// The check of the complete file against the statements of the servers.
  var contentCheck: ResponseContentCheck {
    ResponseContentCheck(job: job, head: responseHead)
  }

  /// Returns the complete file with the missing checksums of its content.
  func addChecksums(to file: StoredFile) async throws(DownloadFailure) -> StoredFile {
    let algorithms = missingAlgorithms(of: file)
    guard !algorithms.isEmpty else { return file }
    let (folder, path) = (downloadContext.layout.folder, path)
    do {
      var file = file
      file.otherChecksums += try await downloadContext.files.runCancellable { isCancelled in
        try folder.open(path).checksums(algorithms, isCancelled)
      }
      return file
    } catch let error as SystemError {
      throw DownloadFailure(error)
    } catch {
      throw .cancelled
    }
  }
}

extension OwnedDescriptor {
  /// Reads the file from its current position to its end. Blocks.
  /// - Throws: `SystemError`, `CancellationError`.
  fileprivate func checksums(
    _ algorithms: [Checksum.Algorithm], _ isCancelled: CancellationFlag
  ) throws -> [Checksum] {
    let hashes = algorithms.map { MessageDigest($0) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { buffer.deallocate() }
    while true {
      try isCancelled.check()
      let count = try read(into: buffer)
      if count == 0 { return hashes.map { $0.finish() } }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes
      for hash in hashes { hash.update(bytes) }
    }
  }
}
