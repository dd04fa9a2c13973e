import Models
import SystemCalls
import Threading
import Transport

/// From a name to a connection that can take a request.
extension EventLoop {
  /// Nanoseconds after which a transfer that found no descriptor tries again, if none was closed here.
  private static var starvingTime: UInt64 { 100_000_000 }

  func connect(_ transfer: Transfer) {
    leaveQueue(transfer)
    let now = Machine.monotonicNanoseconds
    let host = transfer.peer.host
    let numeric = IPAddress(host)
    let families = numeric.map { [$0.family] } ?? options.addressFamily.families
    let suspects = addresses.suspects(of: host, now: now)
    let attempt = ConnectionAttempt(
      id: makeToken(), transfer: transfer,
      deadline: Moment.after(now, seconds: transfer.limits.connectTimeout),
      race: AddressRace(
        questions: Set(families), first: addresses.firstFamily(of: host, now: now),
        isSuspect: { suspects.contains($0.ip) }))
    transfer.phase = .connecting(attempt)
    occupants[attempt.id] = .attempt(attempt)
    arm(attempt)
    if let numeric {
      return answered(attempt, numeric.family, [ResolvedAddress(ip: numeric, scope: 0)])
    }
    let id = attempt.id
    for family in families {
      services.resolver.resolve(AddressQuestion(name: host, family: family)) { [self] in
        submit(.resolved(id, family, $0))
      }
    }
  }

  func resolved(
    _ attempt: ConnectionAttempt, _ family: IPAddress.Family,
    _ answer: Result<[ResolvedAddress], ResolveError>
  ) {
    switch answer {
    case .success(let addresses):
      if attempt.transfer.timings.dns == nil {
        attempt.transfer.timings.dns = attempt.transfer.elapsed()
      }
      answered(attempt, family, addresses)
    case .failure(let error):
      attempt.note(error)
      answered(attempt, family, [])
    }
  }

  private func answered(
    _ attempt: ConnectionAttempt, _ family: IPAddress.Family, _ addresses: [ResolvedAddress]
  ) {
    let usable = addresses.filter { options.addressFamily.families.contains($0.ip.family) }
    let allowed = usable.filter { attempt.transfer.allows($0.ip) }
    if allowed.count < usable.count {
      attempt.forbidden = usable.first { !attempt.transfer.allows($0.ip) }?.ip
    }
    advance(attempt, .answered(family, allowed))
  }

  /// Goes on with the addresses until one is on its way or none is left.
  private func advance(
    _ attempt: ConnectionAttempt, _ event: AddressRace<ResolvedAddress>.Event
  ) {
    var event = event
    while true {
      switch attempt.race.handle(event, now: Machine.monotonicNanoseconds) {
      case .wait: return arm(attempt)
      case .exhausted:
        let failure = failure(of: attempt)
        return fail(attempt.transfer, failure.code, failure.detail)
      case .connect(let address):
        guard !open(attempt, address) else { return }
        event = .failed
      }
    }
  }

  /// Why no address is left.
  private func failure(
    of attempt: ConnectionAttempt
  ) -> (code: TransportError.Code, detail: String) {
    let host =
      "\(attempt.transfer.proxy == nil ? "" : "the proxy ")\"\(attempt.transfer.peer.host)\""
    if let failure = attempt.failure { return failure }
    if let address = attempt.forbidden { return (.addressRefused, refusal(address)) }
    if let error = attempt.unresolved, error.code != .noAddress {
      return (.dns, "cannot resolve \(host): \(error.reason)")
    }
    let family = options.addressFamily == .any ? "" : " of IPv\(options.addressFamily.rawValue)"
    return (.dns, "\(host) has no address\(family)")
  }

