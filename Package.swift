// swift-tools-version: 6.2
// The architecture, one line a target. Arrows point down only: programs, Composition, adapters,
// engine, interfaces, values. `Tools/check` holds every import against this list.
import PackageDescription

/// Every target is built with these; there is no target with softer rules.
let strict: [SwiftSetting] =
  [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
  + [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
    "NonisolatedNonsendingByDefault",
  ].map { .enableUpcomingFeature($0) }

func target(
  _ name: String, _ path: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

func module(
  _ name: String, _ path: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  target(name, "Modules/\(path)", dependencies, exclude: exclude)
}

/// Loops over pixels take fifty times as long without the optimizer, in tests as in a debug build.
/// Only workers link these, so the flag does not reach packages that depend on this one.
func pixelModule(_ name: String, _ path: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Modules/\(path)",
    swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))])
}

/// Keeps out of a program (`--as-needed`) the libraries that it does not call: those of pkg-config, and of
/// another program that it names. Only a configuration file of clang sets the flag before the libraries.
let linkWhatIsUsed = linking("link.cfg")

func linking(_ options: String) -> [LinkerSetting] {
  [.unsafeFlags(["-Xclang-linker", "--config=\(Context.packageDirectory)/Apps/\(options)"])]
}

/// A program that is started often has Swift's libraries inside: finding each of them takes 0.2 ms.
let startQuickly = [LinkerSetting.unsafeFlags(["-static-stdlib"], .when(configuration: .release))]

/// Foundation's parts, each before what it needs; otherwise only a flag for the whole build names them.
let foundationInside: [LinkerSetting] = [
  .unsafeFlags(
    [
      "FoundationInternationalization", "CoreFoundation", "_FoundationICU", "_FoundationCShims",
      "_FoundationCollections",
    ].map { "-l\($0)" }, .when(configuration: .release))
]

func program(
  _ name: String, _ path: String, _ dependencies: [Target.Dependency],
  linking: [LinkerSetting] = linkWhatIsUsed
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path, swiftSettings: strict,
    linkerSettings: linking)
}

/// A program of the package of workers. `swift run` builds it for a program that names it, and the
/// program is not linked with what the worker needs: Documentation/Decisions/0021.
func worker(_ name: String) -> Target.Dependency { .product(name: name, package: "Workers") }

let workers = ["imgdl-render", "imgdl-unpack", "imgdl-markup", "imgdl-urlsession"].map {
  worker($0)
}

/// What suites use besides the modules that they test.
let values: [Target.Dependency] = ["TestSupport", "Models"]
let calls: [Target.Dependency] = ["TestSupport", "SystemCalls"]

func suite(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  on basis: [Target.Dependency] = ["TestSupport", "Models", "SystemCalls"]
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + basis, path: "Tests/\(name)", exclude: exclude,
    swiftSettings: strict)
}

/// The rules that every adapter of a port keeps, for tests of this package and, as a product, of others.
let contractTargets: [Target] = [
  ("Transport", ["Transport", "Origin", "HTTP1", "SystemCalls", "Models"]),
  ("Archive", ["Archive", "Models"]), ("Decoder", ["Decoding", "Rendering", "Models"]),
  ("Store", ["Persistence", "Models"]), ("Markup", ["Markup", "SystemCalls"]),
].map { (port: String, dependencies: [Target.Dependency]) in
  target("\(port)Contracts", "Tests/Contracts/\(port)", dependencies + ["TestSupport"])
}

func library(_ name: String, _ path: String, _ pkgConfig: String? = nil, debian: String? = nil)
  -> Target
{
  .systemLibrary(
    name: name, path: "Modules/\(path)", pkgConfig: pkgConfig,
    providers: debian.map { [.apt([$0])] })
}

// Adapters never see each other or the engine. Composition registers these.
let adapters: [Target] = [
  module(
    "TransportSocket", "Transport/Socket",
    [
      "Transport", "HTTP1", "COpenSSL", "CNGHTTP2", "CAres", "CLinux", "SystemCalls", "Threading",
      "Models", "Wiring",
    ], exclude: ["CAres"]),
  module(
    "TransportURLSession", "Transport/URLSession",
    ["Transport", "HTTP1", "WorkerProcess", "SystemCalls", "Threading", "Models", "Wiring"]),
  module(
    "ArchiveSandbox", "Archive/Sandbox",
    [
      "Archive", "ArchiveMessages", "RenderMessages", "WorkerProcess", "SystemCalls", "Models",
      "Wiring",
    ]),
  module(
    "MarkupSandbox", "Markup/Sandbox",
    [
      "Markup", "MarkupMessages", "RenderMessages", "WorkerProcess", "SystemCalls", "Models",
      "Wiring",
    ]),
  module(
    "RenderingSandbox", "Rendering/Sandbox",
    ["Rendering", "RenderMessages", "WorkerProcess", "SystemCalls", "Models", "Wiring"]),
  module(
    "PersistenceSQLite", "Persistence/SQLite",
    ["Persistence", "CSQLite", "Threading", "SystemCalls", "Models", "Naming", "Wiring"]),
  module("PersistenceMemory", "Persistence/Memory", ["Persistence", "Models", "Naming", "Wiring"]),
]

