import Glibc

/// `imgdl-origin`: serves a folder on the loopback interface, well or badly. For development.
public enum OriginProgram {
  public static func main() {
    do throws(OriginError) {
      let arguments = try OriginArguments(Array(CommandLine.arguments.dropFirst()))
      if arguments.showsHelp {
        print(OriginArguments.help, terminator: "")
        return
      }
      try serve(arguments)
    } catch {
      let text = "imgdl-origin: \(error.description)\n"
      _ = write(STDERR_FILENO, text, text.utf8.count)
      exit(error.code == .argument ? 2 : 1)
    }
  }

  private static func serve(_ arguments: OriginArguments) throws(OriginError) {
    let server = try OriginServer(arguments.configuration)
    if let path = arguments.portFile { try writePort(server.port, to: path) }
    let line = "\(server.url)\n"
    _ = write(STDOUT_FILENO, line, line.utf8.count)
    if arguments.endsWithInput {
      var buffer = [UInt8](repeating: 0, count: 256)
      while read(STDIN_FILENO, &buffer, buffer.count) > 0 {}
      server.stop()
    } else {
      // Signals end the program; every line of the log is written as its request ends.
      withExtendedLifetime(server) { while true { pause() } }
    }
  }

  /// Under another name first: who finds the file finds the whole number in it.
  private static func writePort(_ port: Int, to path: String) throws(OriginError) {
    let draft = "\(path).new"
    let text = "\(port)\n"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw OriginError(.log, "cannot write \(draft)") }
    let count = write(file, text, text.utf8.count)
    close(file)
    guard count == text.utf8.count, rename(draft, path) == 0 else {
      throw OriginError(.log, "cannot write \(path)")
    }
  }
}
