import CommandLine
import LibraryAPI
import ProgramSupport
import Composition
import Models
import Persistence
import SystemCalls

/// The option `--password-file FILE`: the password of encrypted PDF and ZIP files. Without the option, a
/// command that shows pages of such files prompts on the terminal. The password is sent to the engine with
/// one request and is not stored.
enum PasswordOption {
  static let option = Option.value(
    "password-file", "FILE", .file,
    "The first line of FILE is the password of encrypted PDF and ZIP files; - is standard input.")

  /// Reads the password from the file that the option names. `-` means standard input; on a terminal, the
  /// user is prompted without an echo.
  /// - Returns: The password, or nil without the option.
  static func read(_ context: Context) async throws -> DocumentPassword? {
    guard let name = context.invocation.value("password-file") else { return nil }
    guard name == PasswordFile.standardInput, Machine.isTerminal(0) else {
      return try await PasswordFile(name: name, console: context.console).password()
    }
    guard let text = try await PasswordQuestion.prompt("Password of the encrypted files: "),
      let password = DocumentPassword(text)
    else { throw ProgramFailure(.usage, "--password-file -: no password was typed") }
    return password
  }

  /// Whether the user can be prompted: standard input and standard error are a terminal.
  static var canAsk: Bool { Machine.isTerminal(0) && Machine.isTerminal(2) }

  /// Prompts for the password of a record.
  /// - Parameter title: The title of the record.
  /// - Returns: The password; nil without a terminal, and for an empty answer.
  static func prompt(_ title: String) async throws -> DocumentPassword? {
    guard canAsk else { return nil }
    return try await PasswordQuestion.prompt(
      "Password of the encrypted files of \(Console.escaped(title)) (Enter: skip them): "
    ).flatMap { DocumentPassword($0) }
  }

  /// Renders the encrypted files of the record `name` if a password is given or typed.
  /// - Parameter number: The number of the only resource to unlock; nil for all resources.
  /// - Returns: The password, which pages that are rendered later need as well.
  static func unlock(
    _ name: String, number: Int? = nil, _ context: Context
  ) async throws -> PasswordChoice {
    let given = try await read(context)
    let found = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      var encrypted: [Resource] = []
      try await Resources.each(of: record, in: store) { resource in
        if resource.needsPassword, number == nil || resource.index == number {
          encrypted.append(resource)
        }
      }
      return (title: record.title, encrypted: encrypted)
    }
    guard let found, !found.encrypted.isEmpty else { return PasswordChoice(given) }
    var choice = PasswordChoice(given)
    guard let password = try await choice.password(for: found.title) else { return choice }
    let problems = try await context.act { library in
      // The engine does not start queued downloads, because the user has requested only these documents.
      try await library.engine?.start(takesQueue: false)
      return try await unlock(
        found.encrypted.map { (found.title, $0) }, with: password, library.service)
    }
    for problem in problems { context.console.printError(problem) }
    return choice
  }

  /// Renders the encrypted files of the resources.
  /// - Parameter resources: The resources with the titles of their records.
  /// - Returns: A sentence for each resource that needs another password.
  static func unlock(
    _ resources: [(title: String, resource: Resource)], with password: DocumentPassword,
    _ service: any LibraryService
  ) async throws -> [String] {
    var problems: [String] = []
    for (title, resource) in resources {
      do throws(LibraryError) {
        try await service.unlock(resource.id, with: password)
      } catch {
        guard error.code == .encrypted || error.code == .source else { throw error }
        problems.append("\(title), \(error.detail)")
      }
    }
    return problems
  }
}
