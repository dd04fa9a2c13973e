import CLIProgram

@main enum Main {
  static func main() async { await Program.main() }
}
