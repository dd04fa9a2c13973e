import Models

/// Remembers across connections which addresses of a host failed, did not answer on a new connection, or connected
/// more slowly than another address, and which family succeeded (RFC 8305 §4 and §5.1). Only hosts with such suspect
/// addresses have an entry.
///
/// A pure state machine; times are nanoseconds of `CLOCK_MONOTONIC`.
struct AddressMemory {
  /// Nanoseconds after which a host's entry is dropped, because networks change.
  static let lifetime: UInt64 = 600_000_000_000
  static let maximumHosts = 1_024

  private struct Entry {
    var suspects: Set<IPAddress> = []
    /// The family of the last successful connection, if an address of the other family is suspect;
    /// otherwise nil.
    var preferredFamily: IPAddress.Family?
    var expiry: UInt64
  }

  private var entries: [String: Entry] = [:]

  /// Returns the family to try first: that of the last successful connection, or else IPv6, unless only addresses of
  /// IPv6 are suspect, as on a way that loses large packets of IPv6.
  func firstFamily(of host: String, now: UInt64) -> IPAddress.Family {
    guard let entry = entry(host, now) else { return .v6 }
    let isSixSuspect = !entry.suspects.isEmpty && entry.suspects.allSatisfy { $0.family == .v6 }
    return entry.preferredFamily ?? (isSixSuspect ? .v4 : .v6)
  }

  /// Returns the addresses that recently failed or were too slow.
  func suspects(of host: String, now: UInt64) -> Set<IPAddress> { entry(host, now)?.suspects ?? [] }

  mutating func recordFailure(_ host: String, _ address: IPAddress, now: UInt64) {
    update(host, now) { $0.suspects.insert(address) }
  }

  /// - Parameter overtaken: The addresses whose attempts started before that of `address` and were
  ///   not connected yet.
  mutating func recordConnection(
    _ host: String, _ address: IPAddress, overtaking overtaken: [IPAddress], now: UInt64
  ) {
    guard !overtaken.isEmpty || entries[host] != nil else { return }
    update(host, now) { entry in
      entry.suspects.formUnion(overtaken)
      entry.suspects.remove(address)
      let hasOther = entry.suspects.contains { $0.family != address.family }
      entry.preferredFamily = hasOther ? address.family : nil
    }
  }

  private func entry(_ host: String, _ now: UInt64) -> Entry? {
    entries[host].flatMap { now < $0.expiry ? $0 : nil }
  }

  private mutating func update(_ host: String, _ now: UInt64, _ change: (inout Entry) -> Void) {
    let existing = entry(host, now)
    if existing == nil, entries.count >= Self.maximumHosts {
      entries = entries.filter { now < $0.value.expiry }
      if entries.count >= Self.maximumHosts, let any = entries.keys.first { entries[any] = nil }
    }
    // The lifetime starts when the entry is created instead of at its last use, so that even the
    // addresses of a busy host are tried again.
    var entry = existing ?? Entry(expiry: now &+ Self.lifetime)
    change(&entry)
    entries[host] = entry.suspects.isEmpty ? nil : entry
  }
}
