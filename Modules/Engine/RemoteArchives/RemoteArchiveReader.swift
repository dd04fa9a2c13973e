public import Archive
public import LibraryAPI
public import Models
import RemoteArchive
import SystemCalls
import Threading
public import Transport

/// Reads zip archives on servers by range requests, without a library.
public struct RemoteArchiveReader: RemoteArchiveReading {
  private let downloadContext: Download.Context
  private let clock: any MonotonicClock
  private let policy: ArchivePolicy
  private let archive: GuardedArchiveReader
  /// The queue on which entries are decompressed.
  private let reading = BlockingQueue("remote-archives")

  public init(settings: Settings, transport: any Transport, archive: any ArchiveReader) {
    self.init(
      Download.Context(
        layout: LibraryLayout(root: "/"), settings: settings, transport: transport,
        files: BlockingQueue("remote-archive-files"), bootID: ""), archive, clock: SystemClock())
  }

  init(
    _ downloadContext: Download.Context, _ archive: any ArchiveReader, clock: any MonotonicClock
  ) {
    self.downloadContext = downloadContext
    self.clock = clock
    policy = ArchivePolicy(downloadContext.settings.limits)
    self.archive = GuardedArchiveReader(archive, policy: policy)
  }

  @concurrent
  public func list(_ url: HTTPURL) async throws(LibraryError) -> RemoteArchiveListing {
    var fetcher = fetcher(url)
    return try await open(url, &fetcher).listing
  }

  @concurrent
  public func extract(
    _ url: HTTPURL, password: DocumentPassword?, into folder: String,
    choosing choose: @escaping @Sendable (RemoteArchiveListing) throws(LibraryError) -> [Int]
  ) async throws(LibraryError) -> RemoteArchiveExtraction {
    for _ in 0...DirectoryReading.maximumRestarts {
      var fetcher = fetcher(url)
      let opened = try await open(url, &fetcher)
      let chosen = try choose(opened.listing)
      do throws(ArchiveError) {
        try opened.directory.check(chosen.map { opened.entries[$0] }, within: policy)
      } catch {
        throw Self.error(error, url)
      }
      var extraction = EntryExtraction(
        folder: folder, password: password, archive: archive, policy: policy, reading: reading,
        byteLimit: Int64(downloadContext.settings.limits.resourceBytes))
      var files: [RemoteArchiveExtraction.File] = []
      var hasChanged = false
      for index in chosen where !hasChanged {
        let entry = opened.entries[index]
        switch try await extraction.run(entry, in: opened.directory, &fetcher) {
        case .file(let path, let format):
          files.append(.init(entry: index, result: .success((path, format))))
        case .failed(let error):
          files.append(
            .init(entry: index, result: .failure(Self.error(error, url, entry.name))))
        case .changed: hasChanged = true
        }
      }
      if !hasChanged {
        return RemoteArchiveExtraction(
          listing: opened.listing, files: files, traffic: fetcher.traffic)
      }
      // Files of the earlier version are overwritten, because the names of the files are the same.
    }
    throw LibraryError(.source, "\(url): \(DirectoryReading.everChanging)")
  }

  public func close() async { await downloadContext.transport.shutdown() }

  private func fetcher(_ url: HTTPURL) -> RangeFetcher {
    RangeFetcher(url, namedBy: .sourceOfUser, downloadContext, clock: clock)
  }

  /// An archive whose directory has been read.
  private struct Opened {
    let directory: RemoteDirectory
    /// The entries of the listing.
    let entries: [RemoteEntry]
    let listing: RemoteArchiveListing
  }

  private func open(
    _ url: HTTPURL, _ fetcher: inout RangeFetcher
  ) async throws(LibraryError) -> Opened {
    var machine = DirectoryReading()
    var range = DirectoryReading.first
    while true {
      let outcome = try await fetcher.fetch(range, of: machine.version)
      let action: DirectoryReading.Action
      do throws(ArchiveError) {
        action = try machine.handle(outcome.answer, body: outcome.bytes)
      } catch {
        throw Self.error(error, url)
      }
      switch action {
      case .request(let next): range = next
      case .complete(let directory):
        return Self.opened(directory, fetcher.traffic)
      }
    }
  }

  private static func opened(
    _ directory: RemoteDirectory, _ traffic: RemoteArchiveTraffic
  ) -> Opened {
    let entries = EntryOrder.natural(
      directory.entries.filter { $0.kind == .file && !EntryName.isClutter($0.name) }, by: \.name)
    var pages = 0
    let rows = entries.map { entry in
      let isImage = ResourceExpectation(fileName: entry.name) == .image
      if isImage { pages += 1 }
      return RemoteArchiveListing.Entry(
        page: isImage ? pages : nil, name: entry.name, compressedBytes: entry.compressedSize,
        byteCount: entry.uncompressedSize, isEncrypted: entry.isEncrypted)
    }
    return Opened(
      directory: directory, entries: entries,
      listing: RemoteArchiveListing(
        byteCount: directory.version.byteCount, entries: rows, traffic: traffic))
  }

  /// Converts the error of an archive, or of one of its entries.
  private static func error(
    _ error: ArchiveError, _ url: HTTPURL, _ name: String? = nil
  ) -> LibraryError {
    let code: LibraryError.Code =
      switch error.code {
      case .limit, .overlap: .policy
      case .encrypted: .encrypted
      case .worker: .internalError
      case .io, .format, .truncated, .damaged, .unsupported, .visitor: .source
      }
    let named = name.map { ArchiveError(error.code, error.detail, entryName: $0) } ?? error
    return LibraryError(code, "\(url): \(named)", underlying: error)
  }
}
