import TestSupport
import Testing

/// The library does not depend on the transport and the archive adapter, or on how they are chosen.
@Suite struct CombinationTests {
  enum Way: String, CaseIterable { case flags, configuration, environment }

  struct Row: Equatable {
    let url: String
    let status: String
    let reason: String?
    let file: String?
    let bytes: Int64?
    let sha256: String?
    let format: String?
    let pages: Int
  }

  struct Outcome: Equatable {
    let code: Int32?
    let files: [String: String]
    let records: [ListedRecord]
    let rows: [Row]
  }

  @Test(
    "the four combinations of transport and archive create the same library",
    arguments: Way.allCases)
  func combinations(_ way: Way) async throws {
    try await Rig.run { rig in
      let source = try rig.serve("all.zip", manifest(rig))
      var first: Outcome?
      for transport in ["socket", "url-session"] {
        for archive in ["minizip", "libarchive"] {
          let outcome = try await add(source, rig, transport, archive, way)
          #expect(outcome.code == 1, "one resource does not exist")
          #expect(outcome.files.count == 6)
          if let first { #expect(outcome == first, "\(transport), \(archive)") }
          first = first ?? outcome
          #expect(try await rig.imgdl("reset", "--yes").code == 0)
        }
      }
    }
  }

  private func manifest(_ rig: Rig) throws -> [UInt8] {
    let archive = ZipBuilder([
      .deflated("two.png", Sample.image(20)), .stored("folder/ten.png", Sample.image(21)),
    ])
    try rig.serve("pages.zip", archive.build())
    try rig.serve("leaf.pdf", Sample.pdf)
    try rig.serve("notes.txt", "no picture")
    return try Sample.manifest([
      "birds.json": rig.serveImages("b", 3) + [rig.url("none.png")],
      "others.json": [rig.url("pages.zip"), rig.url("leaf.pdf"), rig.url("notes.txt")],
    ])
  }

  private func add(
    _ source: String, _ rig: Rig, _ transport: String, _ archive: String, _ way: Way
  ) async throws -> Outcome {
    let ending: RunningProgram.Ending
    switch way {
    case .flags:
      ending = try await rig.imgdl(
        "add", source, "--set", "adapters.transport=\(transport)",
        "--set", "adapters.archive=\(archive)")
    case .environment:
      ending = try await rig.imgdl(
        "add", source,
        environment: [
          "IMGDL_ADAPTERS_TRANSPORT": transport, "IMGDL_ADAPTERS_ARCHIVE": archive,
        ])
    case .configuration:
      try rig.write(
        "home/.config/imgdl/config.json",
        """
        { // chosen by a file
          "adapters": { "transport": "\(transport)", "archive": "\(archive)", },
        }
        """)
      ending = try await rig.imgdl("add", source)
    }
    var rows: [Row] = []
    let records = try await rig.records()
    for record in records {
      rows += try await rig.resources(record.number).map {
        Row(
          url: $0.url, status: $0.status, reason: $0.reason, file: $0.file, bytes: $0.bytes,
          sha256: $0.sha256, format: $0.format, pages: $0.pages)
      }
    }
    return Outcome(code: ending.code, files: try rig.files(), records: records, rows: rows)
  }
}
