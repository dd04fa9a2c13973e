import CommandLine
import Testing

@Suite("Reading a command line")
struct ParserTests {
  private func parse(_ line: String) throws -> Invocation {
    try ExampleProgram.root.parse(line.split(separator: " ").map(String.init))
  }

  @Test(
    "a value is accepted in each of the GNU spellings",
    arguments: [
      "add a --jobs 16", "add a --jobs=16", "add a -j 16", "add a -j16", "add -j16 a",
      "add --max-concurrent-downloads=16 a", "add -nqj16 a", "add -j 4 --jobs 16 a",
    ])
  func valueSpellings(line: String) throws {
    let invocation = try parse(line)
    #expect(invocation.path == ["add"])
    #expect(invocation.integer("jobs") == 16)
    #expect(invocation.arguments == ["a"])
  }

  @Test("an option that is not given has its default, but is not counted as given")
  func defaults() throws {
    let invocation = try parse("add a")
    #expect(invocation.integer("jobs") == 8)
    #expect(!invocation.isGiven("jobs"))
    #expect(invocation.value("proxy") == nil)
    #expect(invocation.values("set").isEmpty)
  }

  @Test("short flags bundle, and repeated flags are counted")
  func bundledFlags() throws {
    let invocation = try parse("add -qnvv a")
    #expect(invocation.flag("quiet"))
    #expect(invocation.flag("no-input"))
    #expect(invocation.count("verbose") == 2)
  }

  @Test("repeatable values keep their order; otherwise the last one counts")
  func repeatedValues() throws {
    let invocation = try parse("add --set b=1 a --set a=2 --proxy x --proxy y")
    #expect(invocation.values("set") == ["b=1", "a=2"])
    #expect(invocation.value("proxy") == "y")
  }

  @Test("two dashes end the options, and one dash is an argument")
  func endOfOptions() throws {
    #expect(try parse("add - -- -q --jobs --").arguments == ["-", "-q", "--jobs", "--"])
  }

  @Test("a value may be empty or begin with a dash if it is attached or follows")
  func unusualValues() throws {
    #expect(try ExampleProgram.root.parse(["add", "a", "--proxy="]).value("proxy") == "")
    #expect(try parse("add a --proxy -x").value("proxy") == "-x")
    #expect(try parse("add a --set=k=v").values("set") == ["k=v"])
  }

  @Test("options of the program may precede or follow the name of the command")
  func inheritedOptions() throws {
    #expect(try parse("-d lib show 1").value("library") == "lib")
    #expect(try parse("show -dlib 1").value("library") == "lib")
    #expect(try parse("daemon stop --now -q").path == ["daemon", "stop"])
  }

  @Test("hidden commands and options work")
  func hidden() throws {
    #expect(try parse("selftest --trace").flag("trace"))
  }

  @Test("arguments are distributed by their arity")
  func arity() throws {
    let move = try parse("move a b c")
    #expect(move.arguments(named: "FROM") == ["a", "b"])
    #expect(move.argument("TO") == "c")
    #expect(try parse("show 1").argument("PAGE") == nil)
    #expect(try parse("show 1 7").argument("PAGE") == "7")
  }

  @Test(
    "help and version take precedence over missing arguments",
    arguments: [
      ("--help", [], Invocation.Request.help), ("add -h", ["add"], .help),
      ("help", [], .help), ("help daemon stop", ["daemon", "stop"], .help),
      ("daemon help stop", ["daemon", "stop"], .help), ("daemon -qh", ["daemon"], .help),
      ("--version", [], .version), ("show -V", ["show"], .version),
    ])
  func requests(line: String, path: [String], request: Invocation.Request) throws {
    let invocation = try parse(line)
    #expect(invocation.request == request)
    #expect(invocation.path == path)
  }

  @Test(
    "an error names the option and the expected value",
    arguments: [
      ("ad x", "pixel: unknown command 'ad'; did you mean 'add'?"),
      ("daemon strat", "pixel daemon: unknown command 'strat'; did you mean 'start'?"),
      ("hepl", "pixel: unknown command 'hepl'; did you mean 'help'?"),
      ("selftes", "pixel: unknown command 'selftes'"),
      ("", "pixel: expected a command"),
      ("daemon", "pixel daemon: expected a command"),
      ("add --job 3 x", "pixel add: unknown option '--job'; did you mean '--jobs'?"),
      ("add --lim 3 x", "pixel add: unknown option '--lim'; did you mean '--limit-rate'?"),
      ("add --now x", "pixel add: unknown option '--now' of add; daemon stop has it"),
      (
        "add -limit-rate 3 x",
        "pixel add: unknown option '-limit-rate'; did you mean '--limit-rate'?"
      ),
      ("add -x", "pixel add: unknown option '-x'"),
      ("add -qx", "pixel add: unknown option '-x'"),
      ("add --quiet=yes x", "pixel add: --quiet takes no value, but got 'yes'"),
      ("add x -j", "pixel add: -j needs a value (N, a whole number from 1 to 64)"),
      ("add x --proxy", "pixel add: --proxy needs a value (URL)"),
      ("add -j0 x", "pixel add: -j expects a whole number from 1 to 64, not '0'"),
      ("add -j=8 x", "pixel add: -j expects a whole number from 1 to 64, not '=8'"),
      (
        "add --limit-rate 1Q x",
        "pixel add: --limit-rate expects a size in bytes such as 500k, 2M or 1G, not '1Q'"
      ),
      (
        "add --retry-delay soon x",
        "pixel add: --retry-delay expects a time such as 50ms, 2s or 1m, not 'soon'"
      ),
      (
        "add --format jsno x",
        "pixel add: --format expects one of: json, csv, table, not 'jsno'; did you mean 'json'?"
      ),
      ("add", "pixel add: expected SOURCE: an address, a file, or - for input"),
      ("move a", "pixel move: expected TO: folder to move to"),
      ("sort", "pixel sort: expected ORDER, one of: age, name, size"),
      (
        "sort sze",
        "pixel sort: ORDER expects one of: age, name, size, not 'sze'; did you mean 'size'?"
      ),
      ("show 1 2 3", "pixel show: unexpected argument '3'"),
      ("show 1 x", "pixel show: PAGE expects a whole number from 1 to 99, not 'x'"),
    ])
  func errors(line: String, message: String) {
    let error = #expect(throws: UsageError.self) { try parse(line) }
    #expect(error?.description == message)
  }

