import Control
import Models
import SystemCalls
import Threading
import WorkerProcess

/// The error of an `imgdld` that could not be started, or that ended before it listened.
public struct DaemonStartError: Error, Sendable, CustomStringConvertible {
  /// The exit code of `imgdld`; nil if a signal ended it, or if it could not be started.
  public let exitCode: Int32?
  /// The text that `imgdld` wrote to standard error, or the reason why it could not be started.
  public let description: String
}

extension LibraryOpener {
  /// Starts `imgdld` for a library in a session of its own, so that it outlives this program and its
  /// terminal. An `imgdld` that already runs for the library stays as it is.
  ///
  /// Returns when `imgdld` listens; throws if `imgdld` ends before it listens.
  /// - Parameter settings: The names and values, as text, of settings that take precedence over those of
  ///   files and environment.
  public static func startDaemon(
    at path: String, settings: [(key: String, value: String)] = []
  ) async throws(DaemonStartError) {
    let launch: (ProcessLaunch, OwnedDescriptor)
    do {
      launch = try daemonLaunch(path, settings)
    } catch {
      throw DaemonStartError(exitCode: nil, description: "\(error)")
    }
    let result: Result<Void, DaemonStartError> = await withCheckedContinuation { continuation in
      do {
        // `run` blocks until the daemon listens, so it needs a thread of its own.
        try BlockingThread("imgdld-start") {
          continuation.resume(returning: run(launch.0, reading: launch.1))
        }
      } catch {
        continuation.resume(
          returning: .failure(DaemonStartError(exitCode: nil, description: "\(error)")))
      }
    }
    try result.get()
  }

  private static func daemonLaunch(
    _ path: String, _ settings: [(key: String, value: String)]
  ) throws -> (ProcessLaunch, OwnedDescriptor) {
    var arguments = ["--library", path]
    var environment = Machine.environment
    for (key, value) in settings {
      // Secret settings are passed in the environment: all users of the machine can read the arguments of a
      // process, but only its own user can read its environment.
      if let secret = SettingsSchema.key(key), secret.kind.isSecret {
        environment.removeAll { $0.hasPrefix("\(secret.environmentName)=") }
        environment.append("\(secret.environmentName)=\(value)")
      } else {
        arguments += ["--set", "\(key)=\(value)"]
      }
    }
    let errors = try Channels.pipe()
    let launch = ProcessLaunch(
      path: try HelperLocator().path(of: "imgdld"), arguments: arguments,
      environment: environment, streams: [.none, .none, .existing(errors.writing)])
    return (launch, errors.reading)
  }

  private static func run(
    _ launch: ProcessLaunch, reading errors: OwnedDescriptor
  ) -> Result<Void, DaemonStartError> {
    let process: ChildProcess
    do throws(WorkerError) {
      process = try ChildProcess(launch)
    } catch {
      return .failure(DaemonStartError(exitCode: nil, description: error.description))
    }
    for case .existing(let end) in launch.streams { end.close() }
    let text = (try? errors.remainingBytes(limit: 65_536)) ?? []
    let ending = process.wait(before: .never)
    if ending?.status.isSuccess == true { return .success(()) }
    var code: Int32?
    if case .code(let number)? = ending?.status { code = number }
    let said = String(decoding: text, as: UTF8.self)
    return .failure(
      DaemonStartError(
        exitCode: code,
        description: said.isEmpty
          ? "imgdld exited without an error message" : String(said.trimmedEnd)))
  }
}

extension String {
  fileprivate var trimmedEnd: Substring {
    var text = self[...]
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return text
  }
}
