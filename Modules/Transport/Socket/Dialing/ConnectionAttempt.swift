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
  var race: AddressRace<ResolvedAddress>
  /// In the order of their starts.
  var candidates: [Candidate] = []
  /// An address for which no descriptor was left, and when to try again.
  var starved: (address: ResolvedAddress, until: UInt64)?
  /// What the last failed address met.
  var failure: (code: TransportError.Code, detail: String)?
  /// An address that the policy forbids.
  var forbidden: IPAddress?
  /// Why a look-up brought no address.
  var unresolved: ResolveError?
  /// The earliest entry in the loop's deadlines.
  var armed = Moment.never

  init(
    id: UInt64, transfer: Transfer, deadline: UInt64, race: AddressRace<ResolvedAddress>
  ) {
    self.id = id
    self.transfer = transfer
    self.deadline = deadline
    self.race = race
  }

  /// That the name has no address of one family tells less than anything else.
  func note(_ error: ResolveError) {
    if unresolved == nil || unresolved?.code == .noAddress { unresolved = error }
  }

  var nextDeadline: UInt64 {
    min(deadline, transfer.totalDeadline, race.nextAttempt, starved?.until ?? Moment.never)
  }

  func close() {
    for candidate in candidates { candidate.descriptor.close() }
    candidates = []
  }
}
