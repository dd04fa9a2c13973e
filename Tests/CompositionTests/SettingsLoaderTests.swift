import Composition
import Models
import SystemCalls
import TestSupport
import Testing

/// built-in < machine < user < library < environment < flags.
@Suite struct SettingsLoaderTests {
  private let folder: TemporaryFolder
  private let library: String

  init() throws {
    folder = try TemporaryFolder()
    library = folder.path + "/library"
  }

  private var environment: [String: String] {
    ["XDG_CONFIG_DIRS": folder.path + "/etc:" + folder.path + "/etc2"]
  }

  private var home: String { folder.path + "/me" }

  private func write(_ path: String, _ text: String) throws {
    let path = folder.path + "/" + path
    try FileSystem.makeFolders(FileSystem.parentFolder(of: path))
    try FileSystem.replace(path, with: text, syncing: false)
  }

  private func load(
    _ extra: [String: String] = [:], flags: [SettingsLoader.Flag] = []
  ) throws(SettingError) -> LoadedSettings {
    let loader = SettingsLoader(
      environment: environment.merging(extra) { $1 }, home: home, workingFolder: "/place")
    return try loader.load(library: library, flags: flags)
  }

  @Test("without any layer everything is built in")
  func builtIn() throws {
    let loaded = try load()
    #expect(loaded.settings == Settings())
    #expect(SettingsSchema.keys.allSatisfy { loaded.origin(of: $0.name) == .builtIn })
    #expect(loaded.warnings == [])
  }

