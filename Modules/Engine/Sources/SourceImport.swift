import Archive
import LibraryAPI
import Manifests
import Models
import Persistence
import SystemCalls
import Threading
import Transport

/// Receives the records and entries of a source.
protocol ImportTarget: AnyObject, Sendable {
  func beginList(title: String) async throws
  func append(_ entries: [ManifestEntry]) async throws
  /// Reports `count` unusable entries; `problems` contains the reasons for the first of them.
  func report(problems: [String], count: Int) async
  /// Adopts the whole source, which is already spooled, as a single resource.
  func adoptAsResource(_ source: SpooledSource, title: String) async throws
}

extension ImportTarget {
  func report(problem: String) async { await report(problems: [problem], count: 1) }
}

/// Reads all pages of one source into a target.
struct SourceImport: Sendable {
  let fetcher: SourceFetcher
  let archive: any ArchiveReader
  let limits: Settings.Limits
  let reading: BlockingQueue

  /// The largest number of pages that are read of one list. A list whose pages never end is cut off there.
  static let maximumPages = 10_000

  /// The extent to which a source is read.
  struct Extent: Sendable {
    var pages = SourceImport.maximumPages
    /// The validator of an earlier answer; nothing is read unless the first page has changed.
    var knownValidator = Validator()
    /// Whether a page from a public address named the source.
    var isNamedByPublicPage = false
  }

  struct Outcome: Sendable {
    var isUnchanged = false
    var state = SourceState()
  }

  @concurrent
  func run(
    _ request: SourceRequest, _ extent: Extent = Extent(), into target: any ImportTarget
  ) async throws -> Outcome {
    var outcome = Outcome()
    var location = request.location
    if request.format == .series, case .url(let base) = location {
      location = .url(try Self.seriesURL(base))
    }
    var seen: Set<HTTPURL> = []
    var title: String?
    for page in 0..<extent.pages {
      if case .url(let url) = location { seen.insert(url) }
      guard
        let source = try await fetcher.open(
          location, unless: page == 0 ? extent.knownValidator : Validator(),
          format: request.format,
          isNamedByPublicPage: extent.isNamedByPublicPage || outcome.state.isPublic)
      else {
        outcome.isUnchanged = true
        return outcome
      }
      let state = Self.state(source)
      if page == 0 { outcome.state = state }
      outcome.state.isPublic = outcome.state.isPublic || state.isPublic
      let next: String?
      do {
        next = try await readPage(source, request, title: &title, into: target)
      } catch {
        await fetcher.close(source, isUnread: Task.isCancelled)
        throw error
      }
      await fetcher.close(source)
      guard let next, let base = source.url else { return outcome }
      seen.insert(base)
      let url: HTTPURL
      do {
        url = try base.resolving(next)
      } catch {
        let problem = ManifestProblem(
          file: base.description, index: nil, reason: "its next page has no usable URL: \(error)")
        await target.report(problem: problem.description)
        return outcome
      }
      guard !seen.contains(url) else {
        await target.report(problem: "\(url): the pages of this list form a loop")
        return outcome
      }
      location = .url(url)
    }
    if case .url(let next) = location { outcome.state.nextPage = next.description }
    if extent.pages == Self.maximumPages {
      await target.report(problem: "\(request.name): only the first \(Self.maximumPages) pages")
    }
    return outcome
  }

  private static func state(_ source: SpooledSource) -> SourceState {
    SourceState(
      validator: source.url == nil ? Validator() : source.validator,
      isPublic: source.url.map { isPublic($0, source.remoteAddress) } ?? false)
  }

  /// Returns whether the source came from a public address. A host name counts as public if the transport
  /// does not report the address.
  private static func isPublic(_ url: HTTPURL, _ address: String?) -> Bool {
    IPAddress(address ?? url.host)?.isPublic ?? (url.host != "localhost")
  }

  /// Reads one page of a source into the target.
  /// - Returns: The URL of the list's next page; nil for the last one.
  private func readPage(
    _ source: SpooledSource, _ request: SourceRequest, title: inout String?,
    into target: any ImportTarget
  ) async throws -> String? {
    let channel = ImportChannel()
    let name = source.url?.description ?? request.name
    let reader = ManifestReading(
      source: source, name: name, format: request.format, archive: archive, limits: limits,
      channel: channel)
    let kind = try await reading.run { try reader.kind() }
    guard kind != .resource else {
      try await target.adoptAsResource(source, title: ManifestTitle.title(forFileName: name))
      return nil
    }
    async let done: Void = reading.run { try reader.run(kind) }
    var next = LinkHeader.next(in: source.fields)
    do {
      for await message in channel.messages {
        switch message {
        // A further page belongs to the record of the first page.
        case .record(let new):
          if kind == .archiveOfLists || title == nil { try await target.beginList(title: new) }
          title = new
        case .entries(let entries): try await target.append(entries)
        case .problems(let problems, let count):
          await target.report(problems: problems, count: count)
        case .nextPage(let page): next = page
        }
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
    return next
  }

  private static func seriesURL(_ base: HTTPURL) throws -> HTTPURL {
    guard !base.path.hasSuffix("/series") else { return base }
    let slash = base.path.hasSuffix("/") ? "" : "/"
    return HTTPURL(origin: base.origin, target: "\(base.path)\(slash)series")
  }
}
