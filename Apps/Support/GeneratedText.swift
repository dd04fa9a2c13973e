package import CommandLine

/// The texts that a program makes from the description of its command line: completion scripts and the manual page.
package enum GeneratedText {
  package static let kinds = Completion.Shell.allCases.map(\.rawValue) + ["man"]

  /// The option with which programs without commands print the texts, for installations.
  package static let option = Option.value(
    "completion", "KIND", .choice(kinds), "Print a shell completion script or the manual page.",
    isHidden: true)

  /// - Parameter kind: One of `kinds`; every other text stands for the manual page.
  package static func text(_ kind: String, for root: Command) -> String {
    guard let shell = Completion.Shell(rawValue: kind) else {
      return ManualPage(root, sections: sections).render()
    }
    return Completion.script(for: root, shell: shell)
  }

  private static let sections = [
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
