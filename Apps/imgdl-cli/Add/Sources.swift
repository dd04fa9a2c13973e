import CommandLine
import LibraryAPI
import Manifests
import Models
import ProgramSupport
import SystemCalls
import Threading

/// Converts the words of the command line into source requests.
struct Sources: Sendable {
  let format: ManifestFormat?
  let columns: ListColumns
  /// Whether gallery-dl reads the sources, which are web pages.
  let readsViaGallery: Bool
  let again: Bool
  let isLazy: Bool
  let spoolFolder: String
  let inputLimit: Int64
  let naming: NameTemplate?
  private let layout: LibraryLayout

  static let formats = ManifestFormat.allCases.map(\.rawValue)

  init(_ context: Context, spoolFolder: String) throws {
    do throws(NameTemplateError) {
      naming = try context.invocation.value("name").map {
        (text) throws(NameTemplateError) in try NameTemplate(text)
      }
    } catch {
      throw context.invocation.usageError(
        "--name '\(context.invocation.value("name") ?? "")': \(error)", code: .invalidValue)
    }
    format = context.invocation.value("format").flatMap { ManifestFormat(rawValue: $0) }
    columns = try Self.columns(context, format)
    readsViaGallery = context.invocation.value("via") != nil
    try Self.checkPages(context)
    again = context.invocation.flag("again")
    isLazy = context.invocation.flag("lazy")
    self.spoolFolder = spoolFolder
    layout = context.layout
    inputLimit = Int64(context.settings.limits.resourceBytes)
  }

  func request(_ word: String) async throws -> SourceRequest {
    let word = Self.withoutSpaceAroundURL(word)
    if readsViaGallery { return try await galleryRequest(word) }
    if let pattern = try pattern(word) { return try await patternRequest(pattern, of: word) }
    return SourceRequest(
      location: try await location(word), format: format, columns: columns, again: again,
      isLazy: isLazy, naming: naming)
  }

  /// Returns the pattern of a URL with ranges or alternatives; nil for every other word. An existing file is a file, and
  /// a URL that is allowed to have brackets is a URL: only http URLs are searched for them.
  private func pattern(_ word: String) throws(ProgramFailure) -> URLPattern? {
    guard let scheme = Self.scheme(of: word), scheme == "http" || scheme == "https" else {
      return nil
    }
    do throws(URLPattern.Failure) {
      return try URLPattern(word)
    } catch {
      throw ProgramFailure(.source, "\(word): \(error); write \\[ for a bracket without a range")
    }
  }

  /// Returns a request for the list of a pattern's URLs, each of which is a resource of one record.
  private func patternRequest(_ pattern: URLPattern, of word: String) async throws -> SourceRequest
  {
    guard format == nil else {
      throw ProgramFailure(.usage, "\(word): --format cannot be given for a URL with ranges")
    }
    if spoolFolder == layout.incoming { try layout.prepareFolders() }
    let path =
      "\(spoolFolder)/range-\(Machine.processID)-\(UInt64.random(in: 0 ... .max)).spool"
    // A URL that is not valid is named before a list of a million of them is written.
    _ = try Self.url(pattern.url(at: 0))
    do {
      try await BlockingThread.run("range") { try Self.write(pattern, to: path) }
    } catch {
      try? FileSystem.remove(path)
      throw error
    }
    return SourceRequest(
      location: .standardInput(spool: path), format: .text, again: again, isLazy: isLazy,
      naming: naming, displayName: word)
  }

  /// Writes the URLs of a pattern, one a line.
  private static func write(_ pattern: URLPattern, to path: String) throws(SystemError) {
    let file = try FileSystem.open(
      path, .writing, create: .mustNotExist, mode: 0o600, followingLinks: false)
    var lines: [UInt8] = []
    for index in 0..<pattern.count {
      lines += (pattern.url(at: index) + "\n").utf8
      guard lines.count >= 64 << 10 || index + 1 == pattern.count else { continue }
      try file.write(all: lines.span.bytes)
      lines.removeAll(keepingCapacity: true)
    }
  }

