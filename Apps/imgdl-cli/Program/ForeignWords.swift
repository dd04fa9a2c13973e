/// Words of other programs, and what imgdl-cli has in their place.
enum ForeignWords {
  /// A sentence about each word that is no command or option of imgdl-cli.
  static let hints: [String: String] = {
    let removing = "remove RECORD deletes a record and its files"
    let looking =
      "show RECORD lists the resources of a record, and details RECORD their sizes and times"
    let searching = "list --json and show RECORD --json write lines for grep or jq"
    let choosing =
      "all entries of a source are downloaded; to choose among them, filter the lines of add --dry-run "
      + "--json SOURCE, and pass the URLs to add -"
    let running =
      "no program is run for a file; watch --json writes a line for each event, and export RECORD "
      + "--format jsonl the result of each URL"
    let placing = "--library DIR names the folder"
    return [
      "ls": "list lists the records, and show RECORD the resources of one",
      "rm": removing, "delete": removing, "del": removing,
      "status":
        "list shows the state of the records, watch the progress, and daemon status the program that "
        + "downloads",
      "info": looking, "ps": "watch shows the progress of downloads", "search": searching,
      "find": searching, "grep": searching,
      "get": "add SOURCE downloads into the library, and fetch URL gets a single file",
      "download": "add SOURCE downloads into the library, and fetch URL gets a single file",
      "update": "refresh RECORD reads its source again",
      "sync": "refresh RECORD reads its source again",
      "start": "resume continues downloads", "stop": "pause stops downloads until resume",
      "set": "config KEY VALUE sets a setting", "import": "add FILE reads a list",
      "version": "--version prints the version",
      "--include": choosing, "--exclude": choosing, "--filter": choosing, "--accept": choosing,
      "--reject": choosing, "--exec": running, "--on-download-complete": running,
      "--out-dir": placing, "--output-dir": placing, "--directory-prefix": placing,
      "--destination": placing,
    ]
  }()
}
