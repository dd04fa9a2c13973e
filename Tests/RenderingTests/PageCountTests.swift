import Models
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

/// P8: the pages of documents as two renderers count them. The other one is PDFium, whose counts are
/// in a list that `Tools/checks/pages` wrote.
@Suite("Pages of documents", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absent)))
struct PageCountTests {
  /// Where they differ, and why.
  private static let explained: [String: String] = [
    "pdf/pdfjs/bug1782186.pdf": emptyOwner, "pdf/pdfjs/issue15893_reduced.pdf": emptyOwner,
    "pdf/pdfjs/poppler-85140-0.pdf": noPages,
    "pdf/pdfjs/poppler-937-0-fuzzed.pdf": brokenPage, "pdf/qpdf/deep-pages.pdf": brokenPage,
    "pdf/qpdf/bad35.pdf": "poppler looks for the objects itself, PDFium does not",
    "pdf/qpdf/bad40.pdf": "the catalogue is damaged: PDFium looks for pages without it",
  ]

  private static let emptyOwner = "opens with an empty password by poppler's reading of it"
  private static let noPages = "the tree of pages is damaged: PDFium goes by what it says of itself"
  private static let brokenPage = "both count one page; ours is refused because it cannot be opened"

  @Test("are as many by another renderer, or the difference is explained")
  func sameCounts() async throws {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let list = try FileSystem.contents(of: folder.joined(separator: "/") + "/Golden/pages.txt")
    let theirs = String(decoding: list, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: "\t").map { String($0) }
    }
    #expect(theirs.count > 200)
    let counts = await Self.counts(of: theirs.map { $0[0] })
    var same = 0
    var different: Set<String> = []
    for row in theirs {
      let ours = counts[row[0]] ?? nil
      if ours == Int(row[1]) {
        same += 1
      } else {
        different.insert(row[0])
        let wording = ours.map { "\($0)" } ?? "refused"
        #expect(Self.explained[row[0]] != nil, "\(row[0]): \(wording) here, \(row[1]) by PDFium")
      }
    }
    for file in Self.explained.keys where !different.contains(file) {
      Issue.record("\(file) has one count: take it from the list")
    }
    print("pages of \(theirs.count) documents: \(same) alike, \(different.count) explained")
  }

  /// nil for what does not open.
  private static func counts(of files: [String]) async -> [String: Int?] {
    let renderer = WorkerPoolRenderer(.test())
    let counts = await withTaskGroup(of: (String, Int?).self) { group in
      for file in files {
        group.addTask {
          (file, try? await renderer.probe(Corpus.path + "/" + file).pageCount)
        }
      }
      return await group.reduce(into: [String: Int?]()) { $0[$1.0] = .some($1.1) }
    }
    await renderer.shutdown()
    return counts
  }
}
