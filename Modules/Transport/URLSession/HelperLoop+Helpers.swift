import Models
import SystemCalls
import Transport
import WorkerProcess

extension HelperLoop {
  // MARK: - Commands to a helper

  /// Sends the order for the current hop of a transfer to the helper in `slot`.
  func startHop(_ id: UInt64, in slot: SlotScheduler.Slot) {
    guard let transfer = transfers[id], let helper = slots[slot] else { return }
    let now = Machine.monotonicNanoseconds
    if transfer.startedAt == nil { transfer.startedAt = now }
    if let problem = SessionFields.check(transfer.policy.url, transfer.addresses) {
      return fail(transfer, transfer.error(problem.code, problem.detail))
    }
    do throws(SystemError) {
      let spool = try FileSystem.unnamedFile(in: configuration.spoolFolder)
      let number = nextExchange
      nextExchange += 1
      transfer.exchange = Exchange(
        number: number, slot: slot, spool: spool,
        sequence: ExchangeSequence(maxBodyBytes: transfer.limits.maxBodyBytes), lastActivity: now,
        speed: SpeedWatch(transfer.limits))
      helper.exchanges[number] = id
      send(.start(order(for: transfer, number), spool: spool), to: slot)
    } catch {
      let cause = SinkError(disk: error.description, isFull: error.isDiskFull)
      fail(
        transfer,
        TransportError(
          error.isDiskFull ? .sink : .system, url: transfer.policy.url, detail: error.description,
          bytesDelivered: transfer.delivered, sinkError: cause))
    }
  }

  private func order(for transfer: Transfer, _ number: UInt64) -> ExchangeOrder {
    ExchangeOrder(
      exchange: number, url: transfer.policy.url.description,
      fields: SessionFields.fieldsToSend(
        transfer.policy.fields, userAgent: configuration.userAgent),
      maxBodyBytes: transfer.limits.maxBodyBytes,
      isPublicOnly: transfer.addresses == .publicOnly)
  }

  func send(_ command: HelperCommand, to slot: SlotScheduler.Slot) {
    guard let helper = slots[slot] else { return }
    do throws(WorkerError) {
      try helper.worker.connection.send(command.frame, before: .after(seconds: 5))
    } catch {
      // A helper that does not read its commands is killed here; the next `receive` detects its
      // end.
      helper.worker.kill()
    }
  }

  /// Abandons the exchange of a transfer and commands the helper to cancel it. The helper sends an
  /// event when it has released the exchange.
  /// - Parameter isFinal: Whether the release also frees the transfer's capacity in the slot; false
  ///   for a redirect, after which the transfer continues in the slot.
  func abandonExchange(of transfer: Transfer, isFinal: Bool) {
    guard let exchange = transfer.exchange else { return }
    transfer.exchange = nil
    pumping.remove(transfer.id)
    guard exchange.end == nil, let helper = slots[exchange.slot] else { return }
    helper.exchanges.removeValue(forKey: exchange.number)
    helper.abandoned[exchange.number] = HelperSlot.Abandoned(
      transfer: isFinal ? transfer.id : nil,
      time: helper.worker.time(seconds: configuration.cancelSeconds))
    send(.cancel(exchange: exchange.number), to: exchange.slot)
  }

  // MARK: - Events from a helper

  /// Receives the events that a helper has sent so far.
  func receive(from slot: SlotScheduler.Slot) {
    // The number of events per call is limited, so that one helper does not delay the others.
    for _ in 0..<256 {
      guard let helper = slots[slot] else { return }
      do throws(WorkerError) {
        guard try helper.worker.connection.hasInput() else { return }
        let frame = try helper.worker.receive(before: .after(seconds: 5))
        try handle(HelperEvent(frame), from: slot, helper)
      } catch {
        removeHelper(slot, helper, error)
        return
      }
    }
  }

  private func handle(
    _ event: HelperEvent, from slot: SlotScheduler.Slot, _ helper: HelperSlot
  ) throws(WorkerError) {
    // The times in events are measured by the helper; a time in the future would postpone every
    // deadline.
    let now = Machine.monotonicNanoseconds
    switch event {
    case .ready:
      helper.isReady = true
      handleSchedulerEvent(.ready(slot))
    case .head(let number, let status, let fields, let time):
      guard let transfer = try transfer(number, helper) else { return }
      try transfer.exchange?.sequence.receiveHead()
      receiveHead(transfer, Int(status), fields, at: min(time, now))
    case .progress(let number, let bytes, let time):
      guard let transfer = try transfer(number, helper) else { return }
      try transfer.exchange?.sequence.receiveProgress(bytes)
      guard transfer.exchange?.head != nil else {
        return fail(transfer, transfer.error(.protocolViolation, Self.noHead))
      }
      let count = bytes &- (transfer.exchange?.available ?? 0)
      _ = transfer.exchange?.speed.receive(max(0, count), at: min(time, now))
      transfer.exchange?.available = bytes
      transfer.exchange?.lastActivity = min(time, now)
      transfer.exchange?.owesAcknowledgement = true
      pumping.insert(transfer.id)
    case .done(let number, let bytes, let time):
      try finishExchange(number, helper, bytes: bytes, .done(bytes: bytes, time: min(time, now)))
    case .failed(let number, let bytes, let failure):
      try finishExchange(number, helper, bytes: bytes, .failed(failure))
    }
  }

