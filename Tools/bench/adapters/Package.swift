// swift-tools-version: 6.2
// Measures the adapters without the engine. A separate package, so that only the benchmarks build it.
import PackageDescription

let package = Package(
  name: "adapters",
  dependencies: [.package(name: "imgdl", path: "../../..")],
  targets: [
    .executableTarget(
      name: "transports",
      dependencies: [
        .product(name: "Composition", package: "imgdl"),
        .product(name: "Transport", package: "imgdl"),
        .product(name: "Models", package: "imgdl"),
      ]),
    .executableTarget(
      name: "loads",
      dependencies: [
        .product(name: "Composition", package: "imgdl"),
        .product(name: "Transport", package: "imgdl"),
        .product(name: "Models", package: "imgdl"),
      ]),
    .executableTarget(
      name: "thumbnails",
      dependencies: [
        .product(name: "Composition", package: "imgdl"),
        .product(name: "Rendering", package: "imgdl"),
        .product(name: "Models", package: "imgdl"),
      ]),
  ]
)
