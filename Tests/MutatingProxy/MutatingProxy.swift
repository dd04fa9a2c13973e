import Glibc
import SystemCalls
import WorkerProcess

/// Stands between a program and one of its workers, and changes some of the worker's messages, as a worker might
/// that was taken over by the data that it reads.
///
/// Usage: mutating-proxy SEED PERCENT FLAG PROGRAM [ARGUMENT...]
/// Each message is changed with the probability PERCENT, until there is a file FLAG.
@main enum MutatingProxy {
  /// The time in milliseconds after which the proxy ends if a message is missing: the limits of a worker that is
  /// silent are not what it is for.
  private static let patience: Int32 = 100

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let limits = FrameLimits(maxPayload: 64 << 20, maxDescriptors: 4)
    guard arguments.count >= 4, let seed = UInt64(arguments[0]), let percent = Int(arguments[1]),
      let program = WorkerService.connection(limits: limits)
    else { exit(WorkerService.usageExitCode) }
    do {
      let worker = try WorkerProcess(
        WorkerProgram(
          path: arguments[3], arguments: Array(arguments[4...]), limits: limits,
          standardError: .inherited))
      defer { worker.kill() }
      try relay(program, worker, Mutation(seed: seed, percent: percent), unless: arguments[2])
    } catch {
      WorkerService.printError("\(error)")
    }
  }

  private static func relay(
    _ program: WorkerConnection, _ worker: WorkerProcess, _ mutation: Mutation, unless flag: String
  ) throws(WorkerError) {
    var mutation = mutation
    while true {
      var entries = [program.raw, worker.connection.raw].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let ready = poll(&entries, 2, mutation.isMessageMissing ? patience : -1)
      guard ready != 0 else { return }
      if entries[0].revents != 0 {
        guard let frame = try program.receive() else { return }
        try worker.connection.send(frame)
      }
      if entries[1].revents != 0 {
        guard let frame = try worker.connection.receive() else { return }
        switch mutation.change(frame, isHonest: FileSystem.exists(flag)) {
        case .send(let frames): for frame in frames { try program.send(frame) }
        case .breakOff(let bytes):
          _ = bytes.withUnsafeBytes { write(program.raw, $0.baseAddress, $0.count) }
          return
        }
      }
    }
  }
}
