import Models
import SystemCalls
import Testing
import WorkerProcess

@Suite("Lines instead of a screen") struct PlainTests {
  @Test("--plain answers in whole lines, without one control character")
  func lines() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.servePictures("b", 2)))
      let program = try rig.start(
        ["--plain", "--set", "background=off"], input: Array("add \(source)\n".utf8),
        keepsInputOpen: true, program: try HelperLocator().path(of: "imgdl-tui"))
      #expect(await program.waits(until: { $0.contains("Nothing here yet.") }))
      #expect(await program.waits(until: { $0.contains("birds: Finished") }))
      try program.type("list\nshow 1\ndetails 1\nreset\nno\nfoo\nquit\n")
      let ending = await program.ending()
      #expect(ending.code == 0, "\(ending.errors)")
      for text in [
        "Added 1 record, 2 resources", "1. birds: Finished; 2 of 2", "1. b-1.png: Finished",
        "Image Details of birds", "Type yes or no", "Nothing was done.", "foo is not a command",
      ] {
        #expect(ending.output.contains(text), "\(text) in \(ending.output)")
      }
      #expect(!ending.output.contains { $0 == "\u{1b}" || $0 == "\r" })
    }
  }

  @Test("without a terminal it says so, and names --plain")
  func noTerminal() async throws {
    try await Rig.run { rig in
      let program = try rig.start([], program: try HelperLocator().path(of: "imgdl-tui"))
      let ending = await program.ending()
      #expect(ending.code == 2)
      #expect(ending.errors.contains("--plain"))
    }
  }

  @Test("an idle window writes nothing and uses no processor")
  func idle() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.servePictures("b", 2)))
      try await rig.withWindow(adding: source, showing: "2/2") { window in
        // The notice goes away by itself; after that nothing is due.
        await window.hides("Added")
        let (bytes, time) = (window.bytes, Self.processorTime(window.process))
        #expect(time > 0)
        let start = Machine.monotonicNanoseconds
        #expect(
          await window.waits(for: { Machine.monotonicNanoseconds - start > 2_000_000_000 }))
        #expect(window.bytes == bytes)
        #expect(Self.processorTime(window.process) - time < 20_000_000)
      }
    }
  }

  /// Nanoseconds that the threads of a process have run. The hundredths of a second in `stat` are rounded
  /// apart for user and kernel, and differ by two after a single one.
  private static func processorTime(_ process: Int32) -> Int {
    let threads = (try? FileSystem.list("/proc/\(process)/task")) ?? []
    return threads.reduce(0) { sum, thread in
      let path = "/proc/\(process)/task/\(thread.name)/schedstat"
      let fields = (try? FileSystem.contents(of: path)).map {
        String(decoding: $0, as: UTF8.self).split(separator: " ")
      }
      return sum + (fields?.first.flatMap { Int($0) } ?? 0)
    }
  }
}
