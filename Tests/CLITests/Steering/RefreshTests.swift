import Origin
import Testing

/// `refresh` (RM7), `more` (RM8) and `add --lazy` (LZ2).
@Suite struct RefreshTests {
  @Test(
    "new records are added at the top, existing ones are not changed; an unchanged source costs a 304"
  )
  func refreshing() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let urls = (1...4).map { stage.serve("\($0).png", Sample.image($0)) }
      let source = stage.serve("list.json", try Sample.json(Array(urls[..<2])))
      #expect(try await rig.imgdl("add", source).code == 0)
      let unchanged = try await rig.imgdl("refresh", "list")
      #expect(unchanged.code == 0, "\(unchanged.errors)")
      #expect(unchanged.errors.contains("list: unchanged"))
      #expect(stage.requests(of: "list.json").last?.condition != nil)
      #expect(stage.requests.count == 4, "one short request")

      stage.serve("list.json", try Sample.json([urls[2]] + urls[..<2]))
      let byURL = try await rig.imgdl("refresh", source)
      #expect(byURL.code == 0 && byURL.errors.contains("1 new entry"), "\(byURL.errors)")
      #expect(try await rig.resources().map(\.url) == [urls[2], urls[0], urls[1]])

      try await rig.withFirst { first, held in
        stage.serve("list.json", try Sample.json([urls[3]] + urls[..<3]))
        let elsewhere = try await rig.imgdl("refresh", "1")
        #expect(elsewhere.code == 0 && elsewhere.errors.contains("1 new entry"))
        #expect(elsewhere.errors.contains("1 record: 4 of 4 finished"))
        #expect(await first.tells("entries"))
        #expect(first.events.contains { $0.event == "entries" && $0.count == 1 })
        held.gate.open()
        await expect(first, endsWith: 0)
      }
      #expect(try await rig.resources().first?.url == urls[3])
    }
  }

  @Test("a file is refreshed by its path; new lists in a zip become records")
  func files() async throws {
    try await Rig.run { rig in
      let a = try rig.serveImages("a", 2)
      let path = try rig.write("all.zip", Sample.manifest(["a.json": [a[0]]]))
      #expect(try await rig.imgdl("add", path).code == 0)
      try rig.write("all.zip", Sample.manifest(["a.json": a, "b.json": [a[0]]]))
      let ending = try await rig.imgdl("refresh", "all.zip")
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(ending.errors.contains("all.zip: 1 new entry, 1 new record"))
      #expect(try await rig.records().map(\.title) == ["b", "a"])
      #expect(
        rig.wholeLog().map(\.status).sorted() == [200, 200, 304], "what is known is asked for")
    }
  }

  @Test("a source that no longer exists is exit code 3, and nothing changes")
  func gone() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let source = stage.serve(
        "list.json", try Sample.json([stage.serve("1.png", Sample.image(1))]))
      #expect(try await rig.imgdl("add", source).code == 0)
      for (body, reason) in [
        ("not a list", "the content has the format \"text\", but the source has \"json\""),
        ("<!DOCTYPE html><title>Error</title><img src=\"1.png\" width=640 height=480>", "\"html\""),
        ("{", "line 1"), ("", "the document is empty"), (" \n", "the document is empty"),
      ] {
        stage.serve("list.json", body)
        let bad = try await rig.imgdl("refresh", "1", "--set", "network.retries=0")
        #expect(bad.code == 3 && bad.errors.contains(reason), "\(body): \(bad.errors)")
        #expect(bad.errors.contains(source), "\(body): \(bad.errors)")
      }
      #expect(try await rig.resources().count == 1)
      stage.refuse("list.json", 404)
      let ending = try await rig.imgdl("refresh", source)
      #expect(ending.code == 3, "\(ending.errors)")
      #expect(ending.errors.contains("404"))
      #expect(try await rig.records().map(\.status) == ["Finished"])
      #expect(try await rig.imgdl("refresh", "http://127.0.0.1:1/never").code == 2)
    }
  }

  @Test(
    "a further page that cannot be read does not affect the others; refresh or more reads it later")
  func deadPage() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      func page(_ number: Int) throws -> String {
        let url = stage.serve("\(number).png", Sample.image(number))
        return #"{"urls": \#(try Sample.json([url])), "next": "p\#(number + 1).json"}"#
      }
      let source = stage.serve("p1.json", try page(1))
      stage.refuse("p2.json", 404)
      let add = try await rig.imgdl("add", source)
      #expect(add.code == 1, "\(add.errors)")
      for part in [stage.url("p2.json"), "404", "the pages of the list from there on are not read"]
      {
        #expect(add.errors.contains(part), "\(add.errors)")
      }
      #expect(try await rig.resources().map(\.status) == ["finished"])
      let more = try await rig.imgdl("more", "1")
      #expect(more.code == 3 && more.errors.contains("404"), "\(more.errors)")
      let dead = try await rig.imgdl("refresh", "1")
      #expect(dead.code == 1 && dead.errors.contains("nothing new"), "\(dead.errors)")
      #expect(dead.errors.contains("404"), "\(dead.errors)")

      stage.serve("p2.json", try page(2))
      stage.serve("p3.json", "")
      let refresh = try await rig.imgdl("refresh", "1")
      #expect(refresh.code == 1 && refresh.errors.contains("1 new entry"), "\(refresh.errors)")
      #expect(
        refresh.errors.contains("\(stage.url("p3.json")): the document is empty"),
        "\(refresh.errors)")
      stage.serve("p3.json", "[]")
      let rest = try await rig.imgdl("more", "1")
      #expect(rest.code == 0, "\(rest.errors)")
      #expect(try await rig.resources().map(\.status) == ["finished", "finished"])
    }
  }

  @Test("more names the record that the next page continues, and says if a page has nothing new")
  func furtherPage() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let images = (1...2).map { stage.serve("\($0).png", Sample.image($0)) }
      func rows(_ next: String) -> String {
        #"{"items": ["\#(images[0])"], "next": "\#(next)"}"#
      }
      let source = stage.serve("p1.json", rows("p2.json"))
      for number in 2...102 { stage.serve("p\(number).json", rows("p\(number + 1).json")) }
      let add = try await rig.imgdl("add", "--lazy", source)
      #expect(add.code == 0, "\(add.errors)")
      let known = try await rig.imgdl("more", "1")
      #expect(
        known.code == 0 && known.errors.contains("nothing new; there are further pages"),
        "\(known.errors)")
      let end = try await rig.imgdl("more", "1")
      #expect(end.code == 3 && end.errors.contains("p103.json"), "\(end.errors)")
    }
  }

  @Test("more of another record names the one that the next page of the source continues")
  func otherRecord() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      for number in 1...2 {
        let image = stage.serve("\(number).png", Sample.image(number))
        stage.serve(
          "m\(number).json",
          #"""
          {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest",
           "label": {"en": ["Book \#(number)"]}, "items": [{"type": "Canvas", "items": [{"items": [
           {"motivation": "painting", "body": {"id": "\#(image)", "type": "Image"}}]}]}]}
          """#)
      }
      let source = stage.serve(
        "all.json",
        #"""
        {"@context": "http://iiif.io/api/presentation/2/context.json", "@type": "sc:Collection",
         "manifests": [{"@id": "m1.json"}, {"@id": "m2.json"}], "next": "next.json"}
        """#)
      let add = try await rig.imgdl("add", "--lazy", source)
      #expect(add.code == 0, "\(add.errors)")
      let more = try await rig.imgdl("more", "2")
      #expect(more.code == 0, "\(more.errors)")
      #expect(
        more.errors.contains("the next page of its source continues the record \"Book 1\""),
        "\(more.errors)")
    }
  }

  @Test("a lazy add reads names only, one page at a time", arguments: [true, false])
  func lazy(_ runs: Bool) async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      func page(_ number: Int) throws -> String {
        let urls = (1...2).map { stage.serve("\(number)-\($0).png", Sample.image($0)) }
        let next = number < 3 ? #", "next": "\#(stage.url("p\(number + 1).json"))""# : ""
        return #"{"urls": \#(try Sample.json(urls))\#(next)}"#
      }
      for number in 1...3 { stage.serve("p\(number).json", try page(number)) }
      func run() async throws {
        let add = try await rig.imgdl("add", "--lazy", stage.url("p1.json"))
        #expect(add.code == 0, "\(add.errors)")
        let number = runs ? 2 : 1
        #expect(try await rig.resources(number).count == 2)
        for total in [4, 6] {
          let more = try await rig.imgdl("more", "\(number)")
          #expect(more.code == 0 && more.errors.contains("2 more entries"), "\(more.errors)")
          #expect(try await rig.resources(number).count == total)
        }
        let end = try await rig.imgdl("more", "\(number)")
        #expect(end.code == 0 && end.errors.contains("no further page"))
        #expect(!stage.requests.contains { $0.path.hasSuffix(".png") }, "the images are not viewed")
      }
      if runs {
        try await rig.withFirst { _, _ in try await run() }
      } else {
        try await run()
      }
    }
  }
}
