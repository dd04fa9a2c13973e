import Foundation
import LibraryAPI
import Models
import Persistence
import ProgressTree
import Testing
import TestSupport
@testable import Control

@Suite("Views")
struct ViewTests {
  @Test("show any part of a record in columns, with states, ratios, thumbnails and texts")
  func tiles() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(5, to: record)
      let hash = [UInt8]([9, 8, 7, 3, 5]) + [UInt8](repeating: 1, count: 12)
      let page = Page(
        number: 1, width: 300, height: 100, thumbnail: "ab/0123456789-p1-256.jpg",
        thumbHash: ThumbHash(hash))
      try await shelf.finish(ids[1], "0002-b.jpg", .jpeg, pages: [page])
      try shelf.store.write { store throws(StoreError) in
        try store.apply([.failed(ids[3], reason: "gone", pages: [])])
      }
      let active = ActiveResource(
        id: ids[2], record: record, label: "c", activity: .downloading(received: 42, expected: 100),
        dimensions: ImageDimensions(width: 100, height: 200))
      await stage.library.change { $0.progress.active = [active] }
      let view = try #require(
        try await stage.ask("POST", "/v1/records/\(record)/views", body: "{}"))
      let made = try JSONText.decode(ViewMessage.self, from: view.body)
      #expect(made.total == 5 && made.record == record.rawValue)
      let answer = try #require(
        try await stage.ask("GET", "/v1/views/\(made.view)/tiles?from=1&count=3"))
      let tiles = try JSONText.decode(TilesMessage.self, from: answer.body)
      #expect(tiles.from == 1 && tiles.total == 5)
      #expect(tiles.ids == ids[1...3].map(\.rawValue))
      #expect(Array(tiles.states) == [3, 0, 4])
      #expect(Array(tiles.ratios) == [192, 32, 0])
      #expect(Array(tiles.hashes) == [17] + hash + [0, 0])
      #expect(tiles.thumbnails == ["01234567", "", ""])
      #expect(tiles.texts == ["1": "Downloading 42%", "2": "Error"])
      #expect(tiles.badges == [:])
      // Behind the end there is nothing, and no error.
      let rest = try #require(
        try await stage.ask("GET", "/v1/views/\(made.view)/tiles?from=5&count=3"))
      #expect(try JSONText.decode(TilesMessage.self, from: rest.body).ids == [])
    }
  }

  @Test("name the formats of documents and archives with their numbers of pages")
  func badges() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("books")
      let ids = try await shelf.addResources(5, to: record)
      let pages = (1...3).map { Page(number: $0, width: 3, height: 4) }
      try await shelf.finish(ids[0], "0001-a.pdf", .pdf, pages: pages)
      try await shelf.finish(ids[1], "0002-b.7z", .sevenZip, pages: [pages[0]])
      try await shelf.finish(ids[2], "0003-c.tif", .tiff, pages: pages)
      try await shelf.finish(ids[3], "0004-d.png", .png, pages: [pages[0]])
      let view = try #require(
        try await stage.ask("POST", "/v1/records/\(record)/views", body: #"{"tiles":5}"#))
      let made = try JSONText.decode(ViewMessage.self, from: view.body)
      #expect(made.tiles?.badges == ["0": "PDF · 3", "1": "7Z", "2": "TIFF · 3"])
    }
  }

  @Test("stay the same when resources are added, change their state or are removed")
  func fixed() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(3, to: record)
      let view = try #require(
        try await stage.ask(
          "POST", "/v1/records/\(record)/views", body: #"{"states":["queued"]}"#))
      let made = try JSONText.decode(ViewMessage.self, from: view.body)
      _ = try await shelf.addResources(2, to: record)
      try await shelf.finish(ids[1], "0002-b.jpg", .jpeg)
      func tiles() async throws -> TilesMessage {
        let answer = try #require(try await stage.ask("GET", "/v1/views/\(made.view)/tiles"))
        return try JSONText.decode(TilesMessage.self, from: answer.body)
      }
      #expect(try await tiles().ids == ids.map(\.rawValue))
      #expect(try await Array(tiles().states) == [0, 3, 0])
      try shelf.store.write { store throws(StoreError) in try store.removeRecord(record) }
      #expect(try await tiles().ids == ids.map(\.rawValue))
      #expect(try await Array(tiles().states) == [255, 255, 255])
    }
  }

  @Test("share the ids of a whole record until the next event, and no others")
  func shared() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      var count = 0
      func total(_ body: String) async throws -> Int {
        let answer = try #require(
          try await stage.ask("POST", "/v1/records/\(record)/views", body: body))
        return try JSONText.decode(ViewMessage.self, from: answer.body).total
      }
      func add() async throws {
        _ = try await shelf.addResources(2, to: record)
        count += 2
      }
      try await add()
      await stage.library.change { $0.seq = 7 }
      #expect(try await total("{}") == count)
      // Without an event, the earlier view stands for the record; one with a condition is read again.
      try await add()
      #expect(try await total("{}") == count - 2)
      #expect(try await total(#"{"states":["queued"]}"#) == count)
      #expect(try await total(#"{"order":"size"}"#) == count)
      #expect(try await total(#"{"descending":true}"#) == count)
      await stage.library.change { $0.seq = 8 }
      #expect(try await total("{}") == count)
      await stage.library.change { $0.seq = nil }
      try await add()
      #expect(try await total("{}") == count)
    }
  }

  @Test("are made with their first tiles if the request wants them")
  func firstTiles() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(5, to: record)
      for (wanted, expected) in [(0, nil), (2, 2), (9, 5)] as [(Int, Int?)] {
        let answer = try #require(
          try await stage.ask(
            "POST", "/v1/records/\(record)/views", body: "{\"tiles\":\(wanted)}"))
        let view = try JSONText.decode(ViewMessage.self, from: answer.body)
        #expect(view.tiles?.ids == expected.map { ids.prefix($0).map(\.rawValue) })
      }
      for wrong in ["-1", "1025", "1.5"] {
        let answer = try await stage.ask(
          "POST", "/v1/records/\(record)/views", body: "{\"tiles\":\(wrong)}")
        #expect(answer?.status == 400)
      }
    }
  }

  @Test("are listed as resources, and retried and reloaded as a whole")
  func verbs() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(5, to: record)
      #expect(await stage.library.insert("birds") == record)
      let answer = try #require(
        try await stage.ask("POST", "/v1/records/\(record)/views", body: #"{"descending":true}"#))
      let view = try JSONText.decode(ViewMessage.self, from: answer.body).view
      let list = try #require(
        try await stage.ask("GET", "/v1/views/\(view)/resources?from=1&count=2"))
      struct List: Decodable { var items: [ResourceMessage] }
      let items = try JSONText.decode(List.self, from: list.body).items
      #expect(items.map(\.id) == [ids[3], ids[2]].map(\.rawValue))
      for verb in ["retry", "reload"] {
        let count = try #require(try await stage.ask("POST", "/v1/views/\(view)/\(verb)"))
        #expect(try JSONText.decode(CountMessage.self, from: count.body).count == 5)
        #expect(await stage.library.chosen == ids.reversed())
      }
      // The same for a list of ids.
      let two = try #require(
        try await stage.ask(
          "POST", "/v1/records/\(record)/retry",
          body: "{\"resources\":[\(ids[0]),\(ids[4])]}"))
      #expect(two.status == 200)
      #expect(await stage.library.chosen == [ids[0], ids[4]])
      let wrong = try await stage.ask(
        "POST", "/v1/records/\(record)/reload", body: #"{"resources":[0]}"#)
      #expect(wrong?.status == 400)
    }
  }

  @Test("that are not kept, and values that are none, have their status")
  func refusals() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      for (method, path, body, expected) in [
        ("GET", "/v1/views/0123456789abcdef/tiles", nil, 410),
        ("DELETE", "/v1/views/0123456789abcdef", nil, 410),
        ("POST", "/v1/views/0123456789abcdef/retry", nil, 410),
        ("POST", "/v1/views/0123456789abcdef/reload", nil, 410),
        ("GET", "/v1/views/0123456789abcdef/resources", nil, 410),
        ("GET", "/v1/views/0123456789ABCDEF/tiles", nil, 400),
        ("GET", "/v1/views/1/tiles", nil, 400),
        ("POST", "/v1/records/99/views", "{}", 404),
        ("POST", "/v1/records/\(record)/views", #"{"states":["none"]}"#, 400),
        ("POST", "/v1/records/\(record)/views", #"{"order":"colour"}"#, 400),
      ] as [(String, String, String?, Int)] {
        let answer = try await stage.ask(method, path, body: body)
        #expect(answer?.status == expected, "\(method) \(path)")
      }
      let view = try #require(
        try await stage.ask("POST", "/v1/records/\(record)/views", body: "{}"))
      let id = try JSONText.decode(ViewMessage.self, from: view.body).view
      for query in ["from=-1", "from=01", "count=0", "count=1025", "count=x", "from=1&from=2"] {
        #expect(try await stage.ask("GET", "/v1/views/\(id)/tiles?\(query)")?.status == 400)
      }
      #expect(try await stage.ask("DELETE", "/v1/views/\(id)")?.status == 204)
      #expect(try await stage.ask("GET", "/v1/views/\(id)/tiles")?.status == 410)
    }
  }

  @Test("thumbnails of a version may be kept for ever, and other versions are refused")
  func versions() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let id = try await shelf.addResources(1, to: record)[0]
      let page = Page(number: 1, width: 3, height: 1, thumbnail: "ab/0123456789-p1-256.jpg")
      try await shelf.finish(id, "0001-a.jpg", .jpeg, pages: [page])
      try shelf.write(".imgdl/renditions/ab/0123456789-p1-256.jpg", "GIF89a")
      let path = "/v1/resources/\(id)/pages/1/thumbnail"
      let plain = try await stage.ask("GET", path)
      #expect(plain?.fields["Cache-Control"] == "private, no-cache")
      let versioned = try await stage.ask("GET", path + "?v=01234567")
      #expect(versioned?.status == 200)
      #expect(versioned?.fields["Cache-Control"] == "private, max-age=31536000, immutable")
      #expect(try await stage.ask("GET", path + "?v=0123456")?.status == 404)
    }
  }
}

