import Composition
import LibraryAPI
import Models
import SystemCalls
import TestSupport
import Testing

/// What becomes of the settings of a command line.
@Suite struct RequestOptionFlagTests {
  /// The settings that concern the program and no engine.
  private static let ofProgram: Set<String> = ["background", "source.default", "tui.theme"]

  @Test("Every setting of a command line travels with its requests, or is expected of the engine")
  func table() throws {
    let folder = try TemporaryFolder()
    let jar = folder.path + "/jar"
    try FileSystem.replace(jar, with: "h\tFALSE\t/\tFALSE\t0\ta\tb\n", syncing: false)
    let netrc = folder.path + "/netrc"
    try FileSystem.replace(netrc, with: "machine h login a password b\n", syncing: false)
    for key in SettingsSchema.keys where !Self.ofProgram.contains(key.name) {
      let value: SettingValue =
        switch key.name {
        case "network.cookieFile": .text(jar)
        case "network.netrcFile": .text(netrc)
        case "network.headers": .list(["A: b"])
        case "network.users": .list(["h: a:b"])
        default: key.value(in: Settings())
        }
      let loaded = try SettingsLoader(environment: [:], workingFolder: folder.path)
        .load(library: folder.path, flags: [.init(key.name, value, "--flag")])
      let options = try RequestOptions(flagsOf: loaded)
      let travels =
        options.values[key.name] != nil
        || key.name == "network.cookieFile" && options.cookies != nil
        || key.name == "network.netrcFile" && options.netrc != nil
      let isExpected = options.expectations.map(\.key) == [key.name]
      #expect(travels != isExpected, "\(key.name)")
      #expect(travels == RequestOptions.travels(key.name), "\(key.name)")
      if isExpected { #expect(options.expectations[0].option == "--flag") }
    }
  }

  @Test("A file of cookies that cannot be parsed is an error with its path and line")
  func badFile() throws {
    let folder = try TemporaryFolder()
    let jar = folder.path + "/jar"
    try FileSystem.replace(jar, with: "nothing\n", syncing: false)
    let loaded = try SettingsLoader(environment: [:], workingFolder: folder.path)
      .load(
        library: folder.path, flags: [.init("network.cookieFile", .text(jar), "--load-cookies")])
    #expect {
      try RequestOptions(flagsOf: loaded)
    } throws: {
      "\($0)".contains("\(jar):1:")
    }
  }
}
