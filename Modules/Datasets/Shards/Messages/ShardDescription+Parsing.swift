import JSON
import Rendering

extension ShardDescription {
  /// The maximum number of samples of a shard.
  static let maximumCount = 10_000_000

  /// Parses a line.
  public init(line: [UInt8]) throws(ShardError) {
    self.init()
    let members = try JSONValue.members(ofLine: line)
    for member in members {
      do throws(ShardError) {
        try read(member.name, member.value)
      } catch {
        throw .malformed("\(member.name): \(error)")
      }
    }
    for required in ["shard", "count", "tar"]
    where !members.contains(where: { $0.name == required }) {
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

  private mutating func read(_ name: String, _ value: JSONValue) throws(ShardError) {
    switch name {
    case "shard": shard = try value.integer(in: 0...1_000_000_000)
    case "count": count = try value.integer(in: 0...Self.maximumCount)
    case "tar":
      tar = try value.string()
      guard !tar.isEmpty, !tar.contains("\0") else { throw .malformed("no path") }
    case "oom_shard_count": shardDigits = try value.integer(in: 1...9)
    case "oom_sample_per_shard": sampleDigits = try value.integer(in: 0...9)
    case "compute_hash":
      hash = try value.unlessNull?.choice(Hash.init(rawValue:))
    case "verify_hash": verifiesHash = try value.bool()
    case "save_caption": savesCaption = try value.bool()
    case "timeout": timeout = try value.double(in: 0.001...86_400)
    case "retries": retries = try value.integer(in: 0...100)
    case "user_agent_token":
      userAgentToken = try value.unlessNull?.string().lowercased()
    case "disallowed_header_directives":
      disallowedDirectives = Set(
        try (value.unlessNull?.list() ?? []).map { (directive) throws(ShardError) in
          try directive.string().lowercased()
        })
    case "thread_count": transfers = try value.integer(in: 1...4_096)
    case "max_per_host": transfersPerHost = try value.integer(in: 1...4_096)
    case "sample_deadline": sampleDeadline = try value.double(in: 0.001...86_400)
    case "shard_deadline":
      shardDeadline = try value.unlessNull?.double(in: 0.001...8_640_000)
    case "damaged": damage = try value.choice(DamagePolicy.init(rawValue:))
    case "max_bytes": maximumBytes = Int64(try value.integer(in: 1...1 << 32))
    case "allow_private": allowsPrivate = try value.bool()
    default: try sample.read(name, value)
    }
  }
}

extension SampleOptions {
  fileprivate mutating func read(
    _ name: String, _ value: JSONValue
  ) throws(ShardError) {
    switch name {
    case "image_size": side = try value.integer(in: 1...65_500)
    case "resize_mode": mode = try value.choice(Self.mode)
    case "resize_only_if_bigger": onlyIfBigger = try value.bool()
    case "upscale_interpolation": enlarging = try value.choice(Self.filter)
    case "downscale_interpolation": reducing = try value.choice(Self.filter)
    case "encode_format": codec = try value.choice(Self.codec)
    case "encode_quality": quality = try value.integer(in: 0...101)
    case "skip_reencode":
      if try value.bool(), encoding == .always { encoding = .ifNeeded }
    case "disable_all_reencoding":
      if try value.bool() { encoding = .never }
    case "min_image_size": minimumSide = try value.integer(in: 0...1_000_000)
    case "max_image_area":
      let area = try value.unlessNull?.double(in: 0...1e15)
      maximumArea = area.map { Int($0) }
    case "max_aspect_ratio":
      maximumAspectRatio = try value.unlessNull?.double(in: 0...1e9)
    case "extract_exif": wantsEXIF = try value.bool()
    case "scaled_decoding": decodesScaled = try value.bool()
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
