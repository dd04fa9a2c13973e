import SystemCalls
import Threading
import WorkerProcess

/// What a small program says, asked from a thread that may wait.
enum ProgramOutput {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Seconds that the program may take before it is killed.
  private static let patience = 10.0
  private static let sizeLimit = 1 << 20

  /// Runs a program to its end. What it says must fit into a pipe (64 KiB): it is read afterwards.
  static func of(_ path: String, _ arguments: [String]) async -> Result<String, Failure> {
    await withCheckedContinuation { continuation in
      do throws(SystemError) {
        try BlockingThread("program") {
          continuation.resume(returning: Result { () throws(Failure) in try run(path, arguments) })
        }
      } catch {
        continuation.resume(returning: .failure(Failure(description: error.description)))
      }
    }
  }

  private static func run(_ path: String, _ arguments: [String]) throws(Failure) -> String {
    do {
      let pipe = try Channels.pipe()
      let child = try ChildProcess(
        ProcessLaunch(
          path: path, arguments: arguments, streams: [.none, .given(pipe.writing), .none]))
      pipe.writing.close()
      guard let ending = child.wait(before: .after(seconds: patience)) else {
        throw Failure(description: "\(path) does not answer within \(patience) s")
      }
      guard ending.status == .code(0) else {
        throw Failure(description: "\(path) \(ending.status)")
      }
      return String(decoding: try pipe.reading.remainingBytes(limit: sizeLimit), as: UTF8.self)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: "\(error)")
    }
  }
}
