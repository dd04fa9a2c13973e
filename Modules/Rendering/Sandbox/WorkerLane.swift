import Dispatch
import Models
import RenderMessages
import Rendering
import Synchronization
import SystemCalls
import WorkerProcess

/// A place for one worker process, and the thread that talks to it.
final class WorkerLane: Sendable {
  struct Answer: Sendable {
    let reply: RenderReply
    let fate: WorkerPool.WorkerFate
  }

  private let queue: DispatchQueue
  private let configuration: WorkerPoolConfiguration
  private struct State {
    /// Used on the queue; from elsewhere only to kill the process.
    var worker: WorkerProcess?
    var isClosed = false
  }

  private let state = Mutex(State())

  init(_ number: Int, _ configuration: WorkerPoolConfiguration) {
    queue = DispatchQueue(label: "imgdl.render.\(number)", qos: .utility)
    self.configuration = configuration
  }

  /// Asks a worker on the lane's thread.
  /// - Parameter fresh: with a new worker.
  func run(
    _ operation: RenderRequest.Operation, path: String, fresh: Bool,
    then finish: @escaping @Sendable (Answer) -> Void
  ) {
    queue.async { finish(self.answer(operation, path: path, fresh: fresh)) }
  }

  /// Kills the worker, also one that is at work; from now on no other is started.
  func kill() {
    let worker = state.withLock { state in
      state.isClosed = true
      return state.worker
    }
    worker?.kill()
  }

  /// Calls `finish` on the lane's thread when all its jobs are done and the worker is collected.
  func close(then finish: @escaping @Sendable () -> Void) {
    queue.async {
      self.letGo()
      finish()
    }
  }

  private func answer(
    _ operation: RenderRequest.Operation, path: String, fresh: Bool
  ) -> Answer {
    do throws(RenderError) {
      let file = try RenderFile(path)
      let request = RenderRequest(
        operation: operation, limits: configuration.limits, decoder: configuration.decoder)
      return try ask(try worker(fresh: fresh), request, file)
    } catch {
      // Nothing was asked; whether the lane has a worker is what it was, but for a failed start.
      let hasWorker = state.withLock { $0.worker != nil }
      return Answer(reply: .failure(error), fate: hasWorker ? .sound : .lost)
    }
  }

  private func ask(
    _ worker: WorkerProcess, _ request: RenderRequest, _ file: RenderFile
  ) throws(RenderError) -> Answer {
    let seconds = configuration.seconds(for: file.format)
    do throws(WorkerError) {
      let frame = try worker.call(
        request.frame(file.descriptor), before: .after(seconds: seconds))
      let reply = try RenderReply(frame, to: request)
      guard reply.mayHaveHarmedTheWorker else { return Answer(reply: reply, fate: .sound) }
      letGo()
      return Answer(reply: reply, fate: .lost)
    } catch {
      letGo()
      throw RenderError(.worker, escaping: configuration.explain(error, file.format))
    }
  }

  private func worker(fresh: Bool) throws(RenderError) -> WorkerProcess {
    if !fresh, let running = state.withLock({ $0.worker }),
      // One that died while it had nothing to do is no fault of this job.
      running.waitForExit(before: .after(seconds: 0)) == nil
    {
      return running
    }
    letGo()
    do throws(WorkerError) {
      let started = try WorkerProcess(try configuration.program())
      let isClosed = state.withLock { state in
        state.worker = started
        return state.isClosed
      }
      guard isClosed else { return started }
    } catch {
      throw RenderError(.worker, escaping: error.description)
    }
    letGo()
    throw RenderError(.cancelled, "the renderer was shut down")
  }

  /// Kills the process and waits for its end, so that no zombie stays.
  private func letGo() {
    let old = state.withLock { state in
      let old = state.worker
      state.worker = nil
      return old
    }
    _ = old?.stop(grace: 0)
  }
}

extension RenderReply {
  /// A decoder that met broken data may have written where it should not.
  fileprivate var mayHaveHarmedTheWorker: Bool {
    guard case .failure(let error) = self else { return false }
    switch error.code {
    case .damaged, .truncated, .io: return true
    case .unsupported, .encrypted, .limit, .worker, .cancelled: return false
    }
  }
}
