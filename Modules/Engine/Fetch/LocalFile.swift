import Hashing
import Models
import ProgressTree
import SystemCalls

/// Resources that are files of this machine: `add picture.jpg`. Only the user names them, never a manifest.
enum LocalFile {
  static let scheme = "file://"

  static func url(_ path: String) -> String {
    scheme + path.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.encodeSegment(String($0)) }.joined(separator: "/")
  }

  static func path(_ url: String) -> String {
    PercentEncoding.decode(url.dropFirst(scheme.count))
  }

  struct Copy: Sendable {
    let file: StoredFile
    let head: [UInt8]
  }

  /// Copies the file and hashes the copy. Blocks.
  static func copy(
    _ source: String, to path: String, _ limit: Int64, _ counter: TransferCounter
  ) throws -> Copy {
    let status = try FileSystem.status(source)
    guard status.kind == .file else { throw DownloadFailure.content("not a regular file") }
    guard status.size <= limit else { throw DownloadFailure.tooLarge(limit: limit) }
    counter.expect(status.size)
    let began = Machine.monotonicNanoseconds
    if FileSystem.exists(path) { try FileSystem.remove(path) }
    try FileSystem.copy(source, to: path)
    let content = try PrefixDigest(of: path, atMost: nil)
    counter.set(received: content.count)
    var timings = TransferTimings()
    timings.lastByte = Double(Machine.monotonicNanoseconds - began) / 1e6
    let file = StoredFile(
      name: "", byteCount: content.count, digest: content.hasher.finalize(),
      format: ResourceFormat(sniffing: content.head), timings: timings)
    return Copy(file: file, head: content.head)
  }
}
