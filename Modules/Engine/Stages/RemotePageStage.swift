import LibraryAPI
import Models
import Persistence
import RemoteArchive
import SystemCalls
import Threading

/// Lists and fetches single pages of zip archives that are not downloaded, when a user wants to see them.
///
/// Callers that want the same list or page at the same time share one reading. The images are ordinary files of
/// the cache, and are made again after an eviction.
final class RemotePageStage: Stage {
  private var lists = RemotePageLists()
  private var listings: [Listing: Task<RemotePageList, any Error>] = [:]
  /// The work on pages, by the names of the files that result from it. A result of nil means that the archive has
  /// changed.
  private var fetches: [String: Task<Page?, any Error>] = [:]

  /// The waits before another attempt.
  private var waits: [UInt64: Task<Void, Never>] = [:]
  private var lastWait: UInt64 = 0

  /// The reading of a list from one URL.
  private struct Listing: Hashable {
    let request: RequestKey
    let url: HTTPURL
  }

  /// The maximum number of lists and pages that are read, or wait for another attempt, at once.
  static let concurrencyLimit = 64

  /// Returns the pages of the archive, which have no files before they are fetched.
  /// - Throws: `.source` if the resource is not an archive that can be read by parts; `.noRanges` if the server
  ///   does not send parts of it.
  func pages(of id: ResourceID) async throws -> [Page] {
    let reader = try reader(of: id)
    return try await withMirrors(of: reader) { try await list(reader, at: $0).pages }
  }

  /// Returns a page after its image, and if requested its thumbnail, was stored.
  /// - Parameter number: The number of the page, from 1.
  /// - Returns: The page; nil if the archive has no such page. A page whose image cannot be shown has a reason.
  func page(
    _ number: Int, of id: ResourceID, withThumbnail needsThumbnail: Bool
  ) async throws -> Page? {
    let reader = try reader(of: id)
    return try await withMirrors(of: reader) { url in
      for _ in 0...DirectoryReading.maximumRestarts {
        let list = try await list(reader, at: url)
        guard let page = list.page(number) else { return nil }
        guard page.hasImage else { return page }
        if let page = try await fetched(page, of: list, reader, needsThumbnail) { return page }
        // The archive has changed since it was listed.
        if lists[reader.request]?.hasVersion(of: list) == true { lists.remove(reader.request) }
      }
      throw LibraryError(.source, "\(url): \(DirectoryReading.everChanging)")
    }
  }

  // MARK: - Mirrors

  /// Reads from the URL that has served the archive last, or else from that of the resource; if that fails, from
  /// the others, as a download does. Each of them starts with its own directory, because all parts of an archive
  /// must be of one version.
  private func withMirrors<Value>(
    of reader: RemotePageReader, _ body: (HTTPURL) async throws -> Value
  ) async throws -> Value {
    var selection = reader.selection(startingAt: lists[reader.request]?.url)
    while true {
      do {
        return try await body(selection.current.url)
      } catch let error as LibraryError {
        guard selection.hasMirrors,
          let failure = MirrorSelection.Failure(error, at: selection.current.url)
        else { throw error }
        let decision = selection.handle(
          failure, now: ports.clock.now(), policy: reader.terms.defaults.retries,
          chance: ports.random.fraction())
        guard case .attempt(let wait) = decision else {
          throw LibraryError(error.code, selection.summary)
        }
        await self.wait(wait)
        guard lifecycle.isStarted, !lifecycle.isStopping, !Task.isCancelled else {
          throw LibraryError(.interrupted, "")
        }
      }
    }
  }

  /// Waits for a number of seconds, or until the caller is cancelled or the engine stops.
  private func wait(_ seconds: Double) async {
    guard seconds > 0, !lifecycle.isStopping else { return }
    lastWait += 1
    let number = lastWait
    let clock = ports.clock
    let task = Task { @concurrent in _ = try? await clock.sleep(until: clock.now() + seconds) }
    waits[number] = task
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    waits[number] = nil
  }

