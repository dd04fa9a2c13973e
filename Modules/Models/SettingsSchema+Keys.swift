extension SettingsSchema {
  /// All keys, in the order in which `config` shows them.
  public static let keys: [Key] =
    adapters + network + [privateAddresses, obeyRobots] + limits + rendering + [sandboxRequired]
    + cache
    + lazyRecords
    + [
      background, defaultSource, sourcePages, theme, aria2Origins,
    ]
    + s3
    + [durability]

  private static let adapters = [
    text(
      "adapters.transport", \.adapters.transport, "Transport of downloads; doctor lists the choices"
    ),
    text(
      "adapters.archive", \.adapters.archive, "Reader of zip archives; doctor lists the choices"),
    text(
      "adapters.markup", \.adapters.markup,
      "Reader of web pages and XML; doctor lists the choices"),
    text(
      "adapters.renderer", \.adapters.renderer, "How decoders run; doctor lists the choices"),
    text(
      "adapters.decoder", \.adapters.decoder,
      "Decoder; auto: chosen by format; doctor lists the choices"),
    text(
      "adapters.store", \.adapters.store, "Store of the library; doctor lists the choices"),
    text(
      "adapters.progress", \.adapters.progress,
      "Implementation of progress; doctor lists the choices"),
  ]

  private static let aria2Origins = list(
    "aria2.allowOrigin", \.aria2.allowOrigin, .list,
    "Origins of web pages that may use the aria2 interface")

  private static let s3 = [
    list(
      "s3.endpoints", \.s3.endpoints, .list,
      "S3 services whose requests are signed, each as \"URL\" or \"URL REGION\""),
    path(
      "s3.credentialsFile", \.s3.credentialsFile,
      "File to read access keys from, in the format of ~/.aws/credentials"),
  ]

  private static let network = [
    integer(
      "network.maxConcurrentDownloads", \.network.maxConcurrentDownloads, 1...1_024,
      "Maximum number of simultaneous downloads"),
    integer(
      "network.maxPerHost", \.network.maxPerHost, 1...1_024,
      "Maximum number of simultaneous downloads per host"),
    integer(
      "network.segments", \.network.segments, 0...64,
      "Maximum number of connections for one large file"),
    bytes(
      "network.segmentBytes", \.network.segmentBytes,
      "Minimum size of the part of a file that is requested on a connection of its own"),
    seconds(
      "network.segmentSeconds", \.network.segmentSeconds, 0...86_400,
      "Time for the rest of a file, at its rate so far, from which on it gets further connections"),
    integer(
      "network.connections", \.network.connections, 1...65_536,
      "Maximum number of open connections, including idle ones"),
    seconds(
      "network.connectTimeout", \.network.connectTimeout, 0.001...86_400,
      "Maximum time to establish a connection"),
    seconds(
      "network.idleTimeout", \.network.idleTimeout, 0.001...86_400,
      "Maximum time without receiving data before a download is retried"),
    rate(
      "network.lowSpeed", \.network.lowSpeed,
      "Abort downloads slower than this, in bytes per second; 0: never"),
    seconds(
      "network.lowSpeedTime", \.network.lowSpeedTime, 0.001...86_400,
      "Time below lowSpeed after which a download is aborted"),
    seconds(
      "network.totalTimeout", \.network.totalTimeout, 0...31_536_000,
      "Maximum time for one download; 0: no limit"),
    integer(
      "network.retries", \.network.retries, 0...1_000, "Number of retries of a failed download"),
    seconds(
      "network.retryDelay", \.network.retryDelay, 0...86_400,
      "Wait before the first retry; doubles with each retry"),
    seconds(
      "network.retryCeiling", \.network.retryCeiling, 0...86_400,
      "Maximum wait before a retry"),
    integer(
      "network.maxRedirects", \.network.maxRedirects, 0...50,
      "Maximum number of redirects to follow"),
    flag(
      "network.lastModified", \.network.lastModified,
      "Set the time of a file to the Last-Modified of its response"),
    text("network.userAgent", \.network.userAgent, "User-Agent header"),
    Key(
      name: "network.headers", summary: "Extra request headers, as \"Name: value\"",
      kind: .fields, get: { .list($0.network.headers) },
      setValue: { if case .list(let list) = $1 { $0.network.headers = list } }),
    list(
      "network.credentialHosts", \.network.credentialHosts, .hosts,
      "Hosts besides the source's that receive credentials in headers; *: all"),
    path(
      "network.caFile", \.network.caFile,
      "PEM file of CA certificates to trust instead of the system's"),
    path(
      "network.certificate", \.network.certificate,
      "PEM file of the client certificate"),
    path(
      "network.privateKey", \.network.privateKey,
      "PEM file of the private key, if not in the certificate's file"),
    flag(
      "network.insecure", \.network.insecure,
      "Allow insecure server connections: do not verify certificates"),
    text(
      "network.addressFamily", \.network.addressFamily, "IP version of connections",
      choices: ["any", "4", "6"]),
    text(
      "network.http2", \.network.http2, "When to use HTTP/2",
      choices: ["auto", "prior-knowledge", "off"]),
    rate(
      "network.limitRate", \.network.limitRate,
      "Download rate of all downloads together, in bytes per second; 0: no limit"),
    list(
      "network.dnsServers", \.network.dnsServers, .servers,
      "DNS servers to use instead of the system's"),
    list(
      "network.users", \.network.users, .passwords,
      "Users and passwords of hosts, host:port or https://host:port, as \"host: name:password\""),
    proxy("network.httpProxy", \.network.httpProxy, "Proxy for http URLs"),
    proxy("network.httpsProxy", \.network.httpsProxy, "Proxy for https URLs"),
    list(
      "network.noProxy", \.network.noProxy, .hosts,
      "Hosts, domains and address prefixes that bypass the proxy"),
    path(
      "network.cookieFile", \.network.cookieFile, "File to load cookies from, in Netscape format"),
    path(
      "network.netrcFile", \.network.netrcFile,
      "File to read users and passwords from, in netrc format"),
    bytes("network.headerBytes", \.network.headerBytes, "Maximum size of a response header"),
    integer(
      "network.headerFields", \.network.headerFields, 1...100_000,
      "Maximum number of fields in a response header"),
    bytes(
      "network.trailerBytes", \.network.trailerBytes,
      "Maximum size of the trailer fields of a chunked body"),
    integer(
      "network.chunkSizeDigits", \.network.chunkSizeDigits, 1...1_000,
      "Maximum number of digits of a chunk size"),
  ]

  private static let limits = [
    bytes("limits.resourceBytes", \.limits.resourceBytes, "Maximum size of a resource"),
    bytes(
      "limits.manifestBytes", \.limits.manifestBytes,
      "Maximum size of the lists of a source, decompressed"),
    integer(
      "limits.manifestEntries", \.limits.manifestEntries, 1...1_000_000_000,
      "Maximum number of entries of a source"),
    integer(
      "limits.manifestDepth", \.limits.manifestDepth, 1...1_000_000,
      "Maximum nesting depth of arrays and objects in a list"),
    integer(
      "limits.sourceDepth", \.limits.sourceDepth, 0...100,
      "Maximum depth of folders, collections and other documents that a source links to"),
    seconds(
      "limits.sourceSeconds", \.limits.sourceSeconds, 1...86_400,
      "Maximum time without a document of a source that can be read"),
    bytes(
      "limits.manifestTextBytes", \.limits.manifestTextBytes, "Maximum size of a string in a list"),
    integer(
      "limits.archiveEntries", \.limits.archiveEntries, 1...10_000_000,
      "Maximum number of entries of an archive"),
    bytes("limits.archiveBytes", \.limits.archiveBytes, "Maximum size of an archive, decompressed"),
    integer(
      "limits.archiveRatio", \.limits.archiveRatio, 1...1_000_000,
      "Maximum compression ratio of an archive, beyond the first 10 MiB"),
    integer(
      "limits.archiveNesting", \.limits.archiveNesting, 0...16,
      "Maximum nesting depth of zip files"),
    integer(
      "limits.imageSide", \.limits.imageSide, 1...1_000_000,
      "Maximum width and height of an image in pixels"),
    integer(
      "limits.imagePixels", \.limits.imagePixels, 1...10_000_000_000,
      "Maximum number of pixels of an image"),
    bytes("limits.imageMemory", \.limits.imageMemory, "Maximum memory for decoding an image"),
    integer(
      "limits.pdfPages", \.limits.pdfPages, 1...1_000_000,
      "Maximum number of pages that are shown of a PDF or TIFF"),
    integer(
      "limits.pdfPagePixels", \.limits.pdfPagePixels, 1...10_000_000_000,
      "Maximum number of pixels of a rendered PDF page"),
    seconds(
      "limits.thumbnailSeconds", \.limits.thumbnailSeconds, 0.01...86_400,
      "Maximum time for creating a thumbnail"),
    seconds(
      "limits.pageSeconds", \.limits.pageSeconds, 0.01...86_400,
      "Maximum time for rendering a PDF page, or an image in full size"),
    seconds(
      "limits.archiveSeconds", \.limits.archiveSeconds, 0.01...86_400,
      "Maximum time for one step of extracting an archive"),
    seconds(
      "limits.markupSeconds", \.limits.markupSeconds, 0.01...86_400,
      "Maximum time for parsing a web page or XML document"),
  ]

  private static let sandboxRequired = flag(
    "sandbox.required", \.sandbox.required,
    "Refuse to decode if a layer of the sandbox cannot be applied")

  private static let rendering = [
    flag("rendering.thumbnails", \.rendering.thumbnails, "Create thumbnails"),
    integer(
      "rendering.thumbnailSide", \.rendering.thumbnailSide,
      16...Settings.Rendering.largestThumbnailSide,
      "Longest side of a thumbnail in pixels"),
    integer(
      "rendering.pageSide", \.rendering.pageSide, 64...16_384,
      "Longest side of a PDF page in pixels"),
    integer(
      "rendering.quality", \.rendering.quality, 1...100, "JPEG quality of thumbnails and pages"),
    integer(
      "rendering.workers", \.rendering.workers, 0...64,
      "Number of worker processes; 0: one per core, at most 4"),
  ]

  private static let cache = [
    integer(
      "cache.count", \.cache.count, 0...100_000_000, "Maximum number of cached thumbnails and pages"
    ),
    bytes("cache.bytes", \.cache.bytes, "Maximum size of cached thumbnails and pages"),
    integer(
      "cache.memoryCount", \.cache.memoryCount, 0...1_000_000,
      "Maximum number of images cached in memory"),
    bytes("cache.memoryBytes", \.cache.memoryBytes, "Maximum size of images cached in memory"),
  ]

  private static let lazyRecords = [
    seconds(
      "lazy.rest", \.lazy.rest, 0...10,
      "Time without scrolling before visible resources are downloaded"),
    integer(
      "lazy.prefetch", \.lazy.prefetch, 0...1_000,
      "Number of resources before and after the visible ones to download"),
  ]

  private static let privateAddresses = Key(
    name: "network.privateAddresses",
    summary: "Allow URLs with private addresses in lists; auto: in lists from private addresses",
    kind: .choice(Settings.PrivateAddresses.allCases.map(\.rawValue)),
    get: { .text($0.network.privateAddresses.rawValue) },
    setValue: {
      if case .text(let text) = $1, let value = Settings.PrivateAddresses(rawValue: text) {
        $0.network.privateAddresses = value
      }
    })

  private static let obeyRobots = flag(
    "network.obeyRobots", \.network.obeyRobots,
    "Obey robots.txt for documents that a source links to")

  private static let background = Key(
    name: "background",
    summary: "auto: imgdld downloads, also after the program exits; off: the program downloads",
    kind: .choice(Settings.Background.allCases.map(\.rawValue)),
    get: { .text($0.background.rawValue) },
    setValue: {
      if case .text(let text) = $1, let value = Settings.Background(rawValue: text) {
        $0.background = value
      }
    })

  private static let defaultSource = text(
    "source.default", \.source.default, "Path or URL suggested by Add in imgdl-tui")

  private static let theme = Key(
    name: "tui.theme",
    summary: "Colors of imgdl-tui; auto: match the background of the terminal",
    kind: .choice(Settings.Theme.allCases.map(\.rawValue)),
    get: { .text($0.tui.theme.rawValue) },
    setValue: {
      if case .text(let text) = $1, let value = Settings.Theme(rawValue: text) {
        $0.tui.theme = value
      }
    })

  private static let sourcePages = Key(
    name: "source.pages",
    summary: "all: every page of a source is read by add; on-demand: when a viewer nears the end",
    kind: .choice(Settings.SourcePages.allCases.map(\.rawValue)),
    get: { .text($0.source.pages.rawValue) },
    setValue: {
      if case .text(let text) = $1, let value = Settings.SourcePages(rawValue: text) {
        $0.source.pages = value
      }
    })

  private static let durability = Key(
    name: "durability", summary: "full survives a power cut; relaxed skips the syncs",
    kind: .choice(Settings.Durability.allCases.map(\.rawValue)),
    get: { .text($0.durability.rawValue) },
    setValue: {
      if case .text(let text) = $1, let value = Settings.Durability(rawValue: text) {
        $0.durability = value
      }
    })
}