  /// Returns a request for the list that gallery-dl makes of a page.
  private func galleryRequest(_ page: String) async throws -> SourceRequest {
    // The library would keep them. gallery-dl also accepts words before a URL, such as `recursive:`.
    guard CredentialMask.masked(page) == page else {
      throw ProgramFailure(
        .source,
        "\(CredentialMask.masked(page)): contains a user name; credentials in URLs are not accepted. "
          + "gallery-dl reads logins from its own configuration")
    }
    if spoolFolder == layout.incoming { try layout.prepareFolders() }
    let spool = try await GalleryProgram.spool(page, into: spoolFolder, limit: inputLimit)
    return SourceRequest(
      location: .standardInput(spool: spool), format: .galleryDL, again: again, isLazy: isLazy,
      naming: naming, displayName: page)
  }

  private static func checkPages(_ context: Context) throws {
    guard context.invocation.value("via") != nil else { return }
    let words = context.invocation.arguments(named: "SOURCE")
    let excluded = ["format", "input-file"].filter { !context.invocation.values($0).isEmpty }
    if let option = excluded.first {
      throw context.invocation.usageError("--via and --\(option) exclude each other")
    }
    if words.contains("-") {
      throw context.invocation.usageError("--via needs the URL of a page instead of -")
    }
  }

  private static func columns(
    _ context: Context, _ format: ManifestFormat?
  ) throws -> ListColumns {
    let values = ["url", "name", "title", "sha256"].map {
      context.invocation.value($0 + "-column")
    }
    let columns = ListColumns(url: values[0], name: values[1], title: values[2], sha256: values[3])
    if let format, ![.csv, .tsv].contains(format), !columns.isEmpty {
      throw context.invocation.usageError(
        "a source of the format \(format.rawValue) has no columns; the formats csv and tsv have")
    }
    return columns
  }

  private func location(_ word: String) async throws -> SourceRequest.Location {
    if word == "-" { return try await spooled() }
    if Self.scheme(of: word) != nil { return .url(try Self.url(word)) }
    // A relative path without a working folder is an error of the disk, and not of the source.
    _ = try FileSystem.absolutePath(word)
    do throws(SystemError) {
      return .file(try FileSystem.realPath(word))
    } catch {
      // The shell's <(command) gives a pipe a name below /dev/fd, which leads to no file.
      if let pipe = try Self.pipe(word) { return try await spooled(pipe) }
      throw ProgramFailure(.source, error.description + Self.hint(word, error))
    }
  }

  /// - Parameter input: The pipe to read; nil for standard input.
  private func spooled(_ input: OwnedDescriptor? = nil) async throws -> SourceRequest.Location {
    if spoolFolder == layout.incoming { try layout.prepareFolders() }
    return .standardInput(
      spool: try await StandardInput.spool(input, into: spoolFolder, limit: inputLimit))
  }

  /// Opens a pipe that this process has inherited, by the name that the shell gives it; nil for other files.
  private static func pipe(_ word: String) throws(SystemError) -> OwnedDescriptor? {
    guard (try? FileSystem.status(word))?.kind == .pipe else { return nil }
    return try FileSystem.open(word)
  }

  /// Returns a URL without the white space and the invisible characters that programs leave around one that is copied
  /// from them; any other word as it is.
  private static func withoutSpaceAroundURL(_ word: String) -> String {
    let text = word.withoutSpaceAtEnds
    guard let scheme = scheme(of: text), scheme == "http" || scheme == "https" else { return word }
    return text
  }

  static func url(_ word: String) throws(ProgramFailure) -> HTTPURL {
    let word = withoutSpaceAroundURL(word)
    guard let scheme = scheme(of: word), scheme == "http" || scheme == "https" else {
      throw ProgramFailure(.source, "\(word): only http and https URLs can be fetched")
    }
    do {
      return try HTTPURL(word)
    } catch {
      throw ProgramFailure(.source, "\(word): not a URL that can be fetched: \(error)")
    }
  }

  static func scheme(of word: String) -> String? {
    guard let colon = word.firstIndex(of: ":"), word[colon...].hasPrefix("://") else { return nil }
    let scheme = word[..<colon].lowercased()
    return scheme.isEmpty || scheme.contains("/") ? nil : scheme
  }

  /// Returns the hint that `example.org/list.zip` or `www.example.org` is missing its scheme, unless `example.org` is a
  /// local folder.
  private static func hint(_ word: String, _ error: SystemError) -> String {
    let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard error.isMissing, let host = parts.first, parts.count == 2 || host.hasPrefix("www."),
      host.dropFirst().contains("."), host.last != ".", !FileSystem.exists(String(host))
    else { return "" }
    return " (a URL begins with https://)"
  }
}
