// swift-tools-version: 6.2
// The programs that process untrusted data from the network: decoders, archive readers, URLSession. They form
// a package of their own, because a program that depends on another one of its package, so that `swift run`
// builds both, is linked with all libraries of the other one: Documentation/Decisions/0021.
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Links only the libraries that a program calls. pkg-config names more libraries, each of which would be
/// loaded at every start.
let linkOnlyUsedLibraries = linking("link.cfg")

func linking(_ options: String) -> [LinkerSetting] {
  [.unsafeFlags(["-Xclang-linker", "--config=\(Context.packageDirectory)/../\(options)"])]
}

/// Links Swift's libraries statically, which saves 0.2 ms for each library whenever a worker starts. Workers
/// are replaced often: after damaged data, and after a number of files.
let staticStandardLibrary: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib"], .when(configuration: .release))
]

/// The parts of Foundation with URLSession, each before what it needs, and the library that fetches for it.
let foundationWithNetworking: [LinkerSetting] = [
  .unsafeFlags(
    [
      "_CFURLSessionInterface", "Foundation", "FoundationEssentials",
      "FoundationInternationalization", "CoreFoundation", "_FoundationICU", "_FoundationCShims",
      "_FoundationCollections", ":libcurl.so.4",
    ].map { "-l\($0)" }, .when(configuration: .release))
]

func worker(_ name: String, _ modules: [String], linking: [LinkerSetting]) -> Target {
  .executableTarget(
    name: name, dependencies: modules.map { .product(name: $0, package: "imgdl") }, path: name,
    swiftSettings: strict, linkerSettings: linking)
}

let package = Package(
  name: "Workers",
  products: ["imgdl-render", "imgdl-unpack", "imgdl-markup", "imgdl-urlsession"].map {
    .executable(name: $0, targets: [$0])
  },
  dependencies: [.package(name: "imgdl", path: "../..")],
  targets: [
    worker(
      "imgdl-render",
      [
        "Rendering", "RenderMessages", "Decoding", "Decoders", "Wiring", "Confinement",
        "WorkerProcess", "SystemCalls", "CLinux", "Models",
      ], linking: linkOnlyUsedLibraries + staticStandardLibrary),
    worker(
      "imgdl-unpack",
      [
        "Archive", "ArchiveMessages", "ArchiveReaders", "Rendering",
        "RenderMessages", "Confinement", "WorkerProcess", "SystemCalls", "CLinux",
      ], linking: linkOnlyUsedLibraries + staticStandardLibrary),
    worker(
      "imgdl-markup",
      [
        "Markup", "MarkupMessages", "MarkupDocuments", "MarkupParsers", "Rendering",
        "RenderMessages", "Confinement", "WorkerProcess", "Models",
      ], linking: linking("installed.cfg") + staticStandardLibrary),
    worker(
      "imgdl-urlsession",
      ["TransportURLSession", "Transport", "WorkerProcess", "SystemCalls", "Models"],
      linking: linking("installed.cfg") + staticStandardLibrary + foundationWithNetworking),
  ]
)
