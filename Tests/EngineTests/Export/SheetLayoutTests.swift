@testable import Export
import Testing
@testable import Engine

@Suite("The layout of a contact sheet") struct SheetLayoutTests {
  @Test(
    "holds any number of pictures within 40 megapixels a sheet",
    arguments: [1, 2, 5, 6, 7, 100, 1_000, 12_345], [16, 256, 1_024, 4_096])
  func fits(_ count: Int, _ tile: Int) {
    for columns in [1, 6, 100] {
      let layout = SheetLayout(count: count, tile: tile, columns: columns)
      #expect(layout.columns >= 1 && layout.columns <= max(1, columns))
      let height = layout.height(of: min(count, layout.perSheet))
      #expect(layout.perSheet > 0)
      if layout.rows > 1 { #expect(layout.width * height <= 40_000_000) }
      #expect(layout.width <= 16_384 && height <= 16_384)
      // No two tiles share a pixel, and none leaves the sheet.
      let places = (0..<min(count, layout.perSheet)).map { layout.tileOrigin(at: $0) }
      #expect(places.allSatisfy { $0.x + layout.tile <= layout.width })
      #expect(places.allSatisfy { $0.y + layout.tile + SheetLayout.label <= height })
      for (a, b) in zip(places, places.dropFirst()) {
        #expect(b.x >= a.x + layout.tile || b.y >= a.y + layout.tile)
      }
    }
  }

  @Test("labels are cut in the middle, and hold nothing that is PDF")
  func labels() {
    #expect(SheetText.hex("a(b)\\", 20) == "612862295c")
    #expect(SheetText.hex("é\u{1b}語", 20) == "e93f3f")
    #expect(SheetText.hex("abcdefgh", 5) == "6162856768")
    #expect(SheetText.hex("", 5) == "")
    #expect(SheetText.hex("€„š“e\u{301}", 9) == "80849a93e9")
    #expect(SheetText.canWrite("Straße – 5 €") && !SheetText.canWrite("Łódź"))
  }
}
