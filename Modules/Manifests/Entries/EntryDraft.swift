import Models

/// The values of one entry of a list before validation.
struct EntryDraft: Sendable {
  var url: String?
  var title: String?
  /// The file name that the list proposes.
  var name: String?
  var checksum: StatedChecksum?
  var byteCount: Int64?
  /// See ``ManifestEntry/isByteCountBinding``.
  var isByteCountBinding = false
  /// Other URLs of the same content, the best one first.
  private(set) var mirrors: [String] = []
  /// The number of further mirrors, which are not kept.
  private(set) var surplusMirrors = 0
  var headers = HTTPFields()
  /// See ``ManifestEntry/referrerPolicy``.
  var referrerPolicy: String?
  /// The reason why the entry cannot be used, or nil if none is known yet.
  var fault: String?

  /// A checksum before validation.
  struct StatedChecksum: Sendable {
    /// The name of the algorithm.
    var type: String
    var digits: String

    /// - Parameter sha256: The digits of a checksum by SHA-256.
    init(sha256: String) {
      self.init(.sha256, sha256)
    }

    /// - Parameter digits: The digits of a checksum by the algorithm.
    init(_ algorithm: Checksum.Algorithm, _ digits: String) {
      type = algorithm.rawValue
      self.digits = digits
    }

    /// - Parameter text: The name of the algorithm and the digits, with an equals sign between them.
    init(text: String) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      type = parts.first.map(String.init) ?? ""
      digits = parts.count > 1 ? String(parts[1]) : ""
    }

    /// The algorithm; nil if it is not known.
    var algorithm: Checksum.Algorithm? { Checksum.Algorithm(named: type) }
  }

  /// The largest number of mirrors that are kept until they are validated, which bounds the memory of an entry.
  static let maximumMirrors = 1_000

  /// Adds a mirror, or only counts it if the entry has too many.
  mutating func addMirror(_ url: String) {
    if mirrors.count < Self.maximumMirrors { mirrors.append(url) } else { surplusMirrors &+= 1 }
  }

  /// Adds a checksum by another algorithm than SHA-256 if the text is one and the list states no better one. SHA-256
  /// is the best one, because every file is hashed with it anyway.
  mutating func addChecksum(_ algorithm: Checksum.Algorithm, _ text: String) {
    guard let stated = Checksum(algorithm, stated: text) else { return }
    if let known = checksum?.algorithm {
      guard known != .sha256, known.byteCount <= algorithm.byteCount else { return }
    }
    checksum = StatedChecksum(algorithm, stated.digits)
  }

  mutating func removeMirrors() { (mirrors, surplusMirrors) = ([], 0) }

  static func faulty(_ reason: String) -> EntryDraft {
    var draft = EntryDraft()
    draft.fault = reason
    return draft
  }

  /// Sets the fault; only the first one is reported.
  mutating func fail(_ reason: String) {
    if fault == nil { fault = reason }
  }
}

extension Checksum {
  /// Parses the text of a list: hexadecimal digits or Base64, also after the name of the algorithm, as in
  /// `sha256:` (container registries) and `sha256-` (Subresource Integrity).
  init?(_ algorithm: Algorithm, stated text: String) {
    // Most lists state the digits alone.
    if let bytes = Hexadecimal.bytes(text), bytes.count == algorithm.byteCount {
      self.init(bytes)
      return
    }
    let names = [algorithm.rawValue, algorithm.rawValue.filter { $0 != "-" }]
    let name = names.first { name in
      text.prefix(name.count).lowercased() == name
        && text.utf8.dropFirst(name.utf8.count).first.map(":-=".utf8.contains) ?? false
    }
    let value = Substring(text.utf8.dropFirst(name.map { $0.utf8.count &+ 1 } ?? 0))
    let readings = [Hexadecimal.bytes(value), Base64.decode(value)]
    guard
      let bytes = readings.lazy.compactMap(\.self).first(where: { $0.count == algorithm.byteCount })
    else { return nil }
    self.init(bytes)
  }
}
