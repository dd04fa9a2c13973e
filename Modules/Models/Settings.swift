/// All user settings with their defaults. `SettingsSchema` names each key.
public struct Settings: Sendable, Equatable {
  public var adapters = Adapters()
  public var network = Network()
  public var limits = Limits()
  public var rendering = Rendering()
  public var sandbox = Sandbox()
  public var cache = Cache()
  public var lazy = Lazy()
  public var source = Source()
  public var tui = TUI()
  public var aria2 = Aria2()
  public var s3 = S3()
  /// The process that downloads for interactive programs: imgdld or the program itself.
  public var background = Background.auto
  /// Whether files are synced. `full`: finished files survive a power cut. `relaxed`: never, for throw-away
  /// libraries.
  public var durability = Durability.full
  /// The limits that replace `limits` for single records; a later element takes precedence.
  public var recordLimits: [RecordLimit] = []

  public init() {}

  /// The adapter of each port, by name.
  public struct Adapters: Sendable, Equatable {
    public var transport = "socket"
    public var archive = "libarchive"
    public var markup = "sandbox"
    public var renderer = "sandbox"
    public var store = "sqlite"
    public var progress = "foundation"
    /// The decoder; `auto` selects one by format, and a name forces that decoder for every format it
    /// supports.
    public var decoder = "auto"
  }

  public struct Network: Sendable, Equatable {
    /// The maximum number of simultaneous transfers over all hosts.
    public var maxConcurrentDownloads = 16
    /// The maximum number of simultaneous connections to one origin.
    public var maxPerHost = 16
    /// The maximum number of connections for one large file; 0 and 1 mean no segments. The default is fewer than the
    /// six connections per host of browsers, and leaves most of `maxPerHost` to other files.
    public var segments = 4
    /// The smallest part of a file, in bytes, that is requested on a connection of its own. A file has at least
    /// two such parts, or it is received on one connection. Values below 64 KiB count as 64 KiB.
    public var segmentBytes = 8 << 20
    /// A file is received on one connection while its rest would take at most this long at the rate so far, in seconds;
    /// 0 means that further connections are requested at once.
    public var segmentSeconds = 2.0
    /// The maximum number of simultaneous connections to all hosts, idle ones included.
    public var connections = 256
    /// The maximum time to establish a connection in seconds, TLS included.
    public var connectTimeout = 10.0
    /// The maximum time without receiving data, in seconds.
    public var idleTimeout = 30.0
    /// A transfer fails if it stays below this rate, in bytes per second, for `lowSpeedTime`; 0 means never.
    public var lowSpeed = 100
    /// The time in seconds after which `lowSpeed` fails a transfer.
    public var lowSpeedTime = 60.0
    /// The maximum time of one whole transfer in seconds; 0 means no limit.
    public var totalTimeout = 0.0
    /// The maximum number of attempts after the first one.
    public var retries = 4
    /// The backoff before the first retry in seconds; doubles with each retry, with full jitter.
    public var retryDelay = 0.5
    /// The longest wait before a retry, `Retry-After` included, in seconds.
    public var retryCeiling = 60.0
    public var maxRedirects = 10
    /// Whether a downloaded file has the time at which its server's version was modified (`Last-Modified`).
    public var lastModified = true
    public var userAgent = "imgdl/\(ProgramVersion.text)"
    /// Extra request fields for every request, as `Name: value`.
    public var headers: [String] = []
    /// Hosts besides that of the source that receive the credentials in `headers`, in the forms of `noProxy`.
    public var credentialHosts: [String] = []
    /// A PEM file of certificate authorities that replace the system's; empty means the system's.
    public var caFile = ""
    /// A PEM file of the client certificate and its chain; empty means none.
    public var certificate = ""
    /// The PEM file of the private key; if empty, the key is in the certificate's file.
    public var privateKey = ""
    /// Whether any certificate is accepted. Programs warn whenever this is in effect.
    public var insecure = false
    /// The address family: `any`, `4` or `6`.
    public var addressFamily = "any"
    /// When HTTP/2 is used. `auto`: if the server selects it during the TLS handshake; `prior-knowledge`:
    /// also without TLS; `off`: never.
    public var http2 = "auto"
    /// The maximum rate of all transfers together in bytes per second; 0 means no limit.
    public var limitRate = 0
    /// The DNS servers, as `192.0.2.1` or `[2001:db8::1]:53`; an empty list means the system's.
    public var dnsServers: [String] = []
    /// Users and passwords of hosts, each as `host: name:password`, which take precedence over `netrcFile`. A host without
    /// port and scheme stands for all of them (``HostPassword``).
    public var users: [String] = []
    /// The proxies for http and https URLs, as `http://user:password@proxy.example:3128`; empty means none.
    public var httpProxy = ""
    public var httpsProxy = ""
    /// Hosts that bypass the proxy: names including their subdomains, addresses, `10.0.0.0/8`, `*`.
    public var noProxy: [String] = []
    /// A Netscape cookie file, which is read but never written; empty means none.
    public var cookieFile = ""
    /// A file of users and passwords of hosts in the format of `~/.netrc`; empty means none.
    public var netrcFile = ""
    public var headerBytes = 262_144
    public var headerFields = 256
    /// The maximum size in bytes of the trailer fields after the last chunk of a body.
    public var trailerBytes = 4_096
    /// The maximum number of digits of a chunk size, leading zeros included.
    public var chunkSizeDigits = 16
    /// Whether URLs in a list may lead to private addresses. `auto`: only if the list itself came from a
    /// private address or is a local file.
    public var privateAddresses = PrivateAddresses.auto
    /// Whether the robots.txt files of sites are obeyed for the documents that a page names and for what
    /// these documents contain; never for URLs that the user gives.
    public var obeyRobots = true

