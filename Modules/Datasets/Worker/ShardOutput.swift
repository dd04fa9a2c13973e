import Datasets
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

/// The bytes of a sample's image.
enum SampleImage: Sendable {
  case memory([UInt8])
  /// A range of the file for samples that wait for their turn.
  case spilled(OwnedDescriptor, offset: Int64, count: Int)
  /// A downloaded file that needs no change.
  case file(OwnedDescriptor, count: Int)

  func bytes() throws(SystemError) -> [UInt8] {
    switch self {
    case .memory(let bytes): bytes
    case .spilled(let file, let offset, let count): try file.bytes(count: count, at: offset)
    case .file(let file, let count): try file.bytes(count: count, at: 0)
    }
  }
}

/// Writes the tar file and the report of a shard, on a thread of its own, since a disk and a reader of the
/// report may be slow.
///
/// `@unchecked Sendable`: only the queue uses the buffers.
final class ShardOutput: @unchecked Sendable {
  private static let bufferSize = 1 << 20

  private let shard: ShardDescription
  private let tar: OwnedDescriptor
  private let report: OwnedDescriptor
  private let queue: BlockingQueue
  private var totals = ShardTotals()
  private var buffer: [UInt8] = []
  private var tarBytes: Int64 = 0

  init(
    _ shard: ShardDescription, report: OwnedDescriptor, queue: BlockingQueue
  ) throws(ShardError) {
    self.shard = shard
    self.report = report
    self.queue = queue
    do throws(SystemError) {
      tar = try FileSystem.open(shard.tar, .writing, create: .replacing)
    } catch {
      throw .failed(error.description)
    }
  }

  /// Writes samples in order.
  /// - Parameter whenEnded: Called on the output's thread.
  func write(
    _ samples: [FinishedSample],
    whenEnded: @escaping @Sendable (Result<Int, ShardError>) -> Void
  ) {
    queue.start {
      whenEnded(
        Result { () throws(ShardError) in
          try self.append(samples)
          return samples.count
        })
    }
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
        if let image = sample.image { try append(sample, try image.bytes()) }
        if buffer.count >= Self.bufferSize { try flush() }
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
  private func append(_ sample: FinishedSample, _ image: [UInt8]) throws(SystemError) {
    let key = shard.key(sample.line.index)
    let member: [UInt8]
    do throws(ShardError) {
      member = try sample.report.member(sample.line, shard)
    } catch {
      // The columns were scanned when their line was read.
      preconditionFailure("the columns of a sample are not JSON: \(error)")
    }
    var files = [(shard.sample.codec.format.fileExtension, image), ("json", member)]
    if shard.savesCaption { files.append(("txt", Array((sample.line.caption ?? "").utf8))) }
    for (nameExtension, bytes) in files.sorted(by: { $0.0 < $1.0 }) {
      buffer += TarArchive.header("\(key).\(nameExtension)", size: bytes.count)
      buffer += bytes
      buffer += [UInt8](repeating: 0, count: TarArchive.padding(after: bytes.count))
    }
  }

  private func flush() throws(SystemError) {
    var bytes = exchange(&buffer, with: [])
    try tar.write(all: bytes.span.bytes)
    tarBytes += Int64(bytes.count)
    bytes.removeAll(keepingCapacity: true)
    buffer = bytes
  }
}