  /// Begins to connect to one address; false if that failed at once.
  private func open(_ attempt: ConnectionAttempt, _ resolved: ResolvedAddress) -> Bool {
    let address = SocketAddress(
      ip: resolved.ip, port: attempt.transfer.peer.port, scope: resolved.scope)
    let descriptor: OwnedDescriptor
    do throws(SystemError) {
      descriptor = try socket(for: address)
    } catch  where error.isOutOfDescriptors {
      attempt.starved = (resolved, Machine.monotonicNanoseconds &+ Self.starvingTime)
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
      note(code, of: address, attempt)
      return false
    }
    let candidate = ConnectionAttempt.Candidate(
      id: makeToken(), address: address, descriptor: descriptor)
    do throws(SystemError) {
      try poller.add(descriptor.raw, .output, token: candidate.id)
    } catch {
      attempt.failure = (.system, error.description)
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

  /// One address has failed.
  private func note(_ code: Int32, of address: SocketAddress, _ attempt: ConnectionAttempt) {
    let transfer = attempt.transfer
    let failure = StreamSocket.connectCode(code)
    attempt.failure = (
      failure,
      "cannot connect to \(transfer.proxy.map { "the proxy \($0.host), " } ?? "")\(address.ip) port \(address.port): \(StreamSocket.reason(code))"
    )
    // What is missing on this machine says nothing about the address.
    if failure == .system { return }
    addresses.failed(transfer.peer.host, address.ip, now: Machine.monotonicNanoseconds)
  }

  func ready(_ attempt: ConnectionAttempt, _ candidate: ConnectionAttempt.Candidate) {
    let code = StreamSocket.pendingError(candidate.descriptor.raw)
    occupants.removeValue(forKey: candidate.id)
    attempt.candidates.removeAll { $0.id == candidate.id }
    guard code == 0 else {
      candidate.descriptor.close()
      note(code, of: candidate.address, attempt)
      return advance(attempt, .failed)
    }
    let overtaken = attempt.candidates.prefix { $0.id < candidate.id }.map(\.address.ip)
    addresses.connected(
      attempt.transfer.peer.host, candidate.address.ip, overtaking: overtaken,
      now: Machine.monotonicNanoseconds)
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
      // A proxy is asked in HTTP/1.1.
      let isMultiplexed =
        options.http2 == .priorKnowledge && transfer.proxy == nil
        && !onlyHTTP1.contains(connection.origin)
      return serve(transfer, on: connection, isMultiplexed: isMultiplexed)
    }
    connection.phaseDeadline = attempt.deadline
    if let proxy = transfer.proxy { return openTunnel(connection, through: proxy) }
    secure(connection)
  }

  /// Begins TLS with the origin.
  func secure(_ connection: Connection) {
    guard let transfer = connection.transfer else { return }
    connection.phase = .handshaking
    do throws(TLSFailure) {
      connection.tls = try services.tls().connection(
        descriptor: connection.descriptor.raw, host: transfer.url.host,
        isNumeric: IPAddress(transfer.url.host) != nil,
        offersHTTP2: options.http2 != .off && !onlyHTTP1.contains(connection.origin),
        resuming: tickets[transfer.url.origin])
      arm(connection)
      shakeHands(connection)
    } catch {
      fail(transfer, .tls, error.reason)
    }
  }

  /// For messages: through which proxy.
  func way(_ transfer: Transfer) -> String {
    transfer.proxy.map { " through the proxy \($0)" } ?? ""
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
      if attempt.race.isResolving {
        return fail(
          transfer, .dns,
          "cannot resolve \"\(transfer.peer.host)\" in \(transfer.limits.connectTimeout) s")
      }
      return attempt.starved == nil
        ? fail(
          transfer, .connectTimeout,
          "no connection to \(transfer.url.origin)\(way(transfer)) in \(transfer.limits.connectTimeout) s"
        )
        : fail(transfer, .system, "no file descriptor is left for a connection")
    }
    if let starved = attempt.starved, starved.until <= now { feed(attempt, starved.address) }
    if case .attempt = occupants[attempt.id] {
      if attempt.race.nextAttempt <= now { advance(attempt, .waited) } else { arm(attempt) }
    }
  }

  /// A descriptor has become free.
  func feedStarving() {
    guard let attempt = starving.first, let starved = attempt.starved else { return }
    feed(attempt, starved.address)
  }

  private func feed(_ attempt: ConnectionAttempt, _ address: ResolvedAddress) {
    attempt.starved = nil
    starving.removeAll { $0 === attempt }
    if !open(attempt, address) { advance(attempt, .failed) }
  }
}

extension SocketOptions.AddressFamily {
  var families: [IPAddress.Family] {
    switch self {
    case .any: [.v6, .v4]
    case .v4: [.v4]
    case .v6: [.v6]
    }
  }
}
