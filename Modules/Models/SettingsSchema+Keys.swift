extension SettingsSchema {
  /// In the order in which `config` shows them.
  public static let keys: [Key] =
    adapters + network + [privateAddresses] + limits + rendering + [sandboxRequired] + cache + lazy
    + [
      background, defaultSource, sourcePages, theme,
    ]
    + [durability]

  private static let adapters = [
    text("adapters.transport", \.adapters.transport, "Who fetches: socket or url-session"),
    text("adapters.archive", \.adapters.archive, "Who opens zip archives: minizip or libarchive"),
    text("adapters.renderer", \.adapters.renderer, "Who runs the decoders: sandbox or unconfined"),
    text(
      "adapters.decoder", \.adapters.decoder, "Which decoder: auto picks by format",
      choices: ["auto", "codecs", "vips", "poppler"]),
    text("adapters.store", \.adapters.store, "Where the library's rows live: sqlite or memory"),
    text("adapters.progress", \.adapters.progress, "Who counts: foundation or counters"),
  ]

  private static let network = [
    integer(
      "network.maxConcurrentDownloads", \.network.maxConcurrentDownloads, 1...1_024,
      "Transfers at the same time"),
    integer(
      "network.maxPerHost", \.network.maxPerHost, 1...1_024,
      "Transfers from one host at the same time"),
    integer(
      "network.connections", \.network.connections, 1...65_536,
      "Connections to all hosts, idle ones included"),
    seconds(
      "network.connectTimeout", \.network.connectTimeout, 0.001...86_400,
      "Until a connection is ready"),
    seconds(
      "network.idleTimeout", \.network.idleTimeout, 0.001...86_400,
      "Silence of a server after which a request is tried again"),
    rate(
      "network.lowSpeed", \.network.lowSpeed,
      "Bytes a second below which a transfer fails; 0: none"),
    seconds(
      "network.lowSpeedTime", \.network.lowSpeedTime, 0.001...86_400,
      "For how long a transfer may be slower than that"),
    seconds(
      "network.totalTimeout", \.network.totalTimeout, 0...31_536_000,
      "For one transfer; 0 is no limit"),
    integer("network.retries", \.network.retries, 0...1_000, "Attempts after the first"),
    seconds(
      "network.retryDelay", \.network.retryDelay, 0...86_400,
      "Before the first retry; doubles each time"),
    seconds(
      "network.retryCeiling", \.network.retryCeiling, 0...86_400,
      "The longest wait before a retry"),
    integer("network.maxRedirects", \.network.maxRedirects, 0...50, "Redirects followed"),
    text("network.userAgent", \.network.userAgent, "The User-Agent field"),
    Key(
      name: "network.headers", summary: "Fields for every request, as \"Name: value\"",
      kind: .fields, get: { .list($0.network.headers) },
      put: { if case .list(let list) = $1 { $0.network.headers = list } }),
    path("network.caFile", \.network.caFile, "PEM file of authorities in place of the system's"),
    path(
      "network.certificate", \.network.certificate,
      "PEM file of the certificate that says who we are"),
    path(
      "network.privateKey", \.network.privateKey,
      "PEM file of its key, where the certificate's does not hold it"),
    flag("network.insecure", \.network.insecure, "Accept any certificate"),
    text(
      "network.addressFamily", \.network.addressFamily, "Which addresses to connect to",
      choices: ["any", "4", "6"]),
    text(
      "network.http2", \.network.http2, "Where HTTP/2 is spoken",
      choices: ["auto", "prior-knowledge", "off"]),
    rate("network.limitRate", \.network.limitRate, "Bytes a second of all transfers; 0: no limit"),
    list(
      "network.dnsServers", \.network.dnsServers, .servers,
      "DNS servers in place of the system's"),
    list(
      "network.users", \.network.users, .fields,
      "Users and passwords of hosts, each as \"host: name:password\""),
    proxy("network.httpProxy", \.network.httpProxy, "Proxy for http URLs"),
    proxy("network.httpsProxy", \.network.httpsProxy, "Proxy for https URLs"),
    list(
      "network.noProxy", \.network.noProxy, .hosts,
      "Hosts, domains and prefixes that are asked without a proxy"),
    path("network.cookieFile", \.network.cookieFile, "Netscape file of cookies to send"),
    path("network.netrcFile", \.network.netrcFile, "File of users and passwords for hosts"),
    bytes("network.headerBytes", \.network.headerBytes, "Bytes of a response's header"),
    integer(
      "network.headerFields", \.network.headerFields, 1...100_000,
      "Fields of a response's header"),
    bytes(
      "network.trailerBytes", \.network.trailerBytes, "Bytes of the fields behind a chunked body"),
    integer(
      "network.chunkSizeDigits", \.network.chunkSizeDigits, 1...1_000,
      "Digits of the size of one chunk"),
  ]

  private static let limits = [
    bytes("limits.resourceBytes", \.limits.resourceBytes, "Bytes of one resource"),
    bytes("limits.manifestBytes", \.limits.manifestBytes, "Bytes of one list, unpacked"),
    integer(
      "limits.manifestEntries", \.limits.manifestEntries, 1...1_000_000_000,
      "Entries of one list"),
    integer(
      "limits.manifestDepth", \.limits.manifestDepth, 1...1_000_000,
      "Arrays and objects inside each other in a list"),
    bytes(
      "limits.manifestTextBytes", \.limits.manifestTextBytes, "Bytes of one text in a list"),
    integer(
      "limits.archiveEntries", \.limits.archiveEntries, 1...10_000_000,
      "Entries of one archive"),
    bytes("limits.archiveBytes", \.limits.archiveBytes, "Bytes of one archive, unpacked"),
    integer(
      "limits.archiveRatio", \.limits.archiveRatio, 1...1_000_000,
      "Unpacked over packed size, beyond the first 10 MiB"),
    integer(
      "limits.archiveNesting", \.limits.archiveNesting, 0...16,
      "Zip files inside each other that are opened"),
    integer("limits.imageSide", \.limits.imageSide, 1...1_000_000, "Pixels on a side"),
    integer(
      "limits.imagePixels", \.limits.imagePixels, 1...10_000_000_000,
      "Pixels of one image"),
    bytes("limits.imageMemory", \.limits.imageMemory, "Memory for decoding one image"),
    integer("limits.pdfPages", \.limits.pdfPages, 1...1_000_000, "Pages of one PDF"),
    integer(
      "limits.pdfPagePixels", \.limits.pdfPagePixels, 1...10_000_000_000,
      "Pixels of the picture of one PDF page"),
    seconds(
      "limits.thumbnailSeconds", \.limits.thumbnailSeconds, 0.01...86_400,
      "For one thumbnail"),
    seconds("limits.pageSeconds", \.limits.pageSeconds, 0.01...86_400, "For one PDF page"),
    seconds(
      "limits.archiveSeconds", \.limits.archiveSeconds, 0.01...86_400,
      "For one step of unpacking an archive"),
  ]

  private static let sandboxRequired = flag(
    "sandbox.required", \.sandbox.required,
    "Decode nothing where a layer of the sandbox cannot be applied")

  private static let rendering = [
    flag("rendering.thumbnails", \.rendering.thumbnails, "Make thumbnails"),
    integer(
      "rendering.thumbnailSide", \.rendering.thumbnailSide, 16...4_096,
      "Longest side of a thumbnail in pixels"),
    integer(
      "rendering.pageSide", \.rendering.pageSide, 64...16_384,
      "Longest side of a PDF page in pixels"),
    integer("rendering.quality", \.rendering.quality, 1...100, "JPEG quality"),
    integer(
      "rendering.workers", \.rendering.workers, 0...64,
      "Worker processes; 0 is one a core, at most 4"),
  ]

  private static let cache = [
    integer("cache.count", \.cache.count, 0...100_000_000, "Thumbnails and pages kept"),
    bytes("cache.bytes", \.cache.bytes, "Bytes of thumbnails and pages kept"),
    integer(
      "cache.memoryCount", \.cache.memoryCount, 0...1_000_000, "Pictures kept in memory"),
    bytes("cache.memoryBytes", \.cache.memoryBytes, "Bytes of pictures kept in memory"),
  ]

  private static let lazy = [
    seconds(
      "lazy.rest", \.lazy.rest, 0...10, "How long a view rests before it is fetched"),
    integer(
      "lazy.prefetch", \.lazy.prefetch, 0...1_000,
      "Resources around what is in sight that are fetched, too"),
  ]

  private static let privateAddresses = Key(
    name: "network.privateAddresses",
    summary: "Whether lists may lead to private addresses; auto: lists from there may",
    kind: .choice(Settings.PrivateAddresses.allCases.map(\.rawValue)),
    get: { .text($0.network.privateAddresses.rawValue) },
    put: {
      if case .text(let text) = $1, let value = Settings.PrivateAddresses(rawValue: text) {
        $0.network.privateAddresses = value
      }
    })

  private static let background = Key(
    name: "background",
    summary: "auto: imgdld goes on downloading when a window is closed; off: it does not",
    kind: .choice(Settings.Background.allCases.map(\.rawValue)),
    get: { .text($0.background.rawValue) },
    put: {
      if case .text(let text) = $1, let value = Settings.Background(rawValue: text) {
        $0.background = value
      }
    })

  private static let defaultSource = text(
    "source.default", \.source.default, "What Add of imgdl-tui begins with: a path or a URL")

  private static let theme = Key(
    name: "tui.theme",
    summary: "Colours of imgdl-tui; auto: for the background that the terminal tells",
    kind: .choice(Settings.Theme.allCases.map(\.rawValue)),
    get: { .text($0.tui.theme.rawValue) },
    put: {
      if case .text(let text) = $1, let value = Settings.Theme(rawValue: text) {
        $0.tui.theme = value
      }
    })

  private static let sourcePages = Key(
    name: "source.pages",
    summary: "all: every page of a source is read by add; on-demand: when a viewer nears the end",
    kind: .choice(Settings.SourcePages.allCases.map(\.rawValue)),
    get: { .text($0.source.pages.rawValue) },
    put: {
      if case .text(let text) = $1, let value = Settings.SourcePages(rawValue: text) {
        $0.source.pages = value
      }
    })

  private static let durability = Key(
    name: "durability", summary: "full survives a power cut; relaxed skips the syncs",
    kind: .choice(Settings.Durability.allCases.map(\.rawValue)),
    get: { .text($0.durability.rawValue) },
    put: {
      if case .text(let text) = $1, let value = Settings.Durability(rawValue: text) {
        $0.durability = value
      }
    })
}
