import Archive
import HTTP1
import LibraryAPI
import Manifests
import Markup
import Models
import Transport
import Threading

/// The error that the entries of a source exceed its budget.
struct SourceExcess: Error {}

/// Reads one document of a source into the target.
struct DocumentReading: Sendable {
  let source: SpooledSource
  let document: DocumentQueue.Document
  let request: SourceRequest
  let form: SourceForm
  let expected: ExpectedDocument
  let archive: any ArchiveReader
  let markup: any MarkupReader
  let limits: Settings.Limits
  let reading: BlockingQueue

  /// The name of the document in messages.
  private var name: String { source.url?.description ?? request.name }

  /// Reads the document.
  /// - Parameters:
  ///   - findings: Contains the known layout of the document's text, and receives the layout and what the document
  ///     names, also before an error.
  ///   - budget: Counts the entries and bytes of the source.
  /// - Throws: `SourceExcess`; `LibraryError`; `CancellationError`.
  func run(
    into target: any ImportTarget, _ findings: inout DocumentFindings, _ budget: inout SourceBudget
  ) async throws {
    let channel = ImportChannel()
    let reader = ManifestReading(
      source: source, name: name, form: form, layout: findings.layout,
      expected: expected, archive: archive, markup: markup, limits: limits, channel: channel)
    let kind = try await reading.run { try reader.kind() }
    findings.format = kind.format.map { ContentFormat($0) }
    guard kind != .resource else {
      guard !document.isLinked else { throw LibraryError(.source, "\(name): this is not a list") }
      return try await target.adoptAsResource(
        source, title: ManifestTitle.title(forFileName: name))
    }
    let content = try await reading.run { try reader.content(of: kind) }
    if let content, !budget.admit(bytes: content.byteCount) { throw SourceExcess() }
    if let list = document.list { try await target.beginList(title: list.title, key: list.key) }
    findings.nextPage = LinkHeader.next(in: source.fields)
    async let done: Void = reading.run { try reader.run(kind, content) }
    do {
      for await message in channel.messages {
        try await receive(message, of: kind, into: target, &findings, &budget)
        channel.releaseSlot()
      }
      // If the task is cancelled, the stream of messages ends early, as it does at the end of a list.
      try Task.checkCancellation()
    } catch {
      channel.cancel()
      _ = try? await done
      throw error
    }
    try await done
  }

  /// The URL of the document if it is one whose images browsers request with a `Referer`.
  private func page(_ kind: ManifestReading.Kind, _ findings: DocumentFindings) -> HTTPURL? {
    guard case .markup(let rule) = kind else { return findings.isReferring ? source.url : nil }
    return switch rule {
    case .html?, .listing?, .feed?, nil: source.url
    case .sitemap?, .metalink?, .bucket?: nil
    }
  }

  /// Returns the entries with the page that names them as their `Referer`, unless they have one of their own.
  private func referred(
    _ entries: [ManifestEntry], of kind: ManifestReading.Kind, _ findings: DocumentFindings
  ) -> [ManifestEntry] {
    guard let page = page(kind, findings) else { return entries }
    let policy =
      findings.referrerPolicy
      ?? source.fields["Referrer-Policy"].flatMap { ReferrerPolicy(field: $0) } ?? .byDefault
    return entries.map { entry in
      let own = entry.referrerPolicy.flatMap { ReferrerPolicy(attribute: $0) }
      guard entry.headers["Referer"] == nil,
        let referrer = (own ?? policy).referrer(of: page, for: entry.url),
        referrer.utf8.count <= EntryHeaders.maximumValueLength
      else { return entry }
      return entry.with(referrer: referrer)
    }
  }

  private func receive(
    _ message: ImportMessage, of kind: ManifestReading.Kind, into target: any ImportTarget,
    _ findings: inout DocumentFindings, _ budget: inout SourceBudget
  ) async throws {
    switch message {
    case .record(let title, let key):
      if kind == .archiveOfLists { findings.list = key.map { ArchivedList(title: title, key: $0) } }
      try await target.beginList(title: title, key: key)
    // A further page belongs to the record of the first page.
    case .title(let title):
      if document.beginsRecord { try await target.beginList(title: title) }
    case .entries(let all):
      let entries = kind == .markup(.sitemap) ? budget.firstMentions(all) : all
      budget.pages.note(entries, in: document)
      let kept = budget.admit(entries: entries.count)
      if kept > 0 {
        try await target.append(
          referred(Array(entries.prefix(kept)), of: kind, findings))
      }
      if kept < entries.count { throw SourceExcess() }
    case .referring(let policy):
      findings.isReferring = true
      findings.referrerPolicy =
        policy.flatMap { ReferrerPolicy(meta: $0) } ?? findings.referrerPolicy
    case .problems(let problems, let count):
      await target.report(problems: problems, count: count)
      budget.admit(problems: count)
    case .nextPage(let page): findings.setNextPage(page)
    case .document(let link, let relation):
      if !findings.add(link, relation) {
        await target.report(
          problem: "\(name): the URLs of the documents that it links to are longer than "
            + "\(DocumentQueue.maximumURLBytes) bytes together; the others are not read")
      }
    case .excess(let reason):
      findings.isTruncated = true
      if !budget.noteExcess() {
        await target.report(problem: "\(reason); the rest of the document is not read")
      }
    case .truncation(let reason):
      findings.isTruncated = true
      findings.endsEarly = true
      let unread =
        document.isLinked || document.page == 0 && findings.nextPage == nil
        ? " is" : ", and the pages of the list from there on, are"
      await target.report(problem: "\(reason); the rest of the document\(unread) not read")
    case .format(let format):
      findings.format = format
      if document.isFirst { await target.noteFormat(format.format) }
    case .layout(let layout): findings.layout = layout
    case .imagelessPage:
      // A page that another document links to may be without images. A page of a list without any, and without a
      // further page, is rather an error page than the end of the list.
      if !document.isLinked, findings.nextPage == nil {
        throw LibraryError(.source, "\(name): no images were found in this web page")
      }
    }
  }
}
