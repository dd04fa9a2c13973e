import Models
import RenderMessages
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("Rows of tiles, put together by workers") struct TileTests {
  /// A smooth picture, which JPEG keeps nearly unchanged.
  private static func pixel(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8, UInt8) {
    (UInt8((x * 3) % 256 / 2 + 40), UInt8(min(255, y * 3)), UInt8(min(255, x + y)), 255)
  }

  private static func tile(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [UInt8] {
    TestPicture.png(width: width, height: height) { pixel(x + $0, y + $1) }
  }

  private static func join(
    _ row: TileRow, _ tiles: [[UInt8]], _ renderer: any Renderer
  ) async throws -> RenderResult {
    let file = try Channels.memoryFile("tiles")
    try file.write(all: Array(tiles.joined()).span.bytes)
    return try await renderer.joinTiles(of: row, in: file)
  }

  @Test(
    "The joined image is the image of the tiles",
    arguments: [
      (100, 70, 32, 32), (64, 8, 16, 8), (33, 17, 16, 16), (20, 9, 24, 24), (8, 8, 8, 8),
      (1, 1, 8, 8), (130, 41, 50, 40),
    ])
  func joining(width: Int, height: Int, tileWidth: Int, tileHeight: Int) async throws {
    let renderer = WorkerPoolRenderer(.test(workers: 1))
    let stripHeight = TileRow.stripHeight(width: width, rowHeight: min(tileHeight, height))
    var joiner = StripJoiner(width: width, height: height, stripHeight: stripHeight)
    var image: [UInt8] = []
    for top in stride(from: 0, to: height, by: tileHeight) {
      let rowHeight = min(tileHeight, height - top)
      let tiles = stride(from: 0, to: width, by: tileWidth).map {
        Self.tile($0, top, min(tileWidth, width - $0), rowHeight)
      }
      let row = TileRow(
        width: width, height: rowHeight, tileWidth: tileWidth, stripHeight: stripHeight,
        byteCounts: tiles.map(\.count))
      let result = try await Self.join(row, tiles, renderer)
      #expect(result.renditions.map(\.height) == row.stripHeights)
      for strip in result.renditions { image += try joiner.append(strip.bytes) }
    }
    image += try joiner.finish()
    let path = try ScratchFolder()
    let rendered = try await renderer.render(
      RenderJob(path: path.file("a.jpg", image), sides: [200], quality: 0))
    await renderer.shutdown()
    #expect(rendered.damage == nil)
    let pixels = try #require(rendered.renditions.first.flatMap { PixelRendition($0) })
    #expect((pixels.width, pixels.height) == (width, height))
    var largest = 0
    for y in 0..<height {
      for x in 0..<width {
        let index = pixels.pixels.startIndex + (y * width + x) * 4
        let expected = Self.pixel(x, y)
        for (offset, value) in [expected.2, expected.1, expected.0].enumerated() {
          largest = max(largest, abs(Int(pixels.pixels[index + offset]) - Int(value)))
        }
      }
    }
    // The colours jump where x × 3 exceeds 255; everything else is smooth.
    #expect(largest <= (width > 85 ? 40 : 12), "\(largest)")
  }

  private static func failure(
    _ change: (inout TileRow, inout [[UInt8]]) -> Void
  ) async -> RenderError? {
    var tiles = [tile(0, 0, 16, 8), tile(16, 0, 4, 8)]
    var row = TileRow(
      width: 20, height: 8, tileWidth: 16, stripHeight: 8, byteCounts: tiles.map(\.count))
    change(&row, &tiles)
    let renderer = WorkerPoolRenderer(.test(workers: 1))
    defer { Task { await renderer.shutdown() } }
    do {
      _ = try await join(row, tiles, renderer)
      return nil
    } catch {
      return error as? RenderError
    }
  }

  @Test("A tile of another size, damaged or incomplete, fails the row with its reason")
  func badTiles() async {
    #expect(await Self.failure { _, _ in } == nil)
    let wrong = await Self.failure { row, tiles in
      tiles[1] = Self.tile(16, 0, 5, 8)
      row.byteCounts[1] = tiles[1].count
    }
    #expect(wrong?.code == .damaged)
    #expect(wrong?.detail == "tile 2 of a row has 5 × 8 pixels instead of 4 × 8")
    let cut = await Self.failure { row, tiles in
      tiles[1].removeLast(20)
      row.byteCounts[1] -= 20
    }
    #expect(cut?.isDamage == true)
    let short = await Self.failure { _, tiles in tiles[1].removeLast(20) }
    #expect(short?.code == .truncated)
    let long = await Self.failure { _, tiles in tiles[1] += [0] }
    #expect(long?.code == .damaged)
    let page = await Self.failure { row, tiles in
      tiles = [Array("<html><p>no".utf8), tiles[1]]
      row.byteCounts[0] = tiles[0].count
    }
    #expect(page?.code == .unsupported)
    let invalid = await Self.failure { row, _ in row.byteCounts.append(1) }
    #expect(invalid?.code == .unsupported)
  }

  @Test("A row is the same after it was sent")
  func messages() throws {
    let row = TileRow(
      width: 20, height: 8, tileWidth: 16, stripHeight: 8, quality: 90, byteCounts: [70_000, 2])
    let request = RenderRequest(operation: .tiles(row), limits: RenderLimits())
    let file = try Channels.memoryFile("x")
    #expect(try RenderRequest(request.frame(file)) == request)
    for change: (inout TileRow) -> Void in [
      { $0.width = 0 }, { $0.height = -1 }, { $0.tileWidth = .max }, { $0.stripHeight = 12 },
      { $0.quality = 0 }, { $0.byteCounts = [1] }, { $0.byteCounts = [1, -1] }, { $0.width = .max },
    ] {
      var bad = row
      change(&bad)
      let request = RenderRequest(operation: .tiles(bad), limits: RenderLimits())
      #expect(throws: WorkerError.self) { try RenderRequest(request.frame(file)) }
    }
  }

  @Test("A row of the largest number of tiles fits into one message")
  func largestMessage() throws {
    let row = TileRow(
      width: 4_096, height: 8, tileWidth: 1, stripHeight: 8,
      byteCounts: Array(repeating: 1, count: TileRow.maximumTiles))
    let frame = RenderRequest(operation: .tiles(row), limits: RenderLimits())
      .frame(try Channels.memoryFile("x"))
    #expect(frame.payload.count <= RenderReply.maxFrameBytes)
  }

  @Test("The height of strips divides the rows, and its blocks fit into a restart interval")
  func stripHeights() {
    for (width, rowHeight, expected) in [
      (100, 256, 256), (65_500, 256, 64), (65_500, 1_024, 64), (20_000, 256, 128), (1, 1, 8),
      (10_000, 1_000, 200), (65_500, 24, 24), (65_500, 88, 8),
    ] {
      let height = TileRow.stripHeight(width: width, rowHeight: rowHeight)
      #expect(height == expected, "\(width) × \(rowHeight)")
      #expect((width + 7) / 8 * (height / 8) <= 65_535)
      #expect((rowHeight + 7) / 8 * 8 % height == 0)
    }
  }
}

@Suite("Joining of strips") struct StripJoinerTests {
  private static let strip = TestJPEG.squares([[100, 128, 128], [50, 90, 200]])

  @Test("Strips become restart intervals of one image")
  func joining() throws {
    var joiner = StripJoiner(width: 16, height: 80, stripHeight: 8)
    var image: [UInt8] = []
    for _ in 0..<10 { image += try joiner.append(Self.strip) }
    image += try joiner.finish()
    #expect(EncodedSize(image, format: .jpeg) == EncodedSize(width: 16, height: 80))
    let markers = image.indices.dropLast().compactMap { index -> UInt8? in
      image[index] == 0xff && (0xd0...0xd7).contains(image[index + 1]) ? image[index + 1] : nil
    }
    #expect(markers == [0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd0])
    #expect(image.indices.contains { image[$0...].starts(with: [0xff, 0xdd, 0, 4, 0, 2]) })
    #expect(joiner.joinedHeight == 80)
  }

  @Test("Too few and too many strips are refused")
  func counts() throws {
    var joiner = StripJoiner(width: 16, height: 16, stripHeight: 8)
    #expect(throws: StripJoiner.Problem.self) { try joiner.finish() }
    _ = try joiner.append(Self.strip)
    #expect(throws: StripJoiner.Problem.self) { try joiner.finish() }
    _ = try joiner.append(Self.strip)
    #expect(throws: StripJoiner.Problem.self) { try joiner.append(Self.strip) }
    #expect(try joiner.finish() == [0xff, 0xd9])
  }

  @Test("Strips that would make another image are refused")
  func hostile() throws {
    let strip = Self.strip
    let frame = try #require(strip.indices.first { strip[$0...].starts(with: [0xff, 0xc0]) })
    let scan = try #require(strip.indices.first { strip[$0...].starts(with: [0xff, 0xda]) })
    func changed(_ index: Int, _ value: UInt8) -> [UInt8] {
      var strip = strip
      strip[index] = value
      return strip
    }
    let bad: [(String, [UInt8])] = [
      ("no bytes", []), ("no JPEG", Array("<html>".utf8)), ("only the start", [0xff, 0xd8]),
      ("another width", changed(frame + 8, 24)), ("another height", changed(frame + 6, 16)),
      ("a height of many rows", changed(frame + 5, 255)), ("12 bits", changed(frame + 4, 12)),
      ("progressive", changed(frame + 1, 0xc2)), ("grey", changed(frame + 9, 1)),
      ("subsampled", changed(frame + 11, 0x22)), ("cut", Array(strip.dropLast())),
      ("no scan", Array(strip[..<scan]) + [0xff, 0xd9]),
      ("a second image", strip.dropLast(2) + strip),
      ("a restart marker", strip.dropLast(2) + [0xff, 0xd0, 0, 0xff, 0xd9]),
      ("an open marker", strip.dropLast(2) + [0xff, 0xff, 0xd9]),
      ("a long segment", changed(frame + 2, 255)), ("an empty segment", changed(frame + 3, 0)),
      ("two frames", Array(strip[..<frame] + strip[frame..<scan] + strip[frame...])),
    ]
    for (name, bytes) in bad {
      var joiner = StripJoiner(width: 16, height: 8, stripHeight: 8)
      #expect(throws: StripJoiner.Problem.self, "\(name)") { try joiner.append(bytes) }
    }
    var joiner = StripJoiner(width: 16, height: 16, stripHeight: 8)
    _ = try joiner.append(strip)
    // Other quantization tables would change the pixels of the strip.
    #expect(throws: StripJoiner.Problem.self) { try joiner.append(changed(6, 9)) }
    // Every cut and every change of one byte is refused or keeps the size.
    for index in strip.indices {
      var joiner = StripJoiner(width: 16, height: 8, stripHeight: 8)
      #expect(throws: StripJoiner.Problem.self) { try joiner.append(Array(strip[..<index])) }
      var other = StripJoiner(width: 16, height: 8, stripHeight: 8)
      if let image = try? other.append(changed(index, 0xff)) {
        #expect(EncodedSize(image, format: .jpeg) == EncodedSize(width: 16, height: 8))
      }
    }
  }
}