  /// Returns the transfer of an exchange; nil if the exchange has ended or was abandoned, because an event may
  /// already have been on its way.
  private func transfer(
    _ number: UInt64, _ helper: HelperSlot
  ) throws(WorkerError) -> Transfer? {
    guard number < nextExchange else {
      throw WorkerError(.malformed, "an event of an exchange that was not started")
    }
    return helper.exchanges[number].flatMap { transfers[$0] }
  }

  private func finishExchange(
    _ number: UInt64, _ helper: HelperSlot, bytes: Int64, _ end: Exchange.End
  ) throws(WorkerError) {
    if let abandoned = helper.abandoned.removeValue(forKey: number) {
      if let id = abandoned.transfer { handleSchedulerEvent(.finished(id)) }
      return
    }
    guard let transfer = try transfer(number, helper) else { return }
    let id = transfer.id
    try transfer.exchange?.sequence.receiveEnd(bytes)
    helper.exchanges.removeValue(forKey: number)
    // Without a head the sink has not been asked whether it accepts the body.
    let hasHead = transfer.exchange?.head != nil
    transfer.exchange?.available = hasHead ? bytes : 0
    transfer.exchange?.end = end
    pumping.insert(id)
    // The helper has released the exchange, so its capacity is free while the sink still receives
    // the rest of the body.
    handleSchedulerEvent(.finished(id))
  }

  // MARK: - The end of a helper

  /// Removes a helper that has ended or must end, and returns its transfers to the scheduler.
  func removeHelper(_ slot: SlotScheduler.Slot, _ helper: HelperSlot, _ error: WorkerError) {
    guard slots[slot] === helper else { return }
    slots.removeValue(forKey: slot)
    helper.worker.stop(grace: 0)
    startFailure = error.description
    for id in helper.exchanges.values {
      pumping.remove(id)
      transfers[id]?.resetForRetry()
    }
    handleSchedulerEvent(
      .helperDied(slot, unreleased: helper.abandoned.values.compactMap(\.transfer)))
  }

  /// Fails transfers and kills helpers whose deadlines have passed.
  func enforceDeadlines() {
    let now = Machine.monotonicNanoseconds
    for transfer in running {
      checkConnection(of: transfer, now)
      guard let deadline = transfer.deadline, deadline.time <= now else { continue }
      if deadline.code == .lowSpeed, transfer.exchange?.speed.isTooSlow(at: now) != true {
        continue
      }
      fail(transfer, transfer.error(deadline.code, transfer.timeoutText(deadline.code)))
    }
    for (slot, helper) in slots where helper.nextCheck ?? .max <= now && helper.isStuck() {
      removeHelper(
        slot, helper, WorkerError(.timedOut, "\(helper.worker.program.name) does not respond"))
    }
  }

  /// Determines, when a deadline has passed, whether the helper is connected to the server, because
  /// connecting and responding have different deadlines.
  private func checkConnection(of transfer: Transfer, _ now: UInt64) {
    guard let exchange = transfer.exchange, exchange.connection != .made,
      let deadline = transfer.deadline, deadline.time <= now, deadline.code != .totalTimeout,
      let helper = slots[exchange.slot]
    else { return }
    let sockets = ProcessSockets(of: helper.worker.processID)
    let isConnected = sockets.isConnected(port: transfer.policy.url.port)
    transfer.exchange?.connection = isConnected ? .made : .notYet
  }
}

extension Transfer {
  func timeoutText(_ code: TransportError.Code) -> String {
    switch code {
    case .lowSpeed: SpeedWatch.reason(policy.url, limits)
    case .totalTimeout: "not finished after \(Self.text(limits.totalTimeout))"
    case .idleTimeout: "no data from \(policy.url.origin) for \(Self.text(limits.idleTimeout))"
    default: "no connection to \(policy.url.origin) within \(Self.text(limits.connectTimeout))"
    }
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(clamping: Int64(seconds))) s" : "\(seconds) s"
  }
}
