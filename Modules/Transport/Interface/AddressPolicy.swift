public import Models

/// The addresses that a transfer may connect to. The transport checks the address of each
/// connection, at every redirect, so that a name whose addresses change cannot evade the policy.
public enum AddressPolicy: Sendable, Equatable {
  case any
  /// Refuses loopback, private, link-local, unique-local and other special-purpose addresses.
  case publicOnly
  /// Allows every address for the first request; after a public address has answered, redirects may
  /// lead to public addresses only.
  case noPublicToPrivate

  public func allows(_ address: IPAddress) -> Bool {
    self != .publicOnly || address.isPublic
  }

  /// Returns the policy for the request that follows a response from `address`.
  /// - Parameter address: The address that answered; nil means unknown, which counts as public.
  public func afterHop(from address: IPAddress?) -> AddressPolicy {
    self == .noPublicToPrivate && address?.isPublic ?? true ? .publicOnly : self
  }
}

extension IPAddress {
  /// The IPv4 loopback address `127.0.0.1`.
  public static let loopback = IPAddress(v4: 0x7f00_0001)

  /// Whether the address is globally reachable according to IANA's special-purpose registries (RFC
  /// 6890). An IPv4-mapped, NAT64 or 6to4 address is as public as the IPv4 address that it embeds.
  public var isPublic: Bool {
    switch family {
    case .v4: !Self.specialV4.contains { $0.contains(bits) }
    case .v6: embeddedV4.map(\.isPublic) ?? isPublicV6
    }
  }

  /// The IPv4 address that is embedded in this IPv6 address and to which the packets are finally
  /// sent; nil if there is none.
  private var embeddedV4: IPAddress? {
    let low = IPAddress(v4: UInt32(truncatingIfNeeded: bits))
    if bits >> 32 == 0xffff { return low }
    if Prefix.nat64.contains(bits) { return low }
    if Prefix.sixToFour.contains(bits) {
      return IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80))
    }
    return nil
  }

  private var isPublicV6: Bool {
    Prefix.globalUnicast.contains(bits) && !Self.specialV6.contains { $0.contains(bits) }
  }

  private struct Prefix {
    let bits: UInt128
    let shift: UInt128

    init(v4 a: UInt32, _ b: UInt32, _ c: UInt32, length: UInt128) {
      shift = 32 - length
      bits = UInt128(a << 24 | b << 16 | c << 8) >> shift
    }

    /// - Parameter high: The first 64 bits of the IPv6 prefix.
    init(v6 high: UInt128, length: UInt128) {
      shift = 128 - length
      bits = (high << 64) >> shift
    }

    func contains(_ address: UInt128) -> Bool { address >> shift == bits }

    static let nat64 = Prefix(v6: 0x0064_ff9b_0000_0000, length: 96)
    static let sixToFour = Prefix(v6: 0x2002_0000_0000_0000, length: 16)
    static let globalUnicast = Prefix(v6: 0x2000_0000_0000_0000, length: 3)
  }

  private static let specialV4 = [
    Prefix(v4: 0, 0, 0, length: 8),  // "this network", unspecified address
    Prefix(v4: 10, 0, 0, length: 8),  // private
    Prefix(v4: 100, 64, 0, length: 10),  // shared address space of carriers
    Prefix(v4: 127, 0, 0, length: 8),  // loopback
    Prefix(v4: 169, 254, 0, length: 16),  // link-local, cloud metadata
    Prefix(v4: 172, 16, 0, length: 12),  // private
    Prefix(v4: 192, 0, 0, length: 24),  // protocol assignments
    Prefix(v4: 192, 0, 2, length: 24),  // documentation
    Prefix(v4: 192, 88, 99, length: 24),  // former 6to4 relays
    Prefix(v4: 192, 168, 0, length: 16),  // private
    Prefix(v4: 198, 18, 0, length: 15),  // benchmarks
    Prefix(v4: 198, 51, 100, length: 24),  // documentation
    Prefix(v4: 203, 0, 113, length: 24),  // documentation
    Prefix(v4: 224, 0, 0, length: 4),  // multicast
    Prefix(v4: 240, 0, 0, length: 4),  // reserved, broadcast
  ]

  /// The special-purpose prefixes within 2000::/3; every address outside of 2000::/3 is special.
  private static let specialV6 = [
    Prefix(v6: 0x2001_0000_0000_0000, length: 23),  // protocol assignments, Teredo
    Prefix(v6: 0x2001_0db8_0000_0000, length: 32),  // documentation
    Prefix(v6: 0x3fff_0000_0000_0000, length: 20),  // documentation
  ]
}
