import SystemCalls
import Testing
import WorkerProcess

@Suite("Processor time") struct ProcessorTimeTests {
  @Test("ends a helper that computes for longer than it was given")
  func limit() throws {
    let worker = try WorkerProcess(
      WorkerProgram(path: "/bin/sh", arguments: ["-c", "while :; do :; done"]))
    worker.limitProcessorTime(seconds: 0.1)
    let status = worker.waitForExit(before: .after(seconds: 60))
    // SIGXCPU
    #expect(status == .signal(24))
  }
}
