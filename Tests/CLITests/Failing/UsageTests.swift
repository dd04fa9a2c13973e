import Testing

/// Command lines and settings that are wrong: exit code 2, what is wrong, what would be right.
@Suite struct UsageTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let words: [String]
    var environment: [String: String] = [:]
    /// A settings file of the user.
    var configuration: String?

    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let cases = [
    Case(arguments: ["ad"], words: ["'ad'", "did you mean 'add'?", "imgdl-cli --help"]),
    Case(arguments: ["-q"], words: ["expected a command", "imgdl-cli --help"]),
    Case(
      arguments: ["add", "--jsno", "x"],
      words: ["'--jsno'", "did you mean '--json'?", "imgdl-cli add --help"]),
    Case(arguments: ["add", "-j", "0", "x"], words: ["-j", "1 to 1024", "'0'"]),
    Case(arguments: ["add", "--format", "jsn", "x"], words: ["--format", "did you mean 'json'?"]),
    Case(arguments: ["list", "--lazzy"], words: ["'--lazzy'", "add has '--lazy'"]),
    Case(arguments: ["daemon", "strat"], words: ["'strat'", "did you mean 'start'?"]),
    Case(arguments: ["add"], words: ["nothing to add"]),
    Case(arguments: ["add", "-", "-i", "-"], words: ["standard input", "once"]),
    Case(arguments: ["add", "x", "-d", ""], words: ["-d", "folder"]),
    Case(arguments: ["show"], words: ["RECORD"]),
    Case(arguments: ["show", "1"], words: ["there is no library at"]),
    Case(arguments: ["retry"], words: ["there is no library at"]),
    Case(arguments: ["list", "extra"], words: ["'extra'"]),
    Case(
      arguments: ["list", "--set", "network.retries"], words: ["KEY=VALUE", "network.retries"]),
    Case(
      arguments: ["list", "--set", "network.retires=3"],
      words: ["--set", "network.retires", "did you mean network.retries?"]),
    Case(
      arguments: ["list", "--set", "retries=3"],
      words: ["--set", "retries is not a setting", "did you mean network.retries?"]),
    Case(
      arguments: ["list", "--set", "durability=fulll"],
      words: ["--set", "durability", "\"fulll\"", "did you mean full?"]),
    Case(
      arguments: ["list", "--set", "network.retries=many"],
      words: ["--set", "network.retries", "\"many\"", "whole number from 0 to 1000"]),
    Case(
      arguments: ["list"], words: ["IMGDL_NETWORK_RETRIES", "\"x\"", "whole number"],
      environment: ["IMGDL_NETWORK_RETRIES": "x"]),
    Case(
      arguments: ["list"], words: [".config/imgdl/config.json", "network.retries", "whole number"],
      configuration: #"{"network": {"retries": "many"}}"#),
    Case(
      arguments: ["list"],
      words: [
        ".config/imgdl/config.json", "adapters.transprot", "did you mean adapters.transport?",
      ],
      configuration: #"{"adapters": {"transprot": "socket"}}"#),
    Case(
      arguments: ["list"], words: [".config/imgdl/config.json", "not a JSON object"],
      configuration: "{network:"),
    Case(
      arguments: ["add", "x", "--set", "adapters.transport=sockt"],
      words: [
        "--set", "adapters.transport", "\"sockt\"", "socket, url-session; did you mean socket?",
      ]),
    Case(
      arguments: ["add", "x"],
      words: [".config/imgdl/config.json", "adapters.archive", "\"zip\"", "minizip, libarchive"],
      configuration: #"{"adapters": {"archive": "zip"}}"#),
    Case(arguments: ["add", "x", "-H", "no colon"], words: ["--header", "Name: value"]),
    Case(
      arguments: ["add", "http://h/x", "--proxy", "socks4://me:hunter2@h"],
      words: ["--proxy", "network.httpProxy", "socks4"]),
    Case(
      arguments: ["list"], words: ["environment https_proxy", "network.httpsProxy", "port"],
      environment: ["https_proxy": "http://h:99999"]),
    Case(
      arguments: ["list", "--set", "network.dnsServers=dns.example"],
      words: ["network.dnsServers", "dns.example", "192.0.2.1"]),
    Case(
      arguments: ["list", "--set", "network.connections=0"],
      words: ["network.connections", "from 1 to 65536"]),
    Case(
      arguments: ["add", "http://h/x", "--load-cookies", "none.txt"],
      words: ["network.cookieFile", "none.txt", "No such file"]),
    Case(
      arguments: ["add", "http://h/x", "--load-cookies", ""], words: ["--load-cookies", "file"]),
    Case(
      arguments: ["add", "http://h/x", "--netrc-file", "home/.config/imgdl/config.json"],
      words: ["network.netrcFile", "config.json:1"], configuration: "{}"),
    Case(
      arguments: ["add", "http://h/x", "--cookies", "home/.config/imgdl/config.json"],
      words: ["network.cookieFile", "config.json:1", "7"], configuration: "{}"),
    Case(
      arguments: [
        "add", "http://h/x", "--cert", "x.pem", "--set", "adapters.transport=url-session",
      ],
      words: ["network.certificate", "socket"]),
    Case(arguments: ["config", "network.retires"], words: ["did you mean network.retries?"]),
    Case(arguments: ["completion", "bashh"], words: ["KIND", "did you mean 'bash'?"]),
  ]

  @Test("an error names the invalid argument, with the valid ones", arguments: cases)
  func wrong(_ example: Case) async throws {
    try await Rig.run { rig in
      if let text = example.configuration {
        try rig.write("home/.config/imgdl/config.json", text)
      }
      let ending = try await rig.imgdl(example.arguments, environment: example.environment)
      #expect(ending.code == 2, "\(ending.errors)")
      for word in example.words { #expect(ending.errors.contains(word), "\(ending.errors)") }
      #expect(ending.errors.hasPrefix("imgdl-cli"))
      #expect(!ending.errors.contains("imgdl-cli: imgdl-cli"))
      #expect(!ending.errors.contains("\\u{a}"))
      #expect(ending.output == "")
      #expect(try await rig.shell("ls library").code != 0, "nothing is made")
    }
  }

  @Test("without arguments the help is shown")
  func nothing() async throws {
    try await Rig.run { rig in
      let ending = try await rig.imgdl()
      #expect(ending.code == 2)
      #expect(ending.output == "")
      #expect(ending.errors.hasPrefix("Usage: imgdl-cli"))
      #expect(ending.errors.contains("\n  add "))
    }
  }

  @Test("an environment variable that is almost a setting is pointed out")
  func almostAVariable() async throws {
    try await Rig.run { rig in
      let ending = try await rig.imgdl("list", environment: ["IMGDL_NETWORK_RETRYS": "3"])
      #expect(ending.code == 0)
      #expect(ending.errors.contains("did you mean IMGDL_NETWORK_RETRIES?"))
    }
  }

  @Test("a field's value is shown nowhere: not in an error, not by config")
  func secrets() async throws {
    try await Rig.run { rig in
      let bad = try await rig.imgdl("add", "x", "-H", "Bearer hunter2")
      #expect(bad.code == 2)
      #expect(!bad.errors.contains("hunter2"))
      let shown = try await rig.imgdl(
        "config", "--set", "network.headers=Authorization: Bearer hunter2")
      #expect(shown.output.contains("Authorization: …"))
      #expect(!shown.output.contains("hunter2"))
    }
  }

  @Test("a name that is not UTF-8 is refused as such, with its bytes")
  func namesThatAreNotUTF8() async throws {
    try await Rig.run { rig in
      _ = try rig.write("n/a.png", Sample.image(1))
      let ending = try await rig.shell(
        #"odd="$(printf 'n/\377\376é.png')"; cp n/a.png "$odd"; imgdl-cli add n/a.png "$odd""#)
      #expect(ending.code == 2)
      #expect(
        ending.errors.contains(#"argument 3 is not UTF-8: 'n/\xff\xfeé.png'"#), "\(ending.errors)")
      for program in ["imgdl-cli", "imgdld"] {
        let option = try await rig.shell(#"\#(program) --library "$(printf 'l\200')" list"#)
        #expect(option.code == 2, "\(option.errors)")
        #expect(option.errors.contains(#"'l\x80'"#), "\(option.errors)")
      }
    }
  }
}
