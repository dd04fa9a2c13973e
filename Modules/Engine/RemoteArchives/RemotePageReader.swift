import Archive
import LibraryAPI
import Models
import RemoteArchive
import Rendering
import SystemCalls
import Threading

/// Reads page lists and single pages of the archive of one resource, which is not downloaded. Its requests have
/// the fields, addresses and limits of the resource's download.
struct RemotePageReader: Sendable {
  /// The URL of the resource.
  let url: HTTPURL
  /// Other URLs of the same archive, the best one first.
  let mirrors: [HTTPURL]
  let request: RequestKey
  let fields: HTTPFields
  let origin: RequestOrigin
  let downloadContext: Download.Context
  let terms: RequestTerms
  let gate: any RequestGate
  let clock: any MonotonicClock
  /// Makes the thumbnails; has the limits of the resource's record.
  let maker: PageMaker

  private var policy: ArchivePolicy { ArchivePolicy(maker.limits) }

  /// The URLs of the archive.
  /// - Parameter first: The URL to try first, which has served the archive before.
  func selection(startingAt first: HTTPURL?) -> MirrorSelection {
    let all = [url] + mirrors
    let start = all.first { $0 == first } ?? url
    var selection = MirrorSelection(MirrorSelection.Candidate(start))
    selection.add(all.map { MirrorSelection.Candidate($0) })
    return selection
  }

  private func fetcher(at url: HTTPURL) -> RangeFetcher {
    // Another server receives no fields of the entry, as in a download, because they may be credentials.
    let fields = url.origin == self.url.origin ? fields : HTTPFields()
    return RangeFetcher(
      url, namedBy: origin, fields, downloadContext, terms, clock: clock, gate: gate,
      retriesFailures: mirrors.isEmpty)
  }

  // MARK: - Lists

  /// Returns the pages of the current version at a URL.
  /// - Parameter known: An earlier list from the same URL, which one request for a single byte validates.
  @concurrent
  func list(
    at url: HTTPURL, validating known: RemotePageList?
  ) async throws(LibraryError) -> RemotePageList {
    var fetcher = fetcher(at: url)
    if var known, known.canBeValidated, known.archive.directory.version.byteCount > 0 {
      let now = clock.now()
      let outcome = try await fetcher.fetch(.bytes(0..<1), of: known.archive.directory.version)
      switch outcome.answer {
      case .part where fetcher.origin == known.archive.origin:
        known.checkedAt = now
        return known
      case .whole(let size): throw LibraryError(servedWhole: url, byteCount: size)
      case .part, .changed, .unsatisfiable, .status, .invalid: break
      }
    }
    let now = clock.now()
    return RemotePageList(
      try await OpenedArchive.open(url, &fetcher), at: url, of: request,
      mirror: url == self.url ? nil : url, checkedAt: now)
  }

  // MARK: - Pages

  /// Fetches the image of a page into the renditions.
  /// - Returns: The page with the name of its file, and with its size in pixels if the first bytes of the image
  ///   state it; nil if the archive has changed since it was listed.
  @concurrent
  func fetch(_ page: Page, of list: RemotePageList) async throws(LibraryError) -> Page? {
    let url = list.url
    var fetcher = fetcher(at: url)
    let entry = list.entry(of: page)
    do throws(ArchiveError) {
      try list.archive.directory.check([entry], within: policy)
    } catch {
      throw LibraryError(error, url, entry: entry.name)
    }
    var extraction = EntryExtraction(
      folder: maker.layout.incoming, prefix: "remote-\(UInt64.random(in: 0 ... .max))-",
      password: nil, archive: GuardedArchiveReader(maker.archive, policy: policy),
      policy: policy, reading: maker.unzipping, byteLimit: Int64(maker.limits.resourceBytes))
    switch try await extraction.run(entry, in: list.archive.directory, &fetcher) {
    case .changed: return nil
    case .wholeOnly(let size): throw LibraryError(servedWhole: url, byteCount: size)
    case .failed(let error):
      // A redirect may lead to several servers. Bytes of another one than that of the directory are accepted if
      // the entry's header and checksum fit; if not, they may be those of another archive.
      if let origin = fetcher.origin, origin != list.archive.origin { return nil }
      throw LibraryError(error, url, entry: entry.name)
    case .file(let path, let format, let dimensions):
      return try await store(path, format, dimensions, as: page, list)
    }
  }

  private func store(
    _ path: String, _ format: ResourceFormat, _ dimensions: ImageDimensions?, as page: Page,
    _ list: RemotePageList
  ) async throws(LibraryError) -> Page {
    let name = RenditionName.page(
      list.digest(of: page, request), page: page.number, fileExtension: format.fileExtension)
    let (layout, written) = (maker.layout, maker.written)
    let isImage = format.kind == .image
    do {
      try await maker.writing.run {
        guard isImage else { return try layout.folder.remove(path) }
        let size = try layout.folder.status(path).size
        try RenditionFile.move(path, as: layout.rendition(name), in: layout.folder)
        written.recordFile(name, bytes: size)
      }
    } catch {
      throw LibraryError.wrapping(error)
    }
    guard isImage else {
      throw LibraryError(
        .source, "\(list.url): \(page.label ?? ""): the entry is not an image (\(format.mediaType))"
      )
    }
    // The thumbnail, which is made later, finds the dimensions of the other formats.
    return Page(
      number: page.number, width: dimensions?.width ?? 0, height: dimensions?.height ?? 0,
      label: page.label, file: name)
  }

  /// Renders the thumbnail of a fetched page.
  /// - Returns: The page with its thumbnail and its size in pixels.
  @concurrent
  func thumbnail(of page: Page, _ list: RemotePageList) async throws(LibraryError) -> Page {
    do {
      let (result, name) = try await maker.thumbnail(
        maker.layout.rendition(page.file ?? ""), list.digest(of: page, request), page: page.number)
      return Page(
        number: page.number, width: result.info.width, height: result.info.height,
        label: page.label, file: page.file, thumbnail: name, thumbHash: result.thumbHash,
        reason: result.damage?.detail, remark: PageMaker.remark(result.info, result.remark))
    } catch let error as RenderError {
      throw LibraryError(.source, "\(list.url): \(page.label ?? ""): \(error.detail)")
    } catch {
      throw LibraryError.wrapping(error)
    }
  }
}