// These open what came from a network, so the workers register them.
let archiveReaders: [Target] = [
  module("ArchiveMinizip", "Archive/Minizip", ["Archive", "CMinizip", "Models"]),
  module("ArchiveLibarchive", "Archive/Libarchive", ["Archive", "CLibarchive", "Models"]),
]

let markupParsers: [Target] = [
  module(
    "MarkupGumbo", "Markup/Gumbo",
    ["Markup", "MarkupExtraction", "MarkupEncoding", "CGumbo", "Models"]),
  module(
    "MarkupLibxml", "Markup/Libxml",
    ["Markup", "MarkupExtraction", "MarkupEncoding", "CLibxml", "Models"]),
]

let decoders: [Target] = [
  pixelModule(
    "RenderingCodecs", "Rendering/Codecs",
    ["Decoding", "Rendering", "CTurboJPEG", "CSpng", "CWebP", "Models"]),
  module(
    "RenderingVips", "Rendering/Vips",
    ["Decoding", "Rendering", "CVips", "CTIFF", "CZlib", "Models"]),
  .target(
    name: "RenderingPoppler",
    dependencies: ["Decoding", "Rendering", "CPoppler", "CSurfaces", "Models"],
    path: "Modules/Rendering/Poppler", exclude: ["CSurfaces"], swiftSettings: strict,
    // CSurfaces is called in the place of cairo and of poppler: Documentation/Decisions/0040 and 0053.
    linkerSettings: [
      .unsafeFlags(
        [
          "cairo_image_surface_create", "_ZN11ImageStreamC1EP6Streamiii",
          "_ZN11ImageStream7getLineEv",
        ].flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] })
    ]),
]

