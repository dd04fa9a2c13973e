// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "LazyFlags",
  dependencies: [.package(name: "imgdl", path: "../..")],
  targets: [
    .executableTarget(
      name: "lazy-flags",
      dependencies: [
        .product(name: "Composition", package: "imgdl"),
        .product(name: "LibraryAPI", package: "imgdl"),
        .product(name: "Models", package: "imgdl"),
      ],
      path: "Sources")
  ]
)
