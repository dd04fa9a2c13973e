public import Markup
public import Models

/// Converts the items of a document of markup to those of a list: resolves references, and validates entries
/// by the rules for all lists.
///
/// ```swift
/// var entries = MarkupEntries(name: "https://example.org/a.html", base: url)
/// try reader.read(file, request) { (batch) throws(MarkupError) in … try entries.convert(batch, into: &items) … }
/// ```
public struct MarkupEntries: Sendable {
  private var collector: EntryCollector
  /// The URL against which references are resolved; nil for a file without a base.
  private var base: HTTPURL?

  /// The rule by which the document is read; nil before the first item.
  public private(set) var rule: MarkupRule?

  /// The sentence, with the document's name, that the document ends before it is complete; nil if it does not.
  public private(set) var truncation: String?

  /// - Parameters:
  ///   - name: The document's name in messages.
  ///   - base: The URL of the document; nil for a file.
  public init(name: String, base: HTTPURL?, limits: ManifestLimits = ManifestLimits()) {
    collector = EntryCollector(file: name, base: base, limit: limits.entries)
    self.base = base
  }

  /// The number of valid entries so far.
  public var entryCount: Int { collector.entryCount }

  /// The number of invalid entries so far.
  public var problemCount: Int { collector.problemCount }

  /// Converts the next items of the document and appends the results. A title after the first entry is
  /// ignored.
  /// - Throws: `ManifestError` with code `tooMany`.
  public mutating func convert(
    _ markup: [MarkupItem], into items: inout [ManifestItem]
  ) throws(ManifestError) {
    // The caller's array is swapped in and out, so that its items are not copied.
    swap(&collector.items, &items)
    defer { swap(&collector.items, &items) }
    for item in markup {
      convert(item)
      if collector.isOver { throw collector.tooMany }
    }
  }

  private mutating func convert(_ item: MarkupItem) {
    switch item {
    case .rule(let rule): self.rule = rule
    case .base(let reference): setBase(reference)
    case .title(let text):
      if entryCount == 0, let title = ManifestTitle.cleaned(text) {
        collector.items.append(.title(title))
      }
    case .referrerPolicy(let text): collector.items.append(.referring(policy: text))
    case .entry(let entry): collector.addEntry(draft(entry))
    case .document(let reference, let link):
      if let url = resolved(reference) {
        collector.items.append(.document(url, ManifestLink(link)))
      } else {
        collector.addRemark("\(Excerpt.quote(url: reference)) is not a URL of a document")
      }
    case .nextPage(let reference):
      collector.items.append(.nextPage(resolved(reference) ?? reference))
    case .problem(let reason): collector.addProblem(reason)
    case .truncation(let reason):
      truncation = ManifestProblem(file: collector.file, index: nil, reason: reason).description
    case .remark(let reason, let line): collector.addRemark(reason, line: line)
    }
  }

  private mutating func setBase(_ reference: String) {
    if let own = collector.base {
      // A base that cannot be used is ignored (HTML Standard, "set the frozen base URL").
      base = (try? own.resolving(reference)) ?? base
    } else {
      base = (try? HTTPURL(reference)) ?? base
    }
  }

  private func draft(_ entry: MarkupEntry) -> EntryDraft {
    var draft = EntryDraft()
    // A reference that cannot be resolved is passed on, because the collector explains why.
    draft.url = resolved(entry.url) ?? entry.url
    draft.title = entry.title
    draft.name = entry.name
    draft.referrerPolicy = entry.referrerPolicy
    draft.checksum = entry.checksum.map { EntryDraft.StatedChecksum(text: $0) }
    draft.byteCount = entry.byteCount
    // Metalink states sizes for the verification of files (RFC 5854 §4.2.14).
    draft.isByteCountBinding = rule == .metalink
    for mirror in entry.mirrors { draft.addMirror(resolved(mirror) ?? mirror) }
    return draft
  }

  /// Returns the absolute URL of a reference; nil if there is none.
  private func resolved(_ reference: String) -> String? {
    if let base { return (try? base.resolving(reference))?.description }
    return (try? HTTPURL(reference))?.description
  }
}

extension ManifestLink {
  fileprivate init(_ link: MarkupLink) {
    switch link {
    case .part: self = .part
    case .record: self = .record
    }
  }
}
