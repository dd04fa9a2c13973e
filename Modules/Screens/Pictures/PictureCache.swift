import Models
import Terminal

/// A cache of decoded pictures with least-recently-used eviction. Pure.
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

  /// The estimated size in bytes of an entry without its pixels.
  private static let overhead = 200

  init(byteLimit: Int) { self.byteLimit = max(1 << 20, byteLimit) }

  func picture(_ key: PictureKey) -> Picture? {
    if case .picture(let picture) = entries[key]?.content { picture } else { nil }
  }

  /// Returns the reason why there is no picture; nil while the result is unknown.
  func problem(_ key: PictureKey) -> String? {
    if case .problem(let reason, _) = entries[key]?.content { reason } else { nil }
  }

  /// Returns whether the picture needs a password.
  func isEncrypted(_ key: PictureKey) -> Bool {
    if case .problem(_, isEncrypted: true) = entries[key]?.content { true } else { false }
  }

  /// Returns whether any picture of the resource needs a password.
  /// - Complexity: O(*n*), where *n* is the number of entries.
  func isEncrypted(_ resource: Resource) -> Bool {
    let stamp = PictureKey.stamp(resource)
    return entries.keys.contains {
      $0.resource == resource.id && $0.stamp == stamp && isEncrypted($0)
    }
  }

  /// Returns whether the engine has evicted the picture and has to make it again.
  func isEvicted(_ key: PictureKey) -> Bool {
    if case .evicted = entries[key]?.content { true } else { false }
  }

  /// Removes the entries of evicted pictures, so that they are requested again.
  mutating func forgetEvicted() {
    remove(entries.keys.filter { isEvicted($0) })
  }

  mutating func remove(_ keys: some Sequence<PictureKey>) {
    for key in keys { bytes -= entries.removeValue(forKey: key)?.bytes ?? 0 }
  }

  mutating func remove(of resource: ResourceID) {
    remove(entries.keys.filter { $0.resource == resource })
  }

  /// Removes the problems of a resource, so that its pictures are requested again.
  mutating func forgetProblems(of resource: ResourceID) {
    remove(entries.keys.filter { $0.resource == resource && problem($0) != nil })
  }

  /// Removes the pictures whose side is larger than the window requests now.
  mutating func remove(largerThan side: Int) { remove(entries.keys.filter { $0.side > side }) }

  /// Returns whether the cache has an entry for the key, be it a picture or a problem.
  func contains(_ key: PictureKey) -> Bool { entries[key] != nil }

  /// Marks pictures as used, so that they are evicted last.
  mutating func touch(_ keys: some Sequence<PictureKey>) {
    clock += 1
    for key in keys { entries[key]?.use = clock }
  }

  mutating func insert(_ key: PictureKey, _ answer: PictureAnswer) {
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

  /// Evicts pictures down to nine tenths of the limit, so that the sorting is rare.
  private mutating func evict() {
    for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) {
      guard bytes > byteLimit / 10 * 9, entry.use < clock else { return }
      entries[key] = nil
      bytes -= entry.bytes
    }
  }
}
