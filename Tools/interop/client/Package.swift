// swift-tools-version: 6.2
// A program that sends requests with our transports and prints a line for each. A separate package, so that
// only the interoperability tests build it.
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
