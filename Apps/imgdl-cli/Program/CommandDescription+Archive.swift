import CommandLine

/// Commands that read zip archives on servers.
extension CommandDescription {
  static let archive = Command(
    "archive", "List or get single pages of a zip archive on a server.",
    discussion: """
      Only the directory of the archive and the requested pages are transferred. The server has to \
      support range requests; otherwise download the whole archive with add. The library is not changed.
      """,
    subcommands: [
      Command(
        "list", "List the pages of the archive.",
        discussion: """
          Pages are the entries with the name of an image, numbered in natural order. Other entries are \
          listed without a number.
          """,
        arguments: [archiveURL], options: [json], groups: [archiveNetwork]),
      Command(
        "get", "Download single pages of the archive.",
        discussion: """
          Each file is checked against the checksum of the archive and named after its number and entry. \
          If the archive changes on the server meanwhile, all pages are downloaded again.
          """,
        arguments: [
          archiveURL,
          Argument(
            "PAGE", .oneOrMore, .text,
            "Number of a page as shown by list, a range of numbers as in 3-7, or the name of an entry."
          ),
        ],
        options: [
          .value(
            "output", short: "o", "DIR", .directory,
            "Write the files to DIR, which is created if it is missing; - writes a single page to "
              + "standard output. Default: the current folder."),
          .flag("json", "Print a JSON line for each page."),
          force, PasswordOption.option,
        ], groups: [archiveNetwork]),
    ],
    examples: [
      .init("imgdl-cli archive list https://example.org/book.cbz", "list the pages of an archive"),
      .init(
        "imgdl-cli archive get https://example.org/book.cbz 1 5-8 -o pages",
        "download five pages to the folder pages"),
    ])

  private static let archiveURL = Argument("URL", .one, .text, "URL of the archive.")
  private static let archiveNetwork = OptionGroup("Download options", network)
}
