import Models
import Origin
import SystemCalls
import TestSupport
import Testing

@Suite("Screens 2 and 3 in a terminal") struct ImagesTests {
  @Test("DL8: the grid shows Downloading with per cent, Queueing, Error with its reason, pictures")
  func grid() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let urls =
        [stage.serve("held.png", Sample.image(1, side: 400), held: true)]
        + [rig.url("missing.png"), try rig.serve("good.png", Sample.image(3, side: 64))]
        + [stage.serve("late.png", Sample.image(4), held: true)]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      try await rig.withWindow(
        adding: list, showing: "Downloading...", "--set", "network.maxConcurrentDownloads=1"
      ) { window in
        try window.press(.enter)
        await window.shows("Downloading 5")
        await window.shows("Queueing")
        stage.gate.open()
        await window.shows("Error")
        await window.shows("good.png")
        try window.press(.right)
        await window.shows("HTTP 404")
        // An image is drawn in characters.
        await window.shows("pictures") { shown in
          shown.count(ofBackground: Sample.colour) > 10
        }
      }
    }
  }

  @Test("DL9: Reload fetches every image again, each with a plain GET")
  func reload() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("birds.json", try Sample.json(try rig.serveImages("b", 3)))
      try await rig.withWindow(adding: source, showing: "3/3") { window in
        try window.press(.enter)
        await window.shows("b-3.png")
        try window.type("L")
        await window.shows("Download the whole record again?")
        try window.press(.enter)
        await window.shows("Downloading 3 resources again")
        let log = rig.origin.log
        #expect(
          await window.waits(for: { log.entries.count { $0.target.hasPrefix("/b-") } == 6 }))
        await window.shows("Finished  3/3")
      }
      let requests = rig.wholeLog().filter { $0.target.hasPrefix("/b-") }
      #expect(requests.allSatisfy { $0.status == 200 && $0.range == nil })
    }
  }

  @Test("DL10: the viewer browses all images, pages of archives in place, grey where none is yet")
  func viewer() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let zip = ZipBuilder([
        .deflated("one.png", Sample.image(1, side: 32)),
        .deflated("two.png", Sample.image(2, side: 32)),
      ]).build()
      let urls = [
        try rig.serve("a.png", Sample.image(7, side: 64)), try rig.serve("pages.zip", zip),
        stage.serve("late.png", Sample.image(9, side: 400), held: true),
      ]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      try await rig.withWindow(adding: list, showing: "2/3") { window in
        try window.press(.enter)
        await window.shows("a.png")
        try window.press(.enter)
        await window.shows("1/3")
        try window.type(" ")
        await window.shows("page 1/2  2/3")
        try window.type(" ")
        await window.shows("page 2/2  2/3")
        try window.type(" ")
        await window.shows("3/3")
        await window.shows("Downloading 5")
        stage.gate.open()
        // Replaced by the image as soon as that is there.
        await window.hides("Downloading")
        await window.shows("the picture") { shown in
          shown.count(ofBackground: Sample.colour) > 100
        }
        try window.type("b")
        await window.shows("page 2/2  2/3")
        try window.type("i")
        await window.shows("Entry")
        await window.shows("two.png")
        try window.press(.escape)
        await window.shows("Grid/List")
      }
    }
  }

  @Test("pages of an archive that were evicted from the cache come back when they are looked at")
  func evictedPages() async throws {
    try await Rig.run { rig in
      let zip = ZipBuilder([
        .deflated("one.png", Sample.image(1, side: 32)),
        .deflated("two.png", Sample.image(2, side: 32)),
      ]).build()
      let source = try rig.serve("pages.json", try Sample.json([rig.serve("pages.zip", zip)]))
      let rest = try rig.serve("rest.json", try Sample.json(rig.serveImages("b", 9)))
      try await rig.withWindow(
        adding: source, showing: "1/1", "--set", "cache.count=8"
      ) { window in
        try await window.add(rest)
        await window.shows("9/9")
        #expect(await window.waits(for: { rig.renditions == 8 }))
        try window.press(.home)
        try window.press(.enter)
        await window.shows("pages.zip")
        try window.press(.enter)
        await window.shows("page 1/2  1/1")
        await window.shows("its picture") { $0.count(ofBackground: Sample.colour) > 100 }
      }
      #expect(rig.wholeLog().count { $0.target == "/pages.zip" } == 1)
    }
  }

  @Test("the viewer zooms, turns, and reads from right to left")
  func zooming() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("b.json", try Sample.json(try rig.serveImages("b", 3, side: 64)))
      try await rig.withWindow(adding: source, showing: "3/3") { window in
        try window.press(.enter)
        await window.shows("b-1.png")
        try window.press(.enter)
        await window.shows("1/3")
        try window.type("++")
        await window.shows("156%  1/3")
        try window.type("r")
        try window.type("0")
        await window.hides("%")
        try window.type("d")
        await window.shows("Reading from right to left")
        try window.press(.left)
        await window.shows("2/3")
        try window.press(.right)
        await window.shows("1/3")
        try window.press(.end)
        await window.shows("3/3")
      }
    }
  }

  @Test("RM9: m lifts a tile and fades the others")
  func lifting() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("b.json", try Sample.json(try rig.serveImages("b", 3)))
      try await rig.withWindow(adding: source, showing: "3/3") { window in
        try window.press(.enter)
        await window.shows("b-1.png")
        try window.type("m")
        await window.shows("▲")
        await window.shows("Esc puts it back")
        try window.press(.escape)
        await window.hides("▲")
        #expect(window.shown.contains("Grid/List"))
      }
    }
  }

  @Test(
    "RM8: further pages are read when the end comes near: of lazy records, and by a setting of all",
    arguments: [true, false])
  func pages(_ isLazy: Bool) async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("b", 60, side: 4)
      struct Page: Encodable {
        let items: [String]
        var next: String?
      }
      let source = try rig.serve(
        "p1.json", try Sample.json(Page(items: Array(urls[..<30]), next: rig.url("p2.json"))))
      try rig.serve("p2.json", try Sample.json(Page(items: Array(urls[30...]))))
      let window = try Window(
        rig, arguments: isLazy ? [] : ["--set", "source.pages=on-demand"])
      await window.shows("The library is empty.")
      try await window.add(source, isLazy: isLazy)
      await window.shows(isLazy ? "On demand" : "30/30")
      try window.press(.enter)
      await window.shows("b-1.png")
      #expect(!rig.origin.log.entries.contains { $0.target == "/p2.json" })
      try window.press(.end)
      await window.shows("b-31.png")
      try window.press(.end)
      await window.shows("b-60.png")
      await window.quit()
      #expect(rig.wholeLog().count { $0.target == "/p2.json" } == 1)
    }
  }
}
