public import Archive
public import ArchiveMessages
public import Models
public import RenderMessages
import SystemCalls
import WorkerProcess

/// Reads archives in a confined worker process. A crash, a hang or a decompression bomb fails the one
/// archive, never the program; the next archive gets another worker.
///
/// The worker is not trusted: each message is checked for its form (`UnpackEvent`) and its order
/// (`UnpackSequence`). `GuardedArchiveReader` counts the unpacked data.
public struct SandboxedArchiveReader: ArchiveReader {
  public let formats: Set<ResourceFormat>
  private let adapter: ArchiveAdapter
  private let workers: ReadingWorkers

  /// - Parameter formats: The formats that the adapter reads.
  public init(_ adapter: ArchiveAdapter, formats: Set<ResourceFormat>, workers: ReadingWorkers) {
    self.adapter = adapter
    self.formats = formats
    self.workers = workers
  }

  public func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    let file = try Self.open(path)
    let worker: ReadingWorkers.Worker
    let time: WorkTime
    do throws(WorkerError) {
      worker = try workers.acquire()
      time = worker.process.beginWork(seconds: workers.configuration.seconds)
      try worker.process.send(UnpackRequest(adapter, password).frame(file), within: time)
    } catch {
      throw explain(error)
    }
    // On an error the worker is discarded, because it may be in the middle of an entry.
    if try processEvents(worker.process, time, visitor) { workers.release(worker) }
  }

  /// Processes the worker's messages up to the end of the archive.
  /// - Returns: Whether the worker may read another archive.
  private func processEvents(
    _ process: WorkerProcess, _ time: WorkTime, _ visitor: any ArchiveVisitor
  ) throws(ArchiveError) -> Bool {
    var sequence = UnpackSequence()
    var time = time
    while true {
      switch try next(process, &sequence, &time) {
      case .visit(let entry):
        let decision = sequence.decide(try visitor.visit(entry))
        do throws(WorkerError) {
          try process.send(decision.frame, within: process.continueWork(time))
        } catch {
          throw explain(error)
        }
      case .receive(let bytes): try visitor.receive(bytes.span.bytes)
      case .endEntry: try visitor.endEntry()
      case .failEntry(let error): try visitor.failEntry(error)
      case .end(let isSound): return isSound
      case .fail(let error): throw error
      }
    }
  }

  private func next(
    _ process: WorkerProcess, _ sequence: inout UnpackSequence, _ time: inout WorkTime
  ) throws(ArchiveError) -> UnpackSequence.Step {
    time = process.continueWork(time)
    do throws(WorkerError) {
      return try sequence.handle(UnpackEvent(try process.receive(within: time)))
    } catch {
      throw explain(error)
    }
  }

  private func explain(_ error: WorkerError) -> ArchiveError {
    let time: String
    switch error.code {
    case .processorTime: time = "the processor time of"
    case .timedOut: time = WorkTime.waitWords
    default:
      return ArchiveError(
        .worker, "the archive was not read: its worker failed (\(error.description))")
    }
    return ArchiveError(
      .worker,
      "the archive was not unpacked: no data was extracted within \(time) limits.archiveSeconds"
        + " (\(workers.configuration.seconds) s); the worker was stopped")
  }

  private static func open(_ path: String) throws(ArchiveError) -> OwnedDescriptor {
    do throws(SystemError) {
      // A symbolic link could lead out of the library that contains the archive.
      let file = try FileSystem.open(path, followingLinks: false)
      guard try file.status().kind == .file else {
        throw SystemError(errno: 0, call: "read", path: path)
      }
      return file
    } catch  where error.isSymbolicLink {
      throw ArchiveError(.io, error.description)
    } catch {
      throw ArchiveError(
        .io,
        error.errno == 0
          ? "the archive cannot be read: it is not a regular file"
          : "the archive cannot be read (\(error.reason))")
    }
  }
}
