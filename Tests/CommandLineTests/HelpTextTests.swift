import CommandLine
import Testing

@Suite("Help texts")
struct HelpTextTests {
  @Test("the program's help lists commands and options in one column")
  func golden() {
    let expected = """
      Usage: pixel [OPTIONS] COMMAND

      Collect pictures.

      Pictures come from sources. A source is a list of addresses.

        pixel add list.json
        pixel list

      Commands:
        add     Add the records of a source and download them.
        show    Show one record.
        move    Move files.
        daemon  Control the background service.
        sort    Sort the records.
        help    Show the help of a command.

      Options:
        -q, --quiet        Say nothing but errors.
        -v, --verbose      Say more; twice says everything.
        -d, --library DIR  Keep pictures in DIR.
        -h, --help         Show this help and exit.
        -V, --version      Show the version and exit.

      Examples:
        pixel add list.json
            Download everything that list.json names.

      """
    #expect(ExampleProgram.root.helpText(width: 72) == expected)
  }

  @Test("a command's help folds to the width and ends with the program's options")
  func narrow() throws {
    let expected = """
      Usage: pixel add [OPTIONS] SOURCE...

      Add the records of a source and download
      them.

      Arguments:
        SOURCE...  An address, a file, or -
                   for input.

      Options:
        -j, --jobs N   Download at most N
                       resources at once. [1
                       to 64; default 8]
            --set KEY=VALUE
                       Change a setting for
                       this run. [repeatable]
        -n, --no-input
                       Never ask.
        -h, --help     Show this help and
                       exit.

      Network:
            --limit-rate RATE
                       Use at most RATE bytes
                       a second. [500k, 2M,
                       1G]
            --retry-delay TIME
                       Wait at least TIME
                       before a retry. [50ms,
                       2s, 1m]
            --proxy URL
                       Connect through URL.

      Output:
            --format FORMAT
                       The form. [json, csv,
                       table]

      Global options:
        -q, --quiet    Say nothing but errors.
        -v, --verbose  Say more; twice says
                       everything.
        -d, --library DIR
                       Keep pictures in DIR.

      """
    #expect(try ExampleProgram.root.parse(["help", "add"]).helpText(width: 40) == expected)
  }

  @Test("the help of an argument lists its values, like that of an option")
  func arguments() throws {
    #expect(
      try ExampleProgram.root.parse(["sort", "-h"]).helpText(width: 72)
        .contains("  ORDER  By what. [age, name, size]\n"))
    #expect(
      try ExampleProgram.root.parse(["show", "-h"]).helpText(width: 72)
        .contains("  [PAGE]  A page of it. [1 to 99]\n"))
  }

  @Test("no line is wider than requested", arguments: [40, 57, 80, 120])
  func width(columns: Int) throws {
    for line in [["--help"], ["add", "-h"], ["move", "-h"], ["daemon", "-h"], ["sort", "-h"]] {
      let text = try ExampleProgram.root.parse(line).helpText(width: columns)
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
      #expect(!text.contains("trace") && !text.contains("selftest"))
    }
  }
}
