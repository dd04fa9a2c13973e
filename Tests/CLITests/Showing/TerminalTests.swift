import Origin
import Testing

/// The display as somebody at a terminal sees it.
@Suite struct TerminalTests {
  struct Size: Sendable, CustomTestStringConvertible {
    let columns: Int
    let rows: Int
    var testDescription: String { "\(columns)×\(rows)" }
  }

  @Test(
    "during downloads there is a line for each active record and one for the total",
    arguments: [
      Size(columns: 80, rows: 24), Size(columns: 40, rows: 12), Size(columns: 132, rows: 50),
    ])
  func display(_ size: Size) async throws {
    try await withSlowRecords { rig, source in
      let program = try rig.start(["add", source], terminal: (size.columns, size.rows))
      let output = await program.moment { output in
        let lines = Self.screen(output, size).lines
        return lines.count == 3 && lines[0].contains("Downloading...")
          && lines[2].hasPrefix("Total ") && lines[2].contains("B")
      }
      for line in Self.screen(try #require(output), size).lines {
        #expect(line.count < size.columns, "\(line)")
        #expect(line.contains("▕") && line.contains("▏"))
      }
      let ending = await program.ending()
      #expect(ending.code == 0)
      let last = Self.screen(ending.output, size).lines
      #expect(last[0].contains("12/12"), "one line for the total is left: \(last)")
      #expect(last.dropFirst().joined().contains("2 records: 12 of 12 finished"))
      #expect(!last.joined().contains("Reading"))
    }
  }

  @Test("progress is visible before the source answers, and messages are above its lines")
  func messages() async throws {
    try await withSlowRecords { rig, source in
      let size = Size(columns: 80, rows: 24)
      let program = try rig.start(["add", "gone.json", source], terminal: (80, 24))
      #expect(await program.waits { $0.contains("Reading ") })
      #expect(
        await program.waits { output in
          let lines = Self.screen(output, size).lines
          return lines.count > 2 && lines[0].hasPrefix("imgdl-cli: cannot open gone.json")
            && lines[1].hasPrefix("birds")
        })
      let ending = await program.ending()
      #expect(ending.code == 3)
      #expect(
        Self.screen(ending.output, size).lines[0].hasPrefix("imgdl-cli: cannot open gone.json"))
    }
  }

  @Test("a list can be typed; nothing is drawn between the letters")
  func typed() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 2)
      let program = try rig.start(["add", "-"], terminal: (80, 24))
      #expect(await program.waits { $0.contains("Ctrl-D ends the list.") })
      try program.type(urls.joined(separator: "\n") + "\n\u{4}")
      let ending = await program.ending()
      #expect(ending.code == 0, "\(ending.output)")
      #expect(ending.output.contains(urls.joined(separator: "\r\n")), "\(ending.output)")
      #expect(try await rig.records().map(\.total) == [2])
    }
  }

  @Test("errors are red on a terminal, but not with NO_COLOR, --no-color or a dumb terminal")
  func colors() async throws {
    try await Rig.run { rig in
      func errors(_ arguments: [String], _ environment: [String: String] = [:]) async throws
        -> String
      {
        try await rig.start(
          ["add", "gone.json"] + arguments, environment: environment, terminal: (80, 24)
        ).ending().output
      }
      #expect(try await errors([]).contains("\u{1b}[31m"))
      #expect(try await !errors(["--no-color"]).contains("\u{1b}[31m"))
      #expect(try await !errors([], ["NO_COLOR": "1"]).contains("\u{1b}[31m"))
      let dumb = try await errors([], ["TERM": "dumb"])
      #expect(!dumb.contains("\u{1b}"), "\(dumb)")
    }
  }

  @Test("a terminal that becomes narrower in the middle shows whole lines again")
  func resized() async throws {
    try await withSlowRecords { rig, source in
      let program = try rig.start(["add", source], terminal: (100, 24))
      #expect(await program.waits { $0.contains("Total ") })
      // Frames of the new width can follow at once.
      let before = program.output.count
      program.resize(columns: 50, rows: 20)
      #expect(
        await program.waits { output in
          let frame = output.dropFirst(before).split(separator: "\r\n")
          return frame.contains { $0.contains("Total ") && $0.contains("▏") && $0.count < 60 }
        })
      #expect(await program.ending().code == 0)
    }
  }

  @Test("lists fit the terminal, elsewhere nothing is cut", arguments: [40, 80])
  func tables(columns: Int) async throws {
    try await Rig.run { rig in
      let title = String(repeating: "long ", count: 30) + "title"
      let urls = [try rig.serveImages("a", 1)[0], rig.url("no/such/picture/is/here.png")]
      let list = try rig.write("\(title).txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", "--retry", "0", list).code == 1)
      for arguments in [["list"], ["show", "1"], ["details", "1"], ["config"], ["doctor"]] {
        let program = try rig.start(arguments, terminal: (columns, 24))
        let lines = await program.ending().output.split(separator: "\r\n")
        #expect(lines.count > 1)
        // A path or a URL is not broken.
        for line in lines where line.count > columns {
          #expect(line.trimmingPrefix("  ").contains("/"), "\(line)")
          #expect(!line.trimmingPrefix("  ").contains(" "), "\(line)")
        }
      }
      #expect(try await rig.imgdl("list").output.contains(title))
    }
  }

  @Test("details shows the words of a state, and the reasons of failures below")
  func reasons() async throws {
    try await Rig.run { rig in
      let urls = [try rig.serveImages("a", 1)[0], rig.url("none.png")]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", "--retry", "0", list).code == 1)
      let lines = try await rig.imgdl("details", "1").output.split(separator: "\n")
      #expect(lines.count == 5, "\(lines)")
      #expect(lines[2].hasSuffix("  Finished"))
      #expect(lines[3].hasSuffix("  Error"))
      #expect(lines[4].hasPrefix("2: ") && lines[4].contains("404"), "\(lines)")
    }
  }

  private static func screen(_ output: String, _ size: Size) -> Screen {
    var screen = Screen(columns: size.columns, rows: size.rows)
    screen.show(output)
    return screen
  }

  private func withSlowRecords(_ body: (Rig, String) async throws -> Void) async throws {
    try await Rig.run {
      $0.latency = .milliseconds(60)
      $0.rate = 48 << 10
    } _: { rig in
      let urls = try (1...12).map { try rig.serve("\($0).bin", Sample.bytes(12_000 + $0)) }
      let source = try rig.serve(
        "all.zip",
        Sample.manifest([
          "birds of passage.json": Array(urls[..<6]), "cats.json": Array(urls[6...]),
        ]))
      try await body(rig, source)
    }
  }
}
