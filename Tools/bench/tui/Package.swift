// swift-tools-version: 6.2
// What drawing costs, without a terminal: see Documentation/Terminal.md.
import PackageDescription

let package = Package(
  name: "tui-bench",
  dependencies: [.package(name: "imgdl", path: "../../..")],
  targets: [
    .executableTarget(
      name: "cells", dependencies: [.product(name: "Terminal", package: "imgdl")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
