import HTTP1
import Models
import SystemCalls
import Threading
import Transport

/// Makes connections, from a name to a socket that can take a request: permits of the budget, then a
/// connected socket (`HappyEyeballsConnector`), then a tunnel and TLS (`Handshake`). Confined to its
/// loop.
///
/// Each call returns what came of it, if anything did, and nothing happens behind the caller's back:
/// a connection is the caller's from `connected` on, and an attempt lasts until it is `connected` or
/// cancelled.
final class Dialer {
  enum Outcome {
    case connected(Transfer, ConnectedSocket, NegotiatedProtocol)
    /// No connection can be made; the caller cancels the attempt.
    case failed(Transfer, TransportError)
    /// A descriptor is missing, and an attempt waits for one: `retryWaiting` when one has become free.
    case descriptorWanted
  }

  private let options: SocketOptions
  private let services: LoopServices
  private let registry: Registry
  private let reader: SocketReader
  private let poller: Poller
  private let mailbox: LoopMailbox
  private let connector: HappyEyeballsConnector
  private var tickets = TicketStore()
  /// Origins that have asked for HTTP/1.1.
  private var http1Origins: Set<HTTPURL.Origin> = []
  /// Tokens of attempts that wait for a permit, first come, first served.
  private var waitingForPermit = Queue<UInt64>()

  init(
    _ options: SocketOptions, _ services: LoopServices, _ mailbox: LoopMailbox, _ poller: Poller,
    _ registry: Registry, _ reader: SocketReader
  ) {
    self.options = options
    self.services = services
    self.registry = registry
    self.reader = reader
    self.poller = poller
    self.mailbox = mailbox
    connector = HappyEyeballsConnector(
      options.addressFamily.families, services.resolver, registry, poller, mailbox)
  }

  // MARK: - Attempts and their permits

  func makeAttempt(for transfer: Transfer) -> ConnectionAttempt {
    let attempt = ConnectionAttempt(token: registry.makeToken(), transfer: transfer)
    registry[attempt.token] = .attempt(attempt)
    return attempt
  }

  /// Acquires a permit of the budget that all loops share. Without a permit the attempt waits, and
  /// `nextAdmitted` returns it when its turn has come; its own time does not run until then.
  func admit(_ attempt: ConnectionAttempt) -> Bool {
    guard services.acquirePermit(mailbox) else {
      waitingForPermit.append(attempt.token)
      return false
    }
    attempt.permit()
    return true
  }

  /// A permit has come: the attempt that has waited longest for it has it now. If none waits any more,
  /// the permit is given back.
  func nextAdmitted() -> ConnectionAttempt? {
    while let token = waitingForPermit.popFirst() {
      if case .attempt(let attempt) = registry[token] {
        attempt.permit()
        return attempt
      }
    }
    services.releasePermit()
    return nil
  }

  /// Ends an attempt in whatever phase it is, with its sockets.
  func cancel(_ attempt: ConnectionAttempt) {
    registry.remove(attempt.token)
    connector.endRace(of: attempt)
    if let socket = attempt.handshake?.socket {
      registry.remove(socket.token)
      socket.close()
    }
    if attempt.hasPermit { services.releasePermit() }
  }

  /// Closes a connection that this dialer has made. Its TLS ticket is kept for the next connection; its
  /// permit passes to the first loop that waits for one.
  func close(_ socket: ConnectedSocket, to origin: HTTPURL.Origin) {
    keepTicket(of: socket, for: origin)
    registry.remove(socket.token)
    socket.close()
    services.releasePermit()
  }

  /// Keeps the newest ticket of a connection; servers send tickets with or after their first answer.
  func keepTicket(of socket: ConnectedSocket, for origin: HTTPURL.Origin) {
    if let ticket = socket.ticket { tickets.store(ticket, for: origin) }
  }

  /// Offers HTTP/2 to the origin no more, since the origin has asked for HTTP/1.1.
  func useHTTP1(for origin: HTTPURL.Origin) { http1Origins.insert(origin) }

  // MARK: - Sockets

  /// Begins to connect; the attempt must have been admitted.
  func start(_ attempt: ConnectionAttempt) -> Outcome? {
    attempt.setDeadline(
      Moment.after(
        Machine.monotonicNanoseconds, seconds: attempt.transfer.limits.connectTimeout))
    return handle(connector.start(attempt))
  }

  /// A look-up has ended. The attempt may be over since.
  func resolved(
    _ token: UInt64, _ family: IPAddress.Family,
    _ answer: Result<[ResolvedAddress], ResolveError>
  ) -> Outcome? {
    guard case .attempt(let attempt) = registry[token] else { return nil }
    return handle(connector.resolved(attempt, family, answer))
  }

  /// The poller reports a socket of the race.
  func candidateReady(_ attempt: ConnectionAttempt, _ token: UInt64) -> Outcome? {
    handle(connector.candidateReady(attempt, token))
  }

  /// Whether a descriptor is worth more than an idle connection.
  var isWaitingForDescriptor: Bool { connector.isWaitingForDescriptor }

  /// A descriptor has become free: the first attempt that waits for one tries again.
  func retryWaiting() -> Outcome? {
    connector.isWaitingForDescriptor ? handle(connector.retryWaiting()) : nil
  }

