import Datasets
import JSON
import Models
import Rendering
import Testing

@Suite("The lines between a driver and a worker")
struct MessagesTests {
  private static let shortest = #"{"shard":42,"count":3,"tar":"/tmp/00042.tar.part"}"#

  private static func shard(_ members: String = "") throws -> ShardDescription {
    let text = members.isEmpty ? shortest : shortest.dropLast() + "," + members + "}"
    return try ShardDescription(line: Array(text.utf8))
  }

  private static func read(_ text: String, index: Int = 0) throws -> SampleLine {
    try SampleLine(line: Array(text.utf8), index: index)
  }

  @Test("A shard has the defaults of img2dataset")
  func defaults() throws {
    let shard = try Self.shard()
    #expect(shard.sample.mode == .border)
    #expect(shard.sample.side == 256)
    #expect(shard.sample.quality == 95)
    #expect(shard.hash == .sha256)
    #expect(shard.transfers == 256)
    #expect(shard.timeout == 10)
    #expect(shard.sampleDeadline == 30)
    #expect(shard.disallowedDirectives == ["noai", "noimageai", "noindex", "noimageindex"])
  }

  @Test("All members are read")
  func members() throws {
    let shard = try Self.shard(
      """
      "oom_shard_count":6,"oom_sample_per_shard":3,"image_size":512,"resize_mode":"center_crop",\
      "resize_only_if_bigger":true,"upscale_interpolation":"cubic","downscale_interpolation":"linear",\
      "encode_format":"png","encode_quality":9,"skip_reencode":true,"min_image_size":10,\
      "max_image_area":1000000.0,"max_aspect_ratio":2.5,"extract_exif":false,"compute_hash":"md5",\
      "verify_hash":true,"save_caption":true,"timeout":0.5,"retries":2,"user_agent_token":"Token",\
      "disallowed_header_directives":null,"thread_count":16,"sample_deadline":3,"shard_deadline":60,\
      "damaged":"flag","allow_private":true,"scaled_decoding":true
      """)
    #expect(shard.shardDigits == 6 && shard.sampleDigits == 3)
    #expect(shard.sample.mode == .centerCrop && shard.sample.side == 512)
    #expect(shard.sample.onlyIfBigger && shard.sample.decodesScaled && !shard.sample.wantsEXIF)
    #expect(shard.sample.enlarging == .cubic && shard.sample.reducing == .linear)
    #expect(shard.sample.codec == .png && shard.sample.quality == 9)
    #expect(shard.sample.encoding == .ifNeeded)
    #expect(shard.sample.minimumSide == 10 && shard.sample.maximumArea == 1_000_000)
    #expect(shard.sample.maximumAspectRatio == 2.5)
    #expect(shard.hash == .md5 && shard.verifiesHash && shard.savesCaption)
    #expect(shard.timeout == 0.5 && shard.retries == 2 && shard.transfers == 16)
    #expect(shard.userAgentToken == "token" && shard.disallowedDirectives.isEmpty)
    #expect(shard.sampleDeadline == 3 && shard.shardDeadline == 60)
    #expect(shard.damage == .flag && shard.allowsPrivate)
  }

