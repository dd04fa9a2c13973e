import Foundation
import Hashing
import Models
import Origin
import SystemCalls
import Testing

/// A line of `list --json`.
struct ListedRecord: Decodable, Equatable {
  let number: Int
  let title: String
  let folder: String
  let status: String
  let total: Int
  let finished: Int
  let failed: Int
  let bytes: Int64
}

/// A line of `show --json` and `details --json`.
struct ListedResource: Decodable {
  let index: Int
  let url: String
  let status: String
  let reason: String?
  let file: String?
  let bytes: Int64?
  let sha256: String?
  let format: String?
  let pages: Int
  let milliseconds: Double?
  let stage: String?
  let received: Int64?
  let expected: Int64?
  let width: Int?
  let height: Int?
}

extension Rig {
  /// The records, as `list --json` tells them.
  func records() async throws -> [ListedRecord] {
    try Self.lines(try await imgdl("list", "--json"))
  }

  /// The resources of a record, as `show --json` tells them.
  func resources(_ record: Int = 1) async throws -> [ListedResource] {
    try Self.lines(try await imgdl("show", "\(record)", "--json"))
  }

  static func lines<Line: Decodable>(_ ending: RunningProgram.Ending) throws -> [Line] {
    #expect(ending.code == 0, "\(ending.errors)")
    return try ending.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  /// Path → SHA-256 of everything in the library but `.imgdl`.
  func files() throws -> [String: String] {
    var files: [String: String] = [:]
    try collect("", into: &files)
    return files
  }

  private func collect(_ folder: String, into files: inout [String: String]) throws {
    for entry in try FileSystem.list(library + folder) where entry.name != ".imgdl" {
      let path = folder + "/" + entry.name
      if entry.kind == .folder {
        try collect(path, into: &files)
      } else {
        files[String(path.dropFirst())] = try Self.digest(library + path)
      }
    }
  }

  static func digest(_ path: String) throws -> String {
    try SHA256Hasher.hash(file: path).description
  }

  /// Names in `.imgdl/incoming`: what an add must not leave behind.
  func incoming() throws -> [String] {
    try FileSystem.list(library + "/.imgdl/incoming").map(\.name)
  }

  /// Each file of the record equals what the origin serves under its URL.
  func expectOriginals(_ record: Int = 1) async throws {
    for resource in try await resources(record) where resource.file != nil {
      let name = String(resource.url.dropFirst(origin.url.count))
      let expected = try Self.digest(served + "/" + name)
      #expect(resource.sha256 == expected, "\(resource.url)")
      let file = try #require(resource.file)
      #expect(try Self.digest(library + "/" + file) == expected, "\(file)")
    }
  }
}
