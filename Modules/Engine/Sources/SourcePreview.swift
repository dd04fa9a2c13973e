public import Archive
public import LibraryAPI
import Manifests
public import Markup
public import Models
import SystemCalls
import Threading
public import Transport

/// Lists the entries of a source without adding it (`add --dry-run`), with the engine's code for reading
/// sources.
public struct SourcePreview: SourcePreviewing {
  private let folder: String
  private let settings: Settings
  private let transport: any Transport
  private let archive: any ArchiveReader
  private let markup: any MarkupReader

  /// - Parameter folder: An existing folder for temporary files.
  public init(
    folder: String, settings: Settings, transport: any Transport, archive: any ArchiveReader,
    markup: any MarkupReader
  ) {
    self.folder = folder
    self.settings = settings
    self.transport = transport
    self.archive = GuardedArchiveReader(archive, policy: ArchivePolicy(settings.limits))
    self.markup = markup
  }

  @concurrent
  public func run(
    _ request: SourceRequest, emit: @escaping @Sendable (PreviewEntry) -> Void
  ) async throws(LibraryError) -> PreviewResult {
    let target = PreviewTarget(emit: emit)
    let layout = LibraryLayout(root: folder)
    let disk = BlockingQueue("preview")
    do {
      try await disk.run { try FileSystem.makeFolders(layout.incoming) }
    } catch {
      throw LibraryError.wrapping(error)
    }
    let downloadContext = Download.Context(
      layout: layout, settings: settings, transport: transport,
      files: BlockingQueue("preview-files"), bootID: "")
    let clock = SystemClock()
    let importer = SourceImport(
      fetcher: SourceFetcher(
        downloadContext: downloadContext,
        terms: RequestTerms(
          downloadContext.defaults, scope: Self.scope(of: request), cookies: CookieJar()),
        clock: clock, disk: disk, owner: nil),
      robots: RobotsPolicy(downloadContext, clock: clock), archive: archive, markup: markup,
      limits: settings.limits, reading: BlockingQueue("preview-reading"))
    var failure: (any Error)?
    do {
      _ = try await importer.run(request, into: target)
    } catch {
      failure = error
    }
    var document = request
    if await target.count == 0, !Task.isCancelled, let series = request.asSeries {
      do {
        _ = try await importer.run(series, into: target)
        (document, failure) = (series, nil)
      } catch {
        failure = failure.map { SeriesAttempt.failure($0, error) }
      }
    }
    // The temporary files in the caller's folder are deleted.
    try? await disk.run { try FileSystem.removeTree(layout.internals) }
    if let failure { throw LibraryError.wrapping(failure) }
    let problems = await target.problems
    guard await target.count > 0 else {
      throw LibraryError(
        .source,
        "\(SourceProgress.documentName(of: document)): no usable entry"
          + (problems.first.map { ": \($0)" } ?? ""))
    }
    return PreviewResult(format: await target.format, problems: problems)
  }

  private static func scope(of request: SourceRequest) -> CredentialScope {
    if case .url(let url) = request.location { .origin(url.origin) } else { .everyEntry }
  }

  public func close() async { await transport.shutdown() }
}

/// Reports entries with the records that `StoreImport` would make for them.
private actor PreviewTarget: ImportTarget {
  private let emit: @Sendable (PreviewEntry) -> Void
  private var list = CurrentList()
  private var records: [PreviewEntry.Record] = []
  private(set) var count = 0
  private(set) var format: ManifestFormat?
  private(set) var problems: [String] = []

  init(emit: @escaping @Sendable (PreviewEntry) -> Void) { self.emit = emit }

  func beginList(title: String, key: String?) { list.begin(title: title, key: key) }

  func append(_ entries: [ManifestEntry]) {
    let record = list.record.map { records[$0] } ?? makeRecord()
    count += entries.count
    for entry in entries { emit(PreviewEntry(record: record, entry)) }
  }

  private func makeRecord() -> PreviewEntry.Record {
    let record = PreviewEntry.Record(number: records.count, title: list.title)
    list.made(at: record.number)
    records.append(record)
    return record
  }

  func report(problems new: [String], count: Int) {
    problems += new.prefix(AddResult.problemLimit - problems.count)
  }

  func noteFormat(_ format: ManifestFormat) { self.format = format }

  func adoptAsResource(_ source: SpooledSource, title: String) {
    beginList(title: title, key: nil)
    count += 1
    format = .singleResource
    // The path of a spool is of no use to the user; `add` names standard input by its digest, too.
    let local = source.digest.map { "stdin:\($0)" } ?? source.path
    emit(PreviewEntry(record: makeRecord(), url: source.url?.description ?? local))
  }
}
