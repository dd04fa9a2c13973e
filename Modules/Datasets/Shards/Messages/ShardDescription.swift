public import Rendering

/// The first line of a shard: what its samples become, and where its tar file is written.
///
/// The members have the names and defaults of the options of img2dataset.
public struct ShardDescription: Sendable, Equatable {
  /// Whether a partly damaged image, whose other part can be decoded, becomes a sample.
  public enum DamagePolicy: String, Sendable, CaseIterable {
    /// The sample succeeds; missing parts are grey.
    case keep
    /// The sample fails.
    case fail
    /// The sample succeeds, and its report names the damage.
    case flag
  }

  public enum Hash: String, Sendable, CaseIterable { case md5, sha256, sha512 }

  public var shard = 0
  /// The number of sample lines that follow.
  public var count = 0
  /// The path of the tar file, which is created or overwritten.
  public var tar = ""
  /// The number of digits of a shard's number in keys.
  public var shardDigits = 5
  /// The number of digits of a sample's number in keys.
  public var sampleDigits = 4
  public var sample = SampleOptions()
  public var hash: Hash? = .sha256
  /// Whether the sample lines state the expected hash.
  public var verifiesHash = false
  public var savesCaption = false
  /// The maximum time in seconds without a byte from a server.
  public var timeout = 10.0
  /// The number of further attempts after a failed transfer.
  public var retries = 0
  /// The name in the user agent by which `X-Robots-Tag` fields address this client; lower case.
  public var userAgentToken: String?
  /// The directives of `X-Robots-Tag` that forbid the use of an image; lower case.
  public var disallowedDirectives: Set<String> = ["noai", "noimageai", "noindex", "noimageindex"]
  /// The maximum number of simultaneous transfers.
  public var transfers = 256
  /// The maximum number of simultaneous transfers from one host.
  public var transfersPerHost = 16
  /// The maximum time in seconds from the start of a sample's first transfer to the end of its last one, and
  /// from the start to the end of its decoding.
  public var sampleDeadline = 30.0
  /// The maximum time in seconds for the shard; nil for no maximum.
  public var shardDeadline: Double?
  public var damage = DamagePolicy.keep
  /// The maximum size of a body in bytes.
  public var maximumBytes: Int64 = 256 << 20
  /// Whether transfers may connect to loopback, private and link-local addresses.
  public var allowsPrivate = false

  public init() {}

  /// Returns the key of a sample: its shard's number followed by its own.
  public func key(_ index: Int) -> String {
    let sample = "\(index)"
    let shard = "\(shard)"
    let zeros = { (count: Int) in String(repeating: "0", count: max(0, count)) }
    // A number with too many digits for its field carries over, as in the sum of the two numbers.
    guard sample.utf8.count <= sampleDigits else {
      let sum = "\(self.shard * Self.power(of: 10, sampleDigits) + index)"
      return zeros(shardDigits + sampleDigits - sum.utf8.count) + sum
    }
    return zeros(shardDigits - shard.utf8.count) + shard + zeros(sampleDigits - sample.utf8.count)
      + sample
  }

  private static func power(of base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }
}
