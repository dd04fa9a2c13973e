import Testing

/// The folder of a new library: nobody else's by mistake.
@Suite struct LibraryPlaceTests {
  @Test("no library is created in a folder that belongs to another one", arguments: [true, false])
  func insideAnother(_ isDetached: Bool) async throws {
    try await Rig.runWithDaemon { rig in
      let url = try rig.serveImages("a", 1)[0]
      let list = try rig.write("list.txt", url)
      #expect(try await rig.imgdl("add", list).code == 0)
      let options = isDetached ? ["--detach"] : []
      for (folder, owner) in [
        ("list", "the record \"list\""), ("list/below/it", "the record \"list\""),
        (".imgdl/new", "the internal folder"),
      ] {
        let ending = try await rig.imgdl(
          ["add", "-d", "\(rig.library)/\(folder)"] + options + [url])
        #expect(ending.code == 8, "\(ending.errors)")
        #expect(ending.errors.contains("belongs to \(owner) of the library"), "\(ending.errors)")
      }
      let names = try rig.files().keys
      #expect(!names.contains { $0.hasPrefix("list/.imgdl") || $0.hasPrefix(".imgdl/new") })
      // Any other folder below the library's is free, as it is for a library of another user.
      let other = try await rig.imgdl("add", "-d", "\(rig.library)/other", url)
      #expect(other.code == 0, "\(other.errors)")
    }
  }

  @Test("a library that is created among files of the user says so once")
  func amongFiles() async throws {
    try await Rig.run { rig in
      let url = try rig.serveImages("a", 1)[0]
      #expect(try await rig.shell("mkdir full empty && touch full/letter.txt").code == 0)
      let note = "has other files, which stay as they are"
      let empty = try await rig.imgdl("add", "-d", "empty", url)
      #expect(empty.code == 0 && !empty.errors.contains(note), "\(empty.errors)")
      let full = try await rig.imgdl("add", "-d", "full", url)
      #expect(full.code == 0 && full.errors.contains(note), "\(full.errors)")
      let again = try await rig.imgdl("add", "-d", "full", "--again", url)
      #expect(again.code == 0 && !again.errors.contains(note), "\(again.errors)")
      #expect(try await rig.shell("test -e full/letter.txt").code == 0)
      // A relative path of a folder that does not exist yet.
      #expect(try await rig.imgdl("add", "-d", "new", url).code == 0)
    }
  }
}
