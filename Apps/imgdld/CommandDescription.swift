import CommandLine
import Models
import ProgramSupport

/// The description of the command line of `imgdld`: its options and help text.
enum CommandDescription {
  static let root = Command(
    "imgdld", "Download in the background.",
    discussion: """
      Completes the unfinished downloads of a library and downloads the records that are added to \
      it. imgdl-cli and imgdl-tui connect to it through its socket while it runs.

      Without --foreground, imgdld starts a background process and exits when that process accepts \
      connections.

      SIGTERM stops it within 5 seconds; downloads in progress can be resumed. SIGHUP reloads the \
      settings. When the program was replaced by another version, imgdld restarts as soon as it has \
      nothing to do; SIGUSR1 restarts it at once, and downloads in progress continue.

      With --aria2, imgdld speaks the JSON-RPC interface of aria2 at http://127.0.0.1:6800/jsonrpc, \
      stays in the foreground, and accepts the options of aria2c as well: --dir is the folder of the \
      library, --rpc-listen-port the port, --input-file a list of downloads, --conf-path a file with \
      options, and --daemon detaches. Downloads are records of the library.
      """,
    version: ProgramVersion.text,
    options: [
      .value("library", short: "d", "DIR", .directory, "Folder of the library."),
      .value(
        "socket", "PATH", .file,
        "Path of the socket; default: the path where imgdl-cli and imgdl-tui expect it."),
      .value(
        "listen", "ADDRESS:PORT", .text,
        "Serve the web page at this loopback address for this run; see imgdl-cli web."),
      .flag("aria2", "Accept the calls of aria2's clients, such as AriaNg and aria2p."),
      .value("rpc-secret-file", "FILE", .file, "File with the secret that these clients pass."),
      .value(
        "rpc-secret", "TEXT", .text,
        "The secret itself, which other users of this machine can see."),
      .flag(
        "aria2-no-secret",
        "Accept calls without a secret from every program of this user, for tests."),
      .flag("foreground", "Do not detach, and log to standard error."),
      .value("set", "KEY=VALUE", .text, "Override a setting.", isRepeatable: true),
      .value(
        "ready", "FD", .integer(3...1_023),
        "Writes to this file descriptor when it accepts connections.", isHidden: true),
      .value(
        "held-lock", "FD", .integer(3...1_024),
        "The library's lock, from the program that ran in this process before.", isHidden: true),
      GeneratedText.option,
    ],
    examples: [
      .init("imgdld", "download for the default library, in the background"),
      .init(
        "imgdld --foreground -d pictures", "download for the library ./pictures, in this terminal"),
      .init(
        "imgdld --aria2 -d pictures --rpc-secret-file ~/.rpc-secret",
        "download what aria2's clients add to the library ./pictures"),
      .init("imgdl-cli daemon stop", "stop imgdld"),
    ])
}
