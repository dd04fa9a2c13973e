// swift-tools-version: 6.2
// The architecture, one line a target. Arrows point down only: programs, Composition, adapters,
// engine, interfaces, values. `Tools/check` holds every import against this list.
import PackageDescription

/// Every target is built with these; there is no target with softer rules.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func module(_ name: String, _ path: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Modules/\(path)", swiftSettings: strict)
}

/// Loops over pixels take fifty times as long without the optimizer, in tests as in a debug build.
/// Only `imgdl-render` links these, so the flag does not reach packages that depend on this one.
func pixelModule(_ name: String, _ path: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Modules/\(path)",
    swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))])
}

/// A program that names another one (so that `swift run` builds its helpers too) is given the
/// libraries of that one as well; `--as-needed` keeps those out of it. The flag has to come before
/// the libraries, and only a configuration file of clang gets it there.
let linkWhatIsUsed: [LinkerSetting] = [
  .unsafeFlags(["-Xclang-linker", "--config=\(Context.packageDirectory)/Apps/link.cfg"])
]

/// A program that is started often has Swift's libraries inside: each library that it need not find
/// is 0.2 ms, and what is linked with it is called directly.
let startQuickly: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib"], .when(configuration: .release))
]

/// What Foundation consists of, each before what it needs; only a flag for the whole build would name
/// it otherwise.
let foundationInside: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-lFoundationInternationalization", "-lCoreFoundation", "-l_FoundationICU",
      "-l_FoundationCShims", "-l_FoundationCollections",
    ], .when(configuration: .release))
]

func program(
  _ name: String, _ path: String, _ dependencies: [Target.Dependency],
  linking: [LinkerSetting] = linkWhatIsUsed
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path, swiftSettings: strict,
    linkerSettings: linking)
}

/// All of a program but its entry point, so that the installed program `imgdl` can hold several.
func programModule(
  _ name: String, _ path: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

func suite(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)",
    exclude: exclude, swiftSettings: strict)
}

/// The rules that every adapter of a port keeps, for the tests of this package and of others.
func contracts(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: "\(name)Contracts", dependencies: dependencies + ["TestSupport"],
    path: "Tests/Contracts/\(name)", swiftSettings: strict)
}

func library(_ name: String, _ path: String, _ pkgConfig: String? = nil, debian: String? = nil)
  -> Target
{
  .systemLibrary(
    name: name, path: "Modules/\(path)", pkgConfig: pkgConfig,
    providers: debian.map { [.apt([$0])] })
}

