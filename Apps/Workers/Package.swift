// swift-tools-version: 6.2
// The programs that open what came from a network: decoders, archive readers, URLSession. They are a
// package of their own because a program that names another one of its own package, so that `swift run`
// builds both, is linked with everything that the other one needs: Documentation/Decisions/0021.
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// pkg-config names more libraries than a program calls; each would be loaded at every start.
let linkWhatIsUsed: [LinkerSetting] = [
  .unsafeFlags(["-Xclang-linker", "--config=\(Context.packageDirectory)/../link.cfg"])
]

/// A worker is started for each document and each archive; Swift's libraries inside it save 0.2 ms each.
let startQuickly: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib"], .when(configuration: .release))
]

func worker(_ name: String, _ modules: [String], linking: [LinkerSetting] = []) -> Target {
  .executableTarget(
    name: name, dependencies: modules.map { .product(name: $0, package: "imgdl") }, path: name,
    swiftSettings: strict, linkerSettings: linkWhatIsUsed + linking)
}

let package = Package(
  name: "Workers",
  products: ["imgdl-render", "imgdl-unpack", "imgdl-urlsession"].map {
    .executable(name: $0, targets: [$0])
  },
  dependencies: [.package(name: "imgdl", path: "../..")],
  targets: [
    worker(
      "imgdl-render",
      [
        "Rendering", "RenderMessages", "Decoding", "Decoders", "Wiring", "Confinement",
        "WorkerProcess", "SystemCalls", "CLinux", "Models",
      ], linking: startQuickly),
    worker(
      "imgdl-unpack",
      [
        "Archive", "ArchiveMessages", "ArchiveReaders", "Rendering",
        "RenderMessages", "Confinement", "WorkerProcess", "SystemCalls", "CLinux",
      ], linking: startQuickly),
    worker(
      "imgdl-urlsession",
      ["TransportURLSession", "Transport", "WorkerProcess", "SystemCalls", "Models"]),
  ]
)