    /// `headers` as request fields.
    public var requestFields: HTTPFields {
      HTTPFields(headers.compactMap { HTTPFields.Field(line: $0) })
    }
  }

  public struct Limits: Sendable, Equatable {
    /// The maximum size of one resource in bytes.
    public var resourceBytes = 4 << 30
    /// The maximum size of one manifest in bytes, decompressed, and of all documents of a source together.
    public var manifestBytes = 4 << 30
    /// The maximum number of entries of all documents of a source together, invalid ones included.
    public var manifestEntries = 10_000_000
    /// The maximum nesting depth of arrays and objects in a manifest.
    public var manifestDepth = 64
    /// The maximum number of links from the first document of a source to another one of it.
    public var sourceDepth = 8
    /// The maximum time in seconds in which no document of a source can be read. The documents that are still to
    /// be read are then left out.
    public var sourceSeconds = 300.0
    /// The maximum size in bytes of one text in a manifest: a URL, a title or a line.
    public var manifestTextBytes = 1 << 20
    /// The maximum number of entries in one archive.
    public var archiveEntries = 10_000
    /// The maximum size of one archive in bytes, decompressed.
    public var archiveBytes = 4 << 30
    /// The maximum ratio of decompressed to compressed size, beyond the first 10 MiB.
    public var archiveRatio = 200
    /// The maximum nesting depth of zip files that are opened, below the outermost archive.
    public var archiveNesting = 2
    /// The maximum width and height of an image in pixels.
    public var imageSide = 1_000_000
    /// The maximum number of pixels of one image, which bounds the decoding time.
    public var imagePixels = 500_000_000
    /// The maximum memory in bytes for decoding one image, estimated from its header.
    public var imageMemory = 1 << 30
    public var pdfPages = 2_000
    /// The maximum number of pixels of a rendered PDF page.
    public var pdfPagePixels = 40_000_000
    /// The maximum time for one thumbnail in seconds.
    public var thumbnailSeconds = 10.0
    /// The maximum time in seconds for one page of a document, and for one image in full size.
    public var pageSeconds = 30.0
    /// The maximum time in seconds between two entries, or two pieces of one, while an archive is unpacked.
    public var archiveSeconds = 60.0
    /// The maximum time in seconds for parsing one document of markup, and between two parts of its contents.
    /// The waits for all parts may take ten times as long together.
    public var markupSeconds = 20.0
  }