  @Test(
    "the error of an unknown option suggests a similar one, or names the command that has it",
    arguments: [
      ("show --quite", "pixel show: unknown option '--quite'; did you mean '--quiet'?"),
      ("show --versoin", "pixel show: unknown option '--versoin'; did you mean '--version'?"),
      ("show --hepl", "pixel show: unknown option '--hepl'; did you mean '--help'?"),
      ("show --jobs 3", "pixel show: unknown option '--jobs' of show; add has it"),
      ("show --jbos 3", "pixel show: unknown option '--jbos'; add has '--jobs'"),
      ("show -jobs 3", "pixel show: unknown option '-jobs' of show; add has it"),
      ("show --now", "pixel show: unknown option '--now' of show; daemon stop has it"),
      ("daemon --nwo", "pixel daemon: unknown option '--nwo'; daemon stop has '--now'"),
      ("--nwo", "pixel: unknown option '--nwo'; daemon stop has '--now'"),
      ("show --trase", "pixel show: unknown option '--trase'"),
      ("show --elephant", "pixel show: unknown option '--elephant'"),
    ])
  func unknownOptions(line: String, message: String) {
    let error = #expect(throws: UsageError.self) { try parse(line) }
    #expect(error?.description == message)
  }

  @Test("Options of the command that are equally near are named before those of another command")
  func equallyNear() {
    let root = Command(
      "pixel", "Collect pictures.",
      subcommands: [
        Command("list", "Show.", options: [.flag("width", "W."), .flag("depth", "D.")]),
        Command("add", "Fetch.", options: [.flag("dedth", "X.")]),
      ])
    let error = #expect(throws: UsageError.self) { try root.parse(["list", "--dewth"]) }
    #expect(error?.description == "pixel list: unknown option '--dewth'; did you mean '--depth'?")
    let tie = #expect(throws: UsageError.self) { try root.parse(["list", "--wepth"]) }
    #expect(tie?.description.contains("add has") == false)
  }

  @Test("A word of another program gets the hint of the description")
  func hints() {
    let root = Command(
      "pixel", "Collect pictures.", subcommands: [Command("list", "Show.")],
      hints: ["ls": "list shows the records", "--exec": "nothing is run"])
    for (words, text) in [
      (["ls"], "pixel: unknown command 'ls'; list shows the records"),
      (["list", "--exec", "x"], "pixel list: unknown option '--exec'; nothing is run"),
      (["--exec=x"], "pixel: unknown option '--exec'; nothing is run"),
    ] {
      let error = #expect(throws: UsageError.self) { try root.parse(words) }
      #expect(error?.description == text)
    }
  }

  @Test("the error of an option of many commands does not list all of them")
  func widespread() {
    let names = (1...7).map { "c\($0)" }
    let root = Command(
      "pixel", "Collect pictures.",
      subcommands: [Command("list", "Show.")]
        + names.map { Command($0, "Fetch.", options: [.flag("retry", "Again.")]) })
    for (word, rest) in [("--retry", " of list; HAVE it"), ("--rerty", "; HAVE '--retry'")] {
      let error = #expect(throws: UsageError.self) { try root.parse(["list", word]) }
      let sentence = rest.replacing("HAVE", with: "c1, c2, c3, c4, c5 and 2 more commands have")
      #expect(error?.description == "pixel list: unknown option '\(word)'\(sentence)")
    }
  }

  @Test("an error refers to the help of the command")
  func hint() {
    let error = #expect(throws: UsageError.self) { try parse("daemon stop --nwo") }
    #expect(error?.hint == "Try 'pixel daemon stop --help'.")
    #expect(error?.code == .unknownOption)
  }

  @Test("control characters in an error are escaped")
  func escaping() {
    let error = #expect(throws: UsageError.self) {
      try ExampleProgram.root.parse(["\u{1b}[31m\u{9b}\n"])
    }
    #expect(error?.message == "unknown command '\\u{1b}[31m\\u{9b}\\u{a}'")
  }
}
