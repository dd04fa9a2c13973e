import LibraryAPI
import Manifests
import Markup
import Models
import SystemCalls

/// Reads a Metalink document that is in memory, with the reader and by the rules of documents that are added as
/// sources, but as a whole or not at all.
struct MetalinkReading: Sendable {
  /// The name of the document in messages.
  let name: String
  /// The URL of the document, against which its references are resolved; nil if it has none.
  let base: HTTPURL?
  let markup: any MarkupReader
  let limits: Settings.Limits
  let maximumFiles: Int

  /// Returns the usable files in the order of the document, and the reasons why others are not usable. Blocks.
  /// - Throws: `source` if the document cannot be read to its end, also because the worker is missing or has
  ///   crashed; `policy` if it exceeds a limit.
  func files(
    of document: [UInt8]
  ) throws(LibraryError) -> (entries: [ManifestEntry], problems: [String]) {
    var entries = MarkupEntries(name: name, base: base)
    var items: [ManifestItem] = []
    do {
      let file = try Channels.memoryFile("metalink")
      try file.write(all: document.span.bytes)
      let request = MarkupRequest(
        rule: .metalink, url: base?.description, limits: MarkupLimits(limits),
        rejectsMalformed: true)
      try markup.read(file, request) { (batch) throws(MarkupError) in
        do throws(ManifestError) {
          try entries.convert(batch, into: &items)
        } catch {
          throw MarkupError(.limit, error.description)
        }
        guard entries.entryCount + entries.problemCount <= maximumFiles else {
          throw MarkupError(
            .limit, "the document has more than \(maximumFiles) entries (\(MarkupLimits.fixed))")
        }
      }
    } catch let error as MarkupError {
      throw LibraryError(error.code == .limit ? .policy : .source, "\(name): \(error.description)")
    } catch {
      throw LibraryError.wrapping(error)
    }
    var found: (entries: [ManifestEntry], problems: [String]) = ([], [])
    for item in items {
      switch item {
      case .entry(let entry): found.entries.append(entry)
      case .problem(let problem): found.problems.append(problem.description)
      case .nextPage, .series, .title, .record, .document, .referring: break
      }
    }
    return found
  }
}
