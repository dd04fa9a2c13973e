import Models
import Terminal

/// A cache of decoded images, limited in bytes, with least-recently-used eviction.
struct ImageCache: Sendable {
  private enum Content: Sendable {
    case image(Image)
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
  private var entries: [ImageKey: Entry] = [:]
  private var clock = 0

  /// The estimated size in bytes of an entry without its pixels.
  private static let overhead = 200

  init(byteLimit: Int) { self.byteLimit = max(1 << 20, byteLimit) }

  func image(_ key: ImageKey) -> Image? {
    if case .image(let image) = entries[key]?.content { image } else { nil }
  }

  /// Returns the reason why an image cannot be shown; nil if none is known.
  func problem(_ key: ImageKey) -> String? {
    if case .problem(let reason, _) = entries[key]?.content { reason } else { nil }
  }

  /// Returns whether the image needs a password.
  func isEncrypted(_ key: ImageKey) -> Bool {
    if case .problem(_, isEncrypted: true) = entries[key]?.content { true } else { false }
  }

  /// Returns whether any image of the resource needs a password.
  /// - Complexity: O(*n*), where *n* is the number of entries.
  func isEncrypted(_ resource: Resource) -> Bool {
    let stamp = ImageKey.stamp(resource)
    return entries.keys.contains {
      $0.resource == resource.id && $0.stamp == stamp && isEncrypted($0)
    }
  }

  /// Returns whether the engine has evicted the image and has to make it again.
  func isEvicted(_ key: ImageKey) -> Bool {
    if case .evicted = entries[key]?.content { true } else { false }
  }

  /// Removes the entries of evicted images, so that they are requested again.
  mutating func forgetEvicted() {
    remove(entries.keys.filter { isEvicted($0) })
  }

  mutating func remove(_ keys: some Sequence<ImageKey>) {
    for key in keys { bytes -= entries.removeValue(forKey: key)?.bytes ?? 0 }
  }

  mutating func remove(of resource: ResourceID) {
    remove(entries.keys.filter { $0.resource == resource })
  }

  /// Removes the problems of a resource, so that its images are requested again.
  mutating func forgetProblems(of resource: ResourceID) {
    remove(entries.keys.filter { $0.resource == resource && problem($0) != nil })
  }

  /// Removes the images whose longest side exceeds `side`, in pixels.
  mutating func remove(largerThan side: Int) { remove(entries.keys.filter { $0.side > side }) }

  /// Returns whether the cache has an entry for the key, be it an image or a problem.
  func contains(_ key: ImageKey) -> Bool { entries[key] != nil }

  /// Marks images as used, so that they are evicted last.
  mutating func touch(_ keys: some Sequence<ImageKey>) {
    clock += 1
    for key in keys { entries[key]?.use = clock }
  }

  mutating func insert(_ key: ImageKey, _ answer: ImageAnswer) {
    clock += 1
    let content: Content
    var cost = Self.overhead
    switch answer {
    case .image(let image):
      content = .image(image)
      cost += image.pixels.count
    case .problem(let reason): content = .problem(reason, isEncrypted: false)
    case .encrypted(let reason): content = .problem(reason, isEncrypted: true)
    case .evicted: content = .evicted
    }
    bytes += cost - (entries[key]?.bytes ?? 0)
    entries[key] = Entry(content: content, bytes: cost, use: clock)
    if bytes > byteLimit { evict() }
  }

  mutating func removeAll() { self = ImageCache(byteLimit: byteLimit) }

  /// Evicts images down to nine tenths of the limit, so that the entries are rarely sorted.
  private mutating func evict() {
    for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) {
      guard bytes > byteLimit / 10 * 9, entry.use < clock else { return }
      entries[key] = nil
      bytes -= entry.bytes
    }
  }
}