  @Test(
    "A line that is not understood is refused by name",
    arguments: [
      (#""image_size":0"#, "image_size: 0 is not from 1 to 65500"),
      (#""image_size":"256""#, "image_size: a number is not an integer"),
      (#""timeout":"3""#, "timeout: a value is not a number"),
      (#""timeout":NaN"#, "timeout: nan is not from 0.001 to 86400.0"),
      (#""tar":7"#, "tar: a value is not a string"),
      (#""verify_hash":0"#, "verify_hash: a value is neither true nor false"),
      (
        #""disallowed_header_directives":"noai""#,
        "disallowed_header_directives: a value is not a list"
      ),
      (#""resize_mode":"squash""#, #"resize_mode: "squash" is not supported"#),
      (#""colour":1"#, "colour: this member is not known"),
      (#""compute_hash":null,"verify_hash":true"#, "verify_hash needs a compute_hash"),
      (
        #""encode_format":"png""#,
        "encode_quality: 95 is not from 0 to 9"
      ),
      (#""timeout":1e999"#, "timeout: inf is not from 0.001 to 86400.0"),
      (#""retries":"#, #"column 61: expected a value, found "}""#),
      (#""encode_quality":101"#, "encode_quality: 101 is not from 0 to 100"),
      (#""max_bytes":0"#, "max_bytes: 0 is not from 1 to 4294967296"),
      (#""tar":"""#, "tar: no path"), (#""tar":"a\u0000b""#, "tar: no path"),
    ])
  func refusals(members: String, message: String) {
    #expect(throws: ShardError.malformed(message)) { try Self.shard(members) }
  }

  @Test("A shard needs its number, count and file")
  func required() {
    for name in ["shard", "count", "tar"] {
      let text = Self.shortest.replacing("\"\(name)\"", with: "\"retries\"")
      #expect(throws: ShardError.self) { try ShardDescription(line: Array(text.utf8)) }
    }
  }

  @Test(
    "Keys are those of img2dataset",
    arguments: [
      (42, 31, 5, 4, "000420031"), (42, 31, 5, 3, "00042031"), (0, 0, 5, 0, "00000"),
      (123_456, 7, 5, 4, "1234560007"), (3, 1_234, 5, 3, "00004234"),
    ])
  func keys(shard: Int, index: Int, shardDigits: Int, sampleDigits: Int, key: String) {
    var description = ShardDescription()
    description.shard = shard
    description.shardDigits = shardDigits
    description.sampleDigits = sampleDigits
    #expect(description.key(index) == key)
  }

  @Test("A sample's line keeps its columns without blanks")
  func sampleLine() throws {
    let line = try Self.read(
      #"{"i":7, "url":"http:\/\/a\u00e9\ud83d\ude00", "txt":null, "meta": {"a":[1, {"b":2.50}]}}"#,
      index: 7)
    #expect(line.url == "http://aé😀")
    #expect(line.caption == nil)
    #expect(String(decoding: line.columns, as: UTF8.self) == #"{"a":[1,{"b":2.50}]}"#)
  }

  @Test("Deep columns of a line take no more memory than the line", arguments: [64, 65])
  func deepColumns(depth: Int) throws {
    // The object of the columns is one of the levels.
    let lists = depth - 1
    let text =
      #"{"i":0,"meta":{"a":"# + String(repeating: "[", count: lists)
      + Array(repeating: "1", count: 1_000).joined(separator: ",")
      + String(repeating: "]", count: lists) + "}}"
    guard depth <= 64 else {
      #expect(throws: ShardError.self) { try Self.read(text) }
      return
    }
    #expect(try Self.read(text).columns.count < text.utf8.count)
  }

  @Test(
    "A sample's line is refused if it is damaged",
    arguments: [
      "", "[]", "{", #"{"i":0"#, #"{"i":0}x"#, #"{"i":1}"#, #"{"i":0,"url":7}"#,
      #"{"i":0,"url":"\x"}"#, #"{"i":0,"url":"\u00g0"}"#, #"{"i":0,"meta":[]}"#,
      #"{"i":0,"meta":{"a":}}"#, #"{"i":0,"meta":{"a":nil}}"#, #"{"i":0,"meta":{"a":-Inf}}"#,
      #"{"i":0,"meta":{"a":1.2.3}}"#, #"{"i":0,"meta":{"a":1},"meta":{"b":2}}"#,
      #"{"i":0,"who":1}"#, "{\"i\":0,\"url\":\"\u{1}\"}",
      #"{"i":0,"meta":"# + String(repeating: "[", count: 100_000),
    ])
  func damagedSampleLines(text: String) {
    #expect(throws: ShardError.self) { try Self.read(text) }
  }

  @Test("The report of a sample leaves out what does not apply")
  func report() throws {
    let shard = try Self.shard()
    var report = SampleReport(.success)
    (report.width, report.height) = (256, 255)
    (report.originalWidth, report.originalHeight) = (640, 480)
    report.hash = "ab"
    report.exif = "{\"Image Make\": \"é\"}"
    report.milliseconds = 31
    #expect(
      String(decoding: report.line(0, shard), as: UTF8.self)
        == #"{"i":0,"key":"000420000","status":"success","width":256,"height":255,"#
        + #""original_width":640,"original_height":480,"sha256":"ab","#
        + #""exif":"{\"Image Make\": \"\u00e9\"}","ms":31}"# + "\n")
    let failure = SampleReport.failed(status: 404)
    #expect(
      String(decoding: failure.line(1, shard), as: UTF8.self)
        == #"{"i":1,"key":"000420001","status":"failed_to_download","#
        + #""error_message":"HTTP Error 404: Not Found","ms":0}"# + "\n")
  }

  @Test("The JSON file of a sample has the form of Python's json.dumps with indent=4")
  func member() throws {
    let shard = try Self.shard(#""extract_exif":false"#)
    let line = try Self.read(
      #"{"i":0,"url":"u","meta":{"caption":"a \"b\" \u00e9","n":[1,[],{}],"o":{"p":NaN,"q":-Infinity},"url":"u"}}"#
    )
    var report = SampleReport(.success)
    (report.width, report.height) = (1, 2)
    report.hash = "ff"
    let expected = """
      {
          "caption": "a \\"b\\" \\u00e9",
          "n": [
              1,
              [],
              {}
          ],
          "o": {
              "p": NaN,
              "q": -Infinity
          },
          "url": "u",
          "key": "000420000",
          "status": "success",
          "error_message": null,
          "width": 1,
          "height": 2,
          "original_width": null,
          "original_height": null,
          "sha256": "ff"
      }
      """
    #expect(String(decoding: report.member(line, shard), as: UTF8.self) == expected)
  }

  @Test("The totals count statuses and messages")
  func totals() throws {
    var totals = ShardTotals()
    totals.add(SampleReport(.success))
    totals.add(.failed(status: 404))
    totals.add(.failed(status: 404))
    totals.downloadedBytes = 10
    #expect(
      String(decoding: totals.line(try Self.shard()), as: UTF8.self)
        == #"{"done":true,"shard":42,"count":3,"successes":1,"failed_to_download":2,"#
        + #""failed_to_resize":0,"status_dict":{"HTTP Error 404: Not Found":2,"success":1},"#
        + #""downloaded_bytes":10,"tar_bytes":0,"seconds":0.0}"# + "\n")
  }

  @Test(
    "X-Robots-Tag forbids the use for clients that it names, or for all",
    arguments: [
      (["noai"], nil, true), (["NoIndex , nofollow"], nil, true), (["all"], nil, false),
      (["mybot: noai"], nil, false), (["mybot: noai"], "mybot", true),
      (["other: noai"], "mybot", false), (["all", "noimageai"], nil, true),
      (["unavailable_after: 25 Jun 2010 15:00:00 PST"], nil, false), ([], nil, false),
      (["max-image-preview:large, noai"], nil, true),
      (["max-snippet: 50 , NoImageAI"], "mybot", true),
      (["unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noai"], nil, true),
      (["noai, unavailable_after: 25 Jun 2010 15:00:00 PST"], nil, true),
      (["googlebot: nofollow, mybot: noai"], "mybot", true),
      (["mybot: nofollow, googlebot: noai, noimageai"], "mybot", false), (["none"], nil, true),
    ] as [([String], String?, Bool)])
  func robots(values: [String], token: String?, isForbidden: Bool) {
    let fields = HTTPFields(values.map { .init(name: "X-Robots-Tag", value: $0) })
    let shard = ShardDescription()
    #expect(
      RobotsDirectives.forbidUse(fields, token: token, disallowed: shard.disallowedDirectives)
        == isForbidden)
    #expect(!RobotsDirectives.forbidUse(fields, token: token, disallowed: []))
  }
}
