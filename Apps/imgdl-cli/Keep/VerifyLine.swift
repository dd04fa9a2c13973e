import CommandLine
import LibraryAPI
import Models
import Persistence
import Verification

/// A bad file as a line of machine-readable output. The fields are stable: later versions may add fields, but
/// do not remove any.
struct VerifyLine: Encodable {
  let problem: String
  let reason: String
  let path: String
  let record: String
  let index: Int
  let url: String
  let sha256: String?
  /// The paths of other resources whose files are hard links of the same file.
  let duplicates: [String]
  let queued: Bool

  init(_ finding: VerifyFinding, _ layout: LibraryLayout) {
    problem =
      switch finding.problem {
      case .missing: "missing"
      case .notAFile: "not-a-file"
      case .wrongSize: "wrong-size"
      case .wrongContent: "wrong-content"
      case .unreadable: "unreadable"
      case .rendition: "rendition"
      }
    reason = finding.reason
    path = finding.path
    record = finding.record.title
    index = finding.resource.index
    url = finding.resource.url
    sha256 = finding.resource.file?.digest.description
    duplicates = Self.duplicates(finding, layout)
    queued = finding.isRequeued
  }

  private static func duplicates(_ finding: VerifyFinding, _ layout: LibraryLayout) -> [String] {
    finding.duplicates.map { "\(layout.root)/\($0.folder)/\($0.file.name)" }
  }

  /// Returns the finding as text for people: a line with the path and the reason, and lines with details.
  static func text(_ finding: VerifyFinding, _ layout: LibraryLayout) -> String {
    var text = "\(finding.path): \(finding.reason)"
    for duplicate in duplicates(finding, layout) { text += "\n  the same file: \(duplicate)" }
    if finding.isRemovedFromStore {
      text += "\n  removed from the cache; the next fetch downloads it"
    }
    if case .rendition = finding.problem {
      text += "\n  it is made again when it is needed"
    }
    if let place = finding.setAside { text += "\n  the folder was renamed to \(place)" }
    return text.split(separator: "\n").map { Console.escaped($0) }.joined(separator: "\n")
  }

  /// - Parameter downloader: The program that downloads at once what is queued again; nil if none does.
  static func summarize(_ report: VerifyReport, _ context: Context, downloader: String?) {
    if context.invocation.flag("json") {
      context.console.exitingOnBrokenPipe(with: nil).print(
        JSONOutput.line(VerifySummaryLine(report)))
      return
    }
    var text = "\(Summary.count(report.files, "file")) checked"
    if report.bytes > 0 { text += ", \(ByteText.short(report.bytes)) read" }
    for (count, words) in [
      (report.missing, "missing"), (report.damaged, "damaged"),
      (report.notAFile, "not a regular file"), (report.unreadable, "unreadable"),
      (report.renditions, "not whole in the cache"),
    ] where count > 0 {
      text += ", \(count) \(words)"
    }
    if report.problems == 0 { text += ", no problems found" }
    if report.undownloaded > 0 {
      text += "; \(Summary.count(report.undownloaded, "resource")) not downloaded yet"
    }
    context.console.printNote(text)
    if report.requeued > 0 {
      let rest =
        downloader.map { ", which \($0) downloads; \(context.hint("watch")) shows the progress" }
        ?? "; download with \(context.hint("resume"))"
      context.console.printNote(
        "\(Summary.count(report.requeued, "file")) queued again\(rest)")
    }
  }
}

private struct VerifySummaryLine: Encodable {
  let event = "summary"
  let files: Int
  let bytes: Int64
  let missing: Int
  let damaged: Int
  let notAFile: Int
  let unreadable: Int
  let renditions: Int
  let queued: Int
  let undownloaded: Int

  init(_ report: VerifyReport) {
    files = report.files
    bytes = report.bytes
    missing = report.missing
    damaged = report.damaged
    notAFile = report.notAFile
    unreadable = report.unreadable
    renditions = report.renditions
    queued = report.requeued
    undownloaded = report.undownloaded
  }
}
