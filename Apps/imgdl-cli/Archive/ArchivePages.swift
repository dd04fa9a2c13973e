import CommandLine
import LibraryAPI
import Models
import Naming
import ProgramSupport
import SystemCalls

/// Gets pages of a remote archive and stores them under safe names.
struct ArchivePages: Sendable {
  private let context: Context
  private let url: HTTPURL
  /// The folder for temporary files.
  private let folder: String
  private let words: [String]
  /// The folder of the files as the user typed it; `-` is standard output.
  private let output: String

  init(_ context: Context, _ url: HTTPURL, _ folder: String) throws {
    (self.context, self.url, self.folder) = (context, url, folder)
    words = context.invocation.arguments(named: "PAGE")
    output = context.invocation.value("output") ?? "."
  }

  func get(with reader: any RemoteArchiveReading) async throws -> ExitCode {
    let password = try await PasswordOption.read(context)
    if output != "-" {
      let folder = try FileSystem.absolutePath(output)
      if FileSystem.canonicalPath(folder) != context.layout.root {
        try await context.refuseFileOfLibrary(output)
      }
      try FileSystem.makeFolders(folder)
    }
    let isStream = output == "-"
    let extraction = try await reader.extract(url, password: password, into: folder) {
      (listing) throws(LibraryError) in
      let chosen = try self.chosen(listing)
      guard !isStream || chosen.count == 1 else {
        throw LibraryError(
          .policy, "standard output takes a single page; \(chosen.count) are requested")
      }
      // Nothing is transferred for a file that cannot be stored.
      return chosen.filter { conflict($0, listing) == nil }
    }
    var codes: [ExitCode] = []
    let extracted = Set(extraction.files.map(\.entry))
    for entry in try chosen(extraction.listing) where !extracted.contains(entry) {
      guard let failure = conflict(entry, extraction.listing) else { continue }
      context.console.printError(failure.message)
      codes.append(failure.code)
    }
    var names: Set<String> = []
    for file in extraction.files {
      switch file.result {
      case .failure(let error):
        context.console.printError(error.detail)
        codes.append([.encrypted, .policy].contains(error.code) ? .refused : .someFailed)
      case .success(let (path, format)):
        let entry = extraction.listing.entries[file.entry]
        let name = fileName(entry, format, extraction.listing)
        do {
          guard names.insert(SafeName.foldingKey(name)).inserted else {
            throw ProgramFailure(
              .refused, "\(entry.name): another entry is already stored as \(name)")
          }
          try await store(path, as: name, entry)
        } catch let failure as ProgramFailure {
          context.console.printError(failure.message)
          codes.append(failure.code)
        }
      }
    }
    context.console.printNote(extraction.traffic.text)
    return ExitCode.first(of: codes)
  }

  /// The indices of the requested entries.
  private func chosen(_ listing: RemoteArchiveListing) throws(LibraryError) -> [Int] {
    try EntrySelection(listing).entries(words, of: url)
  }

  /// Returns the reason why an entry cannot be stored, as far as its name tells: the format of the file is known
  /// only when it was received, and may differ from that of the name.
  private func conflict(_ index: Int, _ listing: RemoteArchiveListing) -> ProgramFailure? {
    let entry = listing.entries[index]
    guard output != "-", let name = expectedName(entry, listing) else { return nil }
    do {
      try OutputFile.protect("\(output)/\(name)", context)
      return nil
    } catch {
      return error as? ProgramFailure
    }
  }

  /// Returns the name of the file if the format is that of the entry's name; nil if this name has none.
  private func expectedName(
    _ entry: RemoteArchiveListing.Entry, _ listing: RemoteArchiveListing
  ) -> String? {
    guard entry.page != nil else { return fileName(entry, .unknown, listing) }
    let suffix = entry.name.split(separator: ".").last?.lowercased() ?? ""
    let format = ResourceFormat.allCases.first {
      $0.fileExtension == suffix || $0.rawValue == suffix
    }
    return format.map { fileName(entry, $0, listing) }
  }

  private struct Row: Encodable {
    let page: Int?
    let name: String
    let path: String
    let bytes: Int64
  }

  private func store(
    _ path: String, as name: String, _ entry: RemoteArchiveListing.Entry
  ) async throws {
    if output == "-" { return try OutputFile.print(path) }
    let target = "\(output)/\(name)"
    try OutputFile.protect(target, context)
    try await OutputFile.copy(path, to: target)
    let bytes = try FileSystem.status(path).size
    context.console.print(
      context.invocation.flag("json")
        ? JSONOutput.line(Row(page: entry.page, name: entry.name, path: target, bytes: bytes))
        : target)
  }

  /// Returns the name of the file: the number and the last component of the entry's name, which is foreign
  /// text, with the extension of the detected format.
  private func fileName(
    _ entry: RemoteArchiveListing.Entry, _ format: ResourceFormat, _ listing: RemoteArchiveListing
  ) -> String {
    let label = entry.name.split(separator: "/").last ?? ""
    let width = max(4, "\(listing.entries.count)".utf8.count)
    guard let page = entry.page else { return SafeName.folder(String(label)) }
    return SafeName.file(
      index: page, width: width, label: label, fileExtension: format.fileExtension)
  }
}
