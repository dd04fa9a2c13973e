import Origin
import Testing

@Suite("First launch") struct FirstLaunchTests {
  @Test("shows an empty list that says how to add, and shows the added records")
  func firstLaunch() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("bird", 3)
      let source = try rig.serve("birds.json", try Sample.json(urls))
      let window = try Window(rig)
      await window.shows("The library is empty.")
      await window.shows("Press a to add a path or a URL:")
      try window.type("a")
      await window.shows("Add a source")
      try window.type(source)
      await window.shows(source)
      try window.press(.enter)
      await window.shows("Finished") { $0.contains("birds") && $0.contains("Finished") }
      #expect(window.shown.contains("3/3"))
      await window.quit()
    }
  }

  @Test("fits into 40 × 12")
  func small() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.serveImages("b", 2)))
      let window = try Window(rig, columns: 40, rows: 12)
      await window.shows("The library is empty.")
      try window.paste(source)
      await window.shows("Add a source")
      try window.press(.enter)
      await window.shows("2/2")
      await window.shows("? Help")
      try window.press(.enter)
      await window.shows("b-1.png")
      try window.type("v")
      await window.shows("Finished")
      try window.press(.enter)
      await window.shows("1/2")
      try window.type("?")
      await window.shows("Keys: Viewer")
      await window.quit()
    }
  }

  @Test("Add begins with the setting source.default")
  func defaultSource() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.serveImages("b", 2)))
      let window = try Window(rig, arguments: ["--set", "source.default=\(source)"])
      await window.shows("The library is empty.")
      try window.type("a")
      await window.shows(source)
      try window.press(.enter)
      await window.shows("2/2")
      await window.quit()
    }
  }

  @Test("^L redraws the whole screen after another program has written to it")
  func redraw() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.serveImages("b", 2)))
      try await rig.withWindow(adding: source, showing: "2/2") { window in
        await window.shows("birds")
        await window.hides("Added")
        let before = window.shown
        // Text, a region that scrolls, line drawing instead of letters, a colour.
        window.disturb(
          "\u{1b}[2J\u{1b}[5;9r\u{1b}[3;7HBroadcast message\u{1b}[31;44m\u{1b}(0qqq\u{1b}[7;1H\n\n\n"
        )
        await window.shows("Broadcast message")
        try window.press(.controlL)
        await window.shows("what was there before") {
          $0.lines == before.lines && $0.backgrounds == before.backgrounds
        }
        // Also while something is being asked.
        try window.type("?")
        await window.shows("Keys: Records")
        window.disturb("\u{1b}[2J\u{1b}[3;7HBroadcast message")
        await window.shows("Broadcast message")
        try window.press(.controlL)
        await window.hides("Broadcast message")
        await window.shows("Keys: Records")
        try window.press(.escape)
      }
    }
  }

  @Test("a path that does not exist is named, and can be corrected")
  func correcting() async throws {
    try await Rig.run { rig in
      let list = try rig.write("birds.txt", try rig.serveImages("b", 2).joined(separator: "\n"))
      let window = try Window(rig, columns: 200)
      await window.shows("The library is empty.")
      try await window.add(list + "x")
      await window.shows("(a corrects it)")
      try window.type("a")
      await window.shows("Add a source")
      // The first key moves the cursor, so that the next one edits the text instead of replacing it.
      try window.press(.left)
      try window.type("\u{1b}[3~")
      try window.press(.enter)
      await window.shows("2/2")
      await window.quit()
    }
  }

  @Test("a resize during downloads redraws the whole screen")
  func resize() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let list = try rig.write("held.txt", stage.hold("h", 4).joined(separator: "\n"))
      let window = try Window(rig)
      await window.shows("The library is empty.")
      try window.paste(list)
      await window.shows("Add a source")
      try window.press(.enter)
      await window.shows("Downloading...")
      window.resize(columns: 200, rows: 60)
      await window.shows("the wide list") {
        $0.lines[0].hasPrefix(" imgdl") && $0.lines[59].contains("? Help")
          && $0.contains("Downloading...")
      }
      window.resize(columns: 40, rows: 12)
      await window.shows("the narrow list") {
        $0.lines[11].contains("? Help") && $0.contains("Downloading...")
      }
      window.resize(columns: 20, rows: 5)
      await window.shows("imgdl needs 40 × 12")
      window.resize(columns: 80, rows: 24)
      stage.gate.open()
      await window.shows("4/4")
      await window.quit()
    }
  }
}
