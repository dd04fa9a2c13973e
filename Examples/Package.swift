// swift-tools-version: 6.2
// A package of others that uses this one: a program, and the templates of Documentation/WritingAnAdapter.md.
// Tools/checks/examples builds a copy of it and holds each adapter to the contract of its port.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "imgdl") }

func adapter(_ name: String, _ products: [String]) -> Target {
  .target(
    name: name, dependencies: products.map { product($0) }, path: "Adapters/\(name)",
    swiftSettings: settings)
}

let package = Package(
  name: "Examples",
  products: ["MyTransport", "MyArchive", "MyDecoder", "MyStore"].map {
    .library(name: $0, targets: [$0])
  },
  dependencies: [.package(name: "imgdl", path: "..")],
  targets: [
    .executableTarget(
      name: "lazy-flags",
      dependencies: ["Composition", "LibraryAPI", "Models"].map { product($0) }, path: "LazyFlags"),
    adapter("MyTransport", ["Transport", "HTTP1", "Models", "Wiring"]),
    adapter("MyArchive", ["Archive", "Models", "Wiring"]),
    adapter("MyDecoder", ["Decoding", "Rendering", "Models"]),
    // The store in memory of this project is small enough to be its own template.
    adapter("MyStore", ["Persistence", "Models", "Naming", "Wiring"]),
    .testTarget(
      name: "AdapterTests",
      dependencies: ["MyTransport", "MyArchive", "MyDecoder", "MyStore"]
        + [
          "AdapterContracts", "Archive", "Decoding", "Persistence", "Transport", "Models", "Wiring",
        ]
        .map { product($0) },
      path: "AdapterTests", swiftSettings: settings),
  ]
)
