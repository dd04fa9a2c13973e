import CLIProgram
import DaemonProgram
import Origin
import TUIProgram

/// One executable for all programs of an installation that need Foundation, linked under the name of each
/// program. Separate executables would contain Swift's libraries four times.
@main enum Main {
  static func main() async {
    switch invokedName {
    case "imgdl-tui": await TUIProgram.Program.main()
    case "imgdld": await DaemonProgram.Program.main()
    case "imgdl-origin": OriginProgram.main()
    default: await CLIProgram.Program.main()
    }
  }

  /// The last part of the path by which this program was started.
  private static var invokedName: Substring {
    let path = CommandLine.arguments.first ?? ""
    return path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
  }
}
