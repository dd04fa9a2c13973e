import Foundation
import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
@testable import Control

/// Rows, files and facts of a library.
@Suite struct ReadingTests {
  @Test("records are listed in order, in parts, and a part continues after the last row")
  func cursors() async throws {
    try await withShelf { stage, shelf in
      for number in 1...7 { _ = try await shelf.addRecord("r\(number)") }
      #expect(try await titles(stage, "/v1/records?limit=3").0 == ["r1", "r2", "r3"])
      var path = "/v1/records?limit=3"
      var all: [String] = []
      for round in 1...3 {
        let (titles, next) = try await titles(stage, path)
        all += titles
        // What comes at the top meanwhile is neither missed nor does it push others aside.
        _ = try await shelf.addRecord("top\(round)", at: .top)
        guard let next else { break }
        path = "/v1/records?limit=3&after=\(next)"
      }
      #expect(all == (1...7).map { "r\($0)" })
    }
  }

  @Test("a list whose last row was removed reports that; numbers and cursors have one spelling")
  func badCursors() async throws {
    try await withShelf { stage, shelf in
      let ids = try await withTaskGroupOfRecords(shelf)
      let answer = try #require(try await stage.ask("GET", "/v1/records?limit=2"))
      let next = try #require(try Node(json: answer.text)["next"]?.string)
      try shelf.store.write { store throws(StoreError) in try store.removeRecord(ids[1]) }
      let gone = try await stage.ask("GET", "/v1/records?after=\(next)")
      #expect(gone?.status == 410 && gone?.code == "cursorGone")
      for query in [
        "limit=0", "limit=1001", "limit=-1", "limit=1e2", "limit=", "limit=0x10", "after=",
        "after=1", "after=1-", "after=-1-1", "after=01-1", "after=1-99999999999999999999",
        "after=9223372036854775807-1-1",
      ] {
        let answer = try await stage.ask("GET", "/v1/records?\(query)")
        #expect(answer?.status == 400, "\(query)")
      }
      let far = try await stage.ask("GET", "/v1/records?after=9223372036854775807-1")
      #expect(far?.status == 410)
    }
  }

  @Test("further pages of a source continue its first record, and no other one")
  func furtherPages() async throws {
    try await withShelf { stage, shelf in
      let first = try await shelf.addRecord("list")
      try shelf.store.write { store throws(StoreError) in
        guard let source = try store.record(first)?.source else { return }
        _ = try store.appendRecord(
          RecordDraft(source: source, title: "folder", folder: "folder"), at: .top)
        try store.setState(SourceState(nextPage: "http://h/?2"), of: source)
      }
      let answer = try await stage.ask("GET", "/v1/records")
      let items = try Node(json: answer?.text ?? "")["items"]?.items ?? []
      #expect(items.map { $0["title"]?.string } == ["folder", "list"])
      #expect(items.map { $0["hasMore"] } == [.flag(false), .flag(true)])
      let one = try await stage.ask("GET", "/v1/records/\(first)")
      #expect(try Node(json: one?.text ?? "")["hasMore"] == .flag(true))
    }
  }

