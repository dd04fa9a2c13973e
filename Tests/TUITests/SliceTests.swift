import Foundation
import Models
import Origin
import SystemCalls
import TestSupport
import Testing

@Suite("Series in a terminal") struct SliceTests {
  /// A series of grey squares, each another grey: `slice-1`, `slice-10`, … in an order of its own.
  private static func run(
    _ count: Int = 24, atOnce: Int = 16,
    _ configure: (inout OriginConfiguration) -> Void = { _ in },
    _ body: (Rig, OriginServer, Window) async throws -> Void
  ) async throws {
    try await Rig.run { rig in
      for number in 0..<count {
        try rig.write(
          "series/s\(number).png",
          TestPicture.png(
            width: 64, height: 64, red: UInt8(number * 9), green: UInt8(number * 9),
            blue: UInt8(number * 9)))
      }
      var configuration = OriginConfiguration(series: rig.root + "/series")
      configure(&configuration)
      let origin = try OriginServer(configuration)
      let window = try Window(
        rig,
        arguments: [
          "--set", "network.retries=0", "--set", "network.maxConcurrentDownloads=\(atOnce)",
        ])
      await window.shows("The library is empty.")
      try await window.add(origin.url + "series")
      await window.shows("the record") { shown in
        shown.lines.contains { $0.contains("series") && $0.contains("/\(count)") }
      }
      try window.press(.enter)
      await window.shows("c Cine")
      try await body(rig, origin, window)
      await window.quit()
      origin.stop()
    }
  }

  @Test("SV1: the base of a series is sufficient to add it")
  func base() async throws {
    try await Rig.run { rig in
      try rig.write(
        "series/s1.png", TestPicture.png(width: 8, height: 8, red: 9, green: 9, blue: 9))
      let origin = try OriginServer(OriginConfiguration(series: rig.root + "/series"))
      let window = try Window(rig, arguments: ["--set", "network.retries=0"])
      await window.shows("The library is empty.")
      try await window.add(origin.url)
      await window.shows("1/1")
      try window.press(.enter)
      await window.shows("c Cine")
      await window.quit()
      origin.stop()
    }
  }

  @Test("SV1: slices have the order of the list, for any order of arrival")
  func order() async throws {
    try await Self.run(24, { $0.jitter = .milliseconds(60) }) { rig, _, window in
      await window.loadsAllSlices()
      let names = (0..<24).map { "s\($0).png" }.sorted()
      try window.type("i")
      for (index, name) in names.enumerated().prefix(4) {
        await window.shows("\(name) at \(index + 1)") {
          $0.contains(" \(index + 1) of 24") && $0.contains(name)
        }
        try window.type("j")
      }
    }
  }

  @Test("SV2: keys, wheel, drag and Home/End move through the slices")
  func moving() async throws {
    try await Self.run { _, _, window in
      await window.loadsAllSlices()
      try window.type("jjj")
      await window.shows("4/24")
      try window.wheel(up: false)
      await window.shows("5/24")
      try window.press(.end)
      await window.shows("24/24")
      try window.press(.home)
      await window.shows("1/24")
      try window.press(.pageDown)
      await window.shows("3/24")
      let knob = try #require(window.shown.find("●"))
      try window.mouseDown(knob)
      try window.drag((40, knob.row))
      try window.mouseUp((40, knob.row))
      await window.shows("13/24")
      await window.shows("Not for diagnosis")
    }
  }

  @Test("SV2: cine plays, and I inverts")
  func cine() async throws {
    try await Self.run { _, _, window in
      await window.loadsAllSlices()
      try window.type("c")
      await window.shows("▶ 30 fps")
      await window.shows("it has come around") { $0.lines[0].contains("17/24") }
      try window.type("<")
      await window.shows("▶ 24 fps")
      try window.type("c")
      await window.hides("▶")
      try window.type("I")
    }
  }

  @Test("SV3: a loading indicator runs beside the position until all slices are loaded")
  func loading() async throws {
    try await Self.run(24, atOnce: 1, { $0.latency = .milliseconds(200) }) { _, _, window in
      await window.shows("Loading ")
      #expect(window.shown.lines[0].contains("1/24"))
      await window.loadsAllSlices()
    }
  }

  @Test("SV4: opening a series again makes no request")
  func again() async throws {
    try await Self.run { _, origin, window in
      await window.loadsAllSlices()
      // The list and each slice; the origin writes its log when it has answered.
      let log = origin.log
      #expect(await window.waits(for: { log.entries.count == 25 }))
      try window.press(.escape)
      await window.shows("Downloads at once")
      try window.press(.enter)
      await window.shows("c Cine")
      await window.loadsAllSlices()
      try window.press(.end)
      await window.shows("24/24")
      #expect(origin.log.entries.count == 25)
    }
  }

  @Test("SV5: a failed slice shows its error, never its neighbour; the others are shown")
  func failing() async throws {
    try await Self.run(
      24,
      {
        $0.faults = [FaultRate(.notFound, percent: 20)]
        $0.seed = 1
      }
    ) { _, _, window in
      await window.shows("failed ")
      await window.loadsAllSlices()
      await window.shows("errors among the slices") { shown in
        shown.lines[22].contains("✗") && shown.lines[22].contains("█")
      }
      // To a place with an error.
      let row = window.shown.cells[22]
      let column = try #require(row.lastIndex(of: "✗"))
      try window.mouseDown((column, 22))
      try window.mouseUp((column, 22))
      await window.shows("Error")
      await window.shows("HTTP 404")
    }
  }

  @Test("SV5: an unreachable server and an invalid list are reported")
  func deadServer() async throws {
    try await Rig.run { rig in
      let window = try Window(rig, arguments: ["--set", "network.retries=0"])
      await window.shows("The library is empty.")
      try await window.add("http://127.0.0.1:1/series")
      await window.shows("⚠")
      #expect(window.shown.contains("127.0.0.1"))
      try await window.add(try rig.serve("bad.json", "[\"http://a.example/1.png\", "))
      await window.shows("the bad list") { $0.contains("⚠") && $0.contains("bad.json") }
      #expect(window.shown.contains("The library is empty."))
      await window.quit()
    }
  }
}

extension Window {
  /// Returns when no slice is loading any more. Until the list of slices arrives, `Loading` is absent too;
  /// the position in the first line tells these states apart.
  fileprivate func loadsAllSlices(sourceLocation: SourceLocation = #_sourceLocation) async {
    await shows("all slices", sourceLocation: sourceLocation) {
      $0.lines[0].contains(#/\d/\d/#) && !$0.contains("Loading")
    }
  }
}