@Suite("Several thumbnails")
struct ThumbnailListTests {
  @Test("come in one response, each behind its length; what is missing has the length 0")
  func list() async throws {
    try await withShelf { stage, shelf in
      let record = try await shelf.addRecord("birds")
      let ids = try await shelf.addResources(4, to: record)
      for (id, digit) in zip(ids, ["a", "b", "c", "d"]) {
        let name = "ab/\(String(repeating: digit, count: 10))-p1-256.jpg"
        try await shelf.finish(
          id, "\(digit).jpg", .jpeg, pages: [Page(number: 1, width: 3, height: 1, thumbnail: name)])
        // A power cut may leave an empty file.
        let content = digit == "d" ? "" : "GIF89a \(digit)"
        if digit != "c" { try shelf.write(".imgdl/renditions/\(name)", content) }
      }
      let both = try #require(
        try await stage.ask("GET", "/v1/thumbnails?of=\(ids[0]).aaaaaaaa,\(ids[1]).bbbbbbbb"))
      #expect(both.status == 200)
      #expect(both.fields["Cache-Control"] == "private, max-age=31536000, immutable")
      #expect(both.body == [8, 0, 0, 0] + "GIF89a a".utf8 + [8, 0, 0, 0] + "GIF89a b".utf8)
      // An evicted file, an old version, an unknown resource, and a damaged file.
      let none = try #require(
        try await stage.ask(
          "GET",
          "/v1/thumbnails?of=\(ids[2]).cccccccc,\(ids[0]).bbbbbbbb,99.aaaaaaaa,\(ids[3]).dddddddd"))
      #expect(none.body == [UInt8](repeating: 0, count: 16))
      #expect(none.fields["Cache-Control"] == "no-store")
      let many = (1...65).map { "\($0).a" }.joined(separator: ",")
      for wrong in ["", "1", "1.", "01.a", "0.a", "-1.a", "1.a,", "1.a.b", many] {
        #expect(try await stage.ask("GET", "/v1/thumbnails?of=\(wrong)")?.status == 400, "\(wrong)")
      }
    }
  }
}
