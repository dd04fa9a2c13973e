import Glibc
import Origin
import Testing

@Suite("Downloads without a window") struct BackgroundTests {
  /// Downloads that stand half-way, with imgdld at work and a window that looks.
  private static func run(
    script: String? = nil, _ body: (Rig, Stage, Window) async throws -> Void
  ) async throws {
    try await Rig.runWithDaemon { rig in
      let stage = try Stage()
      let list = try rig.write("held.txt", stage.hold("h", 3).joined(separator: "\n"))
      let window = try Window(rig, background: "auto", script: script)
      await window.shows("The library is empty.")
      try await window.add(list)
      await window.shows("Downloading...")
      await window.shows("imgdld  ")
      try await body(rig, stage, window)
      if window.isRunning { window.signal(SIGKILL) }
      _ = await window.ending()
    }
  }

  /// The rest comes without any window.
  private static func expectAll(_ rig: Rig, _ stage: Stage) async throws {
    stage.gate.open()
    let ending = try await rig.untilDone()
    #expect(ending.code == 0, "\(ending.errors)")
    let later = try Window(rig, background: "auto")
    await later.shows("3/3")
    await later.quit()
  }

  @Test("DL12: continue when the window is closed with q, which does not ask")
  func quitting() async throws {
    try await Self.run { rig, stage, window in
      try window.type("q")
      #expect(await window.ending() == 0)
      try await Self.expectAll(rig, stage)
    }
  }

  @Test("DL12: continue when the terminal is closed")
  func closing() async throws {
    try await Self.run { rig, stage, window in
      window.close()
      _ = await window.ending()
      try await Self.expectAll(rig, stage)
    }
  }

  @Test("DL12: continue when the window is killed")
  func killing() async throws {
    try await Self.run { rig, stage, window in
      window.signal(SIGKILL)
      _ = await window.ending()
      try await Self.expectAll(rig, stage)
    }
  }

  @Test("DL12: continue while the window is stopped by Ctrl-Z, and the window shows the result")
  func stopping() async throws {
    // A shell with jobs, as people have it.
    let script = #"set -m; "$0" "$@"; echo back in the shell; read line; fg"#
    try await Self.run(script: script) { rig, stage, window in
      try window.press(.controlZ)
      await window.shows("back in the shell")
      #expect(!window.shown.contains("Downloads at once"))
      stage.gate.open()
      let ending = try await rig.untilDone()
      #expect(ending.code == 0, "\(ending.errors)")
      try window.press(.enter)
      await window.shows("3/3")
      try window.type("q")
      #expect(await window.ending() == 0)
    }
  }

  @Test("DL12: an imgdld that was killed is started again by the window without a key")
  func killedDaemon() async throws {
    try await Self.run { rig, stage, window in
      let first = rig.lockHolder
      rig.killDaemon()
      stage.gate.open()
      await window.shows("3/3")
      #expect(rig.lockHolder != first)
      #expect(!window.shown.contains("has exited"))
    }
  }

  @Test(
    "DL12: an imgdld that was stopped stays stopped until the user requests something"
  )
  func stoppedDaemon() async throws {
    try await Self.run { rig, stage, window in
      #expect(try await rig.imgdl("daemon", "stop").code == 0)
      await window.shows("was stopped: downloads have stopped")
      #expect(!window.shown.contains("B/s"))
      #expect(!window.shown.contains("Downloading..."))
      #expect(window.shown.contains("Stopped"))
      #expect(!window.shown.contains("Queuing..."))
      stage.gate.open()
      try window.type("p")
      await window.shows("3/3")
    }
  }

  @Test(
    "DL12: an Add that is being read continues when the window is closed, and is shown by the next")
  func quittingDuringAdd() async throws {
    try await Rig.runWithDaemon { rig in
      let stage = try Stage()
      let image = stage.serve("one.bin", Sample.bytes(1_000))
      let list = "[" + Array(repeating: "\"\(image)\"", count: 2_000).joined(separator: ",") + "]"
      let source = stage.serve("slow.json", Array(list.utf8), held: true)
      let window = try Window(rig, background: "auto")
      await window.shows("The library is empty.")
      try await window.add(source)
      await window.shows("Reading \(source)")
      try window.type("q")
      #expect(await window.ending() == 0)
      let later = try Window(rig, background: "auto")
      await later.shows("Reading \(source)")
      stage.gate.open()
      await later.shows("1 record")
      await later.hides("Reading \(source)")
      await later.quit()
    }
  }

  @Test("DL12: an Add during which imgdld is killed is repeated")
  func killDuringAdd() async throws {
    try await Rig.runWithDaemon { rig in
      let stage = try Stage()
      let image = stage.serve("one.bin", Sample.bytes(1_000))
      let list = "[\"\(image)\"]" + String(repeating: " ", count: 100_000)
      let source = stage.serve("slow.json", Array(list.utf8), held: true)
      let window = try Window(rig, background: "auto")
      await window.shows("The library is empty.")
      try await window.add(source)
      await window.shows("Reading \(source)")
      rig.killDaemon()
      stage.gate.open()
      await window.shows("1/1")
      await window.quit()
    }
  }

  @Test("DL12: with background = off the window downloads, and asks before it quits")
  func off() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let list = try rig.write("held.txt", stage.hold("h", 2).joined(separator: "\n"))
      try await rig.withWindow(adding: list, showing: "Downloading...") { window in
        try window.type("q")
        await window.shows("Quit now?")
        try window.press(.escape)
        await window.hides("Quit now?")
        try window.type("q")
        await window.shows("Quit now?")
        try window.type("y")
        #expect(await window.ending() == 0)
      }
    }
  }
}
