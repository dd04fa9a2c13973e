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
  private var listings: [RequestKey: Task<RemotePageList, any Error>] = [:]
  /// The work on pages, by the names of the files that result from it. A result of nil means that the archive has
  /// changed.
  private var fetches: [String: Task<Page?, any Error>] = [:]

  /// The maximum number of lists and pages that are read at once.
  static let concurrencyLimit = 64

  /// Returns the pages of the archive, which have no files before they are fetched.
  /// - Throws: `.source` if the resource is not an archive that can be read by parts; `.noRanges` if the server
  ///   does not send parts of it.
  func pages(of id: ResourceID) async throws -> [Page] {
    try await list(try reader(of: id)).pages
  }

  /// Returns a page after its image, and if requested its thumbnail, was stored.
  /// - Parameter number: The number of the page, from 1.
  /// - Returns: The page; nil if the archive has no such page. A page whose image cannot be shown has a reason.
  func page(
    _ number: Int, of id: ResourceID, withThumbnail needsThumbnail: Bool
  ) async throws -> Page? {
    let reader = try reader(of: id)
    for _ in 0...DirectoryReading.maximumRestarts {
      let list = try await list(reader)
      guard let page = list.page(number) else { return nil }
      guard page.hasImage else { return page }
      if let page = try await fetched(page, of: list, reader, needsThumbnail) { return page }
      // The archive has changed since it was listed.
      if lists[reader.request]?.archive.directory.version == list.archive.directory.version {
        lists.remove(reader.request)
      }
    }
    throw LibraryError(.source, "\(reader.url): \(DirectoryReading.everChanging)")
  }

  private func reader(of id: ResourceID) throws -> RemotePageReader {
    guard lifecycle.isStarted, !lifecycle.isStopping else { throw LibraryError(.interrupted, "") }
    guard listings.count + fetches.count < Self.concurrencyLimit else {
      throw LibraryError(.policy, "too many pages of remote archives are being read at once")
    }
    guard let resource = try store.resource(id), let record = try store.record(resource.record),
      !records.isRemoved(record.id)
    else { throw LibraryError(.source, "there is no resource \(id)") }
    try catalog.loadRecords(of: [resource])
    let isPublic = catalog.forbidsPrivateAddresses(record.id)
    let name = catalog.name(resource.url, resource.fields, isPublic: isPublic)
    guard resource.hasRemotePages, case .http(let url) = name.location else {
      throw LibraryError(
        .source, "resource \(resource.index) is not a zip archive that is still on a server")
    }
    return RemotePageReader(
      url: url, request: name.request, fields: resource.fields, origin: catalog.origin(of: record),
      downloadContext: context.downloads, gate: EngineGate(engine: stages.engine),
      clock: ports.clock, maker: pages.maker(for: record))
  }

  // MARK: - Lists

  /// Returns a list that the server has confirmed recently.
  private func list(_ reader: RemotePageReader) async throws -> RemotePageList {
    let request = reader.request
    if let list = lists.current(request, now: ports.clock.now()) { return list }
    if let task = listings[request] { return try await task.value }
    let known = lists[request]
    let task = Task { @concurrent [engine = stages.engine] in
      do throws(LibraryError) {
        let list = try await reader.list(validating: known)
        await engine.run { $0.remotePages.listingEnded(request, list) }
        return list
      } catch {
        await engine.run { $0.remotePages.listingEnded(request, nil) }
        throw error
      }
    }
    listings[request] = task
    return try await task.value
  }

  /// - Parameter list: nil if the reading failed; an earlier list is kept, to be validated again.
  private func listingEnded(_ request: RequestKey, _ list: RemotePageList?) {
    listings[request] = nil
    if let list { lists.insert(list, for: request) }
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
    return try await disk.run { [layout] in layout.folder.exists(layout.rendition(name)) }
  }

  /// Returns the result of a piece of work, which may be under way already.
  private func share(
    _ work: String, _ reader: RemotePageReader, _ list: RemotePageList,
    _ body: @escaping @concurrent @Sendable () async throws -> Page?
  ) async throws -> Page? {
    if let task = fetches[work] { return try await task.value }
    let (request, version) = (reader.request, list.archive.directory.version)
    let task = Task { @concurrent [engine = stages.engine] in
      do {
        let page = try await body()
        await engine.run { $0.remotePages.workEnded(work, request, version, page) }
        return page
      } catch {
        await engine.run { $0.remotePages.workEnded(work, request, version, nil) }
        throw error
      }
    }
    fetches[work] = task
    return try await task.value
  }

  private func workEnded(
    _ work: String, _ request: RequestKey, _ version: RemoteVersion, _ page: Page?
  ) {
    fetches[work] = nil
    if let page { lists.update(page, version, of: request) }
    commits.evictIfNeeded()
  }

  // MARK: - Ends of work

  /// Cancels all work.
  func cancelAll() {
    for task in listings.values { task.cancel() }
    for task in fetches.values { task.cancel() }
    stages.singleRequests.cancelAll()
  }

  /// Returns when no work is left.
  func endAll() async {
    while let task = listings.values.first { _ = await task.result }
    while let task = fetches.values.first { _ = await task.result }
  }
}
