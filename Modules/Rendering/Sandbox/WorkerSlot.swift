import Dispatch
import Models
import RenderMessages
import Rendering
import SystemCalls
import WorkerProcess

/// A slot of the pool: runs one job at a time, on a thread that communicates with its workers.
final class WorkerSlot: Sendable {
  typealias Outcome = Result<RenderResult, RenderError>

  struct Reply: Sendable {
    let outcome: Outcome
    /// Whether this slot has a running worker, or will start one immediately.
    let isWarm: Bool
  }

  /// A request and its open file, which can be sent to several workers in turn.
  private struct FileRequest {
    let request: RenderRequest
    let file: RenderFile
    /// The time at which the caller no longer needs the result; nil if only the settings limit the time.
    let deadline: Deadline?
  }

  private let queue: DispatchQueue
  private let configuration: WorkerPoolConfiguration
  private let decoders: DecoderDirectory
  private let workers: SlotWorkers

  init(
    _ number: Int, _ configuration: WorkerPoolConfiguration, _ decoders: DecoderDirectory
  ) {
    queue = DispatchQueue(label: "imgdl.render.\(number)", qos: .utility)
    self.configuration = configuration
    self.decoders = decoders
    workers = SlotWorkers(usesPerWorker: configuration.usesPerWorker) {
      (decoder) throws(WorkerError) in try configuration.program(decoder)
    }
  }

  /// Runs a request on the slot's thread.
  func run(
    _ request: RenderRequest, _ input: RenderInput, before deadline: Deadline?,
    then finish: @escaping @Sendable (Reply) -> Void
  ) {
    queue.async {
      var lost: Set<String> = []
      let outcome = self.render(request, input, deadline, &lost)
      finish(Reply(outcome: outcome, isWarm: !lost.isEmpty || !self.workers.decoders.isEmpty))
      // Replacements of lost workers start after the result was delivered, so that no caller waits for them.
      for decoder in lost { self.workers.startWorker(for: decoder) }
    }
  }

  /// Starts a worker of the usual decoder in advance of a job.
  func startFirstWorker() {
    queue.async {
      // If the worker program is defective, the first job reports it.
      let decoder = try? self.decoders.list().first(choice: self.configuration.decoder)
      if let decoder { self.workers.startWorker(for: decoder) }
    }
  }

  /// Kills the workers, including busy ones; no others are started afterwards.
  func kill() { workers.kill() }

  /// Calls `finish` on the slot's thread after all its jobs have ended and the workers have been reaped.
  func close(then finish: @escaping @Sendable () -> Void) {
    queue.async {
      self.workers.stopAll()
      finish()
    }
  }

  /// Tries the decoders one after the other until one supports the file.
  private func render(
    _ request: RenderRequest, _ input: RenderInput, _ deadline: Deadline?,
    _ lost: inout Set<String>
  ) -> Outcome {
    do throws(RenderError) {
      let file = try RenderFile(input)
      let request = FileRequest(request: request, file: file, deadline: deadline)
      var outcome = Outcome.failure(
        RenderError(.unsupported, file.format.reasonWithoutPreview))
      for decoder in try order(for: file) {
        outcome = try runDecoder(decoder, request, &lost)
        guard case .failure(let error) = outcome, error.code == .unsupported else { break }
      }
      return outcome
    } catch {
      return .failure(error)
    }
  }

  /// Returns the names of the decoders to try, in order.
  private func order(for file: RenderFile) throws(RenderError) -> [String] {
    do throws(WorkerError) {
      return try decoders.list().order(for: file.format, choice: configuration.decoder)
    } catch {
      throw RenderError(.worker, escaping: error.description, workerCause: error.cause)
    }
  }

  private func runDecoder(
    _ decoder: String, _ request: FileRequest, _ lost: inout Set<String>
  ) throws(RenderError) -> Outcome {
    do throws(WorkerError) {
      guard let worker = try workers.startedWorker(decoder) else {
        throw WorkerError(.died, "the renderer was shut down")
      }
      let outcome = try call(worker, request)
      if !workers.jobEnded(decoder, isSound: !outcome.mayHaveHarmedTheWorker) {
        lost.insert(decoder)
      }
      return outcome
    } catch {
      // `run` starts a replacement for each decoder in `lost` at once, which would fail again if the program
      // is missing or cannot be started.
      if error.code != .notFound, error.code != .cannotStart { lost.insert(decoder) }
      _ = workers.jobEnded(decoder, isSound: false)
      throw RenderError(
        .worker, escaping: configuration.explain(error, request.request, request.file.format),
        workerCause: error.cause)
    }
  }

  private func call(
    _ worker: WorkerProcess, _ request: FileRequest
  ) throws(WorkerError) -> Outcome {
    let (request, file, callerDeadline) = (request.request, request.file, request.deadline)
    guard callerDeadline?.hasPassed != true else {
      throw WorkerError(.timedOut, "the time for the file is over")
    }
    var time = worker.beginWork(seconds: configuration.seconds(for: request, file.format))
    if let callerDeadline { time = time.ending(at: min(time.deadline, callerDeadline)) }
    var memory: RenditionMemory?
    var frame = request.frame(file.descriptor)
    while true {
      let reply = try worker.call(frame, within: time)
      switch try RenderReply(reply, to: request, of: file.format, memory) {
      case .result(let result): return .success(result)
      case .failure(let error): return .failure(error)
      // Accepted once: when the worker has received memory, `RenderReply` rejects another `.large` as
      // malformed.
      case .large(let size):
        let new = try RenditionMemory(capacity: size)
        (memory, frame) = (new, new.frame)
      }
    }
  }
}

extension WorkerSlot.Outcome {
  /// Whether invalid data may have corrupted the decoder's memory. A file that is rejected for its header
  /// alone does not reach the decoder.
  fileprivate var mayHaveHarmedTheWorker: Bool {
    let error: RenderError
    switch self {
    case .success(let result):
      guard let damage = result.damage else { return false }
      error = damage
    case .failure(let failure): error = failure
    }
    switch error.code {
    case .damaged, .truncated, .encrypted, .io, .worker, .cancelled: return true
    case .unsupported, .limit: return false
    }
  }
}

extension WorkerError {
  fileprivate var cause: RenderError.WorkerCause {
    switch code {
    case .notFound, .cannotStart, .system: .unavailable
    case .timedOut, .processorTime: .timedOut
    case .died, .malformed: .died
    }
  }
}
