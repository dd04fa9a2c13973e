import Glibc
import SystemCalls
import Testing

/// A library whose database was damaged or lost, for example by a crash of the machine.
@Suite struct DamagedDatabaseTests {
  enum Damage: CaseIterable { case emptied, halved, deleted }

  private func damage(_ rig: Rig, _ damage: Damage) throws {
    let path = rig.library + "/.imgdl/library.sqlite"
    switch damage {
    case .emptied: #expect(truncate(path, 0) == 0)
    case .halved:
      #expect(truncate(path, off_t(try FileSystem.status(path).size / 2 / 4_096 * 4_096)) == 0)
    case .deleted: try FileSystem.remove(path)
    }
  }

  @Test(
    "a library of a newer imgdl is refused in one sentence, exit 6, and stays as it is",
    arguments: ["list", "add", "daemon start"])
  func newer(_ command: String) async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 1)
      #expect(try await rig.imgdl(["add"] + urls).code == 0)
      // The number of the schema, which a newer imgdl has raised: bytes 60 to 63 of SQLite's header.
      let path = rig.library + "/.imgdl/library.sqlite"
      do {
        let file = try FileSystem.open(path, .readingAndWriting)
        try file.write(all: [UInt8](arrayLiteral: 0, 0, 1, 0).span.bytes, at: 60)
        file.close()
      }
      let before = try FileSystem.contents(of: path)
      let ending = try await rig.imgdl(
        command.split(separator: " ").map { String($0) } + (command == "add" ? urls : []))
      #expect(ending.code == 6, "\(ending.errors)")
      #expect(ending.errors.contains("written by a newer imgdl: its schema is 256, this program"))
      #expect(ending.errors.split(separator: "\n").count == 1)
      #expect(try FileSystem.contents(of: path) == before)
    }
  }

  @Test(
    "the message names a way out, doctor names the damage, and reset empties .imgdl only",
    arguments: Damage.allCases)
  func damaged(_ kind: Damage) async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 2)
      #expect(try await rig.imgdl(["add"] + urls).code == 0)
      try damage(rig, kind)
      let lists = try await rig.imgdl("list")
      #expect(lists.code == 6, "\(lists.output)")
      #expect(lists.errors.contains("move the folder .imgdl away"), "\(lists.errors)")
      let doctor = try await rig.imgdl("doctor")
      #expect(doctor.code == 1)
      #expect(doctor.output.contains("move the folder .imgdl away"), "\(doctor.output)")
      let files = try rig.originals()
      #expect(files.count == 2)
      let reset = try await rig.imgdl("reset", "--yes")
      #expect(reset.code == 1 && reset.errors.contains("are kept"), "\(reset.errors)")
      #expect(try rig.originals() == files)
      #expect(try await rig.imgdl("list").errors.contains("is empty"))
      let sound = try await rig.imgdl("doctor", "--json")
      #expect(sound.output.contains("\"databaseProblems\":[]"), "\(sound.output)")
      let add = try await rig.imgdl(["add"] + urls)
      #expect(add.code == 0, "\(add.errors)")
      #expect(try await rig.records().map(\.status) == ["Finished", "Finished"])
    }
  }
}

extension Rig {
  /// The files outside of `.imgdl`.
  fileprivate func originals() throws -> [String] {
    try FileSystem.list(library).filter { $0.name != ".imgdl" && $0.kind == .folder }.flatMap {
      folder in try FileSystem.list("\(library)/\(folder.name)").map { "\(folder.name)/\($0.name)" }
    }.sorted()
  }
}
