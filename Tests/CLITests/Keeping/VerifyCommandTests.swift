import Foundation
import Origin
import SystemCalls
import Testing

/// `verify`: bad files are found, told, and fetched again (D6).
@Suite struct VerifyCommandTests {
  private func withLibrary(_ body: (Rig, Stage) async throws -> Void) async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let urls = (1...5).map { stage.serve("\($0).png", Sample.image($0)) }
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      try await body(rig, stage)
    }
  }

  private func path(_ rig: Rig, _ number: Int) -> String {
    rig.library + "/list/000\(number)-\(number).png"
  }

  /// Missing, short, changed, replaced by a pipe.
  private func damage(_ rig: Rig) async throws {
    try FileSystem.remove(path(rig, 1))
    try FileSystem.replace(path(rig, 2), with: "short")
    var bytes = try FileSystem.contents(of: path(rig, 3))
    bytes[bytes.count / 2] ^= 1
    try FileSystem.replace(path(rig, 3), with: bytes.span.bytes)
    #expect(try await rig.shell("rm '\(path(rig, 4))' && mkfifo '\(path(rig, 4))'").code == 0)
  }

  @Test("an intact library is exit code 0, and every byte is read on request")
  func sound() async throws {
    try await withLibrary { rig, _ in
      let quick = try await rig.imgdl("verify")
      #expect(quick.code == 0 && quick.output == "", "\(quick.errors)")
      #expect(quick.errors == "5 files checked, no problems found\n")
      let whole = try await rig.imgdl("verify", "--read-data")
      #expect(whole.code == 0 && whole.errors.hasPrefix("5 files checked, "))
      #expect(whole.errors.contains(" read, no problems found"))
    }
  }

  @Test("damaged files are reported, queued and downloaded again", arguments: [true, false])
  func repairing(_ runs: Bool) async throws {
    try await withLibrary { rig, stage in
      let before = try rig.files()
      try await damage(rig)
      if runs {
        try await rig.withFirst { first, held in
          try await verify(rig, ", which imgdl-cli (process \(first.process)) downloads")
          #expect(await first.tells("finished", 4), "the engine that runs fetches them at once")
          held.gate.open()
          await expect(first, endsWith: 0)
        }
      } else {
        try await verify(rig)
        let resources = try await rig.resources()
        #expect(resources.map(\.status) == Array(repeating: "queued", count: 4) + ["finished"])
        #expect(resources.first?.reason == "the file is missing")
        #expect(try await rig.imgdl("show", "1").output.contains("1: the file is missing"))
        let again = try await rig.imgdl("verify")
        #expect(
          again.errors == "1 file checked, no problems found; 4 resources not downloaded yet\n")
        let resume = try await rig.imgdl("resume")
        #expect(resume.code == 0, "\(resume.errors)")
      }
      #expect(try rig.files().filter { $0.key.hasPrefix("list/") } == before)
      for number in 1...5 {
        #expect(stage.requests(of: "\(number).png").count == (number < 5 ? 2 : 1))
      }
      #expect(try await rig.imgdl("verify", "--read-data").code == 0)
    }
  }

  @Test("a record's folder that a link has replaced is named by every check, until it is back")
  func linkedFolder() async throws {
    try await withLibrary { rig, stage in
      let moved = "mv library/list moved && ln -s \(rig.root)/moved library/list"
      #expect(try await rig.shell(moved).code == 0)
      for words in [["verify"], ["verify", "--read-data"], ["verify"]] {
        let ending = try await rig.imgdl(words)
        #expect(ending.code == 1 && ending.errors == "5 files checked, 5 unreadable\n")
        #expect(ending.output.contains("\(path(rig, 1)): the file cannot be reached: "))
        #expect(ending.output.contains("\(rig.library)/list is a symbolic link"))
      }
      #expect(try await rig.shell("rm library/list && mv moved library/list").code == 0)
      #expect(try await rig.imgdl("verify", "--read-data").code == 0)
      #expect(stage.requests(of: "1.png").count == 1, "nothing was fetched again")
    }
  }

  private func verify(
    _ rig: Rig, _ next: String = "; download with imgdl-cli resume"
  ) async throws {
    let ending = try await rig.imgdl("verify", "--read-data")
    #expect(ending.code == 1, "\(ending.errors)")
    let lines = ending.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(ending.output)")
    #expect(lines[0] == path(rig, 1) + ": the file is missing")
    #expect(lines[1].hasPrefix(path(rig, 2) + ": the file has 5 bytes, not "))
    #expect(lines[2] == path(rig, 3) + ": the content of the file differs from the download")
    #expect(lines[3] == path(rig, 4) + ": a named pipe is at the path of the file")
    #expect(ending.errors.contains("1 missing, 2 damaged, 1 not a regular file"))
    #expect(ending.errors.contains("4 files queued again\(next)"), "\(ending.errors)")
  }

  @Test("--dry-run and --json only tell, in a form for programs")
  func telling() async throws {
    try await withLibrary { rig, _ in
      try await damage(rig)
      let ending = try await rig.imgdl("verify", "--read-data", "--dry-run", "--json")
      #expect(ending.code == 1)
      let lines = try ending.output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      let problems = lines.compactMap { $0["problem"] as? String }
      #expect(problems == ["missing", "wrong-size", "wrong-content", "not-a-file"])
      #expect(lines[0]["path"] as? String == path(rig, 1))
      #expect(lines[0]["queued"] as? Bool == false)
      #expect(lines.last?["event"] as? String == "summary")
      #expect(lines.last?["damaged"] as? Int == 2 && lines.last?["queued"] as? Int == 0)
      #expect(try await rig.records().map(\.status) == ["Finished"])
    }
  }

  @Test("damage to linked files is reported with all of their names, and repaired for all")
  func twins() async throws {
    try await withLibrary { rig, stage in
      let urls = (1...5).map { stage.url("\($0).png") }
      let more = try rig.write("more.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", more).code == 0)
      let twin = rig.library + "/more/0001-1.png"
      let inode = try FileSystem.status(twin).inode
      #expect(try FileSystem.status(path(rig, 1)).inode == inode, "one file, two names")
      // In place: both names lead to the damage.
      let file = try FileSystem.open(twin, .readingAndWriting)
      try file.write(all: [0].span.bytes, at: 20)
      let ending = try await rig.imgdl("verify", "--read-data")
      #expect(ending.code == 1)
      #expect(ending.output.contains("\n  the same file: \(twin)\n"), "\(ending.output)")
      #expect(ending.errors.contains("2 damaged"))
      #expect(try await rig.imgdl("resume").code == 0)
      #expect(try await rig.imgdl("verify", "--read-data").code == 0)
      #expect(try FileSystem.contents(of: twin) == Sample.image(1))
    }
  }

  @Test("verify fails without a library; a cache forgets a file that is lost")
  func others() async throws {
    try await Rig.run { rig in
      #expect(try await rig.imgdl("verify").code == 2)
      let url = try rig.serve("a.png", Sample.image(1))
      let path = String(try await rig.imgdl("fetch", url).output.dropLast())
      try FileSystem.remove(path)
      let ending = try await rig.imgdl("verify")
      #expect(ending.code == 1, "\(ending.errors)")
      #expect(ending.output.contains("removed from the cache; the next fetch downloads it"))
      #expect(try await rig.imgdl("verify").code == 0)
      #expect(try await rig.imgdl("fetch", url).code == 0)
      #expect(rig.wholeLog().count == 2)
    }
  }
}
