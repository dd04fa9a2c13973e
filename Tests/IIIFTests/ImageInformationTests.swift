import IIIF
import Testing

/// The information of a description, which must be usable.
func information(_ json: String) throws -> ImageInformation {
  try ImageInformation(parsing: Array(json.utf8).span.bytes)
}

@Suite("Descriptions of images (info.json)")
struct ImageInformationTests {
  typealias Size = ImageInformation.Size

  static let v3 = #"""
    {"@context": "http://iiif.io/api/image/3/context.json", "id": "https://h/i", "type": "ImageService3",
     "protocol": "http://iiif.io/api/image", "profile": "level2", "width": 6000, "height": 4000,
     "maxWidth": 3000, "maxHeight": 2500, "maxArea": 4000000,
     "sizes": [{"width": 750, "height": 500}, {"width": 1500, "height": 1000}],
     "tiles": [{"width": 512, "scaleFactors": [1, 2, 4]}],
     "preferredFormats": ["png"], "extraFeatures": ["canonicalLinkHeader"]}
    """#

  @Test("Version 3 with limits, sizes and tiles")
  func version3() throws {
    let image = try information(Self.v3)
    #expect(image.version == .v3 && image.level == 2)
    #expect(image.size == Size(width: 6_000, height: 4_000))
    #expect(image.maxWidth == 3_000 && image.maxHeight == 2_500 && image.maxArea == 4_000_000)
    #expect(image.sizes == [Size(width: 750, height: 500), Size(width: 1_500, height: 1_000)])
    #expect(image.tileSets.map(\.tile) == [Size(width: 512, height: 512)])
    #expect(image.tileSets.map(\.scaleFactors) == [[1, 2, 4]])
    #expect(image.preferredFormats == ["png"] && image.canScale && image.canCrop)
  }

  @Test(
    "The version follows from vocabulary, profile or type",
    arguments: [
      (#""@context": "http://iiif.io/api/image/3/context.json""#, ImageInformation.Version.v3, 0),
      (
        #""@context": ["x", "http://iiif.io/api/image/3/context.json"], "profile": "level1""#, .v3,
        1
      ),
      (#""@context": "http://iiif.io/api/image/2/context.json""#, .v2, 0),
      (#""profile": ["http://iiif.io/api/image/2/level2.json", {}]"#, .v2, 2),
      (#""profile": "http://iiif.io/api/image/2/level0.json""#, .v2, 0),
      (
        #""profile": "http://library.stanford.edu/iiif/image-api/1.1/compliance.html#level1""#, .v1,
        1
      ),
      (#""@context": "http://library.stanford.edu/iiif/image-api/1.1/context.json""#, .v1, 0),
      (#""type": "ImageService3""#, .v3, 0), (#""profile": "level2""#, .v3, 2),
      (#""profile": 7"#, .v2, 0), (#""protocol": "http://iiif.io/api/image""#, .v2, 0),
    ])
  func versions(members: String, version: ImageInformation.Version, level: Int) throws {
    let image = try information(#"{\#(members), "width": 10, "height": 20}"#)
    #expect(image.version == version)
    #expect(image.level == level)
  }

  @Test("Limits and features of version 2 are in its profile")
  func version2() throws {
    let image = try information(
      #"""
      {"@context": "http://iiif.io/api/image/2/context.json", "width": 100, "height": 100,
       "profile": ["http://iiif.io/api/image/2/level0.json",
        {"maxWidth": 50, "supports": ["sizeByW", "regionByPx"]}],
       "tiles": [{"width": 64, "height": 32, "scaleFactors": [4, 1, 2, 2]}, {"scaleFactors": [1]}]}
      """#)
    #expect(image.maxWidth == 50 && image.maxHeight == nil)
    #expect(image.canScale && image.canCrop && image.level == 0)
    #expect(image.tileSets.map(\.tile) == [Size(width: 64, height: 32)])
    #expect(image.tileSets.map(\.scaleFactors) == [[1, 2, 4]])
  }

  @Test("Tiles of version 1.1 are members of the description")
  func version1() throws {
    let image = try information(
      #"""
      {"@context": "http://library.stanford.edu/iiif/image-api/1.1/context.json", "@id": "x",
       "width": 6000, "height": 4000, "scale_factors": [1, 2, 4], "tile_width": 1024,
       "tile_height": 512, "formats": ["jpg"], "qualities": ["native"],
       "profile": "http://library.stanford.edu/iiif/image-api/1.1/compliance.html#level0"}
      """#)
    #expect(image.version == .v1)
    #expect(image.tileSets.map(\.tile) == [Size(width: 1_024, height: 512)])
  }

  @Test(
    "A description without a usable size is refused with its reason",
    arguments: [
      ("{}", "states no width and height"), ("[]", "is not an object"), ("7", "is not an object"),
      (#"{"width": 10}"#, "states no width"), (#"{"width": "10", "height": 5}"#, "states no width"),
      (#"{"width": -10, "height": 5}"#, "-10 × 5"), (#"{"width": 0, "height": 5}"#, "0 × 5"),
      (#"{"width": 1e9, "height": 5}"#, "1000000000 × 5"),
      (#"{"width": 9223372036854775807, "height": 9223372036854775807}"#, "which no image has"),
      (#"{"width": 1e400, "height": 5}"#, "states no width"),
      (#"{"width": 10.5, "height": 5}"#, "states no width"),
      (#"{"width": 99999999999999999999999, "height": 5}"#, "states no width"),
      (#"{"width": 10, "height": 5"#, "ends"), ("<html>", "info.json"), ("", "info.json"),
    ])
  func unusable(json: String, reason: String) {
    let problem = #expect(throws: ImageInformation.Problem.self) { try information(json) }
    #expect(problem?.description.contains(reason) == true, "\(String(describing: problem))")
  }

  @Test("Wrong numbers beside the size are ignored")
  func tolerance() throws {
    let image = try information(
      #"""
      {"profile": "level1", "width": 6.0e3, "height": 4000.0, "maxWidth": -1, "maxArea": 0,
       "maxHeight": "9", "sizes": [{"width": -1, "height": 2}, {"width": 5}, 7, {"width": 5, "height": 4}],
       "tiles": [{"width": 0}, {"width": 256, "scaleFactors": [0, -1, 1e30, 2]}, {"width": 1e12}],
       "preferredFormats": [3, "webp"]}
      """#)
    #expect(image.size == Size(width: 6_000, height: 4_000))
    #expect(image.maxWidth == nil && image.maxHeight == nil && image.maxArea == nil)
    #expect(image.sizes == [Size(width: 5, height: 4)])
    #expect(image.tileSets.map(\.scaleFactors) == [[2]])
    #expect(image.preferredFormats == ["webp"])
  }

  @Test("A description is bounded in bytes, values and depth")
  func bounds() {
    let long = #"{"width": 1, "height": 1, "sizes": ["#
    for json in [
      String(repeating: " ", count: ImageInformation.maximumBytes) + "{}",
      long + String(repeating: "{},", count: 30_000) + "{}]}",
      String(repeating: "[", count: 1_000),
    ] {
      #expect(throws: ImageInformation.Problem.self) { try information(json) }
    }
    let many = long + String(repeating: #"{"width":1,"height":1},"#, count: 1_000) + "{}]}"
    #expect((try? information(many))?.sizes.count == ImageInformation.maximumListLength)
  }
}