  public struct Sandbox: Sendable, Equatable {
    /// Whether a worker refuses to decode if a layer of the sandbox cannot be applied.
    public var required = false
  }

  public struct Rendering: Sendable, Equatable {
    /// The largest permitted value of `thumbnailSide`.
    public static let largestThumbnailSide = 4_096

    public var thumbnails = true
    /// The longest side of a thumbnail, in pixels.
    public var thumbnailSide = 256
    /// The longest side of a rendered PDF page, in pixels.
    public var pageSide = 1_600
    /// The JPEG quality of thumbnails and pages, 1...100.
    public var quality = 85
    /// The number of worker processes; 0 means one per core, at most 4.
    public var workers = 0
  }

  /// The caches, which are evicted in least-recently-used order. The originals of records are never evicted.
  public struct Cache: Sendable, Equatable {
    /// The maximum number of thumbnails and pages, and separately of standalone resources.
    public var count = 200_000
    /// The maximum size in bytes of thumbnails and pages, and separately of standalone resources.
    public var bytes = 4 << 30
    /// The maximum number of images and resources that are cached in memory.
    public var memoryCount = 512
    public var memoryBytes = 64 << 20
  }

  /// The settings of on-demand fetching in lazy records.
  public struct Lazy: Sendable, Equatable {
    /// The time in seconds without scrolling after which visible resources are fetched.
    public var rest = 0.06
    /// The number of resources before and after the visible ones that are also fetched.
    public var prefetch = 0
  }

  public struct Source: Sendable, Equatable {
    /// The path or URL that Add of the terminal interface suggests.
    public var `default` = ""
    /// When the pages of a source after the first one are read.
    public var pages = SourcePages.all
  }

  /// When further pages of a paginated source are read (RM8). Pages of lazy records are always read on
  /// demand.
  public enum SourcePages: String, Sendable, CaseIterable {
    /// All pages are read when the source is added, one after the other.
    case all
    /// A page is read when a viewer nears the end of the record, or requests more.
    case onDemand = "on-demand"
  }

  /// The aria2 interface of `imgdld --aria2`.
  public struct Aria2: Sendable, Equatable {
    /// The origins of web pages that may use the interface, such as `https://ariang.example`; `null` is the
    /// origin of a page that was opened from a file.
    public var allowOrigin: [String] = []
  }

  /// The S3 services to which requests are signed.
  public struct S3: Sendable, Equatable {
    /// The origins of these services, each with a region or without, such as
    /// `http://127.0.0.1:9000 us-east-1`. Requests to all other origins are not signed.
    public var endpoints: [String] = []
    /// A file with access keys in the format of `~/.aws/credentials`; empty means the environment.
    public var credentialsFile = ""
  }

  /// The appearance of `imgdl-tui`.
  public struct TUI: Sendable, Equatable {
    public var theme = Theme.auto
  }

  /// The colour theme of the terminal interface.
  public enum Theme: String, Sendable, CaseIterable {
    /// The theme that suits the background of the terminal.
    case auto
    case dark, light
  }

  /// Whether downloads continue after the program that requested them has ended (DL12).
  public enum Background: String, Sendable, CaseIterable {
    /// imgdld is started for the library and outlives the program.
    case auto
    /// The program downloads by itself and asks before it quits.
    case off
  }

  public enum PrivateAddresses: String, Sendable, CaseIterable {
    case auto, allow, refuse
  }

  public enum Durability: String, Sendable, CaseIterable {
    case full, relaxed
  }
}
