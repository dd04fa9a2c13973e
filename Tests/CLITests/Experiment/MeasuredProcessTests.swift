import SystemCalls
import TestSupport
import Testing
import Threading
import WorkerProcess

@testable import CLIProgram

/// What a process cost is told by shell scripts of known cost.
@Suite(.timeLimit(.minutes(60))) struct MeasuredProcessTests {
  private static func run(_ script: String) async throws -> MeasuredProcess.Outcome {
    let process = try MeasuredProcess(
      ProcessLaunch(path: "/bin/sh", arguments: ["-c", script], streams: [.none, .none, .none]))
    return try await BlockingThread.run("test") { process.wait() }
  }

  /// Takes some tenths of a second of processor time.
  private static let work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"

  @Test("time that children took counts when the process collected them")
  func collected() async throws {
    let plain = try await Self.run(Self.work)
    #expect(plain.status == .code(0))
    #expect(plain.cost.user > 0.01)
    let child = try await Self.run("sh -c '\(Self.work)' & wait")
    #expect(child.cost.user > plain.cost.user / 4)
  }

  /// In a process of its own: one that adopts orphans would do so for all other tests, too.
  @Test("children that a process leaves behind are waited for, and their time counts")
  func orphans() async {
    await #expect(processExitsWith: .success) {
      Machine.adoptOrphans()
      let folder = try TemporaryFolder()
      let file = folder.path
      let outcome = try await Self.run("(\(Self.work); echo > '\(file)/done') & exit 3")
      #expect(outcome.status == .code(3))
      #expect(outcome.cost.user > 0.01)
      #expect(FileSystem.exists(file + "/done"))
      #expect(ProcessTree.children(of: Machine.processID).isEmpty)
    }
  }

  @Test("the peaks of processes that live at the same time are added")
  func memory() async throws {
    // A text of 8 MB in a shell, which says so and keeps it until its input ends.
    let fill = "x=$(head -c 8000000 /dev/zero | tr '\\0' x); echo; read line"
    let one = try await peak(fill, shells: 1)
    let two = try await peak(
      "sh -c '\(fill.replacing("'", with: "'\\''"))' <&3 & \(fill)", shells: 2)
    #expect(one > 8_000_000)
    #expect(two > one + 8_000_000)
  }

  /// Of a script that says a line for each shell that is ready.
  private func peak(_ script: String, shells: Int) async throws -> Int64 {
    let input = try Channels.pipe()
    let output = try Channels.pipe()
    // A shell gives /dev/null to what it puts into the background, but for descriptor 3.
    let child = try ChildProcess(
      ProcessLaunch(
        path: "/bin/sh", arguments: ["-c", script],
        streams: [
          .existing(input.reading), .existing(output.writing), .none, .existing(input.reading),
        ]))
    output.writing.close()
    return try await BlockingThread.run("test") {
      var line: [UInt8] = [0]
      for _ in 0..<shells {
        _ = try line.withUnsafeMutableBytes { try output.reading.read(into: $0) }
      }
      var watch = MemoryWatch()
      watch.sample(at: child.processID)
      input.writing.close()
      _ = child.wait(before: .never)
      return watch.peak
    }
  }

  @Test("a process that is killed is over, and so is its time")
  func killed() async throws {
    let process = try MeasuredProcess(
      ProcessLaunch(path: "/bin/sleep", arguments: ["100"], streams: [.none, .none, .none]))
    process.kill()
    let outcome = try await BlockingThread.run("test") { process.wait() }
    #expect(outcome.status == .signal(9))
    #expect(outcome.wallSeconds < 50)
  }
}
