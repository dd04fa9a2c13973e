import IIIF
import Models
import Testing

@Suite("Requests to image services")
struct ImageServicePlanTests {
  /// The requests of a plan if the service refuses all of them, without the base.
  static func requests(_ json: String, status: Int = 501) throws -> [String] {
    var plan = ImageServicePlan(base: try HTTPURL("https://h/iiif/a%2Fb"))
    #expect(plan.informationURL == (try HTTPURL("https://h/iiif/a%2Fb/info.json")))
    var action = plan.begin(try information(json))
    var requests: [String] = []
    while requests.count < 100 {
      switch action {
      case .requestImage(let url):
        #expect(plan.isFirstChoice == requests.isEmpty)
        let text = url.description
        #expect(text.hasPrefix("https://h/iiif/a%2Fb/"))
        requests.append(String(text.dropFirst("https://h/iiif/a%2Fb/".count)))
      case .requestTiles(let grid):
        requests.append("tiles \(grid.size.width)x\(grid.size.height)")
      case .keepReceived: Issue.record("nothing was received")
      case .fail(let reason):
        #expect(reason.contains("HTTP \(status)"))
        return requests
      }
      action = plan.refuse(status: status)
    }
    return requests
  }

  static let table: [(String, String, [String])] = [
    (
      "version 3, level 2", #"{"profile": "level2", "width": 6000, "height": 4000}"#,
      [
        "full/max/0/default.jpg", "full/3000,2000/0/default.jpg", "full/1500,1000/0/default.jpg",
        "full/750,500/0/default.jpg", "full/375,250/0/default.jpg",
      ]
    ),
    (
      "version 3 with a width limit and tiles",
      #"""
      {"type": "ImageService3", "profile": "level1", "width": 6000, "height": 4000, "maxWidth": 3000,
       "sizes": [{"width": 6000, "height": 4000}, {"width": 1000, "height": 667}],
       "tiles": [{"width": 512, "scaleFactors": [1, 2]}]}
      """#,
      [
        "full/max/0/default.jpg", "full/3000,/0/default.jpg", "full/1500,/0/default.jpg",
        "full/1000,667/0/default.jpg", "full/750,/0/default.jpg", "full/375,/0/default.jpg",
        "full/187,/0/default.jpg", "tiles 6000x4000",
      ]
    ),
    (
      "version 3, level 0, static tiles",
      #"""
      {"type": "ImageService3", "profile": "level0", "width": 6000, "height": 4000,
       "sizes": [{"width": 375, "height": 250}, {"width": 750, "height": 500}],
       "tiles": [{"width": 512, "scaleFactors": [1, 2, 4, 8]}]}
      """#,
      [
        "full/max/0/default.jpg", "tiles 6000x4000", "full/750,500/0/default.jpg",
        "full/375,250/0/default.jpg",
      ]
    ),
    (
      "version 2 without limits, level 2",
      #"{"profile": ["http://iiif.io/api/image/2/level2.json"], "width": 1000, "height": 500}"#,
      [
        "full/full/0/default.jpg", "full/max/0/default.jpg", "full/500,/0/default.jpg",
        "full/250,/0/default.jpg", "full/125,/0/default.jpg", "full/62,/0/default.jpg",
      ]
    ),
    (
      "version 2.1 with an area limit",
      #"""
      {"profile": ["http://iiif.io/api/image/2/level1.json", {"maxArea": 125000}],
       "width": 1000, "height": 500}
      """#,
      [
        "full/max/0/default.jpg", "full/500,/0/default.jpg", "full/250,/0/default.jpg",
        "full/125,/0/default.jpg", "full/62,/0/default.jpg", "full/31,/0/default.jpg",
      ]
    ),
    (
      "version 2, level 0, sizes only",
      #"""
      {"profile": "http://iiif.io/api/image/2/level0.json", "width": 1000, "height": 500,
       "sizes": [{"width": 1000, "height": 500}, {"width": 100, "height": 50}]}
      """#,
      [
        "full/full/0/default.jpg", "full/max/0/default.jpg", "full/1000,/0/default.jpg",
        "full/100,/0/default.jpg",
      ]
    ),
    (
      "version 1.1",
      #"""
      {"profile": "http://library.stanford.edu/iiif/image-api/1.1/compliance.html#level1",
       "width": 64, "height": 32}
      """#,
      [
        "full/full/0/native.jpg", "full/32,/0/native.jpg", "full/16,/0/native.jpg",
        "full/8,/0/native.jpg", "full/4,/0/native.jpg",
      ]
    ),
    (
      "a preferred format that can be decoded",
      #"""
      {"profile": "level0", "type": "ImageService3", "width": 4, "height": 2,
       "preferredFormats": ["pdf", "png", "webp"]}
      """#, ["full/max/0/default.png"]
    ),
    (
      "a height limit alone",
      #"{"profile": "level1", "width": 100, "height": 200, "maxHeight": 100}"#,
      [
        "full/max/0/default.jpg", "full/50,/0/default.jpg", "full/25,/0/default.jpg",
        "full/12,/0/default.jpg", "full/6,/0/default.jpg", "full/3,/0/default.jpg",
      ]
    ),
    (
      "a limit of one pixel",
      #"{"profile": "level1", "width": 100, "height": 200, "maxArea": 1}"#,
      ["full/max/0/default.jpg", "full/1,/0/default.jpg"]
    ),
    (
      "a width and a height at level 1, where the service says that it takes both",
      #"""
      {"profile": "level1", "width": 100, "height": 200, "maxArea": 5000,
       "extraFeatures": ["sizeByWh"]}
      """#,
      [
        "full/max/0/default.jpg", "full/50,100/0/default.jpg", "full/25,50/0/default.jpg",
        "full/12,25/0/default.jpg", "full/6,12/0/default.jpg", "full/3,6/0/default.jpg",
      ]
    ),
  ]

  @Test("The requests go from the largest image to smaller ones", arguments: table)
  func order(name: String, json: String, expected: [String]) throws {
    #expect(try Self.requests(json) == expected, "\(name)")
  }

  @Test("A reduced image is requested again after a refusal, which may have overwritten it")
  func reducedImage() throws {
    var plan = ImageServicePlan(base: try HTTPURL("http://h/i"))
    let json =
      #"{"profile": ["http://iiif.io/api/image/2/level2.json"], "width": 1000, "height": 500}"#
    let first = plan.begin(try information(json))
    var action = plan.receive(ImageInformation.Size(width: 600, height: 300))
    var refusals = 0
    while action != first, refusals < 10 {
      guard case .requestImage = action else { break }
      action = plan.refuse(status: 404)
      refusals += 1
    }
    #expect(action == first)
    #expect(refusals > 0)
    #expect(plan.receive(ImageInformation.Size(width: 600, height: 300)) == .keepReceived)
  }

  @Test("A service at an address with a query is continued in the query")
  func queries() throws {
    var plan = ImageServicePlan(base: try HTTPURL("http://h/iipsrv.fcgi?IIIF=a.tif/"))
    #expect(plan.informationURL == (try HTTPURL("http://h/iipsrv.fcgi?IIIF=a.tif/info.json")))
    #expect(
      plan.begin(try information(#"{"width": 1, "height": 1, "type": "ImageService3"}"#))
        == .requestImage(try HTTPURL("http://h/iipsrv.fcgi?IIIF=a.tif/full/max/0/default.jpg")))
    #expect(
      try ImageServicePlan(base: HTTPURL("http://h/")).informationURL
        == HTTPURL("http://h/info.json"))
  }

  @Test("Tiles that were begun are continued without another request for the whole image")
  func continuing() throws {
    let json = #"""
      {"type": "ImageService3", "profile": "level1", "width": 60, "height": 40,
       "tiles": [{"width": 32, "scaleFactors": [1]}]}
      """#
    let grid = try #require(try TileGridTests.grid(json))
    var plan = ImageServicePlan(base: try HTTPURL("http://h/i"))
    #expect(plan.begin(try information(json), with: grid) == .requestTiles(grid))
    #expect(!plan.isFirstChoice)
    // The tiles of another description begin with the first choice.
    let other = json.replacing("40", with: "41")
    #expect(
      plan.begin(try information(other), with: grid)
        == .requestImage(try HTTPURL("http://h/i/full/max/0/default.jpg")))
  }

  @Test("Tiles have the preferred format, too")
  func tileFormat() throws {
    let grid = try #require(
      try TileGridTests.grid(
        #"""
        {"type": "ImageService3", "width": 60, "height": 40, "preferredFormats": ["png"],
         "tiles": [{"width": 32, "scaleFactors": [1]}]}
        """#))
    #expect(grid.path(column: 0, row: 0) == "0,0,32,32/32,32/0/default.png")
  }

  @Test(
    "Only an answer about the size leads to another one",
    arguments: [
      (200, false), (400, true), (401, false), (403, true), (404, true), (408, false), (413, true),
      (429, false), (500, false), (501, true), (503, false),
    ])
  func refusals(status: Int, isRefusal: Bool) {
    #expect(ImageServicePlan.isRefusal(status) == isRefusal)
  }
}

@Suite("Grids of tiles")
struct TileGridTests {
  static func grid(_ json: String) throws -> TileGrid? {
    var plan = ImageServicePlan(base: try HTTPURL("https://h/i"))
    var action = plan.begin(try information(json))
    while true {
      switch action {
      case .requestTiles(let grid): return grid
      case .fail: return nil
      default: action = plan.refuse(status: 404)
      }
    }
  }

  static func paths(_ grid: TileGrid) -> [String] {
    (0..<grid.rows).flatMap { row in
      (0..<grid.columns).map { grid.path(column: $0, row: row) }
    }
  }

  @Test("Edge tiles have their exact regions and sizes, in the canonical form of each version")
  func paths() throws {
    let tiles = #""width": 1100, "height": 600, "tiles": [{"width": 512, "scaleFactors": [1, 2]}]"#
    let three = try #require(try Self.grid(#"{"type": "ImageService3", \#(tiles)}"#))
    #expect(
      Self.paths(three) == [
        "0,0,512,512/512,512/0/default.jpg", "512,0,512,512/512,512/0/default.jpg",
        "1024,0,76,512/76,512/0/default.jpg", "0,512,512,88/512,88/0/default.jpg",
        "512,512,512,88/512,88/0/default.jpg", "1024,512,76,88/76,88/0/default.jpg",
      ])
    let two = try #require(try Self.grid("{\(tiles)}"))
    #expect(Self.paths(two).last == "1024,512,76,88/76,/0/default.jpg")
  }

  @Test("Without the factor 1 the image is put together at a reduced size, rounded up")
  func reduced() throws {
    let grid = try #require(
      try Self.grid(
        #"""
        {"type": "ImageService3", "width": 1101, "height": 601,
         "tiles": [{"width": 256, "height": 128, "scaleFactors": [2, 4]}]}
        """#))
    #expect(grid.size == ImageInformation.Size(width: 551, height: 301))
    #expect(grid.columns == 3 && grid.rows == 3)
    #expect(grid.path(column: 2, row: 2) == "1024,512,77,89/39,45/0/default.jpg")
  }

  @Test("A single tile is the whole image, requested in both forms that static files have")
  func whole() throws {
    let tiles = #""width": 100, "height": 60, "tiles": [{"width": 512, "scaleFactors": []}]"#
    #expect(
      try ImageServicePlanTests.requests(#"{"type": "ImageService3", \#(tiles)}"#) == [
        "full/max/0/default.jpg", "full/100,60/0/default.jpg", "0,0,100,60/100,60/0/default.jpg",
      ])
    #expect(
      try ImageServicePlanTests.requests("{\(tiles)}") == [
        "full/full/0/default.jpg", "full/max/0/default.jpg", "full/100,/0/default.jpg",
        "0,0,100,60/100,/0/default.jpg",
      ])
  }

  @Test(
    "A grid beyond the limits is reduced or refused",
    arguments: [
      // 5,000 tiles, and 1,250 at half the size.
      (
        #""width": 25600, "height": 12800, "tiles": [{"width": 256, "scaleFactors": [1, 2]}]"#,
        12_800
      ),
      // 625 megapixels.
      (#""width": 25000, "height": 25000, "tiles": [{"width": 1024, "scaleFactors": [1]}]"#, nil),
      // A side that JPEG cannot store.
      (
        #""width": 70000, "height": 64, "tiles": [{"width": 4096, "scaleFactors": [1, 2]}]"#, 35_000
      ),
      // Rows of 256 megapixels.
      (
        #""width": 16384, "height": 20000, "tiles": [{"width": 1024, "height": 16384, "scaleFactors": [1, 2, 4]}]"#,
        4_096
      ),
      // Rows that are no strips of blocks, and cannot be chosen.
      (#""width": 600, "height": 600, "tiles": [{"width": 250, "scaleFactors": [1]}]"#, nil),
      (#""width": 600, "height": 250, "tiles": [{"width": 250, "scaleFactors": [1]}]"#, 600),
      (#""profile": "level1", "width": 600, "height": 600, "tiles": [{"width": 250}]"#, 600),
      (
        #""width": 100000000, "height": 100000000, "tiles": [{"width": 1, "scaleFactors": [1]}]"#,
        nil
      ),
      (
        #""width": 100000000, "height": 100000000, "tiles": [{"width": 1, "scaleFactors": [100000000]}]"#,
        nil
      ),
    ] as [(String, Int?)])
  func limits(members: String, width: Int?) throws {
    let grid = try Self.grid(#"{"type": "ImageService3", \#(members)}"#)
    #expect(grid?.size.width == width)
    if let grid { #expect(grid.columns * grid.rows <= TileGrid.maximumTiles) }
  }

  @Test(
    "Tiles of any height are cut to whole blocks, or refused with the reason if they cannot be",
    arguments: [(250, 250, 248), (500, 333, 328), (256, 256, 256), (100, 7, nil)])
  func tileHeights(width: Int, height: Int, rowHeight: Int?) throws {
    let members =
      #""width": 2000, "height": 1500, "tiles": [{"width": \#(width), "height": \#(height)}]"#
    let cropped = try Self.grid(#"{"profile": "level1", \#(members)}"#)
    #expect(cropped?.tile == rowHeight.map { TileGrid.Size(width: width, height: $0) })
    let isAligned = height % 8 == 0
    let json =
      #"{"type": "ImageService3", "profile": "level0", "sizes": [{"width": 500, "height": 375}], \#(members)}"#
    let grid = try Self.grid(json)
    #expect((grid != nil) == isAligned)
    // Without its tiles, the sizes of the service are requested.
    var plan = ImageServicePlan(base: try HTTPURL("http://h/i"))
    var action = plan.begin(try information(json))
    var paths: [String] = []
    while case .requestImage(let url) = action {
      paths.append(String(url.target.dropFirst(3)))
      action = plan.refuse(status: 404)
      if case .requestTiles = action { action = plan.refuse(status: 404) }
    }
    #expect(paths == ["full/max/0/default.jpg", "full/500,375/0/default.jpg"])
    let reason =
      "the image service refused all \(isAligned ? 3 : 2) sizes, the last with HTTP 404"
    let clause =
      "; its tiles of \(width) × \(height) pixels cannot be put together, because their height is no "
      + "multiple of 8 and the service delivers no other regions"
    #expect(action == .fail(isAligned ? reason : reason + clause))
  }

  @Test("The tiles cover the image without gaps and overlaps")
  func cover() throws {
    for (width, height, tile) in [(1_000, 700, 256), (513, 1, 512), (9, 1, 8), (4_097, 33, 16)] {
      let grid = try #require(
        try Self.grid(
          #"{"width": \#(width), "height": \#(height), "tiles": [{"width": \#(tile)}]}"#))
      #expect((0..<grid.columns).reduce(0) { $0 + grid.width(ofColumn: $1) } == width)
      #expect((0..<grid.rows).reduce(0) { $0 + grid.height(ofRow: $1) } == height)
      #expect((0..<grid.columns).allSatisfy { grid.width(ofColumn: $0) > 0 })
      #expect((0..<grid.rows).allSatisfy { grid.height(ofRow: $0) > 0 })
    }
  }
}
