import Glibc
import Markup
import MarkupDocuments
import MarkupGumbo
import MarkupLibxml
import MarkupSandbox
import RenderMessages
import SystemCalls
import WorkerProcess

/// Reads documents for the checks in Python, and prints each item as a line: its kind, its URL or text, and the
/// title of an entry, separated by tabs. An empty line ends a document; a line that begins with `error` says
/// why it was not read.
///
/// Usage: markup-fixture [--direct] [--rule RULE] < LINES
/// Each line of the standard input has a path, and after a tab the URL of the document.
@main enum Fixture {
  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    var rule: MarkupRule?
    var reader: any MarkupReader = SandboxedMarkupReader(
      workers: ReadingWorkers(.markup()))
    while let argument = arguments.popFirst() {
      switch argument {
      case "--direct": reader = DocumentReader(html: GumboParser(), xml: LibxmlParser())
      case "--rule": rule = arguments.popFirst().flatMap { MarkupRule(rawValue: $0) }
      default: exit(64)
      }
    }
    while let line = readLine() {
      let parts = line.split(separator: "\t").map(String.init)
      read(parts[0], MarkupRequest(rule: rule, url: parts.count > 1 ? parts[1] : nil), reader)
    }
  }

  private static func read(_ path: String, _ request: MarkupRequest, _ reader: any MarkupReader) {
    do {
      let file = try FileSystem.open(path)
      try reader.read(file, request) { (items) throws(MarkupError) in
        for item in items { print(describe(item)) }
      }
    } catch {
      print("error\t\(error)")
    }
    print("")
    fflush(nil)
  }

  private static func describe(_ item: MarkupItem) -> String {
    switch item {
    case .rule(let rule): "rule\t\(rule.rawValue)"
    case .base(let url): "base\t\(url)"
    case .title(let text): "title\t\(text)"
    case .entry(let entry): "entry\t\(entry.url)\t\(entry.title ?? "")"
    case .document(let url, _): "document\t\(url)"
    case .nextPage(let url): "next\t\(url)"
    case .referrerPolicy(let text): "referrer\t\(text)"
    case .problem(let text): "problem\t\(text)"
    case .truncation(let text): "truncation\t\(text)"
    case .remark(let text, let line): "remark\t\(text)\t\(line.map(String.init) ?? "")"
    }
  }
}