let package = Package(
  name: "imgdl",
  products: ([
    "Composition", "LibraryAPI", "Engine", "Models", "Transport", "Archive", "Rendering",
    "Persistence", "ProgressTree", "Terminal",
  ].map { .library(name: $0, targets: [$0]) } as [Product])
    + [
      "imgdl", "imgdl-cli", "imgdl-tui", "imgdld", "imgdl-render", "imgdl-unpack",
      "imgdl-urlsession", "imgdl-origin",
    ].map { .executable(name: $0, targets: [$0]) },
  targets: [
    // Values: no input or output, no clock, no lock.
    .target(
      name: "Models", path: "Modules/Models", swiftSettings: strict,
      linkerSettings: [.linkedLibrary("m")]),  // rounding; Foundation would bring it, values do not
    module("Naming", "Naming", ["Models"]),
    module("Wiring", "Wiring", ["Models"]),
    module("HTTP1", "HTTP1", ["Models"]),
    module("CommandLine", "CommandLine", ["Models"]),

    // Small tools that several layers share.
    library("CLinux", "System/CLinux"),
    module("SystemCalls", "System/SystemCalls", ["CLinux"]),
    module("Threading", "System/Threading", ["CLinux", "SystemCalls"]),
    library("CCrypto", "Hashing/CCrypto", "libcrypto", debian: "libssl-dev"),
    module("Hashing", "Hashing/Hashing", ["CCrypto", "Models"]),
    library("CZlib", "Gzip/CZlib", "zlib", debian: "zlib1g-dev"),
    module("Gzip", "Gzip", ["CZlib"]),
    module("WorkerProcess", "WorkerProcess", ["CLinux", "SystemCalls"]),

    // The screen: cells, input, pictures.
    .target(name: "CTerminal", path: "Modules/Terminal/CTerminal"),
    library("CChafa", "Terminal/CChafa", "chafa", debian: "libchafa-dev"),
    .target(
      name: "Terminal", dependencies: ["SystemCalls", "Threading", "CTerminal", "CChafa", "CZlib"],
      path: "Modules/Terminal", exclude: ["CTerminal"], swiftSettings: strict),

    // What a terminal shows of a library, and what keys do: pure.
    module("Screens", "Screens", ["Models", "ProgressTree", "Terminal"]),

    // Interfaces: a port is a protocol, its values, its error and its name.
    module("Transport", "Transport/Interface", ["Models", "Wiring"]),
    module("Archive", "Archive/Interface", ["SystemCalls", "Models", "Wiring"]),
    module("Rendering", "Rendering/Interface", ["Models", "Wiring"]),
    library("CResampling", "Rendering/Decoding/CResampling"),
    library("CJPEG", "Rendering/Decoding/CJPEG"),
    pixelModule(
      "Decoding", "Rendering/Decoding",
      ["Rendering", "CResampling", "CJPEG", "Models", "Wiring"]),
    module(
      "RenderMessages", "Rendering/Messages",
      ["Rendering", "WorkerProcess", "SystemCalls", "CLinux", "Models"]),
    module("Persistence", "Persistence/Interface", ["Models", "Wiring"]),
    module("ProgressTree", "ProgressTree", ["Models", "Wiring"]),

    // Adapters: never see each other or the engine.
    library("COpenSSL", "Transport/Socket/COpenSSL", "openssl", debian: "libssl-dev"),
    library("CNGHTTP2", "Transport/Socket/CNGHTTP2", "libnghttp2", debian: "libnghttp2-dev"),
    .target(
      name: "CAres", path: "Modules/Transport/Socket/CAres",
      linkerSettings: [.linkedLibrary("cares")]),  // libc-ares-dev
    .target(
      name: "TransportSocket",
      dependencies: [
        "Transport", "HTTP1", "COpenSSL", "CNGHTTP2", "CAres", "CLinux", "SystemCalls", "Threading",
        "Models", "Wiring",
      ],
      path: "Modules/Transport/Socket", exclude: ["CAres"], swiftSettings: strict),
    module(
      "TransportURLSession", "Transport/URLSession",
      [
        "Transport", "HTTP1", "WorkerProcess", "SystemCalls", "Threading", "Models", "Wiring",
      ]),
    library("CMinizip", "Archive/Minizip/CMinizip", "minizip", debian: "libminizip-dev"),
    module("ArchiveMinizip", "Archive/Minizip", ["Archive", "CMinizip", "Models"]),
    library(
      "CLibarchive", "Archive/Libarchive/CLibarchive", "libarchive", debian: "libarchive-dev"),
    module("ArchiveLibarchive", "Archive/Libarchive", ["Archive", "CLibarchive", "Models"]),
    module(
      "ArchiveMessages", "Archive/Messages", ["Archive", "WorkerProcess", "SystemCalls", "Models"]),
    module(
      "ArchiveSandbox", "Archive/Sandbox",
      [
        "Archive", "ArchiveMessages", "RenderMessages", "WorkerProcess", "SystemCalls", "Models",
        "Wiring",
      ]),
    library(
      "CTurboJPEG", "Rendering/Codecs/CTurboJPEG", "libturbojpeg", debian: "libturbojpeg0-dev"),
    library("CSpng", "Rendering/Codecs/CSpng", "spng", debian: "libspng-dev"),
    library("CWebP", "Rendering/Codecs/CWebP", "libwebp", debian: "libwebp-dev"),
    pixelModule(
      "RenderingCodecs", "Rendering/Codecs",
      ["Decoding", "Rendering", "CTurboJPEG", "CSpng", "CWebP", "Models"]),
    library("CVips", "Rendering/Vips/CVips", "gobject-2.0", debian: "libvips-dev"),
    library("CTIFF", "Rendering/Vips/CTIFF"),  // libtiff-dev
    module(
      "RenderingVips", "Rendering/Vips", ["Decoding", "Rendering", "CVips", "CTIFF", "Models"]),
    library("CPoppler", "Rendering/Poppler/CPoppler", "gobject-2.0", debian: "libpoppler-glib-dev"),
    module(
      "RenderingPoppler", "Rendering/Poppler", ["Decoding", "Rendering", "CPoppler", "Models"]),
    module(
      "RenderingSandbox", "Rendering/Sandbox",
      [
        "Rendering", "RenderMessages", "WorkerProcess", "SystemCalls", "Models", "Wiring",
      ]),
    library("CSeccomp", "Confinement/CSeccomp", "libseccomp", debian: "libseccomp-dev"),
    .target(
      name: "Confinement",
      dependencies: [
        "Rendering", "RenderMessages", "WorkerProcess", "CSeccomp", "CLinux", "SystemCalls",
      ],
      path: "Modules/Confinement", exclude: ["CSeccomp"], swiftSettings: strict),
    library("CSQLite", "Persistence/SQLite/CSQLite", "sqlite3", debian: "libsqlite3-dev"),
    module(
      "PersistenceSQLite", "Persistence/SQLite",
      ["Persistence", "CSQLite", "Threading", "SystemCalls", "Models", "Naming", "Wiring"]),
    module(
      "PersistenceMemory", "Persistence/Memory", ["Persistence", "Models", "Naming", "Wiring"]),

    // What a program can ask of a library, and hear from it.
    module("Manifests", "Manifests", ["Models"]),
    module(
      "LibraryAPI", "LibraryAPI",
      ["Models", "Manifests", "Persistence", "ProgressTree", "SystemCalls"]),

    // What reads a library without changing it, beside an engine or without one.
    module(
      "Export", "Export",
      ["LibraryAPI", "Persistence", "Archive", "Rendering", "SystemCalls", "Threading", "Models"]),
    module(
      "Verification", "Verification",
      ["LibraryAPI", "Persistence", "Hashing", "SystemCalls", "Threading", "Models"]),

    // The pipeline. It knows interfaces only.
    module(
      "Engine", "Engine",
      [
        "LibraryAPI", "Models", "Naming", "Transport", "Archive", "Rendering", "Persistence",
        "ProgressTree", "Manifests", "HTTP1", "Hashing", "Gzip", "SystemCalls", "Threading",
      ]),

    // The API between programs: messages, client, server.
    module(
      "Control", "Control",
      [
        "LibraryAPI", "Persistence", "ProgressTree", "Manifests", "HTTP1", "Hashing",
        "SystemCalls", "Threading", "CLinux", "Models",
      ]),

    // The only place that names adapters.
    .target(
      name: "Composition",
      dependencies: [
        "Models", "Wiring", "LibraryAPI", "Engine", "Control", "Transport", "Archive", "Rendering",
        "Persistence", "ProgressTree", "SystemCalls", "Threading", "WorkerProcess",
        "TransportSocket",
        "TransportURLSession", "ArchiveSandbox", "ArchiveLibarchive", "RenderingSandbox",
        "ArchiveMessages", "RenderMessages", "PersistenceSQLite", "PersistenceMemory",
      ],
      path: "Apps/Composition", swiftSettings: strict),

    // What all programs share: exit codes, and what errors become at their edge.
    programModule(
      "ProgramSupport", "Apps/Support",
      [
        "Composition", "LibraryAPI", "Persistence", "Archive", "CommandLine", "SystemCalls",
        "Wiring", "Models",
      ]),

    // Programs: modules that hold all but the entry points, and the entry points.
    programModule(
      "CLIProgram", "Apps/imgdl-cli",
      [
        "ProgramSupport", "Composition", "LibraryAPI", "Export", "Verification", "Manifests",
        "Models", "CommandLine", "ProgressTree", "Persistence", "Hashing", "SystemCalls",
        "Threading",
        "CLinux", "Transport", "Wiring", "WorkerProcess", "Archive", "Rendering", "Terminal",
      ], exclude: ["Sample"]),
    programModule(
      "DaemonProgram", "Apps/imgdld",
      [
        "ProgramSupport", "Composition", "LibraryAPI", "Models", "CommandLine", "SystemCalls",
        "CLinux", "WorkerProcess",
      ], exclude: ["Units"]),
    programModule(
      "TUIProgram", "Apps/imgdl-tui",
      [
        "ProgramSupport", "Composition", "LibraryAPI", "Screens", "Terminal", "Models",
        "CommandLine",
        "ProgressTree", "Persistence", "Rendering", "SystemCalls", "Threading",
      ]),
    program(
      "imgdl-cli", "Apps/Programs/imgdl-cli",
      [
        "CLIProgram", "imgdl-render", "imgdl-unpack", "imgdl-urlsession", "imgdl-origin", "imgdld",
      ],
      linking: linkWhatIsUsed + startQuickly + foundationInside),
    program(
      "imgdld", "Apps/Programs/imgdld",
      ["DaemonProgram", "imgdl-render", "imgdl-unpack", "imgdl-urlsession"]),
    program(
      "imgdl-tui", "Apps/Programs/imgdl-tui",
      ["TUIProgram", "imgdl-render", "imgdl-unpack", "imgdl-urlsession", "imgdld"]),
    // What Tools/install installs under the names of all four: Documentation/Decisions/0018.
    program(
      "imgdl", "Apps/Programs/imgdl", ["CLIProgram", "DaemonProgram", "TUIProgram", "Origin"]),
    program(
      "imgdl-render", "Apps/imgdl-render",
      [
        "Rendering", "RenderMessages", "Decoding", "RenderingCodecs", "RenderingVips",
        "RenderingPoppler", "Confinement", "WorkerProcess", "SystemCalls", "CLinux", "Models",
        "Wiring",
      ], linking: linkWhatIsUsed + startQuickly),
    program(
      "imgdl-unpack", "Apps/imgdl-unpack",
      [
        "Archive", "ArchiveMessages", "ArchiveMinizip", "ArchiveLibarchive", "Rendering",
        "RenderMessages", "Confinement", "WorkerProcess", "SystemCalls", "CLinux",
      ], linking: linkWhatIsUsed + startQuickly),
    program(
      "imgdl-urlsession", "Apps/imgdl-urlsession",
      ["TransportURLSession", "Transport", "WorkerProcess", "SystemCalls", "Models"]),

    // The loopback server: a development tool, and the tests' ScriptedServer.
    .target(
      name: "Origin", dependencies: ["HTTP1", "CLinux", "Models"],
      path: "Tools/imgdl-origin/Origin", swiftSettings: strict),
    program("imgdl-origin", "Tools/imgdl-origin/Program", ["Origin"]),

    // Tests.
    .target(
      name: "TestSupport",
      dependencies: [
        "Models", "Transport", "Archive", "Rendering", "Persistence",
        "SystemCalls", "WorkerProcess",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    contracts("Decoder", ["Decoding", "Rendering", "Models"]),
    suite("ModelsTests", ["Models", "Naming", "Wiring", "Hashing"]),
    suite("CommandLineTests", ["CommandLine", "Models", "SystemCalls", "WorkerProcess"]),
    suite("HTTP1Tests", ["HTTP1", "Models", "SystemCalls"]),
    suite("OriginTests", ["Origin", "HTTP1", "Models"]),
    suite(
      "TransportTests",
      [
        "Transport", "TransportSocket", "TransportURLSession", "WorkerProcess", "COpenSSL",
        "CNGHTTP2", "Origin", "HTTP1", "Models", "Wiring", "SystemCalls", "Threading",
        "imgdl-urlsession",
      ]),
    suite(
      "ArchiveTests",
      [
        "Archive", "ArchiveMinizip", "ArchiveLibarchive", "ArchiveSandbox", "ArchiveMessages",
        "CLibarchive", "WorkerProcess", "SystemCalls", "Models", "Wiring",
        "imgdl-unpack",
      ], exclude: ["Golden"]),
    suite(
      "RenderingTests",
      [
        "Rendering", "RenderingSandbox", "RenderMessages", "ArchiveMessages", "WorkerProcess",
        "SystemCalls", "CLinux", "Models", "imgdl-render", "imgdl-unpack",
      ], exclude: ["Golden"]),
    suite(
      "DecoderTests",
      [
        "Rendering", "Decoding", "RenderingCodecs", "RenderingVips", "RenderingPoppler",
        "DecoderContracts", "SystemCalls", "Models",
      ]),
    .systemLibrary(
      name: "CVTerm", path: "Tests/TerminalTests/CVTerm", pkgConfig: "vterm",
      providers: [.apt(["libvterm-dev"])]),
    .executableTarget(
      name: "terminal-fixture", dependencies: ["Terminal"], path: "Tests/TerminalFixture",
      swiftSettings: strict),
    suite(
      "ScreensTests", ["Screens", "Terminal", "Models", "ProgressTree"], exclude: ["Golden"]),
    suite(
      "TUITests",
      [
        "Origin", "HTTP1", "Models", "SystemCalls", "Threading", "CLinux", "WorkerProcess",
        "CVTerm", "TUIProgram", "imgdl-tui", "imgdl-cli",
      ]),
    suite("TerminalTests", ["Terminal", "CVTerm", "CZlib", "SystemCalls", "terminal-fixture"]),
    suite("WorkerProcessTests", ["WorkerProcess", "SystemCalls", "Threading"]),
    suite(
      "PersistenceTests",
      ["Persistence", "PersistenceSQLite", "PersistenceMemory", "Threading", "Models"]),
    suite("ProgressTreeTests", ["ProgressTree", "Models", "Wiring"]),
    suite("ManifestsTests", ["Manifests", "Models"]),
    suite(
      "EngineTests",
      [
        "Engine", "LibraryAPI", "Export", "Verification", "Threading", "Manifests", "Transport",
        "Archive", "Rendering", "Persistence", "PersistenceMemory", "PersistenceSQLite",
        "ProgressTree", "Models", "Hashing", "HTTP1", "Gzip", "SystemCalls",
      ]),
    suite(
      "ControlTests",
      [
        "Control", "LibraryAPI", "Persistence", "PersistenceMemory", "ProgressTree", "Manifests",
        "HTTP1", "SystemCalls", "Models",
      ]),
    suite(
      "DaemonTests",
      ["Origin", "WorkerProcess", "SystemCalls", "CLinux", "Models", "imgdld", "imgdl-cli"]),
    suite(
      "CompositionTests",
      [
        "Composition", "ProgramSupport", "LibraryAPI", "Engine", "Models", "Wiring", "Origin",
        "Persistence", "ProgressTree", "Archive", "Rendering", "Transport", "SystemCalls",
        "imgdl-render", "imgdl-unpack",
        "imgdl-urlsession",
      ]),
    suite(
      "CLITests",
      [
        "Origin", "LibraryAPI", "HTTP1", "Models", "Hashing", "ProgressTree", "SystemCalls",
        "Threading", "CLinux", "Rendering", "RenderMessages", "Archive", "ArchiveMessages",
        "WorkerProcess", "CLIProgram", "ProgramSupport", "imgdl-cli", "imgdl",
      ]),
  ]
)
