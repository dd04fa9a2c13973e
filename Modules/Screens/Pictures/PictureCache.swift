import Models
import Terminal

/// Decoded pictures in memory; the least recently used one goes first. Pure.
struct PictureCache: Sendable {
  private enum Content: Sendable {
    case picture(Picture)
    case problem(String, isEncrypted: Bool)
    case evicted
  }

  private struct Entry: Sendable {
    var content: Content
    var bytes: Int
    var use: Int
  }

  let byteLimit: Int
  private(set) var bytes = 0
  private var entries: [PictureKey: Entry] = [:]
  private var clock = 0

  /// A key without a picture costs something, too.
  private static let overhead = 200

  init(byteLimit: Int) { self.byteLimit = max(1 << 20, byteLimit) }

  func picture(_ key: PictureKey) -> Picture? {
    if case .picture(let picture) = entries[key]?.content { picture } else { nil }
  }

  /// Why there is no picture; nil while that is not known.
  func problem(_ key: PictureKey) -> String? {
    if case .problem(let reason, _) = entries[key]?.content { reason } else { nil }
  }

  /// Whether it takes a password.
  func isEncrypted(_ key: PictureKey) -> Bool {
    if case .problem(_, isEncrypted: true) = entries[key]?.content { true } else { false }
  }

  /// Whether any picture of it takes a password. Takes time with the number of pictures.
  func isEncrypted(_ resource: Resource) -> Bool {
    let stamp = PictureKey.stamp(resource)
    return entries.keys.contains {
      $0.resource == resource.id && $0.stamp == stamp && isEncrypted($0)
    }
  }

  /// Whether the engine has to make it again.
  func isEvicted(_ key: PictureKey) -> Bool {
    if case .evicted = entries[key]?.content { true } else { false }
  }

  /// They may be there again.
  mutating func forgetEvicted() {
    forget(entries.keys.filter { isEvicted($0) })
  }

  mutating func forget(_ keys: some Sequence<PictureKey>) {
    for key in keys { bytes -= entries.removeValue(forKey: key)?.bytes ?? 0 }
  }

  mutating func forget(of resource: ResourceID) {
    forget(entries.keys.filter { $0.resource == resource })
  }

  /// They may have none any more.
  mutating func forgetProblems(of resource: ResourceID) {
    forget(entries.keys.filter { $0.resource == resource && problem($0) != nil })
  }

  /// Pictures in a size that is not asked for any more.
  mutating func forget(largerThan side: Int) { forget(entries.keys.filter { $0.side > side }) }

  /// Whether the answer is here.
  func knows(_ key: PictureKey) -> Bool { entries[key] != nil }

  /// They are shown: they go last.
  mutating func touch(_ keys: some Sequence<PictureKey>) {
    clock += 1
    for key in keys { entries[key]?.use = clock }
  }

  mutating func put(_ key: PictureKey, _ answer: PictureAnswer) {
    clock += 1
    let content: Content
    var cost = Self.overhead
    switch answer {
    case .picture(let picture):
      content = .picture(picture)
      cost += picture.pixels.count
    case .problem(let reason): content = .problem(reason, isEncrypted: false)
    case .encrypted(let reason): content = .problem(reason, isEncrypted: true)
    case .evicted: content = .evicted
    }
    bytes += cost - (entries[key]?.bytes ?? 0)
    entries[key] = Entry(content: content, bytes: cost, use: clock)
    if bytes > byteLimit { evict() }
  }

  mutating func removeAll() { self = PictureCache(byteLimit: byteLimit) }

  /// Down to nine tenths, so that the sorting is rare.
  private mutating func evict() {
    for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) {
      guard bytes > byteLimit / 10 * 9, entry.use < clock else { return }
      entries[key] = nil
      bytes -= entry.bytes
    }
  }
}
