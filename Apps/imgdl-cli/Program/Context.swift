import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import SystemCalls
import Wiring

/// The environment of every command: the command line, the settings, the library's path and the console.
struct Context: Sendable {
  let invocation: Invocation
  let loaded: LoadedSettings
  /// The absolute path of the library.
  let library: String
  let console: Console

  var settings: Settings { loaded.settings }
  var hint: CommandHint { CommandHint(library: invocation.value("library")) }
  /// The settings of an engine that this program opens or starts. The options of a request are not among them, since
  /// they are meant for the source that the user names, and not for what else the engine downloads.
  let ofEngine: LoadedSettings
  let layout: LibraryLayout

  init(_ invocation: Invocation) async throws {
    self.invocation = invocation
    let loader = SettingsLoader()
    guard invocation.value("library") != "" else {
      throw invocation.usageError("--library needs the path of a folder", code: .invalidValue)
    }
    library = try FileSystem.absolutePath(loader.library(invocation.value("library")))
    layout = LibraryLayout(root: FileSystem.canonicalPath(library))
    let flags = try await Self.flags(invocation)
    loaded = try loader.load(library: library, flags: flags)
    let others = flags.filter { !RequestOptions.travels($0.key) }
    ofEngine =
      others.count == flags.count ? loaded : try loader.load(library: library, flags: others)
    console = Console(
      isQuiet: invocation.flag("quiet"),
      usesColor: Self.usesColor && !invocation.flag("no-color"))
  }

  private static var usesColor: Bool {
    Machine.isTerminal(2) && (Machine.environment("NO_COLOR") ?? "").isEmpty
      && Machine.environment("TERM") != "dumb"
  }

  /// Returns the settings that options set, followed by those of `--set`, which take precedence.
  private static func flags(_ invocation: Invocation) async throws -> [SettingsLoader.Flag] {
    var flags: [SettingsLoader.Flag] = []
    for (option, key) in [
      ("max-concurrent-downloads", "network.maxConcurrentDownloads"),
      ("max-per-host", "network.maxPerHost"), ("retry", "network.retries"),
      ("retry-delay", "network.retryDelay"), ("connect-timeout", "network.connectTimeout"),
      ("max-time", "network.totalTimeout"), ("user-agent", "network.userAgent"),
      ("limit-rate", "network.limitRate"), ("idle-timeout", "network.idleTimeout"),
      ("speed-limit", "network.lowSpeed"), ("speed-time", "network.lowSpeedTime"),
      ("proxy", "network.httpProxy"), ("proxy", "network.httpsProxy"),
      ("no-proxy", "network.noProxy"),
    ] {
      if let value = invocation.value(option) {
        flags.append(.init(key, .text(value), "--\(option)"))
      }
    }
    flags += try files(invocation)
    for (option, key, value) in [
      ("insecure", "network.insecure", "true"), ("ipv4", "network.addressFamily", "4"),
      ("ipv6", "network.addressFamily", "6"), ("no-thumbnails", "rendering.thumbnails", "false"),
    ] where invocation.flag(option) {
      flags.append(.init(key, .text(value), "--\(option)"))
    }
    var headers = invocation.values("header")
    if let referer = invocation.value("referer") {
      headers.append("Referer: \(try Self.referer(referer, invocation))")
    }
    if !headers.isEmpty { flags.append(.init("network.headers", .list(headers), "--header")) }
    if let user = invocation.value("user") {
      let users = try await UserOption.settings(user, invocation)
      flags.append(.init("network.users", .list(users), "--user"))
    }
    return flags + (try sets(invocation))
  }

  /// Returns the URL of the option `--referer`. Fragment and user information are removed (RFC 9110 §10.1.3).
  private static func referer(_ text: String, _ invocation: Invocation) throws -> HTTPURL {
    do throws(HTTPURLError) {
      return try HTTPURL(text)
    } catch {
      throw invocation.usageError("--referer expects a URL: \(error)", code: .invalidValue)
    }
  }

  /// Returns the settings of options that name files. Paths are made absolute, because imgdld has another
  /// working directory.
  private static func files(_ invocation: Invocation) throws -> [SettingsLoader.Flag] {
    var flags: [SettingsLoader.Flag] = []
    if invocation.flag("netrc") {
      guard
        let path = Machine.environment("NETRC")
          ?? Machine.homeFolder.map({ "\($0)/.netrc" })
      else {
        throw invocation.usageError(
          "--netrc: neither NETRC nor HOME is set, and the user has no home folder")
      }
      flags.append(.init("network.netrcFile", .text(try FileSystem.absolutePath(path)), "--netrc"))
    }
    for (option, key) in [
      ("cacert", "network.caFile"), ("cert", "network.certificate"), ("key", "network.privateKey"),
      ("load-cookies", "network.cookieFile"), ("netrc-file", "network.netrcFile"),
    ] {
      guard let path = invocation.value(option) else { continue }
      guard !path.isEmpty else {
        throw invocation.usageError("--\(option) needs the path of a file", code: .invalidValue)
      }
      flags.append(.init(key, .text(try FileSystem.absolutePath(path)), "--\(option)"))
    }
    return flags
  }

  private static func sets(_ invocation: Invocation) throws -> [SettingsLoader.Flag] {
    try invocation.values("set").map { text in
      guard let equals = text.firstIndex(of: "=") else {
        throw invocation.usageError("--set expects KEY=VALUE, not '\(text)'", code: .invalidValue)
      }
      let value = String(text[text.index(after: equals)...])
      return .init(String(text[..<equals]), .text(value), "--set")
    }
  }

  var noLibrary: ProgramFailure { ProgramFailure(.usage, "there is no library at \(library)") }

  /// Calls `body` with the store of the library; returns nil without a call if there is no library.
  func withStore<Value: Sendable>(
    _ body: (any LibraryReader) async throws -> Value
  ) async throws -> Value? {
    guard let store = try await LibraryOpener.openStore(at: library, settings: settings) else {
      return nil
    }
    do {
      let value = try await body(store)
      await store.close()
      return value
    } catch {
      await store.close()
      throw error
    }
  }

  /// Finds a record by its number in the list, its title or its folder.
  func record(_ name: String, in store: any LibraryReader) async throws -> Record {
    if let number = Int(name), number > 0,
      let record = try await store.records(offset: number - 1, limit: 1).first
    {
      return record
    }
    let titled = try await store.records(titled: name)
    if titled.count == 1 { return titled[0] }
    var offset = 0
    while case let page = try await store.records(offset: offset, limit: 500), !page.isEmpty {
      if let record = page.first(where: { $0.folder == name }) { return record }
      offset += page.count
    }
    guard titled.isEmpty else {
      let folders = titled.map { "\"\($0.folder)\"" }.joined(separator: ", ")
      throw ProgramFailure(.usage, "several records are called \(name); specify one of: \(folders)")
    }
    throw ProgramFailure(.usage, "there is no record \(name); see \(hint("list"))")
  }
}
