public import Markup
import MarkupMessages
public import RenderMessages
public import SystemCalls
import WorkerProcess

/// Reads documents in a confined worker process. A crash or a hang fails the one document, never the program;
/// the next document gets another worker.
///
/// The worker is not trusted: each message is checked for its form (`ReadReport`), and the items for their
/// order and number (`ReadSequence`).
public struct SandboxedMarkupReader: MarkupReader {
  private let workers: ReadingWorkers

  public init(workers: ReadingWorkers) { self.workers = workers }

  public func read(
    _ file: OwnedDescriptor, _ request: MarkupRequest,
    receive: ([MarkupItem]) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    try Self.check(file)
    let worker: ReadingWorkers.Worker
    let time: WorkTime
    do throws(WorkerError) {
      worker = try workers.acquire()
      time = worker.process.beginWork(seconds: workers.configuration.seconds)
      try worker.process.send(ReadRequest(request).frame(file), within: time)
    } catch {
      throw explain(error)
    }
    // On an error the worker is discarded, because it may be in the middle of a document.
    var sequence = ReadSequence(request)
    var patience = Patience(time.deadline.remainingSeconds)
    while true {
      switch try next(worker.process, &sequence, time, &patience) {
      case .receive(let items): try receive(items)
      case .end: return workers.release(worker)
      case .fail(let error): throw error
      }
    }
  }

  private func next(
    _ process: WorkerProcess, _ sequence: inout ReadSequence, _ time: WorkTime,
    _ patience: inout Patience
  ) throws(MarkupError) -> ReadSequence.Step {
    let began = Machine.monotonicNanoseconds
    defer { patience.waited(nanoseconds: Machine.monotonicNanoseconds &- began) }
    do throws(WorkerError) {
      let frame = try process.receive(within: time.ending(at: patience.deadline))
      return try sequence.handle(ReadReport(frame))
    } catch {
      throw explain(error)
    }
  }

  private func explain(_ error: WorkerError) -> MarkupError {
    MarkupError(error, seconds: workers.configuration.seconds)
  }

  /// Throws if the file is a folder, a pipe or a device, whose reading may not end.
  private static func check(_ file: OwnedDescriptor) throws(MarkupError) {
    do throws(SystemError) {
      guard try file.status().kind == .file else {
        throw SystemError(errno: 0, call: "read", explanation: "it is not a regular file")
      }
    } catch {
      throw MarkupError(.io, "the document cannot be read (\(error.reason))")
    }
  }
}
