import CLIProgram
import DaemonProgram
import Origin
import TUIProgram

/// Every program of an installation that needs Foundation, in one file with a name for each. As files of
/// their own they would hold Swift's libraries four times.
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
