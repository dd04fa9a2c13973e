import Glibc
import ProgramSupport

/// Receives signals as a stream. From `init` on, these signals have no other effect on the process.
struct Signals {
  let stream: AsyncStream<Int32>
  private let pipe: SignalPipe

  private static let numbers = [SIGTERM, SIGINT, SIGHUP, SIGUSR1]

  init() throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    self.stream = stream
    pipe = try SignalPipe(Self.numbers) { continuation.yield($0) }
  }

  /// Prepares the process for another program that replaces this one. Until that program handles signals itself, SIGTERM
  /// and SIGINT end the process, and SIGHUP and SIGUSR1 are ignored, because they ask for what the start does anyway.
  static func prepareReplacement() {
    for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
    for number in [SIGHUP, SIGUSR1] { signal(number, SIG_IGN) }
  }
}
