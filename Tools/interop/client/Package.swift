// swift-tools-version: 6.2
// Our transports as a program of one line a request; a package of its own, so that nobody else builds it.
import PackageDescription

let package = Package(
  name: "exchange",
  dependencies: [.package(name: "imgdl", path: "../../..")],
  targets: [
    .executableTarget(
      name: "exchange",
      dependencies: [
        .product(name: "Composition", package: "imgdl"),
        .product(name: "Transport", package: "imgdl"),
        .product(name: "Models", package: "imgdl"),
      ])
  ]
)