  @Test("a resource is described with its file, its text and its activity")
  func resources() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(2, to: record)
      try await shelf.finish(ids[0], "0001-a.jpg", .jpeg)
      try shelf.store.write { store throws(StoreError) in
        try store.apply([.mirrored(ids[1], mirrors: ["http://m/2"], byteCount: nil)])
      }
      await stage.library.change {
        $0.progress.active = [
          ActiveResource(
            id: ids[1], record: record, label: "b",
            activity: .downloading(received: 42, expected: 100))
        ]
      }
      let answer = try await stage.ask("GET", "/v1/records/\(record)/resources")
      let items = try Node(json: answer?.text ?? "")["items"]?.items ?? []
      #expect(items.map { $0["status"]?.string } == ["Finished", "Downloading 42%"])
      #expect(items.map { $0["mirrors"]?.items.compactMap(\.string) } == [nil, ["http://m/2"]])
      #expect(items.first?["path"]?.string == "birds/0001-a.jpg")
      #expect(try await stage.ask("GET", "/v1/records/99/resources")?.code == "noSuchRecord")
      #expect(try await stage.ask("GET", "/v1/resources/99")?.code == "noSuchResource")
      #expect(try await stage.ask("GET", "/v1/resources/01")?.status == 400)
    }
  }

  @Test("bytes are sent with an entity tag and a safe media type, and only once")
  func bytes() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(3, to: record)
      let page = Page(number: 1, width: 8, height: 8, thumbnail: "ab/t-p1-256.jpg")
      try await shelf.finish(ids[0], "0001-a.jpg", .jpeg, pages: [page])
      try await shelf.finish(ids[1], "0002-b.svg", .svg)
      try await shelf.finish(ids[2], "0003-c.html", .html)
      for name in ["0001-a.jpg", "0002-b.svg", "0003-c.html"] {
        try shelf.write("birds/" + name, "bytes")
      }
      try shelf.write(".imgdl/renditions/ab/t-p1-256.jpg", "GIF89a, small")
      let whole = try #require(try await stage.ask("GET", "/v1/resources/1/file"))
      #expect(whole.status == 200 && whole.text == "bytes")
      #expect(whole.fields["Content-Type"] == "image/jpeg")
      #expect(whole.fields["X-Content-Type-Options"] == "nosniff")
      let tag = try #require(whole.fields["ETag"])
      for held in [tag, "W/\(tag)", "\"x\", \(tag) ", "*"] {
        let again = try await stage.ask(
          "GET", "/v1/resources/1/file", fields: ["If-None-Match: \(held)"])
        #expect(again?.status == 304 && again?.body == [], "\(held)")
        #expect(again?.fields["ETag"] == tag)
      }
      let other = try await stage.ask(
        "GET", "/v1/resources/1/file", fields: ["If-None-Match: \"x\""])
      #expect(other?.status == 200)
      let head = try await stage.ask("HEAD", "/v1/resources/1/file")
      #expect(head?.status == 200 && head?.fields["Content-Length"] == "5" && head?.body == [])
      for (range, status, text) in [
        ("bytes=1-2", 206, "yt"), ("bytes=-2", 206, "es"), ("bytes=4-", 206, "s"),
        ("bytes=1-2,4-5", 200, "bytes"),
      ] {
        let part = try #require(
          try await stage.ask("GET", "/v1/resources/1/file", fields: ["Range: \(range)"]))
        #expect(part.status == status && part.text == text, "\(range)")
        #expect((part.fields["Content-Range"] != nil) == (status == 206))
      }
      let kept = try await stage.ask(
        "GET", "/v1/resources/1/file", fields: ["Range: bytes=3-", "If-Range: \(tag)"])
      #expect(kept?.text == "es" && kept?.fields["Content-Range"] == "bytes 3-4/5")
      let changed = try await stage.ask(
        "GET", "/v1/resources/1/file", fields: ["Range: bytes=3-", "If-Range: \"x\""])
      #expect(changed?.status == 200 && changed?.text == "bytes")
      let behind = try await stage.ask(
        "GET", "/v1/resources/1/file", fields: ["Range: bytes=5-"])
      #expect(behind?.status == 416 && behind?.fields["Content-Range"] == "bytes */5")
      let small = try await stage.ask("GET", "/v1/resources/1/pages/1/thumbnail")
      #expect(small?.text == "GIF89a, small" && small?.fields["Content-Type"] == "image/jpeg")
      #expect(try await stage.ask("GET", "/v1/resources/1/pages/1/image")?.text == "bytes")
      let fixed = try await stage.ask("GET", "/v1/resources/1/pages/1/image?v=abababab")
      #expect(fixed?.fields["Cache-Control"] == "private, max-age=31536000, immutable")
      #expect(try await stage.ask("GET", "/v1/resources/1/pages/1/image?v=ab")?.status == 404)
      #expect(try await stage.ask("GET", "/v1/resources/1/pages/2/image")?.code == "noSuchPage")
      for number in 2...3 {
        let answer = try await stage.ask("GET", "/v1/resources/\(number)/file")
        #expect(answer?.fields["Content-Type"] == "application/octet-stream")
        #expect(answer?.fields["Content-Disposition"] == "attachment")
        #expect(answer?.fields["Content-Security-Policy"] == "default-src 'none'; sandbox")
      }
    }
  }

  @Test("an image that browsers do not show is answered with a rendition of the engine")
  func browserImage() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(2, to: record)
      let page = Page(number: 1, width: 8, height: 8)
      let entry = Page(number: 1, width: 8, height: 8, file: "ab/abcdef0123-p1.gif")
      try await shelf.finish(ids[0], "0001-a.svg", .svg, pages: [page])
      try shelf.write("birds/0001-a.svg", "<svg/>")
      try await shelf.finish(ids[1], "0002-b.zip", .zip, pages: [entry])
      try shelf.write(".imgdl/renditions/ab/abcdef0123-p1.gif", "GIF89a")
      let path = "/v1/resources/1/pages/1/image?v=abababab"
      #expect(try await stage.ask("GET", path)?.code == "noImage")
      #expect(await stage.library.drawn == [1])
      let file = try #require(try await shelf.store.resource(ids[0])?.file)
      let name = try #require(BrowserImage(page, of: file)).name(.png)
      try shelf.write(".imgdl/renditions/" + name, "GIF87a")
      let answer = try #require(try await stage.ask("GET", path))
      #expect(answer.text == "GIF87a" && answer.fields["Content-Type"] == "image/png")
      #expect(answer.fields["Cache-Control"] == "private, max-age=31536000, immutable")
      #expect(await stage.library.drawn == [1])
      let original = try await stage.ask("GET", "/v1/resources/1/file")
      #expect(original?.fields["Content-Disposition"] == "attachment")
      let gif = try await stage.ask("GET", "/v1/resources/2/pages/1/image?v=abcdef01")
      #expect(gif?.text == "GIF89a" && gif?.fields["Content-Type"] == "image/gif")
    }
  }

  @Test(
    "a WebP that its EXIF block turns is answered with a rendition, because browsers do not turn it"
  )
  func turnedWebP() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(2, to: record)
      let page = Page(number: 1, width: 8, height: 4)
      for (index, orientation) in [6, 1].enumerated() {
        let name = "000\(index + 1)-a.webp"
        try await shelf.finish(ids[index], name, .webp, pages: [page])
        let text = TestPicture.turnedWebP(orientation: UInt8(orientation))
        try shelf.write("birds/" + name, String(decoding: text, as: UTF8.self))
      }
      #expect(try await stage.ask("GET", "/v1/resources/1/pages/1/image")?.code == "noImage")
      #expect(await stage.library.drawn == [1])
      let file = try #require(try await shelf.store.resource(ids[0])?.file)
      let name = try #require(BrowserImage(page, of: file, isTurned: true)).name(.jpeg)
      try shelf.write(".imgdl/renditions/" + name, "GIF87a")
      let turned = try #require(try await stage.ask("GET", "/v1/resources/1/pages/1/image"))
      #expect(turned.text == "GIF87a" && turned.fields["Content-Type"] == "image/jpeg")
      let upright = try await stage.ask("GET", "/v1/resources/2/pages/1/image")
      #expect(upright?.fields["Content-Type"] == "image/webp")
      #expect(await stage.library.drawn == [1])
    }
  }

  @Test("an image that a browser no longer wants is not rendered; a script may end its input")
  func leftImage() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(1, to: record)
      let page = Page(number: 1, width: 8, height: 8)
      try await shelf.finish(ids[0], "0001-a.tif", .tiff, pages: [page])
      stage.library.gate.close()
      let path = "/v1/resources/1/pages/1/image"
      let script = try await RawConnection(stage)
      await script.send(requestText("GET", path))
      await script.finishSending()
      try await stage.library.gate.untilWaiting()
      let browser = try await RawConnection(stage)
      await browser.send(requestText("GET", path, fields: ["Sec-Fetch-Site: same-origin"]))
      try await stage.library.gate.untilWaiting(2)
      await browser.finishSending()
      try await stage.library.cancelled.until { $0 == 1 }
      stage.library.gate.open()
      #expect(await script.answer()?.code == "noImage")
      #expect(await stage.library.drawn == [1])
      #expect(stage.library.cancelled.value == 1)
      await script.close()
      await browser.close()
    }
  }

  @Test(
    "a password is passed to the engine with its request, and a wrong one is returned as an error")
  func passwords() async throws {
    let password = try #require(DocumentPassword("päss \"word\" \\ 1"))
    let wrong = try #require(DocumentPassword("wrong"))
    try await withShelf { stage, shelf in
      let id = try #require(try await shelf.addResources(1, to: shelf.addRecord("birds")).first)
      let client = try await stage.connect()
      try await client.draw(page: 2, of: id)
      try await client.draw(page: 3, of: id, password: password)
      #expect(await stage.library.drawn == [2, 3])
      #expect(await stage.library.passwords == [nil, password])
      try await client.unlock(id, with: password)
      #expect(await stage.library.unlocked == [id: password])
      let error = await #expect(throws: LibraryError.self) {
        try await client.unlock(id, with: wrong)
      }
      #expect(error == LibraryError(.encrypted, ""))
      await client.close()
      for body in ["{}", "{\"password\":\"\"}", "{\"password\":\"a\\nb\"}", "{\"password\":5}"] {
        let answer = try await stage.ask("POST", "/v1/resources/1/unlock", body: body)
        #expect(answer?.status == 400 && answer?.code == "badBody", "\(body)")
      }
      #expect(try await stage.ask("POST", "/v1/resources/9/unlock", body: "{}")?.status == 404)
    }
  }

  @Test("pages of an archive that is not downloaded are read by the engine, also for clients")
  func remotePages() async throws {
    try await withShelf { stage, shelf in
      let id = try #require(
        try await shelf.addResources(1, to: shelf.addRecord("birds"), suffix: "zip").first)
      await stage.library.put(
        [
          Page(number: 1, width: 0, height: 0, label: "a.png", file: "ab/abcdef0123-p1.png"),
          Page(number: 2, width: 0, height: 0, label: "b.png", reason: "it is encrypted"),
        ], remotelyOf: id)
      let client = try await stage.connect()
      let pages = try await client.remotePages(of: id)
      #expect(pages.map(\.label) == ["a.png", "b.png"])
      #expect(pages.map(\.reason) == [nil, "it is encrypted"])
      let page = try await client.remotePage(1, of: id, withThumbnail: true)
      #expect(page?.file == "ab/abcdef0123-p1.png")
      await client.close()
      let path = "/v1/resources/1/pages"
      let list = try #require(try await stage.ask("GET", path))
      #expect(list.text.contains("\"image\":\"/v1/resources/1/pages/1/image?v=abcdef01\""))
      #expect(!list.text.contains("pages/2/image"))
      #expect(try await stage.ask("GET", path + "/2/image")?.code == "noImage")
      #expect(try await stage.ask("GET", path + "/3/image")?.code == "noSuchPage")
      #expect(try await stage.ask("POST", path + "/3/fetch")?.status == 404)
      #expect(try await stage.ask("POST", path + "/1/fetch", body: "[]")?.code == "badBody")
      await stage.library.fail(LibraryError(.noRanges, "http://h/a.zip: no parts"))
      let refused = try await stage.ask("GET", path)
      #expect(refused?.status == 424 && refused?.code == "noRanges")
    }
  }

  @Test(
    "no file outside of the library is sent, for any rows and folders",
    arguments: [
      "../secret", "../../secret", "/etc/passwd", "a/../../secret", "link", "way/secret", ".", "",
      "folder", "pipe", "a//b", "gone",
    ])
  func outside(_ name: String) async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(1, to: record)
      try FileSystem.replace(stage.folder.path + "/secret", with: "secret")
      try FileSystem.makeFolders(shelf.root + "/birds/folder")
      #expect(symlink(stage.folder.path + "/secret", shelf.root + "/birds/link") == 0)
      #expect(symlink(stage.folder.path, shelf.root + "/birds/way") == 0)
      #expect(mkfifo(shelf.root + "/birds/pipe", 0o600) == 0)
      try await shelf.finish(ids[0], name, .jpeg)
      let answer = try #require(try await stage.ask("GET", "/v1/resources/1/file"))
      #expect(answer.status == 404 && answer.code == "noImage", "\(answer.text)")
    }
  }

  @Test("a long file is sent completely, and a client that disconnects during it is released")
  func long() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(1, to: record)
      try await shelf.finish(ids[0], "long.jpg", .jpeg)
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
      try shelf.write("birds/long.jpg", "")
      try FileSystem.replace(
        shelf.root + "/birds/long.jpg", with: bytes.span.bytes, syncing: false)
      let leaving = try await RawConnection(stage)
      await leaving.send(requestText("GET", "/v1/resources/1/file"))
      #expect(await leaving.some() != nil)
      await leaving.close()
      #expect(try await stage.ask("GET", "/v1/resources/1/file")?.body == bytes)
    }
  }

  @Test("calls of a batch are made in order, each with its own response")
  func batch() async throws {
    try await withShelf { stage, shelf in
      _ = try await shelf.addRecord("birds")
      await stage.library.insert("birds", queued: 2)
      let body = """
        {"calls":[{"path":"/v1/records/1"},{"method":"POST","path":"/v1/records/1/pause"},\
        {"method":"PUT","path":"/v1/settings/per-host","body":{"limit":3}},{"path":"/v1/none"},\
        {"path":"/v1/events"},{"method":"POST","path":"/v1/batch","body":{"calls":[]}},\
        {"path":"/v1/../x"}]}
        """
      let answer = try #require(try await stage.ask("POST", "/v1/batch", body: body))
      let answers = try Node(json: answer.text)["answers"]?.items ?? []
      #expect(answers.compactMap { $0["status"]?.double } == [200, 200, 204, 404, 400, 404, 400])
      #expect(answers.first?["body"]?["title"]?.string == "birds")
      #expect(await stage.library.state.perHost == 3)
      let many = (0...100).map { _ in "{\"path\":\"/v1\"}" }.joined(separator: ",")
      let refused = try await stage.ask("POST", "/v1/batch", body: "{\"calls\":[\(many)]}")
      #expect(refused?.status == 413 && refused?.code == "tooManyCalls")
    }
  }

  @Test("settings are listed, with only the names of request fields")
  func settings() async throws {
    var settings = Settings()
    settings.network.headers = ["Authorization: Bearer abc"]
    try await withShelf(settings) { stage, _ in
      let answer = try #require(try await stage.ask("GET", "/v1/settings"))
      #expect(answer.text.contains("Authorization"))
      #expect(!answer.text.contains("Bearer"))
    }
  }

  private func withTaskGroupOfRecords(_ shelf: Shelf) async throws -> [RecordID] {
    var ids: [RecordID] = []
    for number in 1...3 { ids.append(try await shelf.addRecord("r\(number)")) }
    return ids
  }

  private func titles(_ stage: Stage, _ path: String) async throws -> ([String], String?) {
    let answer = try #require(try await stage.ask("GET", path))
    let node = try Node(json: answer.text)
    return (node["items"]?.items.compactMap { $0["title"]?.string } ?? [], node["next"]?.string)
  }
}
