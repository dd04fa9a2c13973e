import Models

/// Remembers the addresses of hosts from one connection to the next (RFC 8305 §4 and §5.1): which
/// failed or were overtaken, and which family got through. Only hosts with trouble
/// have an entry.
///
/// A pure machine; times are nanoseconds of `CLOCK_MONOTONIC`.
struct AddressMemory {
  /// Nanoseconds after which a host's entry is dropped, because networks change.
  static let lifetime: UInt64 = 600_000_000_000
  static let maximumHosts = 1_024

  private struct Entry {
    var suspects: Set<IPAddress> = []
    /// The family of the last connection that another family's attempt had been made before.
    var working: IPAddress.Family?
    var until: UInt64
  }

  private var entries: [String: Entry] = [:]

  /// The family to begin with.
  func firstFamily(of host: String, now: UInt64) -> IPAddress.Family {
    entry(host, now)?.working ?? .v6
  }

  /// Addresses that failed, or were too slow, not long ago.
  func suspects(of host: String, now: UInt64) -> Set<IPAddress> { entry(host, now)?.suspects ?? [] }

  mutating func recordFailure(_ host: String, _ address: IPAddress, now: UInt64) {
    update(host, now) { $0.suspects.insert(address) }
  }

  /// - Parameter overtaken: addresses that were tried before and had no connection yet.
  mutating func recordConnection(
    _ host: String, _ address: IPAddress, overtaking overtaken: [IPAddress], now: UInt64
  ) {
    guard !overtaken.isEmpty || entries[host] != nil else { return }
    update(host, now) { entry in
      entry.suspects.formUnion(overtaken)
      entry.suspects.remove(address)
      let hasOther = entry.suspects.contains { $0.family != address.family }
      entry.working = hasOther ? address.family : nil
    }
  }

  private func entry(_ host: String, _ now: UInt64) -> Entry? {
    entries[host].flatMap { now < $0.until ? $0 : nil }
  }

  private mutating func update(_ host: String, _ now: UInt64, _ change: (inout Entry) -> Void) {
    let existing = entry(host, now)
    if existing == nil, entries.count >= Self.maximumHosts {
      entries = entries.filter { now < $0.value.until }
      if entries.count >= Self.maximumHosts, let any = entries.keys.first { entries[any] = nil }
    }
    // The time runs from the first trouble, so that a host is tried again however busy it is.
    var entry = existing ?? Entry(until: now &+ Self.lifetime)
    change(&entry)
    entries[host] = entry.suspects.isEmpty ? nil : entry
  }
}
