/// The expected hash value of a file's content, as a list states it: of SHA-256, by which the library identifies
/// files, or of another algorithm.
public struct Checksum: Hashable, Sendable, CustomStringConvertible {
  /// The raw values are the names of the IANA registry of hash functions, as Metalink and aria2 write them.
  public enum Algorithm: String, Sendable, CaseIterable {
    case md5
    case sha1 = "sha-1"
    case sha224 = "sha-224"
    case sha256 = "sha-256"
    case sha384 = "sha-384"
    case sha512 = "sha-512"

    /// The name in sentences, such as `SHA-256`.
    public var title: String { rawValue.uppercased() }

    /// The length of a value in bytes, which differs between the algorithms.
    public var byteCount: Int {
      switch self {
      case .md5: 16
      case .sha1: 20
      case .sha224: 28
      case .sha256: 32
      case .sha384: 48
      case .sha512: 64
      }
    }

    /// - Parameter name: The name in letters of either case, also without the hyphen, as version 3 of Metalink
    ///   writes it.
    public init?(named name: some StringProtocol) {
      let name = name.lowercased()
      guard
        let match = Self.allCases.first(where: {
          $0.rawValue == name || $0.rawValue.filter { $0 != "-" } == name
        })
      else { return nil }
      self = match
    }
  }

  public let algorithm: Algorithm
  public let bytes: [UInt8]

  /// - Parameter bytes: A value whose length is that of one of the algorithms.
  public init?(_ bytes: [UInt8]) {
    guard let algorithm = Algorithm.allCases.first(where: { $0.byteCount == bytes.count })
    else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// - Parameter hexadecimal: Two digits of either case for each byte of the value.
  public init?(_ algorithm: Algorithm, hexadecimal: some StringProtocol) {
    guard let bytes = Hexadecimal.bytes(hexadecimal), bytes.count == algorithm.byteCount
    else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  public init(_ digest: Digest) {
    algorithm = .sha256
    bytes = digest.bytes
  }

  /// Parses the form of ``description``, in letters of either case.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let algorithm = Algorithm(named: parts[0]) else { return nil }
    self.init(algorithm, hexadecimal: parts[1])
  }

  /// Whether the file has the content; nil if its checksum by the algorithm was not computed.
  public func matches(_ file: StoredFile) -> Bool? { file.checksum(algorithm).map { $0 == self } }

  /// The value as the digest of a file in the library; nil for another algorithm than SHA-256.
  public var digest: Digest? { algorithm == .sha256 ? Digest(bytes) : nil }

  /// The value in lower-case hexadecimal digits.
  public var digits: String { Hexadecimal.digits(of: bytes) }

  /// The name of the algorithm and the value, such as `md5=` and 32 digits: the form of aria2's option
  /// `checksum`.
  public var description: String { "\(algorithm.rawValue)=\(digits)" }
}
