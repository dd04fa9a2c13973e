import Models
import Transport

/// Each connection, and each attempt at one, has a permit of the budget that all loops share.
extension EventLoop {
  /// Connects when the budget allows it. The transfer's own time has not begun until then.
  func admit(_ transfer: Transfer) {
    if services.takePermit(self) { return connect(transfer) }
    transfer.phase = .unadmitted
    unadmitted.append(transfer.id)
    // An idle connection is worth less than one that is wanted.
    if !closeOldestIdle() { services.askForDescriptor(self) }
  }

  /// A permit has come for whoever waits for it longest here.
  func admitNext() {
    while let id = unadmitted.popFirst() {
      if let transfer = transfers[id], case .unadmitted = transfer.phase {
        return connect(transfer)
      }
    }
    services.givePermitBack()
  }
}
