import Archive
import LibraryAPI
import Models
import Naming
import RemoteArchive

/// A remote archive whose directory has been read.
struct OpenedArchive: Sendable {
  let directory: RemoteDirectory
  /// The entries of the listing.
  let entries: [RemoteEntry]
  let listing: RemoteArchiveListing
  /// The origin that has sent the directory. Another one may have another archive with the same version.
  let origin: HTTPURL.Origin?

  /// Reads the directory of an archive, usually with one or two requests.
  /// - Throws: `.noRanges` if the server does not send parts of the file; `.source` if the file is no usable
  ///   archive; `.policy` if it exceeds a limit; errors of the network.
  static func open(
    _ url: HTTPURL, _ fetcher: inout RangeFetcher
  ) async throws(LibraryError) -> OpenedArchive {
    var machine = DirectoryReading()
    var range = DirectoryReading.first
    while true {
      let outcome = try await fetcher.fetch(range, of: machine.version)
      if case .whole(let size) = outcome.answer, !machine.mayAskOtherwise {
        throw LibraryError(servedWhole: url, byteCount: size)
      }
      let action: DirectoryReading.Action
      do throws(ArchiveError) {
        action = try machine.handle(outcome.answer, body: outcome.bytes)
      } catch {
        throw LibraryError(error, url)
      }
      switch action {
      case .request(let next): range = next
      case .complete(let directory): return OpenedArchive(directory, fetcher)
      }
    }
  }

  /// Methods of compression that no reader of archives supports (APPNOTE.TXT 4.4.5): shrunk to imploded, Deflate64, and
  /// those of IBM. Such entries are no pages of a downloaded archive either.
  private static let unreadMethods: Set<Int> = [1, 2, 3, 4, 5, 6, 9, 10, 16, 18, 19]

  private init(_ directory: RemoteDirectory, _ fetcher: RangeFetcher) {
    self.directory = directory
    origin = fetcher.origin
    // A downloaded archive is read in the order of its data, with composed names: entries of equal names keep that order.
    entries = EntryOrder.natural(
      directory.entries.filter { $0.kind == .file && !EntryName.isClutter($0.name) }
        .sorted { ($0.offset, $0.index) < ($1.offset, $1.index) },
      by: { SafeName.composed($0.name) })
    var pages = 0
    let rows = entries.map { entry in
      let isImage =
        ResourceExpectation(fileName: entry.name) == .image
        && !Self.unreadMethods.contains(entry.method)
      if isImage { pages += 1 }
      return RemoteArchiveListing.Entry(
        page: isImage ? pages : nil, name: entry.name, compressedBytes: entry.compressedSize,
        byteCount: entry.uncompressedSize, isEncrypted: entry.isEncrypted)
    }
    listing = RemoteArchiveListing(
      byteCount: directory.version.byteCount, entries: rows, traffic: fetcher.traffic)
  }
}

extension LibraryError {
  /// Converts the error of a remote archive, or of one of its entries.
  init(_ error: ArchiveError, _ url: HTTPURL, entry name: String? = nil) {
    let code: LibraryError.Code =
      switch error.code {
      case .limit, .overlap: .policy
      case .encrypted: .encrypted
      case .worker: .internalError
      case .io, .format, .truncated, .damaged, .unsupported, .visitor: .source
      }
    let named = name.map { ArchiveError(error.code, error.detail, entryName: $0) } ?? error
    self.init(code, "\(url): \(named)", underlying: error)
  }

  /// The error for an archive on a server that does not send parts of files.
  init(servedWhole url: HTTPURL, byteCount: Int64?) {
    self.init(.noRanges, "\(url): \(DirectoryReading.wholeOnly(byteCount))")
  }
}