  private func handle(_ outcome: HappyEyeballsConnector.Outcome?) -> Outcome? {
    switch outcome {
    case nil: nil
    case .connected(let attempt, let candidate): connected(attempt, candidate)
    case .failed(let attempt, let code, let detail):
      .failed(attempt.transfer, attempt.transfer.error(code, detail))
    case .descriptorWanted: .descriptorWanted
    }
  }

  // MARK: - Tunnels and TLS

  private func connected(
    _ attempt: ConnectionAttempt, _ candidate: ConnectionAttempt.Candidate
  ) -> Outcome? {
    let transfer = attempt.transfer
    transfer.reach(.connection)
    let socket = ConnectedSocket(
      token: candidate.token, address: candidate.address, descriptor: candidate.descriptor,
      poller: poller, interest: .output)
    guard transfer.url.scheme == .https else {
      // A proxy is asked in HTTP/1.1.
      let speaksHTTP2 =
        options.http2 == .priorKnowledge && transfer.proxy == nil
        && !http1Origins.contains(transfer.url.origin)
      return complete(attempt, socket, speaksHTTP2 ? .http2 : .http1)
    }
    return prepare(socket, for: attempt)
  }

  private func prepare(
    _ socket: ConnectedSocket, for attempt: ConnectionAttempt
  ) -> Outcome? {
    let transfer = attempt.transfer
    var tunnel: ProxyTunnel?
    var problem: HTTPParseError?
    do throws(HTTPParseError) {
      tunnel = try transfer.proxy.map { proxy throws(HTTPParseError) in
        try ProxyTunnel(
          proxy, to: transfer.url.origin, userAgent: options.userAgent, limits: options.headLimits)
      }
    } catch {
      problem = error
    }
    let handshake = Handshake(socket, through: tunnel, reader)
    attempt.handshake = handshake
    registry[socket.token] = .handshake(attempt)
    if let problem {
      return .failed(transfer, transfer.error(.invalidRequest, problem.detail))
    }
    registry.arm(attempt)
    return follow(tunnel == nil ? .tunnelOpened : handshake.advance(), of: handshake, attempt)
  }

  /// The poller reports the socket of a handshake.
  func handshakeReady(_ attempt: ConnectionAttempt) -> Outcome? {
    guard let handshake = attempt.handshake else { return nil }
    return follow(handshake.advance(), of: handshake, attempt)
  }

  private func follow(
    _ step: Handshake.Step, of handshake: Handshake, _ attempt: ConnectionAttempt
  ) -> Outcome? {
    let transfer = attempt.transfer
    switch step {
    case .wait: return nil
    case .tunnelOpened: return follow(secure(handshake, for: transfer), of: handshake, attempt)
    case .done(let negotiated):
      transfer.reach(.handshake)
      return complete(attempt, handshake.socket, negotiated)
    case .failed(let code, let detail):
      return .failed(transfer, transfer.error(code, detail))
    case .tlsFailed(let failure):
      // The next handshake is a full one.
      tickets.forget(transfer.url.origin)
      return .failed(
        transfer,
        transfer.error(
          failure.isConnectionLost ? .connectionLost : .tls,
          "\(transfer.url.origin): \(failure.reason)"))
    }
  }

  private func secure(_ handshake: Handshake, for transfer: Transfer) -> Handshake.Step {
    let origin = transfer.url.origin
    return handshake.secure { descriptor throws(TLSFailure) in
      try services.tls().connection(
        descriptor: descriptor, host: transfer.url.host,
        isNumeric: IPAddress(transfer.url.host) != nil,
        offersHTTP2: options.http2 != .off && !http1Origins.contains(origin),
        resuming: tickets[origin])
    }
  }

  private func complete(
    _ attempt: ConnectionAttempt, _ socket: ConnectedSocket, _ negotiated: NegotiatedProtocol
  ) -> Outcome {
    registry.remove(attempt.token)
    return .connected(attempt.transfer, socket, negotiated)
  }

  // MARK: - Deadlines

  func handleDeadline(_ attempt: ConnectionAttempt, _ now: UInt64) -> Outcome? {
    let transfer = attempt.transfer
    if transfer.totalDeadline <= now { return .failed(transfer, transfer.totalTimeout()) }
    if attempt.deadline <= now { return .failed(transfer, timeout(of: attempt)) }
    return handle(connector.handleDeadline(attempt, now))
  }

  private func timeout(of attempt: ConnectionAttempt) -> TransportError {
    let transfer = attempt.transfer
    let time = "in \(transfer.limits.connectTimeout) s"
    let way = transfer.proxy.map { " through the proxy \($0)" } ?? ""
    if attempt.handshake != nil {
      return transfer.error(
        .connectTimeout, "no TLS connection to \(transfer.url.origin)\(way) \(time)")
    }
    if attempt.isResolving {
      return transfer.error(.dns, "cannot resolve \"\(transfer.peer.host)\" \(time)")
    }
    return attempt.isWaitingForDescriptor
      ? transfer.error(.system, "no file descriptor is left for a connection")
      : transfer.error(.connectTimeout, "no connection to \(transfer.url.origin)\(way) \(time)")
  }
}
