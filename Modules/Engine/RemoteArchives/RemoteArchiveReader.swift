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
    return try await OpenedArchive.open(url, &fetcher).listing
  }

  @concurrent
  public func extract(
    _ url: HTTPURL, password: DocumentPassword?, into folder: String,
    choosing choose: @escaping @Sendable (RemoteArchiveListing) throws(LibraryError) -> [Int]
  ) async throws(LibraryError) -> RemoteArchiveExtraction {
    for _ in 0...DirectoryReading.maximumRestarts {
      var fetcher = fetcher(url)
      let opened = try await OpenedArchive.open(url, &fetcher)
      let chosen = try choose(opened.listing)
      do throws(ArchiveError) {
        try opened.directory.check(chosen.map { opened.entries[$0] }, within: policy)
      } catch {
        throw LibraryError(error, url)
      }
      var extraction = EntryExtraction(
        folder: folder, password: password, archive: archive, policy: policy, reading: reading,
        byteLimit: Int64(downloadContext.settings.limits.resourceBytes))
      var files: [RemoteArchiveExtraction.File] = []
      var hasChanged = false
      for index in chosen where !hasChanged {
        let entry = opened.entries[index]
        switch try await extraction.run(entry, in: opened.directory, &fetcher) {
        case .file(let path, let format, _):
          files.append(.init(entry: index, result: .success((path, format))))
        case .failed(let error):
          files.append(
            .init(entry: index, result: .failure(LibraryError(error, url, entry: entry.name))))
        case .wholeOnly(let size):
          throw LibraryError(servedWhole: url, byteCount: size)
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
    RangeFetcher(
      url, namedBy: .sourceOfUser, HTTPFields(), downloadContext,
      RequestTerms(
        downloadContext.defaults, scope: .origin(url.origin), cookies: CookieJar()),
      clock: clock)
  }
}
