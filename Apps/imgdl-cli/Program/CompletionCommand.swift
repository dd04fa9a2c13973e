import CommandLine
import ProgramSupport

/// The command `completion KIND`: prints the completion script of a shell, or the manual page.
enum CompletionCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let kind = context.invocation.argument("KIND") ?? ""
    if let shell = Completion.Shell(rawValue: kind) {
      context.console.printText(Completion.script(for: CommandDescription.root, shell: shell))
    } else {
      context.console.printText(ManualPage(CommandDescription.root, sections: manual).render())
    }
    return .success
  }

  private static let manual = [
    ManualPage.Section(
      "EXIT STATUS",
      [
        ("0", "All done."), ("1", "Some resources failed; the reasons are shown."),
        ("2", "Wrong usage."), ("3", "A source could not be read or understood."),
        ("4", "Network: no such host, no connection."), ("5", "TLS."),
        ("6", "Disk full, or another error of input or output."),
        ("7", "Interrupted; downloaded data is kept."), ("8", "Refused by a limit or a policy."),
        ("9", "Another process uses the library and does not respond, or uses the port."),
        ("70", "Internal error."),
      ]),
    ManualPage.Section(
      "ENVIRONMENT",
      [
        ("IMGDL_LIBRARY", "The library's folder."),
        ("IMGDL_HELPERS", "Where the helper programs are."),
        ("IMGDL_SECTION_KEY", "Any setting, such as IMGDL_ADAPTERS_TRANSPORT; see config."),
        ("NO_COLOR", "No colors."),
      ]),
    ManualPage.Section(
      "FILES",
      [
        ("/etc/xdg/imgdl/config.json", "Settings of the machine."),
        ("$XDG_CONFIG_HOME/imgdl/config.json", "Settings of the user."),
        ("LIBRARY/.imgdl/config.json", "Settings of a library."),
      ]),
  ]
}
