import Manifests
import Markup
import Models
import Testing

@Suite("Entries of markup") struct MarkupEntriesTests {
  private let base: HTTPURL

  init() throws { base = try HTTPURL("https://example.org/a/page.html") }

  private func convert(
    _ markup: [MarkupItem], hasBase: Bool = true, limits: ManifestLimits = ManifestLimits()
  ) throws -> [ManifestItem] {
    var entries = MarkupEntries(name: "page", base: hasBase ? base : nil, limits: limits)
    var items: [ManifestItem] = []
    // Batches of any size give the same items.
    for item in markup { try entries.convert([item], into: &items) }
    var again = MarkupEntries(name: "page", base: hasBase ? base : nil, limits: limits)
    var whole: [ManifestItem] = []
    try again.convert(markup, into: &whole)
    #expect(whole == items && again.entryCount == entries.entryCount)
    return items
  }

  private func entry(_ url: String, _ change: (inout MarkupEntry) -> Void = { _ in }) -> MarkupItem
  {
    var entry = MarkupEntry(url: url)
    change(&entry)
    return .entry(entry)
  }

  @Test(
    "References are resolved against the base of the document",
    arguments: [
      ("b.jpg", "https://example.org/x/b.jpg"), ("../b.jpg", "https://example.org/b.jpg"),
      ("//h/b.jpg", "https://h/b.jpg"), ("?n=1", "https://example.org/x/?n=1"),
      ("http://h/ä b.jpg", "http://h/%C3%A4%20b.jpg"),
    ])
  func resolving(_ reference: String, _ expected: String) throws {
    let items = try convert([.rule(.html), .base("/x/"), entry(reference)])
    #expect(items == [.entry(ManifestEntry(url: try HTTPURL(expected), index: 0))])
  }

  @Test("A base that cannot be used is ignored, and one of a file must be absolute")
  func bases() throws {
    let usual: [ManifestItem] = [
      .entry(ManifestEntry(url: try HTTPURL("https://example.org/a/b.jpg"), index: 0))
    ]
    #expect(try convert([.base("data:x"), entry("b.jpg")]) == usual)
    #expect(
      try convert([.base("https://example.org/a/"), entry("b.jpg")], hasBase: false) == usual)
    let relative = try convert([.base("/a/"), entry("b.jpg")], hasBase: false)
    guard case .problem(let problem) = relative.first else {
      Issue.record("\(relative)")
      return
    }
    #expect(problem.description.contains("relative"))
  }

  @Test("All values of an entry are passed on, and mirrors resolved")
  func values() throws {
    let digits = String(repeating: "0a", count: 32)
    let items = try convert([
      entry("b.jpg") { entry in
        entry.title = " A\nheron "
        entry.name = "heron.jpg"
        entry.checksum = "sha-256=\(digits)"
        entry.byteCount = 12
        entry.mirrors = ["//m/b.jpg", "data:x", "b.jpg"]
      }
    ])
    #expect(
      items == [
        .entry(
          ManifestEntry(
            url: try HTTPURL("https://example.org/a/b.jpg"), title: "A heron", name: "heron.jpg",
            checksum: Checksum(.sha256, hexadecimal: digits), byteCount: 12,
            mirrors: ["https://m/b.jpg"], index: 0))
      ])
  }

  @Test("The size that a Metalink states is binding, those of other documents are hints")
  func sizes() throws {
    for rule in MarkupRule.allCases {
      let items = try convert([.rule(rule), entry("b.jpg") { $0.byteCount = 12 }])
      guard case .entry(let entry) = items.last else {
        Issue.record("\(items)")
        continue
      }
      #expect(entry.byteCount == 12)
      #expect(entry.expectedByteCount == (rule == .metalink ? 12 : nil))
    }
  }

  @Test("An entry that cannot be used is a problem with its position, and the others are used")
  func problems() throws {
    let items = try convert([
      entry("ftp://h/a.jpg"), entry("page.html"), entry("b.jpg") { $0.checksum = "sha-256=x" },
      .problem("has no URL"), entry("c.jpg"),
    ])
    let problems = items.compactMap {
      if case .problem(let problem) = $0 { problem.index } else { nil }
    }
    #expect(problems == [0, 1, 2, 3])
    guard case .entry(let last) = items.last else {
      Issue.record("\(items)")
      return
    }
    #expect(last.index == 4)
  }

  @Test("A remark has its line, and is no entry")
  func remarks() throws {
    let items = try convert([entry("a.jpg"), .remark("is odd", line: 3), entry("b.jpg")])
    guard items.count == 3, case .problem(let remark) = items[1], case .entry(let last) = items[2]
    else {
      Issue.record("\(items)")
      return
    }
    #expect(remark.description == "page, line 3: is odd" && remark.index == nil)
    #expect(last.index == 1)
  }

  @Test("A title is cleaned, and ignored if it is empty or late")
  func titles() throws {
    let url = try HTTPURL("https://example.org/a/b.jpg")
    let result = ManifestItem.entry(ManifestEntry(url: url, index: 0))
    #expect(
      try convert([.rule(.html), .title("A\u{202e}B"), entry("b.jpg")]) == [.title("AB"), result])
    #expect(try convert([entry("b.jpg"), .title("late")]) == [result])
    #expect(try convert([.title(" "), entry("b.jpg")]) == [result])
    #expect(
      try convert([.document("s/", .record), .title("A")])
        == [.document("https://example.org/a/s/", .record), .title("A")])
  }

  @Test("Further documents and pages are absolute")
  func documents() throws {
    #expect(
      try convert([
        .base("/x/"), .document("s/", .record), .document("2.xml", .part), .nextPage("?p=2"),
      ]) == [
        .document("https://example.org/x/s/", .record),
        .document("https://example.org/x/2.xml", .part),
        .nextPage("https://example.org/x/?p=2"),
      ])
    let refused = try convert([.document("javascript:x", .part)])
    #expect(refused.count == 1)
    if case .problem(let problem) = refused[0] {
      #expect(problem.index == nil)
    } else {
      Issue.record()
    }
  }

  @Test("The limit of entries is that of all lists")
  func limits() throws {
    var entries = MarkupEntries(name: "page", base: base, limits: ManifestLimits(entries: 2))
    var items: [ManifestItem] = []
    let error = #expect(throws: ManifestError.self) {
      try entries.convert((0..<3).map { entry("\($0).jpg") }, into: &items)
    }
    #expect(error?.code == .tooMany && items.count == 2)
  }
}
