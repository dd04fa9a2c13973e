import Glibc
import ProgramSupport
import Testing

@Suite("A pipe of signals")
struct SignalPipeTests {
  @Test("A signal that arrives at once is delivered, also by a second object")
  func delivery() async {
    await #expect(processExitsWith: .success) {
      for numbers in [[SIGUSR1, SIGTERM], [SIGHUP]] {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        let pipe = try SignalPipe(numbers) { continuation.yield($0) }
        var received = stream.makeAsyncIterator()
        for number in numbers {
          // The signal goes to the process, because threads of libdispatch block all signals.
          kill(getpid(), number)
          #expect(await received.next() == number)
        }
        withExtendedLifetime(pipe) {}
      }
    }
  }

  @Test("A signal between two objects neither ends the process nor is lost")
  func between() async {
    await #expect(processExitsWith: .success) {
      _ = try SignalPipe([SIGUSR1]) { _ in }
      kill(getpid(), SIGUSR1)
      let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
      let pipe = try SignalPipe([SIGUSR1]) { continuation.yield($0) }
      var received = stream.makeAsyncIterator()
      #expect(await received.next() == SIGUSR1)
      withExtendedLifetime(pipe) {}
    }
  }
}
