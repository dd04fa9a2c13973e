import Models
import Origin
import Testing

@Suite("Lazy lists in a terminal") struct LazyListTests {
  /// Flags with names, over an origin that takes its time.
  private static func run(
    _ count: Int, _ body: (Rig, Window) async throws -> Void
  ) async throws {
    try await Rig.run { configuration in
      configuration.latency = .milliseconds(50)
    } _: { rig in
      _ = try rig.serveImages("flag", count, side: 24)
      let named = (1...count).map { "{\"title\":\"Country \($0)\",\"url\":\"flag-\($0).png\"}" }
      let source = try rig.serve("Flags.json", "[\(named.joined(separator: ","))]")
      let window = try Window(rig)
      await window.shows("The library is empty.")
      try await window.add(source, isLazy: true)
      await window.shows("On demand")
      try window.press(.enter)
      try await body(rig, window)
      await window.quit()
    }
  }

  @Test("LZ1: names are there first, the record's name above them; images replace placeholders")
  func names() async throws {
    try await Self.run(20) { rig, window in
      await window.shows("names") { $0.contains("Country 1") && $0.contains("Country 4") }
      #expect(window.shown.lines[0].contains("Flags"))
      await window.shows("images") { shown in
        shown.count(ofBackground: Sample.colour) >= 4
      }
      await window.shows("Finished")
    }
  }

  @Test("LZ2: of 255 flags only those are fetched on which scrolling comes to rest")
  func visibleOnly() async throws {
    try await Self.run(255) { rig, window in
      await window.shows("Country 1")
      for _ in 0..<12 { try window.press(.pageDown) }
      try window.press(.end)
      await window.shows("Country 255")
      await window.shows("the last is there") { shown in
        shown.lines.indices.contains { row in
          shown.lines[row].contains("Country 255")
            && shown.lines[row...].prefix(2).contains {
              $0.contains("Finished")
            }
        }
      }
      // The origin writes its log when it has answered.
      let log = rig.origin.log
      #expect(
        await window.waits(for: { log.entries.contains { $0.target == "/flag-255.png" } }))
      let asked = Set(log.entries.map(\.target).filter { $0.hasPrefix("/flag-") })
      // The first screen may have come to rest before the keys came; what lay between never did.
      let between = (30...230).filter { asked.contains("/flag-\($0).png") }
      #expect(between == [])
      #expect(asked.count <= 30)
    }
  }

  @Test("LZ3: selecting a row opens Image Details with size and time; it sorts by any column")
  func details() async throws {
    try await Self.run(3) { _, window in
      await window.shows("three are there") { shown in
        shown.lines.count { $0.contains("Finished") } >= 3
      }
      try window.press(.enter)
      await window.shows("Image Details")
      await window.shows("a size and a time") { shown in
        shown.lines.contains {
          $0.contains("Country 1") && $0.contains("kB ") && $0.contains(" ms")
        }
      }
      try window.click("Size")
      await window.shows("Size▴")
      try window.click("Size")
      await window.shows("Size▾")
      try window.press(.enter)
      await window.shows("/3")
      try window.press(.escape)
      await window.shows("Image Details")
    }
  }
}
