import Foundation
import Origin
import SystemCalls
import Testing

/// A line of `--json` of a command that downloads.
struct ToldEvent: Decodable, Sendable {
  let event: String
  var seq: Int?
  var record: Int?
  var resource: Int?
  var reason: String?
  var seconds: Double?
  var count: Int?
  var priority: String?
  var finished: Int?
  var failed: Int?
  var unfinished: Int?
}

extension RunningProgram {
  /// The events that it has told so far.
  var events: [ToldEvent] { Self.events(output) }

  static func events(_ text: String) -> [ToldEvent] {
    // The last line may not be whole yet.
    text.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(ToldEvent.self, from: Data($0.utf8))
    }
  }

  /// Returns when it has told so many of an event.
  func tells(_ event: String, _ count: Int = 1) async -> Bool {
    await waits { text in
      text.components(separatedBy: "\"event\":\"\(event)\"").count > count
    }
  }
}

/// Waits for the end of a program, which has this exit code.
func expect(
  _ program: RunningProgram, endsWith code: Int32, sourceLocation: SourceLocation = #_sourceLocation
) async {
  let ending = await program.ending()
  #expect(
    ending.code == code, "\(ending.errors)\(ending.output)", sourceLocation: sourceLocation)
}

extension Rig {
  /// Runs a first terminal, in which downloads stand still half-way until the stage's gate opens.
  /// - Parameter held: so many files, of a list that is called `held`.
  func withFirst(
    held: Int = 3, _ options: [String] = [],
    _ body: (_ first: RunningProgram, _ stage: Stage) async throws -> Void
  ) async throws {
    let stage = try Stage()
    let urls = stage.hold("h", held)
    let list = try write("held.txt", urls.joined(separator: "\n"))
    // What is held sends nothing for as long as a busy machine needs.
    let first = try start(["add", "--json", "--idle-timeout", "600"] + options + [list])
    #expect(await halves(held, of: first), "\(first.output)\(first.errors)")
    try await body(first, stage)
    if first.isRunning {
      first.signal(9)
      _ = await first.ending()
    }
  }

  /// Returns when half of so many files is on the disk.
  func halves(_ count: Int, of program: RunningProgram) async -> Bool {
    await program.waits(for: { [library] in
      let folder = library + "/.imgdl/incoming"
      let names = ((try? FileSystem.list(folder)) ?? []).map(\.name)
      let sizes = names.filter { $0.hasSuffix(".part") }.compactMap {
        try? FileSystem.status(folder + "/" + $0).size
      }
      return sizes.count { $0 >= 150_000 } >= count
    })
  }

  /// An add that was interrupted half-way: no process downloads, and all resources wait.
  func interrupted(held: Int = 3) async throws -> Stage {
    var result: Stage?
    try await withFirst(held: held) { first, stage in
      first.signal(SIGINT)
      let ending = await first.ending(atMost: 10)
      #expect(ending.code == 7, "\(ending.errors)")
      result = stage
    }
    return try #require(result)
  }
}
