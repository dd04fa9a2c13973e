import Models
import Origin
import SystemCalls
import Testing

@Suite("Screen 1 in a terminal") struct RecordListTests {
  @Test("DL2: lists records with title, state text, bar and done/total")
  func list() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let held = try Sample.json(stage.hold("h", 2))
      let zip = try rig.serve(
        "all.zip",
        ZipBuilding.archive([
          ("first.json", held), ("second.json", try Sample.json(stage.hold("g", 3))),
        ]))
      try await rig.withWindow(
        adding: zip, showing: "Downloading...", "--set", "network.maxConcurrentDownloads=2"
      ) { window in
        await window.shows("first: two at work, second: waiting") { shown in
          shown.lines.contains {
            $0.contains("first") && $0.contains("Downloading...") && $0.contains("0/2")
          }
            && shown.lines.contains {
              $0.contains("second") && $0.contains("Queuing...") && $0.contains("0/3")
            }
        }
        stage.gate.open()
        await window.shows("both are Finished") { shown in
          shown.lines.count { $0.contains("Finished") && $0.contains("━━") } == 2
        }
        #expect(window.shown.contains("2/2"))
        #expect(window.shown.contains("3/3"))
      }
    }
  }

  @Test("DL3: the slider changes the number of downloads at once, upwards and downwards")
  func slider() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let list = try rig.write("held.txt", stage.hold("h", 8).joined(separator: "\n"))
      try await rig.withWindow(
        adding: list, showing: "Downloading...", "--set", "network.maxConcurrentDownloads=1"
      ) { window in
        await window.shows("↓ 1")
        #expect(stage.requests.count == 1)
        try window.type("}}")
        await window.shows("↓ 3")
        #expect(await window.waits(for: { stage.requests.count == 3 }))
        // By the mouse: the end of the slider, then its beginning.
        let knob = try #require(window.shown.find("●"))
        try window.mouseDown(knob)
        try window.drag((knob.column + 60, knob.row))
        try window.mouseUp((knob.column + 60, knob.row))
        await window.shows("↓ 8")
        try window.type("{")
        await window.shows("} 768")
        stage.gate.open()
        await window.shows("8/8")
      }
    }
  }

  @Test("DL4: Add fetches the source; adding it again appends its records again")
  func adding() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.serveImages("b", 2)))
      try await rig.withWindow(adding: source, showing: "Finished") { window in
        try await window.add(source)
        await window.shows(
          "Already in the library; appended again: 1 record, 2 resources; R refreshes")
        await window.shows("2 records")
        await window.shows("two are Finished") { shown in
          shown.lines.count { $0.contains("birds") && $0.contains("2/2") } == 2
        }
        #expect(window.shown.contains("birds (2)"))
        let folders = try FileSystem.list(rig.library).map(\.name).filter { $0.hasPrefix("birds") }
        #expect(folders.sorted() == ["birds", "birds (2)"])
      }
    }
  }

  @Test("DL4: a source that cannot be read is reported in the window, and nothing is added")
  func badSource() async throws {
    try await Rig.run { rig in
      let window = try Window(rig)
      await window.shows("The library is empty.")
      try await window.add(rig.url("nothing.json"))
      await window.shows("404")
      #expect(window.shown.contains("The library is empty."))
      await window.quit()
    }
  }

  @Test("no message shows the credentials of a URL, for any error in the URL")
  func credentials() async throws {
    try await Rig.run { rig in
      let window = try Window(rig)
      await window.shows("The library is empty.")
      for source in ["http://user:secret@127.0.0.1:1/list", "ftp://user:secret@h.example/list"] {
        try await window.add(source)
        await window.shows("⚠ ")
        await window.shows("***@")
        #expect(!window.shown.contains("secret"))
      }
      await window.quit()
    }
  }

  @Test(
    "the reason why a host is delayed is shown as long as a resource waits for it, and no longer")
  func hostNote() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let url = stage.refuse("busy.png", 503, fields: ["Retry-After: 30"])
      let list = try rig.write("list.txt", url)
      let window = try Window(rig, arguments: ["--set", "network.retries=4"])
      await window.shows("The library is empty.")
      try await window.add(list)
      await window.shows("HTTP 503 Service Unavailable; continues in ")
      // Nothing waits for it any more when the record is gone.
      try window.type("x")
      await window.shows("Remove this record?")
      try window.type("y")
      await window.hides("HTTP 503")
      await window.quit()
    }
  }

  @Test("DL5: Reset asks, then stops and deletes everything")
  func reset() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let list = try rig.write("held.txt", stage.hold("h", 3).joined(separator: "\n"))
      try await rig.withWindow(adding: list, showing: "Downloading...") { window in
        try window.type("X")
        await window.shows("Reset the library?")
        try window.press(.enter)
        await window.hides("Reset the library?")
        #expect(window.shown.contains("Downloading..."))
        try window.click("X Reset")
        await window.shows("Reset the library?")
        try window.click("Delete everything")
        await window.shows("The library is empty.")
        let left = try FileSystem.list(rig.library).map(\.name).filter { $0 != ".imgdl" }
        #expect(left == [])
        #expect(try FileSystem.list(rig.library + "/.imgdl/incoming").isEmpty)
      }
    }
  }

  @Test("DL6: Pause is grey without activity; paused downloads continue where they stopped")
  func pausing() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let window = try Window(rig)
      await window.shows("The library is empty.")
      try window.type("p")
      await window.shows("Nothing to pause")
      let list = try rig.write("held.txt", stage.hold("h", 2).joined(separator: "\n"))
      try await window.add(list)
      await window.shows("Downloading...")
      #expect(await window.waits(for: { rig.halves == 2 }))
      try window.click("p Pause")
      await window.shows("Paused")
      await window.shows("p Resume")
      let before = stage.requests.count
      stage.gate.open()
      try window.type("p")
      await window.shows("2/2")
      let later = stage.requests.dropFirst(before)
      #expect(later.count == 2)
      #expect(later.allSatisfy { $0.range?.hasPrefix("bytes=") == true })
      await window.quit()
    }
  }

  @Test("DL7: Enter and a click open a record")
  func opening() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.serveImages("b", 2)))
      try await rig.withWindow(adding: source, showing: "2/2") { window in
        try window.press(.enter)
        await window.shows("b-1.png")
        try window.press(.escape)
        await window.shows("Downloads at once")
        try window.click("birds")
        await window.shows("b-1.png")
      }
    }
  }

  @Test("RM9: a long press lifts a record and fades the others; m does the same")
  func longPress() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.serveImages("b", 2)))
      try await rig.withWindow(adding: source, showing: "2/2") { window in
        let place = try #require(window.shown.find("birds"))
        try window.mouseDown(place)
        await window.shows("▲")
        try window.mouseUp(place)
        #expect(window.shown.contains("Downloads at once"))
        try window.type("m")
        await window.hides("▲")
        try window.type("m")
        await window.shows("▲")
      }
    }
  }

  @Test("RM7: scrolling beyond the top three times refreshes; new images come to the top")
  func refreshing() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("b", 3)
      let source = try rig.serve("birds.json", try Sample.json(Array(urls[1...])))
      try await rig.withWindow(adding: source, showing: "2/2") { window in
        for _ in 0..<3 { try window.wheel(up: true) }
        await window.shows("Nothing new")
        try rig.serve("birds.json", try Sample.json(urls))
        try window.type("R")
        await window.shows("3/3")
        try window.press(.enter)
        await window.shows("the new one first") { shown in
          guard let new = shown.find("b-1.png"), let old = shown.find("b-2.png") else {
            return false
          }
          return new.column < old.column
        }
      }
      let answers = rig.wholeLog().filter { $0.target == "/birds.json" }.map(\.status)
      #expect(answers == [200, 304, 200])
    }
  }

  @Test("a filter shows only titles that contain the text")
  func filter() async throws {
    try await Rig.run { rig in
      let list = try Sample.json(try rig.serveImages("b", 1))
      let zip = try rig.serve(
        "all.zip",
        ZipBuilding.archive([("robins.json", list), ("wrens.json", list), ("gulls.json", list)]))
      try await rig.withWindow(adding: zip, showing: "3 records") { window in
        try window.type("/wre")
        await window.shows("only wrens") { $0.contains("wrens") && !$0.contains("robins") }
        try window.press(.enter)
        try window.press(.escape)
        await window.shows("robins")
      }
    }
  }

  @Test("? shows every key of the help, in every place")
  func help() async throws {
    try await Rig.run { rig in
      let window = try Window(rig, columns: 100, rows: 40)
      await window.shows("The library is empty.")
      try window.type("?")
      await window.shows("Stop and delete everything; asks first")
      await window.shows("Fewer downloads at the same time")
      try window.type("?")
      await window.hides("Keys: Records")
      await window.quit()
    }
  }
}