  private func reader(of id: ResourceID) throws -> RemotePageReader {
    guard lifecycle.isStarted, !lifecycle.isStopping else { throw LibraryError(.interrupted, "") }
    guard listings.count + fetches.count + waits.count < Self.concurrencyLimit else {
      throw LibraryError(.policy, "too many pages of remote archives are being read at once")
    }
    guard let resource = try store.resource(id), let record = try store.record(resource.record),
      !records.isRemoved(record.id)
    else { throw LibraryError(.source, "there is no resource \(id)") }
    try catalog.loadRecords(of: [resource])
    let isPublic = catalog.forbidsPrivateAddresses(record.id)
    let name = catalog.name(
      resource.url, resource.fields, isPublic: isPublic, catalog.scope(of: record.id),
      catalog.identity(of: resource))
    guard resource.hasRemotePages, case .http(let url) = name.location else {
      throw LibraryError(
        .source, "resource \(resource.index) is not a zip archive that is still on a server")
    }
    return RemotePageReader(
      url: url, mirrors: Self.mirrors(of: resource, besides: url), request: name.request,
      fields: resource.fields, origin: catalog.origin(of: record),
      downloadContext: context.downloads, terms: catalog.terms(of: record, for: name.request),
      gate: EngineGate(engine: stages.engine),
      clock: ports.clock, maker: pages.maker(for: record))
  }

  private static func mirrors(of resource: Resource, besides url: HTTPURL) -> [HTTPURL] {
    resource.mirrors.compactMap { mirror in
      guard case .http(let other) = ResourceLocation(mirror), other != url else { return nil }
      return other
    }
  }

  // MARK: - Lists

  /// Returns a list that the server at the URL has confirmed recently.
  private func list(
    _ reader: RemotePageReader, at url: HTTPURL
  ) async throws -> RemotePageList {
    let request = reader.request
    if let list = lists.current(request, now: ports.clock.now()), list.url == url { return list }
    let listing = Listing(request: request, url: url)
    if let task = listings[listing] { return try await task.value }
    let known = lists[request].flatMap { $0.url == url ? $0 : nil }
    let task = Task { @concurrent [engine = stages.engine] in
      do throws(LibraryError) {
        let list = try await reader.list(at: url, validating: known)
        await engine.run { $0.remotePages.listingEnded(listing, list) }
        return list
      } catch {
        await engine.run { $0.remotePages.listingEnded(listing, nil) }
        throw error
      }
    }
    listings[listing] = task
    return try await task.value
  }

  /// - Parameter list: nil if the reading failed; an earlier list is kept, to be validated again.
  private func listingEnded(_ listing: Listing, _ list: RemotePageList?) {
    listings[listing] = nil
    if let list { lists.insert(list, for: listing.request) }
  }

  // MARK: - Pages

  /// Returns a page with its files; nil if the archive has changed.
  private func fetched(
    _ page: Page, of list: RemotePageList, _ reader: RemotePageReader, _ needsThumbnail: Bool
  ) async throws -> Page? {
    var page = page
    let isThere = RemotePageList.isFetched(page) ? try await exists(page.file) : false
    if !isThere {
      let work = "\(list.digest(of: page, reader.request))-image"
      let unfetched = page
      guard
        let new = try await share(
          work, reader, list, { try await reader.fetch(unfetched, of: list) })
      else { return nil }
      page = new
    }
    guard needsThumbnail, settings.rendering.thumbnails else { return page }
    if try await exists(page.thumbnail) { return page }
    let work = "\(list.digest(of: page, reader.request))-thumbnail"
    let fetched = page
    return try await share(work, reader, list) { try await reader.thumbnail(of: fetched, list) }
  }

  private func exists(_ name: String?) async throws -> Bool {
    guard let name else { return false }
    let check = try renditionCheck(of: [name])
    return try await disk.run { check.isWhole(name) }
  }

  /// Returns the result of a piece of work, which may be under way already.
  private func share(
    _ work: String, _ reader: RemotePageReader, _ list: RemotePageList,
    _ body: @escaping @concurrent @Sendable () async throws -> Page?
  ) async throws -> Page? {
    if let task = fetches[work] { return try await task.value }
    let request = reader.request
    let task = Task { @concurrent [engine = stages.engine] in
      do {
        let page = try await body()
        await engine.run { $0.remotePages.workEnded(work, request, list, page) }
        return page
      } catch {
        await engine.run { $0.remotePages.workEnded(work, request, list, nil) }
        throw error
      }
    }
    fetches[work] = task
    return try await task.value
  }

  private func workEnded(
    _ work: String, _ request: RequestKey, _ list: RemotePageList, _ page: Page?
  ) {
    fetches[work] = nil
    if let page { lists.update(page, of: list, request) }
    commits.evictIfNeeded()
  }

  // MARK: - Ends of work

  /// Cancels all work.
  func cancelAll() {
    for task in listings.values { task.cancel() }
    for task in fetches.values { task.cancel() }
    for task in waits.values { task.cancel() }
    stages.singleRequests.cancelAll()
  }

  /// Returns when no work is left.
  func endAll() async {
    while let task = listings.values.first { _ = await task.result }
    while let task = fetches.values.first { _ = await task.result }
    while let task = waits.values.first { await task.value }
  }
}
