/// Everything that a user can change, with its default beside it. `SettingsSchema` names each key.
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
  /// Who downloads for programs with windows.
  public var background = Background.auto
  /// `full`: finished files survive a power cut. `relaxed`: no syncs, for throw-away libraries.
  public var durability = Durability.full
  /// What counts for some records instead of `limits`; later ones first.
  public var recordLimits: [RecordLimit] = []

  public init() {}

  /// Which adapter fills which port, by name.
  public struct Adapters: Sendable, Equatable {
    public var transport = "socket"
    public var archive = "libarchive"
    public var renderer = "sandbox"
    public var store = "sqlite"
    public var progress = "foundation"
    /// `auto` picks by format; a name forces one decoder for every format that it knows.
    public var decoder = "auto"
  }

  public struct Network: Sendable, Equatable {
    /// Transfers at the same time over all hosts.
    public var maxConcurrentDownloads = 16
    /// Connections to one origin at the same time.
    public var maxPerHost = 16
    /// Connections to all hosts at the same time, idle ones included.
    public var connections = 256
    /// Seconds to a connection, TLS included.
    public var connectTimeout = 10.0
    /// Seconds without a byte.
    public var idleTimeout = 30.0
    /// Bytes per second below which a transfer fails that is slower for `lowSpeedTime`; 0 means none.
    public var lowSpeed = 100
    /// Seconds.
    public var lowSpeedTime = 60.0
    /// Seconds for one whole transfer; 0 means no limit.
    public var totalTimeout = 0.0
    /// Attempts after the first one.
    public var retries = 4
    /// Seconds before the first retry; doubles, with full jitter.
    public var retryDelay = 0.5
    /// The longest wait before a retry, `Retry-After` included, in seconds.
    public var retryCeiling = 60.0
    public var maxRedirects = 10
    public var userAgent = "imgdl/0.1"
    /// Extra request fields for every request, as `Name: value`.
    public var headers: [String] = []
    /// A PEM file of authorities in place of the system's; empty: the system's.
    public var caFile = ""
    /// A PEM file of a certificate, with those up to its authority, that says who we are; empty: none.
    public var certificate = ""
    /// The PEM file of its private key; empty: it is in the certificate's file.
    public var privateKey = ""
    /// Accept any certificate. Loud wherever it is used.
    public var insecure = false
    /// `any`, `4` or `6`.
    public var addressFamily = "any"
    /// `auto`: where TLS lets a server choose it. `prior-knowledge`: without TLS too. `off`.
    public var http2 = "auto"
    /// Bytes per second over all transfers; 0: as fast as it goes.
    public var limitRate = 0
    /// Servers that are requested addresses, as `192.0.2.1` or `[2001:db8::1]:53`; none: the
    /// system's.
    public var dnsServers: [String] = []
    /// Passwords for hosts, each as `host: name:password`; they count more than those of `netrcFile`.
    public var users: [String] = []
    /// The proxies for http and https URLs, as `http://user:password@proxy.example:3128`; empty: none.
    public var httpProxy = ""
    public var httpsProxy = ""
    /// Hosts that are asked without a proxy: names with all below them, addresses, `10.0.0.0/8`, `*`.
    public var noProxy: [String] = []
    /// A Netscape cookie file, which is read and never written; empty: none.
    public var cookieFile = ""
    /// A file of users and passwords for hosts, as `~/.netrc`; empty: none.
    public var netrcFile = ""
    public var headerBytes = 65_536
    public var headerFields = 256
    /// Bytes of the fields behind the last chunk of a body.
    public var trailerBytes = 4_096
    /// Digits of the size of one chunk, zeros in front included.
    public var chunkSizeDigits = 16
    /// Whether what a list names may lead to private addresses. `auto`: if the list itself came
    /// from a private address or is a local file.
    public var privateAddresses = PrivateAddresses.auto

    /// `headers` as they go into a request.
    public var requestFields: HTTPFields {
      HTTPFields(headers.compactMap { HTTPFields.Field(line: $0) })
    }
  }

  public struct Limits: Sendable, Equatable {
    /// Bytes of one resource.
    public var resourceBytes = 4 << 30
    /// Bytes of one manifest, unpacked.
    public var manifestBytes = 4 << 30
    /// Entries of one manifest, bad ones included.
    public var manifestEntries = 10_000_000
    /// Arrays and objects inside each other in a manifest.
    public var manifestDepth = 64
    /// Bytes of one text in a manifest: a URL, a title, a line.
    public var manifestTextBytes = 1 << 20
    /// Entries in one archive.
    public var archiveEntries = 10_000
    /// Bytes of one archive, unpacked.
    public var archiveBytes = 4 << 30
    /// Unpacked size over packed size, beyond the first 10 MiB.
    public var archiveRatio = 200
    /// Zip files inside each other that are opened, below the outermost archive.
    public var archiveNesting = 2
    /// Pixels on one side of an image.
    public var imageSide = 1_000_000
    /// Pixels of one image: with the speed of decoders, a bound on time.
    public var imagePixels = 500_000_000
    /// Bytes that decoding one image may take, as its header tells.
    public var imageMemory = 1 << 30
    public var pdfPages = 2_000
    /// Pixels of the picture of one page of a PDF.
    public var pdfPagePixels = 40_000_000
    /// Seconds for one thumbnail.
    public var thumbnailSeconds = 10.0
    /// Seconds for one page of a document.
    public var pageSeconds = 10.0
    /// Seconds that unpacking an archive may take from one entry, or piece of one, to the next.
    public var archiveSeconds = 60.0
  }

  public struct Sandbox: Sendable, Equatable {
    /// A worker to which a layer of the sandbox cannot be applied looks at no file.
    public var required = false
  }

  public struct Rendering: Sendable, Equatable {
    public var thumbnails = true
    /// Longest side of a thumbnail, in pixels.
    public var thumbnailSide = 256
    /// Longest side of a page image of a PDF, in pixels.
    public var pageSide = 1_600
    /// JPEG quality of thumbnails and pages, 1...100.
    public var quality = 85
    /// Worker processes; 0: one per core, at most 4.
    public var workers = 0
  }

  /// What is kept beside the originals of records, which are never evicted. The least recently
  /// used goes first.
  public struct Cache: Sendable, Equatable {
    /// Thumbnails and pages, and apart from them the resources that no record owns: how many of
    /// each.
    public var count = 200_000
    /// Bytes of each.
    public var bytes = 4 << 30
    /// Pictures and resources in memory.
    public var memoryCount = 512
    public var memoryBytes = 64 << 20
  }

  /// How lazy records follow what is looked at.
  public struct Lazy: Sendable, Equatable {
    /// Seconds that a view has to rest before anything of it is fetched.
    public var rest = 0.06
    /// So many resources before and behind the visible items are fetched, too.
    public var prefetch = 0
  }

  public struct Source: Sendable, Equatable {
    /// What Add of the terminal interface begins with: a path or a URL.
    public var `default` = ""
    /// When the pages behind the first one of a source are read.
    public var pages = SourcePages.all
  }

  /// When further pages of a paginated source are read (RM8). Those of lazy records are always read on demand.
  public enum SourcePages: String, Sendable, CaseIterable {
    /// With the first one, when the source is added.
    case all
    /// When a viewer nears the end of the record, or requests more.
    case onDemand = "on-demand"
  }

  /// What `imgdl-tui` looks like.
  public struct TUI: Sendable, Equatable {
    public var theme = Theme.auto
  }

  /// Which colours a terminal gets.
  public enum Theme: String, Sendable, CaseIterable {
    /// Those that suit its background.
    case auto
    case dark, light
  }

  /// Whether downloads continue without the program that requested them (DL12).
  public enum Background: String, Sendable, CaseIterable {
    /// imgdld is started for the library, and outlives the program.
    case auto
    /// The program downloads by itself, and asks before it quits.
    case off
  }

  public enum PrivateAddresses: String, Sendable, CaseIterable {
    case auto, allow, refuse
  }

  public enum Durability: String, Sendable, CaseIterable {
    case full, relaxed
  }
}
