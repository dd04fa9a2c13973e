import Origin
import Testing

/// URLs with ranges and alternatives, as curl has them.
@Suite struct URLRangeTests {
  @Test("The URLs of a range are the resources of one record")
  func range() async throws {
    try await Rig.run { rig in
      let urls = try (8...11).map {
        try rig.serve("p\($0 < 10 ? "0" : "")\($0).png", Sample.image($0))
      }
      let pattern = rig.url("p[08-11].png")
      let ending = try await rig.imgdl("add", pattern)
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.records().count == 1)
      #expect(try await rig.resources().map(\.url) == urls)
      #expect(try rig.incoming() == [])
    }
  }

  @Test("The record of a range is called by its last part, whichever program downloads")
  func title() async throws {
    try await Rig.run { rig in
      for number in 1...2 { _ = try rig.serve("p\(number).png", Sample.image(number)) }
      #expect(try await rig.imgdl("add", rig.url("p[1-1].png")).code == 0)
      try await rig.withFirst { first, stage in
        let ending = try await rig.imgdl("add", rig.url("p[1-2].png"))
        #expect(ending.code == 0, "\(ending.errors)")
        stage.gate.open()
        await expect(first, endsWith: 0)
      }
      #expect(try await rig.records().map(\.title) == ["p[1-1].png", "held", "p[1-2].png"])
      let refresh = try await rig.imgdl("refresh", "3")
      #expect(refresh.code == 3)
      #expect(refresh.errors.contains("p[1-2].png: the list is not kept"), "\(refresh.errors)")
    }
  }

  @Test("A range that ends before it begins is refused, and nothing is added")
  func backwards() async throws {
    try await Rig.run { rig in
      let ending = try await rig.imgdl("add", rig.url("{a,b}[3-1].png"))
      #expect(ending.code == 3 && ending.errors.contains("ends before it begins"))
      #expect(try await rig.records() == [])
    }
  }
}
