import Dispatch
import Models
import RenderMessages
import Rendering
import SystemCalls
import WorkerProcess

/// A place for one job at a time, and the thread that talks to its workers.
final class WorkerSlot: Sendable {
  typealias Outcome = Result<RenderResult, RenderError>

  struct Answer: Sendable {
    let outcome: Outcome
    /// Whether this lane has a worker now, or will have one at once.
    let isWarm: Bool
  }

  /// A question that can be put to several workers.
  private struct Question {
    let request: RenderRequest
    let file: RenderFile
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

  /// Asks a worker on the lane's thread.
  func run(
    _ request: RenderRequest, path: String,
    then finish: @escaping @Sendable (Answer) -> Void
  ) {
    queue.async {
      var lost: Set<String> = []
      let outcome = self.answer(request, path, &lost)
      finish(Answer(outcome: outcome, isWarm: !lost.isEmpty || !self.workers.decoders.isEmpty))
      // Their successors start while nobody waits for them.
      for decoder in lost { self.workers.prepare(decoder) }
    }
  }

  /// Starts a worker for what most files are, so that it is there when a job comes.
  func prepare() {
    queue.async {
      // A defect of the worker's program is reported by the first job.
      let decoder = try? self.decoders.list().first(choice: self.configuration.decoder)
      if let decoder { self.workers.prepare(decoder) }
    }
  }

  /// Kills the workers, also one that is at work; from now on no other is started.
  func kill() { workers.kill() }

  /// Calls `finish` on the lane's thread when all its jobs are done and the workers are collected.
  func close(then finish: @escaping @Sendable () -> Void) {
    queue.async {
      self.workers.letGoOfAll()
      finish()
    }
  }

  /// Asks one worker after the other until one takes the file.
  private func answer(
    _ request: RenderRequest, _ path: String, _ lost: inout Set<String>
  ) -> Outcome {
    do throws(RenderError) {
      let file = try RenderFile(path)
      let question = Question(request: request, file: file)
      var outcome = Outcome.failure(
        RenderError(.unsupported, "no preview (\(file.format.mediaType))"))
      for decoder in try order(for: file) {
        outcome = try ask(decoder, question, &lost)
        guard case .failure(let error) = outcome, error.code == .unsupported else { break }
      }
      return outcome
    } catch {
      return .failure(error)
    }
  }

  /// The decoders to ask, one after the other.
  private func order(for file: RenderFile) throws(RenderError) -> [String] {
    do throws(WorkerError) {
      return try decoders.list().order(for: file.format, choice: configuration.decoder)
    } catch {
      throw RenderError(.worker, escaping: error.description)
    }
  }

  private func ask(
    _ decoder: String, _ question: Question, _ lost: inout Set<String>
  ) throws(RenderError) -> Outcome {
    do throws(WorkerError) {
      guard let worker = try workers.take(decoder) else {
        throw WorkerError(.died, "the renderer was shut down")
      }
      let outcome = try ask(worker, question)
      if !workers.note(decoder, isSound: !outcome.mayHaveHarmedTheWorker) {
        lost.insert(decoder)
      }
      return outcome
    } catch {
      // A helper that cannot be started is not tried again before the next job.
      if error.code != .notFound, error.code != .cannotStart { lost.insert(decoder) }
      _ = workers.note(decoder, isSound: false)
      throw RenderError(.worker, escaping: configuration.explain(error, question.file.format))
    }
  }

  private func ask(
    _ worker: WorkerProcess, _ question: Question
  ) throws(WorkerError) -> Outcome {
    let (request, file) = (question.request, question.file)
    let seconds = configuration.seconds(for: file.format)
    worker.limitProcessorTime(seconds: seconds)
    let deadline = Deadline.after(seconds: seconds)
    var memory: RenditionMemory?
    var frame = request.frame(file.descriptor)
    while true {
      let answer = try worker.call(frame, before: deadline)
      switch try RenderReply(answer, to: request, of: file.format, memory) {
      case .result(let result): return .success(result)
      case .failure(let error): return .failure(error)
      // Once: where there is memory, such an answer is malformed.
      case .large(let size):
        let new = try RenditionMemory(capacity: size)
        (memory, frame) = (new, new.frame)
      }
    }
  }
}

extension WorkerSlot.Outcome {
  /// A decoder that met broken data may have written where it should not. What a header alone was
  /// refused for has not reached one.
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
