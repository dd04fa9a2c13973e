import Rendering

extension ShardDescription {
  /// The maximum number of samples of a shard.
  static let maximumCount = 10_000_000

  /// Parses a line.
  public init(line: [UInt8]) throws(ShardError) {
    self.init()
    var scanner = JSONScanner(line)
    var names: Set<String> = []
    try scanner.object { (scanner, name) throws(ShardError) in
      names.insert(name)
      do throws(ShardError) {
        try read(name, &scanner)
      } catch {
        throw .malformed("\(name): \(error)")
      }
    }
    try scanner.end()
    for required in ["shard", "count", "tar"] where !names.contains(required) {
      throw .malformed("the shard's line has no \(required)")
    }
    if verifiesHash && hash == nil {
      throw .malformed("verify_hash needs a compute_hash")
    }
    guard sample.codec.qualities.contains(sample.quality) else {
      throw .malformed(
        "encode_quality: \(sample.quality) is not from 0 to \(sample.codec.qualities.upperBound)")
    }
  }

  private mutating func read(_ name: String, _ scanner: inout JSONScanner) throws(ShardError) {
    switch name {
    case "shard": shard = try scanner.integer(in: 0...1_000_000_000)
    case "count": count = try scanner.integer(in: 0...Self.maximumCount)
    case "tar":
      tar = try scanner.string()
      guard !tar.isEmpty, !tar.contains("\0") else { throw .malformed("no path") }
    case "oom_shard_count": shardDigits = try scanner.integer(in: 1...9)
    case "oom_sample_per_shard": sampleDigits = try scanner.integer(in: 0...9)
    case "compute_hash":
      hash = scanner.skipNull() ? nil : try scanner.choice(Hash.init(rawValue:))
    case "verify_hash": verifiesHash = try scanner.bool()
    case "save_caption": savesCaption = try scanner.bool()
    case "timeout": timeout = try scanner.double(in: 0.001...86_400)
    case "retries": retries = try scanner.integer(in: 0...100)
    case "user_agent_token":
      userAgentToken = scanner.skipNull() ? nil : try scanner.string().lowercased()
    case "disallowed_header_directives":
      var directives: Set<String> = []
      if !scanner.skipNull() {
        try scanner.list { (scanner) throws(ShardError) in
          directives.insert(try scanner.string().lowercased())
        }
      }
      disallowedDirectives = directives
    case "thread_count": transfers = try scanner.integer(in: 1...4_096)
    case "max_per_host": transfersPerHost = try scanner.integer(in: 1...4_096)
    case "sample_deadline": sampleDeadline = try scanner.double(in: 0.001...86_400)
    case "shard_deadline":
      shardDeadline = scanner.skipNull() ? nil : try scanner.double(in: 0.001...8_640_000)
    case "damaged": damage = try scanner.choice(DamagePolicy.init(rawValue:))
    case "max_bytes": maximumBytes = Int64(try scanner.integer(in: 1...1 << 32))
    case "allow_private": allowsPrivate = try scanner.bool()
    default: try sample.read(name, &scanner)
    }
  }
}

extension SampleOptions {
  fileprivate mutating func read(
    _ name: String, _ scanner: inout JSONScanner
  ) throws(ShardError) {
    switch name {
    case "image_size": side = try scanner.integer(in: 1...65_500)
    case "resize_mode": mode = try scanner.choice(Self.mode)
    case "resize_only_if_bigger": onlyIfBigger = try scanner.bool()
    case "upscale_interpolation": enlarging = try scanner.choice(Self.filter)
    case "downscale_interpolation": reducing = try scanner.choice(Self.filter)
    case "encode_format": codec = try scanner.choice(Self.codec)
    case "encode_quality": quality = try scanner.integer(in: 0...101)
    case "skip_reencode":
      if try scanner.bool(), encoding == .always { encoding = .ifNeeded }
    case "disable_all_reencoding":
      if try scanner.bool() { encoding = .never }
    case "min_image_size": minimumSide = try scanner.integer(in: 0...1_000_000)
    case "max_image_area":
      maximumArea = scanner.skipNull() ? nil : Int(try scanner.double(in: 0...1e15))
    case "max_aspect_ratio":
      maximumAspectRatio = scanner.skipNull() ? nil : try scanner.double(in: 0...1e9)
    case "extract_exif": wantsEXIF = try scanner.bool()
    case "scaled_decoding": decodesScaled = try scanner.bool()
    default: throw .malformed("this member is not known")
    }
  }

  private static func mode(_ name: String) -> Mode? {
    switch name {
    case "no": .unchanged
    case "keep_ratio": .keepRatio
    case "keep_ratio_largest": .keepRatioLargest
    case "center_crop": .centerCrop
    case "border": .border
    default: nil
    }
  }

  private static func filter(_ name: String) -> Filter? {
    switch name {
    case "nearest": .nearest
    case "linear": .linear
    case "cubic": .cubic
    case "area": .area
    case "lanczos", "lanczos4": .lanczos
    default: nil
    }
  }

  private static func codec(_ name: String) -> Codec? {
    switch name {
    case "jpg": .jpeg
    case "png": .png
    case "webp": .webp
    default: nil
    }
  }
}

extension SampleOptions.Codec {
  /// The values of `encode_quality`: of PNG the compression level; 101 is lossless WebP.
  fileprivate var qualities: ClosedRange<Int> {
    switch self {
    case .jpeg: 0...100
    case .png: 0...9
    case .webp: 0...101
    }
  }
}

extension JSONScanner {
  fileprivate mutating func integer(in range: ClosedRange<Int>) throws(ShardError) -> Int {
    let number = try integer()
    guard range.contains(number) else {
      throw .malformed("\(number) is not from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  fileprivate mutating func double(in range: ClosedRange<Double>) throws(ShardError) -> Double {
    let number = try double()
    guard range.contains(number) else {
      throw .malformed("\(number) is not from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  fileprivate mutating func choice<Choice>(
    _ make: (String) -> Choice?
  ) throws(ShardError) -> Choice {
    let name = try string()
    guard let choice = make(name) else { throw .malformed("\"\(name)\" is not supported") }
    return choice
  }
}
