import Models
import SystemCalls
import Transport

/// From a name to a connection that can take a request.
extension EventLoop {
  /// Nanoseconds after which a transfer that found no descriptor tries again, if none was closed here.
  private static var starvingTime: UInt64 { 100_000_000 }

  func connect(_ transfer: Transfer) {
    leaveQueue(transfer)
    let now = Machine.monotonicNanoseconds
    let attempt = ConnectionAttempt(
      id: makeToken(), transfer: transfer,
      deadline: Moment.after(now, seconds: transfer.limits.connectTimeout))
    transfer.phase = .connecting(attempt)
    occupants[attempt.id] = .attempt(attempt)
    arm(attempt)
    let host = transfer.url.host
    if let ip = IPAddress(host) {
      return race(attempt, [ResolvedAddress(ip: ip, scope: 0)])
    }
    let id = attempt.id
    services.resolver.resolve(host) { [self] in submit(.resolved(id, $0)) }
  }

  func resolved(_ attempt: ConnectionAttempt, _ answer: Resolver.Answer) {
    let transfer = attempt.transfer
    transfer.timings.dns = transfer.elapsed()
    switch answer {
    case .success(let addresses): race(attempt, addresses)
    case .failure(let error):
      fail(transfer, .dns, "cannot resolve \"\(transfer.url.host)\": \(error.reason)")
    }
  }

  private func race(_ attempt: ConnectionAttempt, _ resolved: [ResolvedAddress]) {
    let transfer = attempt.transfer
    let usable = resolved.filter { options.addressFamily.includes($0.ip.family) }
    guard let first = usable.first else {
      return fail(
        transfer, .dns,
        "\"\(transfer.url.host)\" has no address of IPv\(options.addressFamily.rawValue)")
    }
    let allowed = usable.filter { transfer.addresses.allows($0.ip) }
    attempt.addresses = allowed.map {
      SocketAddress(ip: $0.ip, port: transfer.url.port, scope: $0.scope)
    }
    guard !allowed.isEmpty else {
      return fail(
        transfer, .addressRefused, refusal(SocketAddress(ip: first.ip, port: transfer.url.port)))
    }
    attempt.race = AddressRace(count: allowed.count)
    advance(attempt, .start)
  }

  /// Goes on with the addresses until one is on its way or none is left.
  private func advance(_ attempt: ConnectionAttempt, _ event: AddressRace.Event) {
    var event = event
    while true {
      switch attempt.race.handle(event, now: Machine.monotonicNanoseconds) {
      case .wait: return arm(attempt)
      case .exhausted:
        let failure = attempt.failure ?? (.connectionLost, "no address could be connected to")
        return fail(attempt.transfer, failure.code, failure.detail)
      case .connect(let index):
        guard !open(attempt, index) else { return }
        event = .failed
      }
    }
  }

  /// Begins to connect to one address; false if that failed at once.
  private func open(_ attempt: ConnectionAttempt, _ index: Int) -> Bool {
    let address = attempt.addresses[index]
    let descriptor: OwnedDescriptor
    do throws(SystemError) {
      descriptor = try socket(for: address)
    } catch  where error.isOutOfDescriptors {
      attempt.starved = (index, Machine.monotonicNanoseconds &+ Self.starvingTime)
      starving.append(attempt)
      services.askForDescriptor(self)
      arm(attempt)
      return true
    } catch {
      attempt.failure = (.system, error.description)
      return false
    }
    let result = StreamSocket.connect(descriptor.raw, to: address)
    if case .failed(let code) = result {
      attempt.failure = connectFailure(code, address)
      return false
    }
    let candidate = ConnectionAttempt.Candidate(
      id: makeToken(), address: address, descriptor: descriptor)
    guard poller.add(descriptor.raw, .output, token: candidate.id) else {
      attempt.failure = (.system, SystemError.last("watch a socket").description)
      return false
    }
    attempt.candidates.append(candidate)
    occupants[candidate.id] = .candidate(attempt, candidate)
    arm(attempt)
    return true
  }

  /// A descriptor is worth more than an idle connection.
  private func socket(for address: SocketAddress) throws(SystemError) -> OwnedDescriptor {
    do throws(SystemError) {
      return try StreamSocket.open(address)
    } catch  where error.isOutOfDescriptors && pool.idleCount > 0 {
      closeOldestIdle()
      return try StreamSocket.open(address)
    } catch {
      throw error
    }
  }

  private func connectFailure(
    _ code: Int32, _ address: SocketAddress
  ) -> (TransportError.Code, String) {
    let detail =
      "cannot connect to \(address.ip) port \(address.port): \(StreamSocket.reason(code))"
    return (StreamSocket.connectCode(code), detail)
  }

