// swift-tools-version: 6.2
// Adapters of another package: the templates of Documentation/WritingAnAdapter.md. Tools/checks/templates
// builds a copy of them and holds each to the contract of its port.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "imgdl") }

func adapter(_ name: String, _ products: [String]) -> Target {
  .target(name: name, dependencies: products.map { product($0) }, swiftSettings: settings)
}

let package = Package(
  name: "Adapters",
  products: ["MyTransport", "MyArchive", "MyDecoder", "MyStore"].map {
    .library(name: $0, targets: [$0])
  },
  dependencies: [.package(name: "imgdl", path: "../..")],
  targets: [
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
      swiftSettings: settings),
  ]
)
