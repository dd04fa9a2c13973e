import HTTP1
import Models
import SystemCalls
import Threading
import Transport

/// Establishes connections, from a name to a socket that can carry a request: acquires a permit of
/// the budget, connects a socket (`HappyEyeballsConnector`), then opens a tunnel and performs the
/// TLS handshake (`Handshake`). Confined to its event loop.
///
/// Each method returns its outcome, if any, instead of calling a delegate. The caller owns a
/// connection from `Outcome.connected` on; an attempt stays registered until it is connected or
/// cancelled.
final class Dialer {
  enum Outcome {
    case connected(Transfer, ConnectedSocket, NegotiatedProtocol)
    /// No connection can be established; the caller must cancel the attempt.
    case failed(Transfer, TransportError)
    /// An attempt waits because no descriptor is available; the caller must call `retryWaiting`
    /// when one becomes free.
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
  private static let maximumHTTP1Origins = 4_096

  /// The origins that have required HTTP/1.1, at most `maximumHTTP1Origins`.
  private var http1Origins: Set<HTTPURL.Origin> = []
  /// The tokens of attempts that wait for a permit, in order of arrival.
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

  /// Acquires a permit of the budget that all loops share. If no permit is free, returns false, and
  /// the attempt waits until `nextAdmitted` returns it; its connect timeout starts only then.
  func admit(_ attempt: ConnectionAttempt) -> Bool {
    guard services.acquirePermit(mailbox) else {
      waitingForPermit.append(attempt.token)
      return false
    }
    attempt.permit()
    return true
  }

  /// Assigns a permit that the loop has received to the attempt that has waited longest, and
  /// returns the attempt. If no attempt waits, releases the permit and returns nil.
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

  /// Ends an attempt in any phase, and closes its sockets.
  func cancel(_ attempt: ConnectionAttempt) {
    registry.remove(attempt.token)
    connector.endRace(of: attempt)
    if let socket = attempt.handshake?.socket {
      registry.remove(socket.token)
      socket.close()
    }
    if attempt.hasPermit { services.releasePermit() }
  }

  /// Closes a connection that this dialer has established. Its TLS ticket is kept for the next
  /// connection, and its permit passes to the first waiting loop.
  func close(_ socket: ConnectedSocket, to origin: HTTPURL.Origin) {
    keepTicket(of: socket, for: origin)
    registry.remove(socket.token)
    socket.close()
    services.releasePermit()
  }

  /// Stores the newest ticket of a connection; servers send tickets with or after their first
  /// response.
  func keepTicket(of socket: ConnectedSocket, for origin: HTTPURL.Origin) {
    if let ticket = socket.ticket { tickets.store(ticket, for: origin) }
  }

  /// Remembers that a connection to an address of the transfer's host was established and not answered.
  func suspect(_ address: IPAddress, for transfer: Transfer) {
    connector.suspect(address, of: transfer.peer.host)
  }

  /// Stops offering HTTP/2 to an origin that has required HTTP/1.1.
  func useHTTP1(for origin: HTTPURL.Origin) {
    if http1Origins.count >= Self.maximumHTTP1Origins, !http1Origins.contains(origin) {
      http1Origins.removeFirst()
    }
    http1Origins.insert(origin)
  }

  // MARK: - Sockets

  /// Starts the lookups of an attempt, which must hold a permit, and its connect timeout.
  func connect(_ attempt: ConnectionAttempt) -> Outcome? {
    attempt.setDeadline(
      Moment.after(
        Machine.monotonicNanoseconds, seconds: attempt.transfer.limits.connectTimeout))
    return handle(connector.connect(attempt))
  }

  /// Handles the result of a lookup for the attempt with this token, which may have ended
  /// meanwhile.
  func resolved(
    _ token: UInt64, _ family: IPAddress.Family,
    _ answer: Result<[ResolvedAddress], ResolveError>
  ) -> Outcome? {
    guard case .attempt(let attempt) = registry[token] else { return nil }
    return handle(connector.resolved(attempt, family, answer))
  }

