import Archive
import Hashing
import LibraryAPI
import Models
import RemoteArchive

/// The pages of one version of a remote archive: the entries whose names are those of images, in natural order.
struct RemotePageList: Sendable {
  let archive: OpenedArchive
  /// The URL from which the directory was read: that of the resource, or of one of its mirrors. All pages of
  /// the list are requested from it.
  let url: HTTPURL
  /// The pages; their files do not exist before they are fetched.
  private(set) var pages: [Page]
  /// The index of each page's entry in `archive.entries`.
  private let indices: [Int]
  private let mirror: HTTPURL?
  /// The last time at which the server confirmed the version, in seconds on the engine's clock.
  var checkedAt: Double

  /// - Parameters:
  ///   - url: The URL from which the directory was read.
  ///   - request: The key of the request for the archive, which makes the names of the files unlike those of
  ///     other archives.
  ///   - mirror: `url` if it is that of a mirror: an entity tag identifies a version at one URL only (RFC 9110
  ///     §8.8.3).
  init(
    _ archive: OpenedArchive, at url: HTTPURL, of request: RequestKey, mirror: HTTPURL?,
    checkedAt: Double
  ) {
    self.archive = archive
    self.url = url
    self.mirror = mirror
    self.checkedAt = checkedAt
    indices = archive.listing.entries.indices.filter { archive.listing.entries[$0].page != nil }
    let version = archive.directory.version
    pages = indices.enumerated().map { number, index in
      let entry = archive.entries[index]
      let digest = Self.digest(entry, request, version, mirror)
      return Page(
        number: number + 1, width: 0, height: 0, label: entry.name,
        file: RenditionName.page(digest, page: number + 1, fileExtension: Self.unfetched),
        reason: entry.isEncrypted
          ? "the page is encrypted; it can be shown when the archive has been downloaded" : nil)
    }
  }

  /// The extension in the name of a page that was not fetched: its format is unknown.
  private static let unfetched = "page"

  /// Whether a later request can prove that the archive has not changed (RFC 9110 §13.1.5).
  var canBeValidated: Bool { archive.directory.version.validator.ifRange != nil }

  /// The approximate size of the list in memory, in bytes.
  var byteCount: Int {
    archive.directory.entries.reduce(128 << 10) { $0 + 512 + 4 * $1.name.utf8.count }
  }

  /// Returns the page with a number from 1; nil if there is none.
  func page(_ number: Int) -> Page? {
    pages.indices.contains(number - 1) ? pages[number - 1] : nil
  }

  /// Returns the entry of an existing page.
  func entry(of page: Page) -> RemoteEntry { archive.entries[indices[page.number - 1]] }

  /// The digest from which the names of a page's files are derived.
  func digest(of page: Page, _ request: RequestKey) -> Digest {
    Self.digest(entry(of: page), request, archive.directory.version, mirror)
  }

  /// Whether the page was fetched; its file may have been evicted since.
  static func isFetched(_ page: Page) -> Bool { page.file?.hasSuffix(".\(unfetched)") == false }

  /// Replaces a page by the same one with files.
  mutating func update(_ page: Page) {
    if pages.indices.contains(page.number - 1) { pages[page.number - 1] = page }
  }

  /// Whether another list is of the same version, from the same URL.
  func hasVersion(of other: RemotePageList) -> Bool {
    url == other.url && archive.directory.version == other.archive.directory.version
  }

  /// Returns a digest that is different for every entry, archive and version.
  private static func digest(
    _ entry: RemoteEntry, _ request: RequestKey, _ version: RemoteVersion, _ mirror: HTTPURL?
  ) -> Digest {
    let hasher = SHA256Hasher()
    let tag = version.validator.entityTag?.fieldValue ?? version.validator.lastModified ?? ""
    let text =
      "remote page\n\(request)\n\(version.byteCount)\n\(tag)\n\(entry.offset)\n\(entry.checksum)\n"
      + "\(entry.compressedSize)\n\(entry.uncompressedSize)\n\(entry.method)\n\(entry.name)"
    hasher.update(text.utf8.span.bytes)
    if let mirror { hasher.update("\n\(mirror)".utf8.span.bytes) }
    return hasher.finalize()
  }
}

/// The page lists read last, bounded by their number and their size. Part of the engine's isolation.
struct RemotePageLists {
  /// The time in seconds for which a list is used without asking the server.
  static let lifetime = 60.0

  private var lists: [RequestKey: RemotePageList] = [:]
  private var index = LRUIndex<RequestKey>(countLimit: 64, byteLimit: 32 << 20)

  subscript(request: RequestKey) -> RemotePageList? { lists[request] }

  /// Returns a list that may be used without asking the server.
  mutating func current(_ request: RequestKey, now: Double) -> RemotePageList? {
    guard let list = lists[request], index.touch(request), now - list.checkedAt < Self.lifetime
    else { return nil }
    return list
  }

  /// Keeps a list, unless no later request could validate it or it is too large.
  mutating func insert(_ list: RemotePageList, for request: RequestKey) {
    guard list.canBeValidated else { return remove(request) }
    lists[request] = list
    for evicted in index.insert(request, bytes: list.byteCount) { lists[evicted] = nil }
  }

  /// Records the files of a page of a list in the list of the same version.
  mutating func update(_ page: Page, of list: RemotePageList, _ request: RequestKey) {
    guard lists[request]?.hasVersion(of: list) == true else { return }
    lists[request]?.update(page)
  }

  mutating func remove(_ request: RequestKey) {
    lists[request] = nil
    index.remove(request)
  }
}