  func ready(_ attempt: ConnectionAttempt, _ candidate: ConnectionAttempt.Candidate) {
    let code = StreamSocket.pendingError(candidate.descriptor.raw)
    occupants.removeValue(forKey: candidate.id)
    attempt.candidates.removeAll { $0.id == candidate.id }
    guard code == 0 else {
      candidate.descriptor.close()
      attempt.failure = connectFailure(code, candidate.address)
      return advance(attempt, .failed)
    }
    remove(attempt)
    connected(attempt, candidate)
  }

  private func connected(
    _ attempt: ConnectionAttempt, _ candidate: ConnectionAttempt.Candidate
  ) {
    let transfer = attempt.transfer
    let now = Machine.monotonicNanoseconds
    transfer.timings.connect = transfer.elapsed(now)
    let connection = Connection(
      id: candidate.id, origin: transfer.url.origin, address: candidate.address,
      descriptor: candidate.descriptor, interest: .output)
    connection.transfer = transfer
    connection.lastActivity = now
    occupants[connection.id] = .connection(connection)
    transfer.phase = .active(connection)
    guard transfer.url.scheme == .https else {
      let isMultiplexed = options.http2 == .priorKnowledge && !onlyHTTP1.contains(connection.origin)
      return serve(transfer, on: connection, isMultiplexed: isMultiplexed)
    }
    connection.phaseDeadline = attempt.deadline
    do throws(TLSFailure) {
      connection.tls = try services.tls().connection(
        descriptor: candidate.descriptor.raw, host: transfer.url.host,
        isNumeric: IPAddress(transfer.url.host) != nil,
        offersHTTP2: options.http2 != .off && !onlyHTTP1.contains(connection.origin),
        resuming: tickets[transfer.url.origin])
      arm(connection)
      shakeHands(connection)
    } catch {
      fail(transfer, .tls, error.reason)
    }
  }

  func shakeHands(_ connection: Connection) {
    guard let transfer = connection.transfer, let tls = connection.tls else { return }
    switch tls.handshake() {
    case .wouldBlock(let forOutput): watch(connection, forOutput ? .output : .input)
    case .done:
      transfer.timings.tls = transfer.elapsed()
      connection.phaseDeadline = Moment.never
      serve(transfer, on: connection, isMultiplexed: tls.hasAgreedOnHTTP2)
    case .failed(let failure):
      tickets.forget(connection.origin)
      fail(
        transfer, failure.isConnectionLost ? .connectionLost : .tls,
        "\(transfer.url.origin): \(failure.reason)")
    }
  }

  private func serve(_ transfer: Transfer, on connection: Connection, isMultiplexed: Bool) {
    if isMultiplexed { return openMultiplexed(transfer, on: connection) }
    begin(transfer, on: connection)
    decide(.connected, origin: connection.origin)
  }

  func watch(_ connection: Connection, _ interest: Poller.Readiness) {
    let interest = connection.isThrottled ? interest.subtracting(.input) : interest
    guard connection.interest != interest else { return }
    connection.interest = interest
    poller.change(connection.descriptor.raw, interest, token: connection.id)
  }

  /// Takes an attempt out of the loop, with the sockets that are still in the race.
  func remove(_ attempt: ConnectionAttempt) {
    occupants.removeValue(forKey: attempt.id)
    for candidate in attempt.candidates { occupants.removeValue(forKey: candidate.id) }
    if attempt.starved != nil { starving.removeAll { $0 === attempt } }
    attempt.close()
  }

  private func arm(_ attempt: ConnectionAttempt) {
    let next = attempt.nextDeadline
    guard next < attempt.armed else { return }
    attempt.armed = next
    deadlines.add(DeadlineQueue.Entry(time: next, id: attempt.id))
  }

  func passDeadline(_ attempt: ConnectionAttempt, _ now: UInt64) {
    let transfer = attempt.transfer
    if transfer.totalDeadline <= now {
      return fail(transfer, .totalTimeout, tooSlow(transfer))
    }
    if attempt.deadline <= now {
      return attempt.starved == nil
        ? fail(
          transfer, .connectTimeout,
          "no connection to \(transfer.url.origin) in \(transfer.limits.connectTimeout) s")
        : fail(transfer, .system, "no file descriptor is left for a connection")
    }
    if let starved = attempt.starved, starved.until <= now { feed(attempt, starved.index) }
    if case .attempt = occupants[attempt.id] {
      if attempt.race.nextAttempt <= now { advance(attempt, .waited) } else { arm(attempt) }
    }
  }

  /// A descriptor has become free.
  func feedStarving() {
    guard let attempt = starving.first, let starved = attempt.starved else { return }
    feed(attempt, starved.index)
  }

  private func feed(_ attempt: ConnectionAttempt, _ index: Int) {
    attempt.starved = nil
    starving.removeAll { $0 === attempt }
    if !open(attempt, index) { advance(attempt, .failed) }
  }
}

extension SocketOptions.AddressFamily {
  func includes(_ family: IPAddress.Family) -> Bool {
    self == .any || (self == .v4) == (family == .v4)
  }
}
