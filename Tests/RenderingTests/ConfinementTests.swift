import ArchiveMessages
import Glibc
import MarkupMessages
import RenderMessages
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("A worker's confinement") struct ConfinementTests {
  struct Worker: Sendable, CustomTestStringConvertible {
    let name: String
    let program: String
    let sandbox: SandboxProfile

    var testDescription: String { name }

    /// One for each decoder that the program has, and those for archives and for markup.
    static let all = Result {
      try DecoderList(asking: HelperLocator().path(of: RenderProgram.name)).decoders.map {
        Worker(name: $0.name, program: RenderProgram.name, sandbox: $0.sandbox)
      } + [
        Worker(name: UnpackProgram.worker, program: UnpackProgram.name, sandbox: SandboxProfile()),
        Worker(name: MarkupProgram.worker, program: MarkupProgram.name, sandbox: SandboxProfile()),
      ]
    }
  }

  /// What a worker reports that tries to break out.
  private func reports(_ worker: Worker) throws -> [SandboxReport] {
    let pipe = try Channels.pipe()
    let child = try ChildProcess(
      ProcessLaunch(
        path: HelperLocator().path(of: worker.program),
        arguments: WorkerArguments.breakOut(worker: worker.name).list,
        streams: [.none, .existing(pipe.writing), .inherited(2)]))
    pipe.writing.close()
    let text = String(decoding: try pipe.reading.remainingBytes(limit: 1 << 16), as: UTF8.self)
    #expect(child.wait(before: .never)?.status == .code(0))
    let lines = text.split(separator: "\n")
    #expect(lines.last.map(String.init) == SandboxReport.end, "the worker got away: \(text)")
    return lines.compactMap { SandboxReport(line: $0) }
  }

  @Test("holds against every attempt to break out", arguments: try Worker.all.get())
  func breakOut(_ worker: Worker) throws {
    let reports = try reports(worker)
    for report in reports { #expect(report.outcome != .broken, "\(report.line)") }
    let missing = reports.filter { $0.outcome == .missing }.map(\.layer)
    // What every kernel has that this runs on.
    #expect(!missing.contains("privileges") && !missing.contains("limits"))
    let refused = Set(reports.filter { $0.outcome == .refused }.map(\.attempt))
    #expect(refused.isSuperset(of: ["allocate 4 GiB", "write to a file", "leave a core file"]))
    if missing.contains("seccomp") {
      print("this kernel has no seccomp")
    } else {
      #expect(
        refused.isSuperset(of: [
          "make a socket", "connect a socket", "execute a program", "start a process",
          "make memory that can be executed",
        ]))
    }
    // Where a worker may read fonts, Landlock has to tell them from other files.
    if !missing.contains("seccomp"), !worker.sandbox.readsFonts || !missing.contains("landlock") {
      #expect(
        refused.isSuperset(of: [
          "query a file by its path", "test whether a file exists",
          "read a symbolic link",
        ]))
    }
    if missing.count < 2 { #expect(refused.contains("open /etc/passwd")) }
  }

  @Test("each sandbox layer is tried, and named where the kernel does not have it")
  func everyBelt() throws {
    let worker = try #require(try Worker.all.get().first)
    let layers = try reports(worker).map(\.layer)
    for layer in ["privileges", "limits", "landlock", "seccomp"] { #expect(layers.contains(layer)) }
  }

  @Test("is what the kernel says of a worker that has begun to answer")
  func limits() async throws {
    let helper = try BadHelper("true")
    let renderer = helper.renderer()
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    _ = try await renderer.probe(path)
    let process = try #require(try helper.started.first)
    let limits = try lines("/proc/\(process)/limits")
    func limit(_ name: String) -> Substring? {
      limits.first { $0.joined(separator: " ").hasPrefix(name) }?
        .dropFirst(name.split(separator: " ").count).first
    }
    #expect(limit("Max address space") == "2147483648")
    #expect(limit("Max core file size") == "0")
    #expect(limit("Max open files") == "16")
    #expect(limit("Max file size") == "0")
    // Twice the ten seconds of a thumbnail, and what has passed of the first.
    #expect(["21", "22"].contains(limit("Max cpu time")))
    let status = try lines("/proc/\(process)/status")
    #expect(status.contains { $0 == ["NoNewPrivs:", "1"] })
    #expect(status.contains { $0 == ["Seccomp:", "2"] })
    await renderer.shutdown()
  }

  @Test("is not there with the renderer that is called unconfined")
  func unconfined() async throws {
    let helper = try BadHelper("true")
    let renderer = helper.renderer { $0.sandbox = .none }
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    let job = RenderJob(path: path, sides: [2])
    #expect(try await renderer.render(job).renditions.first?.width == 2)
    let process = try #require(try helper.started.first)
    #expect(try lines("/proc/\(process)/status").contains { $0 == ["Seccomp:", "0"] })
    await renderer.shutdown()
  }

  private func lines(_ path: String) throws -> [[Substring]] {
    let bytes = try FileSystem.contents(of: path)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(whereSeparator: \.isWhitespace)
    }
  }
}