let package = Package(
  name: "imgdl",
  products: [
    "Composition", "LibraryAPI", "Engine", "Models", "Transport", "Archive", "Rendering",
    "Persistence", "ProgressTree", "Terminal", "Decoding", "Wiring", "HTTP1", "Naming",
    // What the workers are made of.
    "ArchiveMessages", "RenderMessages", "TransportURLSession", "Confinement", "WorkerProcess",
    "SystemCalls", "CLinux", "Markup", "MarkupMessages", "MarkupDocuments",
  ].map { .library(name: $0, targets: [$0]) }
    + [
      .library(name: "ArchiveReaders", targets: archiveReaders.map(\.name)),
      .library(name: "MarkupParsers", targets: markupParsers.map(\.name)),
      .library(name: "Decoders", targets: decoders.map(\.name)),
      .library(name: "AdapterContracts", targets: contractTargets.map(\.name) + ["TestSupport"]),
    ],
  // No program is declared as a product, which it is anyway: a package that depends on a tagged version
  // of this one would then need the package of workers, and a tagged version may not name a path.
  dependencies: [.package(path: "Apps/Workers")],
  targets: [
    // Values: no input or output, no clock, no lock.
    .target(
      name: "Models", path: "Modules/Models", swiftSettings: strict,
      linkerSettings: [.linkedLibrary("m")]),  // rounding; Foundation would bring it, values do not
    module("JSON", "JSON"),
    module("Naming", "Naming", ["Models"]),
    module("Wiring", "Wiring", ["Models"]),
    module("HTTP1", "HTTP1", ["Models"]),
    module("CommandLine", "CommandLine", ["Models"]),
    module("Robots", "Robots", ["Models"]),
    module("ImageHeaders", "ImageHeaders", ["Models"]),

    // Small tools that several layers share.
    library("CLinux", "System/CLinux"),
    module("SystemCalls", "System/SystemCalls", ["CLinux"]),
    module("Threading", "System/Threading", ["CLinux", "SystemCalls"]),
    library("CCrypto", "Hashing/CCrypto", "libcrypto", debian: "libssl-dev"),
    module("Hashing", "Hashing/Hashing", ["CCrypto", "Models"]),
    module("RequestSigning", "RequestSigning", ["Hashing", "Models"]),
    library("CZlib", "ContentCodings/CZlib", "zlib", debian: "zlib1g-dev"),
    library("CBrotli", "ContentCodings/CBrotli", "libbrotlidec", debian: "libbrotli-dev"),
    library("CZstd", "ContentCodings/CZstd", "libzstd", debian: "libzstd-dev"),
    module("ContentCodings", "ContentCodings", ["CZlib", "CBrotli", "CZstd"]),
    module("WorkerProcess", "WorkerProcess", ["CLinux", "SystemCalls"]),

    // The screen: cells, input, images.
    .target(name: "CTerminal", path: "Modules/Terminal/CTerminal"),
    library("CChafa", "Terminal/CChafa", "chafa", debian: "libchafa-dev"),
    module(
      "Terminal", "Terminal", ["SystemCalls", "Threading", "CTerminal", "CChafa", "CZlib"],
      exclude: ["CTerminal"]),

    // What a terminal shows of a library, and what keys do: pure.
    module("Screens", "Screens", ["Models", "ProgressTree", "Terminal"]),

    // Interfaces: a port is a protocol, its values, its error and its name.
    module("Transport", "Transport/Interface", ["Models", "Wiring"]),
    module("Archive", "Archive/Interface", ["CIconv", "SystemCalls", "Models", "Wiring"]),
    library("CArchiveWriting", "Archive/Writing/CArchiveWriting"),  // libarchive-dev
    module("ArchiveWriting", "Archive/Writing", ["Archive", "CArchiveWriting", "Models"]),
    module("RemoteArchive", "RemoteArchive", ["Archive", "Models"]),
    module("Rendering", "Rendering/Interface", ["SystemCalls", "Models", "Wiring"]),
    library("CResampling", "Rendering/Decoding/CResampling"),
    library("CJPEG", "Rendering/Decoding/CJPEG"),
    pixelModule(
      "Decoding", "Rendering/Decoding",
      ["Rendering", "CResampling", "CJPEG", "JSON", "Models", "Wiring"]),
    module(
      "RenderMessages", "Rendering/Messages",
      ["Rendering", "WorkerProcess", "SystemCalls", "CLinux", "Models"]),
    module("Persistence", "Persistence/Interface", ["Models", "Wiring"]),
    module("Markup", "Markup/Interface", ["SystemCalls", "Models", "Wiring"]),
    module("ProgressTree", "ProgressTree", ["Models", "Wiring"]),

    // The C libraries of the adapters, and what the adapters of a port share.
    library("COpenSSL", "Transport/Socket/COpenSSL", "openssl", debian: "libssl-dev"),
    library("CNGHTTP2", "Transport/Socket/CNGHTTP2", "libnghttp2", debian: "libnghttp2-dev"),
    .target(
      name: "CAres", path: "Modules/Transport/Socket/CAres",
      linkerSettings: [.linkedLibrary("cares")]),  // libc-ares-dev
    library("CMinizip", "Archive/Minizip/CMinizip", "minizip", debian: "libminizip-dev"),
    library(
      "CLibarchive", "Archive/Libarchive/CLibarchive", "libarchive", debian: "libarchive-dev"),
    library(
      "CTurboJPEG", "Rendering/Codecs/CTurboJPEG", "libturbojpeg", debian: "libturbojpeg0-dev"),
    library("CSpng", "Rendering/Codecs/CSpng", "spng", debian: "libspng-dev"),
    library("CWebP", "Rendering/Codecs/CWebP", "libwebp", debian: "libwebp-dev"),
    library("CVips", "Rendering/Vips/CVips", "gobject-2.0", debian: "libvips-dev"),
    library("CTIFF", "Rendering/Vips/CTIFF"),  // libtiff-dev
    library("CPoppler", "Rendering/Poppler/CPoppler", "gobject-2.0", debian: "libpoppler-glib-dev"),
    .target(name: "CSurfaces", path: "Modules/Rendering/Poppler/CSurfaces"),  // libcairo2-dev
    library("CSQLite", "Persistence/SQLite/CSQLite", "sqlite3", debian: "libsqlite3-dev"),
    library("CSeccomp", "Confinement/CSeccomp", "libseccomp", debian: "libseccomp-dev"),
    module(
      "ArchiveMessages", "Archive/Messages", ["Archive", "WorkerProcess", "SystemCalls", "Models"]),
    module(
      "Confinement", "Confinement",
      ["Rendering", "RenderMessages", "WorkerProcess", "CSeccomp", "CLinux", "SystemCalls"]),

    // Markup: what documents name, the messages to its worker, and what the worker is made of.
    module(
      "MarkupMessages", "Markup/Messages", ["Markup", "WorkerProcess", "SystemCalls"]),
    // Without the optimizer, a page with a million images takes a minute.
    pixelModule("MarkupExtraction", "Markup/Extraction", ["Markup", "JSON", "Models"]),
    library("CIconv", "Markup/Encoding/CIconv"),
    module("MarkupEncoding", "Markup/Encoding", ["CIconv", "Models"]),
    library("CGumbo", "Markup/Gumbo/CGumbo", "gumbo", debian: "libgumbo-dev"),
    library("CLibxml", "Markup/Libxml/CLibxml", "libxml-2.0", debian: "libxml2-dev"),
    module(
      "MarkupDocuments", "Markup/Documents",
      ["Markup", "MarkupExtraction", "MarkupEncoding", "Models", "SystemCalls"]),

    // What a program can ask of a library, and hear from it.
    module("Manifests", "Manifests", ["Markup", "JSON", "Models"]),
    module("IIIF", "IIIF", ["JSON", "Models"]),
    module(
      "LibraryAPI", "LibraryAPI",
      ["Models", "Manifests", "Persistence", "ProgressTree", "SystemCalls"]),

    // Which entries of an archive are pages, and in which order.
    module("PageExtraction", "PageExtraction", ["Archive", "Models", "SystemCalls", "Threading"]),

    // What reads a library without changing it, beside an engine or without one.
    module(
      "Export", "Export",
      [
        "LibraryAPI", "Persistence", "Archive", "PageExtraction", "Rendering", "Hashing",
        "SystemCalls", "Threading", "Models", "Naming",
      ]),
    module(
      "Verification", "Verification",
      ["LibraryAPI", "Persistence", "Hashing", "SystemCalls", "Threading", "Models"]),

    // Shards of datasets: what a driver and a worker say to each other, and the worker.
    module(
      "Datasets", "Datasets/Shards", ["HTTP1", "JSON", "Transport", "Rendering", "Models"]),
    module(
      "DatasetWorker", "Datasets/Worker",
      [
        "Datasets", "HTTP1", "Transport", "Rendering", "Hashing", "SystemCalls", "Threading",
        "Models",
      ]),

    // The pipeline. It knows interfaces only.
    module(
      "Engine", "Engine",
      [
        "LibraryAPI", "Models", "Naming", "Transport", "Archive", "Markup", "Rendering",
        "Persistence", "ProgressTree", "Manifests", "HTTP1", "Hashing", "ContentCodings",
        "Robots", "SystemCalls", "Threading", "IIIF", "RemoteArchive", "ImageHeaders",
        "PageExtraction",
      ]),

    // Foreign protocols that the server speaks: pure.
    module("WebSocket", "WebSocket", ["HTTP1", "Hashing", "Models"]),
    module("Aria2", "Aria2", ["JSON", "Models", "Naming"]),

    // The API between programs: messages, client, server, and the files of the web page.
    .target(name: "CWebPage", path: "Modules/WebPage", exclude: ["Files"]),
    module(
      "Control", "Control",
      [
        "LibraryAPI", "Persistence", "ProgressTree", "Manifests", "HTTP1", "Hashing",
        "SystemCalls", "Threading", "CLinux", "CWebPage", "Models", "WebSocket", "Aria2", "JSON",
      ]),

    // The only place that names adapters.
    target(
      "Composition", "Apps/Composition",
      [
        "Models", "Wiring", "LibraryAPI", "Engine", "Control", "Transport", "Archive", "Rendering",
        "Persistence", "ProgressTree", "SystemCalls", "Threading", "WorkerProcess",
        "ArchiveWriting", "ArchiveMessages", "RenderMessages", "Markup", "MarkupMessages",
        "RequestSigning", "Manifests",
      ] + adapters.map { .target(name: $0.name) }),

    // What all programs share: exit codes, and what errors become at their edge.
    target(
      "ProgramSupport", "Apps/Support",
      [
        "Composition", "LibraryAPI", "Persistence", "Archive", "CommandLine", "SystemCalls",
        "Wiring", "Models",
      ]),

    // Programs: modules with all but the entry points (`imgdl` holds them all), and the entry points.
    target(
      "CLIProgram", "Apps/imgdl-cli",
      [
        "ProgramSupport", "Composition", "LibraryAPI", "Export", "Verification", "Manifests",
        "Models", "CommandLine", "ProgressTree", "Persistence", "Hashing", "SystemCalls",
        "Threading", "CLinux", "Transport", "Wiring", "WorkerProcess", "Archive", "Rendering",
        "Terminal", "DatasetWorker", "Datasets", "Naming",
      ], exclude: ["Sample"]),
    target(
      "DaemonProgram", "Apps/imgdld",
      [
        "ProgramSupport", "Composition", "LibraryAPI", "Models", "CommandLine", "SystemCalls",
        "CLinux", "WorkerProcess", "Aria2",
      ], exclude: ["Units"]),
    target(
      "TUIProgram", "Apps/imgdl-tui",
      [
        "ProgramSupport", "Composition", "LibraryAPI", "Screens", "Terminal", "Models",
        "CommandLine", "ProgressTree", "Persistence", "Rendering", "SystemCalls", "Threading",
      ]),
    program(
      "imgdl-cli", "Apps/Programs/imgdl-cli",
      ["CLIProgram", "imgdl-origin", "imgdld"] + workers,
      linking: linkWhatIsUsed + startQuickly + foundationInside),
    program("imgdld", "Apps/Programs/imgdld", ["DaemonProgram"] + workers),
    program("imgdl-tui", "Apps/Programs/imgdl-tui", ["TUIProgram", "imgdld"] + workers),
    // What Tools/install installs under the names of all four: Documentation/Decisions/0018.
    program(
      "imgdl", "Apps/Programs/imgdl", ["CLIProgram", "DaemonProgram", "TUIProgram", "Origin"],
      linking: linking("installed.cfg") + startQuickly + foundationInside),
    // The loopback server: a development tool, and the tests' ScriptedServer.
    target("Origin", "Tools/imgdl-origin/Origin", ["HTTP1", "CLinux", "Models"]),
    program("imgdl-origin", "Tools/imgdl-origin/Program", ["Origin"]),

    // Tests.
    target(
      "TestSupport", "Tests/TestSupport",
      [
        "Models", "Transport", "Archive", "Rendering", "Persistence",
        "SystemCalls", "WorkerProcess",
      ]),
    suite("ModelsTests", ["Naming", "Wiring", "Hashing"], on: values),
    suite("JSONTests", ["JSON"], on: ["TestSupport"]),
    suite("CommandLineTests", ["CommandLine", "WorkerProcess"]),
    suite("HTTP1Tests", ["HTTP1"]),
    suite("WebSocketTests", ["WebSocket", "Hashing"], on: values),
    suite("Aria2Tests", ["Aria2", "JSON"], on: values),
    suite("OriginTests", ["Origin", "HTTP1"], on: values),
    suite(
      "TransportTests",
      [
        "Transport", "TransportSocket", "TransportURLSession", "TransportContracts", "HTTP1",
        "WorkerProcess", "COpenSSL", "CNGHTTP2", "Origin", "Wiring", "Threading",
        worker("imgdl-urlsession"),
      ]),
    suite(
      "ArchiveTests",
      [
        "RenderMessages", "Archive", "ArchiveMinizip", "ArchiveLibarchive", "ArchiveSandbox",
        "ArchiveMessages", "ArchiveWriting", "RemoteArchive",
        "ArchiveContracts", "CLibarchive", "WorkerProcess", "Wiring", worker("imgdl-unpack"),
      ], exclude: ["Golden"]),
    .executableTarget(
      name: "markup-fixture",
      dependencies: [
        "Markup", "MarkupDocuments", "MarkupGumbo", "MarkupLibxml", "MarkupSandbox",
        "RenderMessages", "SystemCalls",
        "WorkerProcess",
      ], path: "Tests/MarkupFixture", swiftSettings: strict),
    suite(
      "MarkupTests",
      [
        "Markup", "MarkupContracts", "MarkupDocuments", "MarkupEncoding", "MarkupExtraction",
        "MarkupGumbo", "MarkupLibxml", "MarkupMessages", "MarkupSandbox", "Models",
        "RenderMessages", "WorkerProcess", "markup-fixture", worker("imgdl-markup"),
      ], exclude: ["Listings"], on: calls),
    suite(
      "RenderingTests",
      [
        "Rendering", "RenderingSandbox", "RenderMessages", "ArchiveMessages", "MarkupMessages",
        "WorkerProcess", "CLinux", worker("imgdl-render"), worker("imgdl-unpack"),
        worker("imgdl-markup"),
      ], exclude: ["Golden"]),
    suite(
      "DecoderTests",
      [
        "Rendering", "Decoding", "RenderingCodecs", "RenderingVips", "RenderingPoppler",
        "DecoderContracts", "ImageHeaders",
      ]),
    .systemLibrary(
      name: "CVTerm", path: "Tests/TerminalTests/CVTerm", pkgConfig: "vterm",
      providers: [.apt(["libvterm-dev"])]),
    .executableTarget(
      name: "terminal-fixture", dependencies: ["Terminal"], path: "Tests/TerminalFixture",
      swiftSettings: strict),
    suite(
      "ScreensTests", ["Screens", "Terminal", "ProgressTree"], exclude: ["Golden"], on: values),
    suite(
      "TUITests",
      [
        "Origin", "HTTP1", "Threading", "CLinux", "WorkerProcess", "CVTerm", "TUIProgram",
        "imgdl-tui", "imgdl-cli",
      ]),
    suite("TerminalTests", ["Terminal", "CVTerm", "CZlib", "terminal-fixture"], on: calls),
    suite("WorkerProcessTests", ["WorkerProcess", "Threading"], on: calls),
    suite(
      "PersistenceTests",
      ["Persistence", "PersistenceSQLite", "PersistenceMemory", "StoreContracts", "Threading"]),
    suite(
      "DatasetTests",
      ["Datasets", "DatasetWorker", "JSON", "Transport", "Rendering", "Threading"]),
    suite("ProgressTreeTests", ["ProgressTree", "Wiring"], on: values),
    suite("ManifestsTests", ["Manifests", "Markup"], on: values),
    suite("IIIFTests", ["IIIF"], on: values),
    suite(
      "EngineTests",
      [
        "RenderMessages", "Engine", "LibraryAPI", "Export", "Verification", "Threading",
        "Manifests", "Transport",
        "Archive", "Rendering", "Persistence", "PersistenceMemory", "PersistenceSQLite",
        "ProgressTree", "Hashing", "HTTP1", "Robots", "Markup", "MarkupDocuments", "MarkupGumbo",
        "MarkupLibxml", "MarkupSandbox", "WorkerProcess", "ArchiveMinizip",
      ]),
    suite("ContentCodingsTests", ["ContentCodings"], on: ["TestSupport"]),
    suite("RequestSigningTests", ["RequestSigning"], on: values),
    .executableTarget(
      name: "signing-fixture", dependencies: ["RequestSigning", "Models"],
      path: "Tests/SigningFixture", exclude: ["compare.py", "bucket.py"], swiftSettings: strict),
    suite("RobotsTests", ["Robots"], on: values),
    suite("ImageHeadersTests", ["ImageHeaders"], on: values),
    .executableTarget(
      name: "robots-fixture", dependencies: ["Robots", "Models"], path: "Tests/RobotsFixture",
      exclude: ["compare.py"], swiftSettings: strict),
    suite(
      "ControlTests",
      [
        "Control", "LibraryAPI", "Persistence", "PersistenceMemory", "ProgressTree", "Manifests",
        "HTTP1", "Hashing", "WebSocket", "Aria2",
      ]),
    suite("DaemonTests", ["Origin", "WorkerProcess", "CLinux", "imgdld", "imgdl-cli"]),
    .executableTarget(
      name: "mutating-proxy", dependencies: ["WorkerProcess", "SystemCalls"],
      path: "Tests/MutatingProxy", swiftSettings: strict),
    suite(
      "CompositionTests",
      [
        "Composition", "ProgramSupport", "LibraryAPI", "Engine", "Wiring", "Origin", "Persistence",
        "ProgressTree", "Archive", "Rendering", "Transport", "Manifests", "ArchiveMessages",
        "ArchiveSandbox", "Markup", "MarkupSandbox", "RenderMessages", "RenderingSandbox",
        "TransportURLSession", "WorkerProcess", "mutating-proxy",
      ] + workers),
    suite(
      "CLITests",
      [
        "Origin", "LibraryAPI", "HTTP1", "Hashing", "ProgressTree", "Threading", "CLinux",
        "Rendering", "RenderMessages", "Archive", "ArchiveMessages", "WorkerProcess", "CLIProgram",
        "ProgramSupport", "imgdl-cli", "imgdl",
      ]),
  ] + adapters + archiveReaders + markupParsers + decoders + contractTargets
)
