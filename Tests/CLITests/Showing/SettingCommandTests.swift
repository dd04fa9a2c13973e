import SystemCalls
import Testing

/// `config KEY VALUE` and `config --path`.
@Suite struct SettingCommandTests {
  @Test("A setting is written into the user's file, whose other members are kept")
  func users() async throws {
    try await Rig.run { rig in
      let path = rig.home + "/.config/imgdl/config.json"
      let unit = try await rig.imgdl("config", "network.retryDelay").output
      #expect(unit.contains("Wait before the first retry, in seconds; doubles"), "\(unit)")
      #expect(try await rig.imgdl("config", "--path").output == path + "\n")
      try rig.write(
        String(path.dropFirst(rig.root.count + 1)),
        #"{"tui.theme": "light", "network": {"retries": 7, "retryDelay": 2}}"#)
      let ending = try await rig.imgdl("config", "network.retries", "4")
      #expect(ending.code == 0 && ending.errors.contains(path), "\(ending.errors)")
      #expect(try await rig.imgdl("config", "tui.theme", "dark").code == 0)
      for (key, value) in [
        ("network.retries", "4"), ("network.retryDelay", "2"), ("tui.theme", "\"dark\""),
      ] {
        let shown = try await rig.imgdl("config", key)
        #expect(shown.output.contains(value) && shown.output.contains("config.json"), "\(key)")
      }
    }
  }

  @Test("With --library, a setting is written into the library's file")
  func library() async throws {
    try await Rig.run { rig in
      let list = try rig.serve("list.json", try Sample.json(try rig.serveImages("a", 1)))
      #expect(try await rig.imgdl("add", list).code == 0)
      #expect(try await rig.imgdl("config", "-d", rig.library, "network.retries", "1").code == 0)
      #expect(FileSystem.exists(rig.library + "/.imgdl/config.json"))
      #expect(!FileSystem.exists(rig.home + "/.config/imgdl/config.json"))
      let later = try await rig.imgdl("config", "network.retries", "2")
      #expect(later.code == 0 && later.errors.contains("overridden"), "\(later.errors)")
    }
  }

  @Test("What cannot be set by a command is refused, and the file is unchanged")
  func refusals() async throws {
    try await Rig.run { rig in
      let path = rig.home + "/.config/imgdl/config.json"
      let text = "{\n  // mine\n  \"tui.theme\": \"light\",\n}\n"
      try rig.write(String(path.dropFirst(rig.root.count + 1)), text)
      for words in [
        ["network.retries", "many"], ["network.retires", "4"], ["network.users", "h: a:b"],
        ["network.retries", "4"],
      ] {
        let ending = try await rig.imgdl(["config"] + words)
        #expect(ending.code != 0 && !ending.errors.isEmpty, "\(words)")
        #expect(try FileSystem.contents(of: path) == Array(text.utf8))
      }
    }
  }
}
