import Foundation
import Origin
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// Pages of archives that are not downloaded, by the interface of a real imgdld and from a real server.
@Suite(
  .timeLimit(.minutes(60)),
  .enabled(if: FileSystem.isExecutable("/usr/bin/curl"), "curl is not installed"))
struct RemotePageTests {
  private static func image(_ number: Int) -> [UInt8] {
    TestPicture.png(width: 32, height: 24, red: UInt8(number))
  }

  /// An archive whose images are not received with its directory.
  private static func archive(
    _ numbers: ClosedRange<Int>, _ change: (inout ZipBuilder) -> Void = { _ in }
  ) -> [UInt8] {
    var zip = ZipBuilder(
      numbers.map { .stored("page \($0).png", image($0)) }
        + [.stored("z.bin", [UInt8](repeating: 7, count: 200_000))])
    change(&zip)
    return zip.build()
  }

  /// An imgdld with a lazy record of the archives, of which the second is damaged and the last one comes from a
  /// server without ranges.
  private static func stage() async throws -> (DaemonStage, OriginServer) {
    let archive = archive(1...20)
    let lying = self.archive(1...3) { zip in
      zip.entries[0].crc ^= 1
      zip.entries[1].localName = Array("page 9.png".utf8)
    }
    let stage = try DaemonStage { folder, _ in
      try FileSystem.replace("\(folder)/a.cbz", with: archive.span.bytes, syncing: false)
      try FileSystem.replace("\(folder)/lying.zip", with: lying.span.bytes, syncing: false)
      try FileSystem.replace("\(folder)/text.zip", with: String(repeating: "text ", count: 9_000))
    }
    var configuration = OriginConfiguration(folder: stage.folder.path + "/served")
    configuration.faults = [FaultRate(.ignoreRange, percent: 100)]
    let rigid = try OriginServer(configuration)
    let list =
      ["a.cbz", "lying.zip", "text.zip"].map { stage.origin.url + $0 } + [
        rigid.url + "a.cbz"
      ]
    try FileSystem.replace(
      stage.folder.path + "/list.txt", with: list.joined(separator: "\n") + "\n")
    try await stage.waits(for: "\"api\"", of: "/v1")
    let added = try await stage.shell(
      "curl -s --unix-socket $S http://localhost/v1/sources -H 'Content-Type: application/json' "
        + "-d '{\"file\":\"\(stage.folder.path)/list.txt\",\"lazy\":true}'")
    #expect(added.contains("\"records\":[1]"), "\(added)")
    return (stage, rigid)
  }

  private static func call(_ stage: DaemonStage, _ words: String) async throws -> String {
    try await stage.shell("curl -s --unix-socket $S http://localhost/v1/resources/\(words)")
  }

  @Test("Pages are listed and shown without the archive, which stays queued")
  func pages() async throws {
    let (stage, rigid) = try await Self.stage()
    let list = try await Self.call(stage, "1/pages")
    let items = try #require(try Node(json: list)["items"]?.items)
    #expect(items.compactMap { $0["label"]?.string } == (1...20).map { "page \($0).png" })
    #expect(items.allSatisfy { $0["thumbnail"] == nil && $0["width"]?.double == 0 })
    #expect(await stage.origin.log.entries(count: 1).map(\.range) == ["bytes=-16384"])

    let address = try #require(items[6]["image"]?.string).dropFirst("/v1/resources/".count)
    let told = try await Self.call(
      stage, "\(address) -o page -w '%{http_code} %{content_type} %header{cache-control}'")
    #expect(told == "200 image/png private, max-age=31536000, immutable")
    #expect(try FileSystem.contents(of: stage.folder.path + "/page") == Self.image(7))
    let small = try await Self.call(
      stage, "1/pages/7/thumbnail -o small -w '%{http_code} %{content_type}'")
    #expect(small == "200 image/png", "a thumbnail of a few pixels has no loss of colour")
    let log = await stage.origin.log.entries(count: 2)
    #expect(log.count == 2, "the list, and one page")
    #expect(log.allSatisfy { $0.status == 206 })
    #expect(log.reduce(0) { $0 + $1.bytes } < 16_384 + Int64(Self.image(7).count) + 1_024)

    let files = try Node(
      json: try await Self.call(
        stage,
        "1/pages/7/fetch -d '{\"thumbnail\":true}' "
          + "-H 'Content-Type: application/json'"))
    #expect((files["width"]?.double, files["height"]?.double) == (32, 24))
    let path = stage.library + "/" + (files["file"]?.string ?? "-")
    #expect(try FileSystem.contents(of: path) == Self.image(7))
    #expect(FileSystem.exists(stage.library + "/" + (files["thumbnail"]?.string ?? "-")))
    #expect(try await Self.call(stage, "1").contains("\"state\":\"queued\""))
    #expect(try await Self.call(stage, "1/pages/21/image").contains("\"code\":\"noSuchPage\""))
    #expect(stage.origin.log.entries.count == 2)
    #expect(stage.terminate().status == .code(0))
    rigid.stop()
  }

  @Test("After a change on the server the old address is gone, and a new list has new ones")
  func change() async throws {
    let (stage, rigid) = try await Self.stage()
    let old = try Node(json: try await Self.call(stage, "1/pages"))["items"]?.items ?? []
    let changed = Self.archive(101...105)
    try FileSystem.replace(
      stage.folder.path + "/served/a.cbz", with: changed.span.bytes, syncing: false)
    let address = try #require(old[0]["image"]?.string).dropFirst("/v1/resources/".count)
    let gone = try await Self.call(stage, "\(address)")
    #expect(gone.contains("\"code\":\"noImage\"") && gone.contains("\"status\":404"), "\(gone)")
    let new = try Node(json: try await Self.call(stage, "1/pages"))["items"]?.items ?? []
    #expect(new.compactMap { $0["label"]?.string } == (101...105).map { "page \($0).png" })
    let next = try #require(new[0]["image"]?.string).dropFirst("/v1/resources/".count)
    _ = try await Self.call(stage, "\(next) -o page")
    #expect(try FileSystem.contents(of: stage.folder.path + "/page") == Self.image(101))
    #expect(stage.terminate().status == .code(0))
    rigid.stop()
  }

  @Test(
    "A problem says whether the directory lies, the file is no archive, or the server has no ranges"
  )
  func problems() async throws {
    let (stage, rigid) = try await Self.stage()
    for (words, code, status, detail) in [
      ("2/pages/1/image", "source", 422, "page 1.png: the entry is damaged"),
      ("2/pages/2/image", "source", 422, "the header of the entry contradicts the directory"),
      ("3/pages", "source", 422, "zip archive"),
      ("4/pages", "noRanges", 424, "the server does not send parts of files; the archive ("),
      ("4/pages/1/image", "noRanges", 424, "must be downloaded whole"),
      ("4/pages/1/fetch -X POST", "noRanges", 424, "must be downloaded whole"),
    ] {
      let answer = try await Self.call(stage, words)
      let problem = try Node(json: answer)
      #expect(problem["code"]?.string == code, "\(words): \(answer)")
      #expect(problem["status"]?.double == Double(status))
      #expect(problem["detail"]?.string?.contains(detail) == true, "\(words): \(answer)")
    }
    _ = try await Self.call(stage, "2/pages/3/image -o page")
    #expect(try FileSystem.contents(of: stage.folder.path + "/page") == Self.image(3))
    #expect(stage.terminate().status == .code(0))
    rigid.stop()
  }
}