  /// Handles an event of a socket that takes part in an attempt's race of addresses.
  func candidateReady(_ attempt: ConnectionAttempt, _ token: UInt64) -> Outcome? {
    handle(connector.candidateReady(attempt, token))
  }

  /// Whether an attempt waits for a descriptor, so that idle connections should be closed.
  var isWaitingForDescriptor: Bool { connector.isWaitingForDescriptor }

  /// Retries the first attempt that waits for a descriptor, after a descriptor has become free.
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
    let needsTunnel = transfer.proxy != nil && !transfer.isForwarded
    guard transfer.url.scheme == .https || needsTunnel else {
      return complete(attempt, socket, plainProtocol(for: transfer))
    }
    return prepare(socket, for: attempt)
  }

  /// Returns the protocol of a connection without TLS. Requests to a proxy use HTTP/1.1.
  private func plainProtocol(for transfer: Transfer) -> NegotiatedProtocol {
    let speaksHTTP2 =
      options.http2 == .priorKnowledge && !transfer.isForwarded
      && !http1Origins.contains(transfer.url.origin)
    return speaksHTTP2 ? .http2 : .http1
  }

  private func prepare(
    _ socket: ConnectedSocket, for attempt: ConnectionAttempt
  ) -> Outcome? {
    let transfer = attempt.transfer
    var tunnel: (any Tunnel)?
    var problem: TransportError?
    do throws(TransportError) {
      tunnel = try makeTunnel(for: transfer)
    } catch {
      problem = error
    }
    let handshake = Handshake(socket, through: tunnel, reader)
    attempt.handshake = handshake
    registry[socket.token] = .handshake(attempt)
    if let problem { return .failed(transfer, problem) }
    registry.arm(attempt)
    return follow(tunnel == nil ? .tunnelOpened : handshake.advance(), of: handshake, attempt)
  }

  private func makeTunnel(for transfer: Transfer) throws(TransportError) -> (any Tunnel)? {
    guard let proxy = transfer.proxy else { return nil }
    let origin = transfer.url.origin
    switch proxy.kind {
    case .http:
      do throws(HTTPParseError) {
        return try ConnectTunnel(
          proxy, to: origin, userAgent: options.userAgent, limits: options.headLimits)
      } catch {
        throw transfer.error(.invalidRequest, error.detail)
      }
    case .socks5:
      do throws(SOCKSTunnel.NameTooLong) {
        return try SOCKSTunnel(proxy, to: origin)
      } catch {
        throw transfer.error(
          .invalidRequest, "a host name of more than 255 bytes cannot be sent to a SOCKS proxy")
      }
    }
  }

  /// Handles an event of the socket of a handshake.
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
    case .tunnelOpened where transfer.url.scheme == .http:
      return complete(attempt, handshake.socket, plainProtocol(for: transfer))
    case .tunnelOpened: return follow(secure(handshake, for: transfer), of: handshake, attempt)
    case .done(let negotiated):
      transfer.reach(.handshake)
      return complete(attempt, handshake.socket, negotiated)
    case .failed(let code, let detail):
      return .failed(transfer, transfer.error(code, detail))
    case .tlsFailed(let failure):
      // The next handshake with the origin is a full one.
      tickets.forget(transfer.url.origin)
      return .failed(
        transfer,
        transfer.error(
          failure.isConnectionLost ? .connectionLost : .tls, transfer.located(failure.reason)))
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
      let kind = transfer.url.scheme == .https ? "TLS connection" : "connection"
      return transfer.error(
        .connectTimeout, "no \(kind) to \(transfer.url.origin)\(way) \(time)")
    }
    if attempt.isResolving {
      return transfer.error(.dns, "cannot resolve \"\(transfer.peer.host)\" \(time)")
    }
    return attempt.isWaitingForDescriptor
      ? transfer.error(.system, "no file descriptor is available for a connection")
      : transfer.error(.connectTimeout, "no connection to \(transfer.url.origin)\(way) \(time)")
  }
}
