import SystemCalls
import Testing
import WorkerProcess

@testable import imgdl_cli

/// What a process cost is told by shell scripts of known cost.
@Suite(.timeLimit(.minutes(1))) struct MeasuredProcessTests {
  init() { Machine.adoptOrphans() }

  private func run(_ script: String) async throws -> MeasuredProcess.Outcome {
    let process = try MeasuredProcess(
      ProcessLaunch(path: "/bin/sh", arguments: ["-c", script], streams: [.none, .none, .none]))
    return try await OffPool.run("test") { process.wait() }
  }

  /// Takes some tenths of a second of processor time.
  private static let work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"

  @Test("time that children took counts when the process collected them")
  func collected() async throws {
    let plain = try await run(Self.work)
    #expect(plain.status == .code(0))
    #expect(plain.cost.user > 0.01)
    let child = try await run("sh -c '\(Self.work)' & wait")
    #expect(child.cost.user > plain.cost.user / 4)
  }

  @Test("children that a process leaves behind are waited for, and their time counts")
  func orphans() async throws {
    let file = try FileSystem.temporaryFolder(prefix: "imgdl-test")
    defer { try? FileSystem.removeTree(file) }
    // The parent ends only when its child has been seen at work, as helper programs are.
    let outcome = try await run(
      "(\(Self.work); echo > '\(file)/done') & sleep 0.2; exit 3")
    #expect(outcome.status == .code(3))
    #expect(outcome.cost.user > 0.01)
    #expect(FileSystem.exists(file + "/done"))
  }

  @Test("the peaks of processes that live at the same time are added")
  func memory() async throws {
    // A string of 8 MB in one shell, and in two at the same time.
    let fill = "x=$(head -c 8000000 /dev/zero | tr '\\0' x); sleep 0.4"
    let one = try await run(fill)
    let two = try await run("sh -c '\(fill.replacing("'", with: "'\\''"))' & \(fill); wait")
    #expect(one.peakMemory > 8_000_000)
    #expect(two.peakMemory > one.peakMemory + 8_000_000)
  }

  @Test("a process that is killed is over, and so is its time")
  func killed() async throws {
    let process = try MeasuredProcess(
      ProcessLaunch(path: "/bin/sleep", arguments: ["100"], streams: [.none, .none, .none]))
    process.kill()
    let outcome = try await OffPool.run("test") { process.wait() }
    #expect(outcome.status == .signal(9))
    #expect(outcome.wallSeconds < 50)
  }
}
