import Models

/// The newest TLS ticket of each origin. The store holds at most 256 tickets; one more replaces an
/// arbitrary one.
struct TicketStore {
  private static let maximum = 256

  private var tickets: [HTTPURL.Origin: TLSTicket] = [:]

  subscript(origin: HTTPURL.Origin) -> TLSTicket? { tickets[origin] }

  mutating func store(_ ticket: TLSTicket, for origin: HTTPURL.Origin) {
    if tickets[origin] == nil, tickets.count >= Self.maximum, let any = tickets.keys.first {
      tickets.removeValue(forKey: any)
    }
    tickets[origin] = ticket
  }

  /// Removes the ticket of an origin after a failed handshake, so that the next handshake is a full
  /// one.
  mutating func forget(_ origin: HTTPURL.Origin) { tickets.removeValue(forKey: origin) }
}