  @Test("each layer covers those before it, and is named as the origin")
  func layers() throws {
    let key = "network.retries"
    var expected: [(Int, SettingOrigin)] = []
    for (number, place) in [
      "etc2/imgdl", "etc/imgdl", "me/.config/imgdl", "library/.imgdl",
    ].enumerated() {
      try write(place + "/config.json", #"{"network": {"retries": \#(number + 10)}}"#)
      expected.append((number + 10, .file("\(folder.path)/\(place)/config.json")))
      let loaded = try load()
      #expect(loaded.settings.network.retries == number + 10)
      #expect(loaded.origin(of: key) == .file("\(folder.path)/\(place)/config.json"))
    }
    let variable = ["IMGDL_NETWORK_RETRIES": "20"]
    #expect(try load(variable).settings.network.retries == 20)
    #expect(try load(variable).origin(of: key) == .environment("IMGDL_NETWORK_RETRIES"))
    let flag = SettingsLoader.Flag(key, .text("30"), "--retry")
    let loaded = try load(variable, flags: [flag])
    #expect(loaded.settings.network.retries == 30)
    #expect(loaded.origin(of: key) == .flag("--retry"))
  }

  @Test("a later flag covers an earlier one")
  func flags() throws {
    let loaded = try load(flags: [
      .init("network.retries", .text("1"), "--retry"),
      .init("network.retries", .text("2"), "--set"),
    ])
    #expect(loaded.settings.network.retries == 2)
    #expect(loaded.origin(of: "network.retries") == .flag("--set"))
  }

  @Test("XDG_CONFIG_HOME replaces ~/.config, unless it is relative or empty")
  func configHome() throws {
    try write("me/.config/imgdl/config.json", #"{"network": {"retries": 1}}"#)
    try write("other/imgdl/config.json", #"{"network": {"retries": 2}}"#)
    #expect(try load(["XDG_CONFIG_HOME": folder.path + "/other"]).settings.network.retries == 2)
    for ignored in ["other", ""] {
      #expect(try load(["XDG_CONFIG_HOME": ignored]).settings.network.retries == 1)
    }
  }

  @Test("the machine's file is in /etc/xdg by default")
  func machineFile() {
    let files = SettingsLoader(environment: [:], home: "/me/a").files(library: "/l")
    #expect(
      files == [
        "/etc/xdg/imgdl/config.json", "/me/a/.config/imgdl/config.json", "/l/.imgdl/config.json",
      ])
  }

  @Test("files may have comments, trailing commas, names without quotes, and dotted keys")
  func relaxedJSON() throws {
    try write(
      "me/.config/imgdl/config.json",
      """
      // my settings
      {
        adapters: { transport: 'url-session', /* for now */ },
        "network.retries": 7,
        network: { headers: ["A: 1", "B: 2"], insecure: true, retryDelay: 1.5 },
        "durability": "relaxed",
      }
      """)
    let settings = try load().settings
    #expect(settings.adapters.transport == "url-session")
    #expect(settings.network.retries == 7)
    #expect(settings.network.headers == ["A: 1", "B: 2"])
    #expect(settings.network.insecure)
    #expect(settings.network.retryDelay == 1.5)
    #expect(settings.durability == .relaxed)
  }

  struct BadFile: Sendable, CustomTestStringConvertible {
    let text: String
    let words: [String]
    var testDescription: String { text }
  }

  static let badFiles = [
    BadFile(text: "{", words: ["not a JSON object"]),
    BadFile(text: "", words: ["not a JSON object"]),
    BadFile(text: "[]", words: ["not a JSON object"]),
    BadFile(text: "17", words: ["not a JSON object"]),
    BadFile(text: #"{"network": null}"#, words: ["network is null"]),
    BadFile(text: #"{"network": 3}"#, words: ["network is not a setting"]),
    // A limit that earlier versions had.
    BadFile(
      text: #"{"limits": {"animationPixels": 400000000}}"#,
      words: ["limits.animationPixels is not a setting"]),
    BadFile(
      text: #"{"network": {"retires": 3}}"#,
      words: ["network.retires is not a setting", "did you mean network.retries?"]),
    BadFile(
      text: #"{"network": {"retries": -1}}"#, words: ["network.retries", "-1", "from 0 to 1000"]),
    BadFile(text: #"{"network": {"retries": 1.5}}"#, words: ["network.retries", "1.5"]),
    BadFile(text: #"{"network": {"retries": [1]}}"#, words: ["network.retries"]),
    BadFile(text: #"{"durability": "some"}"#, words: ["durability", "one of full, relaxed"]),
    BadFile(text: #"{"network": {"headers": ["no colon"]}}"#, words: ["network.headers"]),
  ]

  @Test("an invalid file is named with the key and the expected value", arguments: badFiles)
  func bad(_ example: BadFile) throws {
    try write("me/.config/imgdl/config.json", example.text)
    let error = #expect(throws: SettingError.self) { try load() }
    let text = error?.description ?? ""
    #expect(text.contains(folder.path + "/me/.config/imgdl/config.json"), "\(text)")
    for word in example.words { #expect(text.contains(word), "\(text)") }
  }

  @Test("a file that is too large is a mistake of its writer, not a missing file")
  func tooLarge() throws {
    try write("me/.config/imgdl/config.json", String(repeating: " ", count: 2 << 20))
    #expect(try #require(throws: SettingError.self) { try load() }.isUnreadable == false)
  }

  @Test("a file that cannot be read is distinguished from an invalid one")
  func unreadable() throws {
    let path = folder.path + "/me/.config/imgdl/config.json"
    try FileSystem.makeFolders(path)
    let error = try #require(throws: SettingError.self) { try load() }
    #expect(error.isUnreadable)
    #expect(error.description.contains(path))
  }

  @Test(
    "every setting can be set by its variable, in the form that config shows",
    arguments: SettingsSchema.keys.map(\.name))
  func variables(_ name: String) throws {
    let key = try #require(SettingsSchema.key(name))
    var text = key.value(in: Settings()).description
    if text.hasPrefix("\"") { text = String(text.dropFirst().dropLast()) }
    if text == "[]" { text = "" }
    let loaded = try load([key.environmentName: text])
    #expect(loaded.settings == Settings())
    #expect(loaded.origin(of: name) == .environment(key.environmentName))
  }

  @Test(
    "paths of a file begin at its folder, those of variables and flags where the command is given")
  func paths() throws {
    let file = folder.path + "/me/.config/imgdl"
    try write(
      "me/.config/imgdl/config.json",
      #"""
      {"network": {"caFile": "ca.pem", "certificate": "../me.pem", "privateKey": "~/key.pem",
       "cookieFile": "/jars/1", "netrcFile": "", "userAgent": "a/b"}}
      """#)
    let network = try load().settings.network
    #expect(network.caFile == file + "/ca.pem")
    #expect(network.certificate == file + "/../me.pem")
    #expect(network.privateKey == folder.path + "/me/key.pem")
    #expect(network.cookieFile == "/jars/1")
    #expect(network.netrcFile == "" && network.userAgent == "a/b")
    let given = try load(
      ["IMGDL_NETWORK_CA_FILE": "./certificates/ca.pem"],
      flags: [.init("network.netrcFile", .text("mine"), "--set")]
    ).settings.network
    #expect(given.caFile == "/place/certificates/ca.pem")
    #expect(given.netrcFile == "/place/mine")
    try write("library/.imgdl/config.json", #"{"network.netrcFile": "netrc"}"#)
    #expect(try load().settings.network.netrcFile == library + "/.imgdl/netrc")
  }

  @Test("without a working folder, a relative path of a flag is refused, and any other is read")
  func lostWorkingFolder() throws {
    try write("me/.config/imgdl/config.json", #"{"network": {"caFile": "ca.pem"}}"#)
    let loader = SettingsLoader(environment: environment, home: home, workingFolder: nil)
    let path = folder.path + "/mine"
    let loaded = try loader.load(
      library: library, flags: [.init("network.netrcFile", .text(path), "--set")])
    #expect(loaded.settings.network.netrcFile == path)
    #expect(loaded.settings.network.caFile == folder.path + "/me/.config/imgdl/ca.pem")
    let error = #expect(throws: SettingError.self) {
      try loader.load(
        library: library, flags: [.init("network.netrcFile", .text("mine"), "--set")])
    }
    #expect(error?.isUnreadable == true)
    #expect(error?.description.contains("the working folder does not exist any more") == true)
  }

  @Test("a variable that looks like a setting is warned of, those of the programs are not")
  func unknownVariables() throws {
    let loaded = try load([
      "IMGDL_NETWORK_RETRYS": "1", "IMGDL_LIBRARY": "/l", "IMGDL_HELPERS": "/h", "OTHER": "x",
    ])
    #expect(loaded.warnings.count == 1)
    #expect(loaded.warnings[0].contains("IMGDL_NETWORK_RETRIES"))
  }

  @Test("the library's place: the flag, the variable, XDG_DATA_HOME, the home folder")
  func place() throws {
    func place(
      _ environment: [String: String], _ flag: String? = nil, home: String? = "/h"
    ) throws(SettingError) -> String {
      try SettingsLoader(environment: environment, home: home).library(flag)
    }
    #expect(try place([:]) == "/h/.local/share/imgdl/library")
    #expect(try place(["XDG_DATA_HOME": "/d"], home: nil) == "/d/imgdl/library")
    #expect(try place(["XDG_DATA_HOME": "d"]) == "/h/.local/share/imgdl/library")
    #expect(try place(["IMGDL_LIBRARY": "/l"], home: nil) == "/l")
    #expect(try place(["IMGDL_LIBRARY": "/l"], "/f") == "/f")
    #expect(throws: SettingError.self) { try place([:], home: nil) }
  }

  @Test("Without a home folder, the settings of the system and of the library apply")
  func noHome() {
    let files = SettingsLoader(environment: [:], home: nil).files(library: "/l")
    #expect(files == ["/etc/xdg/imgdl/config.json", "/l/.imgdl/config.json"])
  }

  @Test("The home folder is that of the user, also without HOME")
  func homeFolder() {
    #expect(Machine.homeFolder?.hasPrefix("/") == true)
  }
}
