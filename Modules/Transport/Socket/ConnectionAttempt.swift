import Models
import SystemCalls
import Transport

/// The way from a name to a connected socket: look-up, then the addresses in a race. Confined to
/// its loop.
final class ConnectionAttempt {
  struct Candidate {
    /// Its token in the poller too.
    let id: UInt64
    let address: SocketAddress
    let descriptor: OwnedDescriptor
  }

  let id: UInt64
  let transfer: Transfer
  let deadline: UInt64
  var addresses: [SocketAddress] = []
  var race = AddressRace(count: 0)
  var candidates: [Candidate] = []
  /// The position of an address for which no descriptor was left, and when to try again.
  var starved: (index: Int, until: UInt64)?
  /// What the last failed address met.
  var failure: (code: TransportError.Code, detail: String)?
  /// The earliest entry in the loop's deadlines.
  var armed = Moment.never

  init(id: UInt64, transfer: Transfer, deadline: UInt64) {
    self.id = id
    self.transfer = transfer
    self.deadline = deadline
  }

  var nextDeadline: UInt64 {
    min(deadline, transfer.totalDeadline, race.nextAttempt, starved?.until ?? Moment.never)
  }

  func close() {
    for candidate in candidates { candidate.descriptor.close() }
    candidates = []
  }
}
