import Datasets
import Dispatch
import Models
import Rendering
import SystemCalls
import Threading

/// A finished sample for the output.
struct FinishedSample: Sendable {
  let line: SampleLine
  let report: SampleReport
  let image: SampleImage?
}

/// Writes the tar file and the report of a shard, on a thread of its own, since a disk and a reader of the
/// report may be slow.
///
/// `@unchecked Sendable`: only the queue uses the buffers.
final class ShardOutput: @unchecked Sendable {
  private static let bufferSize = 1 << 20
  /// The time in seconds for the report of a failure.
  private static let patience = 2.0

  private let shard: ShardDescription
  private let tar: OwnedDescriptor
  private let report: OwnedDescriptor
  private let queue: BlockingQueue
  private var totals = ShardTotals()
  private var buffer: [UInt8] = []
  private var tarBytes: Int64 = 0
  /// The failure of the output, after which nothing more is written.
  private var failure: ShardError?

  /// The number of samples that were written, and the bytes that their images took in memory.
  struct Written: Sendable {
    let count: Int
    let memory: Int
  }

  init(
    _ shard: ShardDescription, report: OwnedDescriptor, queue: BlockingQueue
  ) throws(ShardError) {
    self.shard = shard
    self.report = report
    self.queue = queue
    do throws(SystemError) {
      // The folders may be links of the user; the name of the file may be one that somebody else has placed there.
      let folder = try FileSystem.realPath(FileSystem.parentFolder(of: shard.tar))
      let name = shard.tar.split(separator: "/").last.map(String.init) ?? ""
      tar = try FileSystem.open(
        folder + "/" + name, .writing, create: .replacing, followingLinks: false)
    } catch {
      throw .failed(error.description)
    }
  }

  /// Writes samples in order.
  /// - Parameter whenEnded: Called on the output's thread.
  func write(
    _ samples: [FinishedSample],
    whenEnded: @escaping @Sendable (Result<Written, ShardError>) -> Void
  ) {
    queue.start {
      guard self.failure == nil else { return }
      do throws(ShardError) {
        try self.append(samples)
        let memory = samples.reduce(0) { $0 + ($1.image?.memory ?? 0) }
        whenEnded(.success(Written(count: samples.count, memory: memory)))
      } catch {
        self.failure = error
        whenEnded(.failure(error))
      }
    }
  }

  /// Reports that the shard failed, after the reports that are being written; gives up if the report is not
  /// read. No further sample is written.
  func reportFailure(_ error: ShardError) {
    let end = DispatchSemaphore(value: 0)
    queue.start {
      self.failure = error
      let line = ShardTotals.line(self.shard, failed: error)
      try? self.report.write(all: line.span.bytes)
      end.signal()
    }
    _ = end.wait(timeout: .now() + Self.patience)
  }

  /// Completes the tar file, brings it to the disk, and reports the totals.
  func complete(downloadedBytes: Int64, seconds: Double) throws(ShardError) {
    do throws(SystemError) {
      buffer += [UInt8](
        repeating: 0, count: TarArchive.ending(after: tarBytes + Int64(buffer.count)))
      try flush()
      try tar.sync()
      tar.close()
      totals.downloadedBytes = downloadedBytes
      totals.tarBytes = tarBytes
      totals.seconds = seconds
      try report.write(all: totals.line(shard).span.bytes)
    } catch {
      throw .failed(error.description)
    }
  }

  private func append(_ samples: [FinishedSample]) throws(ShardError) {
    var lines: [UInt8] = []
    for sample in samples {
      do throws(SystemError) {
        if let image = sample.image { try append(sample, image) }
      } catch {
        throw .failed(error.description)
      }
      totals.add(sample.report)
      lines += sample.report.line(sample.line.index, shard)
    }
    do throws(SystemError) {
      try report.write(all: lines.span.bytes)
    } catch {
      throw .failed(error.description)
    }
  }

  /// Appends the files of a sample in the order of their name extensions.
  private func append(_ sample: FinishedSample, _ image: SampleImage) throws(SystemError) {
    let key = shard.key(sample.line.index)
    let member = sample.report.member(sample.line, shard)
    var files = [(shard.sample.codec.format.fileExtension, image), ("json", .memory(member))]
    if shard.savesCaption {
      files.append(("txt", .memory(Array((sample.line.caption ?? "").utf8))))
    }
    for (nameExtension, contents) in files.sorted(by: { $0.0 < $1.0 }) {
      try append("\(key).\(nameExtension)", contents)
    }
  }

  private func append(_ name: String, _ contents: SampleImage) throws(SystemError) {
    let count = Int(contents.byteCount)
    buffer += TarArchive.header(name, size: count)
    switch contents {
    case .memory(let bytes): buffer += bytes
    case .spilled(let file, let offset, _):
      var copied = 0
      while copied < count {
        let bytes = try file.bytes(
          count: min(Self.bufferSize, count - copied), at: offset + Int64(copied))
        buffer += bytes
        copied += bytes.count
        if buffer.count >= Self.bufferSize { try flush() }
      }
    }
    buffer += [UInt8](repeating: 0, count: TarArchive.padding(after: count))
    if buffer.count >= Self.bufferSize { try flush() }
  }

  private func flush() throws(SystemError) {
    var bytes = exchange(&buffer, with: [])
    try tar.write(all: bytes.span.bytes)
    tarBytes += Int64(bytes.count)
    bytes.removeAll(keepingCapacity: true)
    buffer = bytes
  }
}
