import LibraryAPI
import SystemCalls
import Threading

/// The access of browsers to a library: its origin, its key, and its login tokens. Runs on a queue of its
/// own, because it reads and writes a file.
///
/// `ConnectionAcceptor` owns the active listeners and checks; each change passes it the complete new ones.
actor WebAccess {
  /// The validity of a session without requests, in seconds: 30 days.
  static let sessionSeconds: Int64 = 30 * 86_400
  /// The validity of a Bearer token in seconds: one year.
  static let bearerSeconds: Int64 = 365 * 86_400
  /// The delay of the response to a wrong login token, in seconds.
  static let wrongTokenSeconds = 1.0
  /// The maximum number of delayed responses, because a delayed response occupies a connection that a browser may
  /// need. While there are so many, no further token is compared.
  static let delayedLimit = 8

  private let file: WebCredentialsFile
  private let random: any RandomSource
  private let wallClock: any WallClock
  private let clock: any MonotonicClock
  private let report: @Sendable (WebEvent) -> Void
  private nonisolated let executor = BlockingExecutor("imgdl.control.web")
  private weak var acceptor: ConnectionAcceptor?
  private var credentials: WebCredentials?
  private var origin: WebOrigin?
  private var logins = LoginTokens()
  /// The number of responses to wrong login tokens that are being delayed.
  private var delayedCount = 0
  /// The number of the last change; `ConnectionAcceptor` ignores a change that arrives after a later one.
  private var generation: UInt64 = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - clock: The clock for the validity of login tokens.
  ///   - report: Called with each change, on the queue of the actor.
  init(
    _ file: WebCredentialsFile, clock: any MonotonicClock, wallClock: any WallClock,
    random: any RandomSource, report: @escaping @Sendable (WebEvent) -> Void
  ) {
    self.file = file
    self.clock = clock
    self.wallClock = wallClock
    self.random = random
    self.report = report
  }

  /// Starts to listen if the library's web page is enabled. A failure is reported and does not prevent the
  /// server from starting.
  /// - Parameter port: The port to listen on for this run, even if the page is not enabled; nil means none.
  /// - Throws: The reason why `port` cannot be used.
  func start(_ acceptor: ConnectionAcceptor, port: UInt16?) async throws(ControlError) {
    self.acceptor = acceptor
    do throws(ControlError) {
      credentials = try file.read()
      guard port == nil, let credentials, credentials.isEnabled else {
        if let port { try await listen(port, isEnabled: credentials?.isEnabled ?? false) }
        return
      }
      try await listen(credentials.port, isEnabled: true)
    } catch {
      guard port == nil else { throw error }
      report(.failed(reason: error.detail))
    }
  }

  /// The origin of the web page (nil while the server does not listen for it), and whether the page is
  /// enabled.
  var state: (origin: WebOrigin?, isEnabled: Bool) {
    (origin, credentials?.isEnabled ?? false)
  }

  /// Enables the page, now and after each restart, and issues a login token.
  /// - Parameter port: The TCP port; nil keeps the port that the page had before.
  /// - Throws: `portInUse` if the port is taken, `folder` if the file cannot be written.
  func open(port: UInt16?) async throws(ControlError) -> (origin: WebOrigin, token: String) {
    let isNew = origin == nil || port != nil && port != origin?.port
    if isNew || credentials?.isEnabled != true {
      if credentials == nil { credentials = (try? file.read()) ?? nil }
      try await listen(isNew ? port ?? credentials?.port : origin?.port, isEnabled: true)
    }
    guard let origin else { throw ControlError(.noWebPage, "the server is stopping") }
    let token = random.hexadecimal(words: 2)
    logins.add(token, now: clock.now())
    return (origin, token)
  }

  /// Disables the page, closes its connections, and ends every session.
  func close() async throws(ControlError) {
    logins.removeAll()
    // A credentials file that could not be read is replaced too: its key may still be valid.
    var changed = credentials ?? WebCredentials(random: random)
    changed.isEnabled = false
    changed.replace(random: random)
    credentials = changed
    let wasListening = origin != nil
    origin = nil
    await apply(LoopbackListeners())
    if wasListening { report(.stopped) }
    try file.write(changed)
  }

  /// Exchanges a login token for a session.
  /// - Returns: The token of the session.
  /// - Throws: `unauthenticated`, after a delay; `tooManyConnections` while too many responses are delayed.
  func logIn(_ token: String) async throws(ControlError) -> String {
    guard delayedCount < Self.delayedLimit else {
      throw ControlError(
        .tooManyConnections, "too many logins with wrong tokens are waiting; try again later")
    }
    guard logins.use(token, now: clock.now()), let credentials else {
      report(.wrongToken)
      delayedCount += 1
      _ = try? await clock.sleep(until: clock.now() + Self.wrongTokenSeconds)
      delayedCount -= 1
      throw ControlError(
        .unauthenticated,
        "the login link was used already or has expired; run `imgdl-cli web` for a new one")
    }
    report(.loggedIn)
    return issue(.session, credentials)
  }

  /// Ends the session of a token, with the tokens that were issued for it before.
  /// - Throws: `folder` if the file cannot be written; the session may then come back after a restart.
  func logOut(_ token: AccessToken) async throws(ControlError) {
    guard token.kind == .session, var changed = credentials else { return }
    let now = wallClock.unixSeconds()
    // A token that was renewed a moment ago is valid for longer than this one.
    changed.endSession(token.id, expiry: now + Self.sessionSeconds, now: now)
    credentials = changed
    await acceptor?.endSession(token.id)
    try file.write(changed)
  }

  /// Issues a token that replaces one of the same session before it expires; nil if the page is not served.
  func sessionToken(renewing token: AccessToken) -> String? {
    origin == nil ? nil : credentials.map { issue(.session, $0, id: token.id) }
  }

  /// Issues a Bearer token.
  func bearerToken() throws(ControlError) -> String {
    guard origin != nil, let credentials else {
      throw ControlError(.noWebPage, "the web page is not enabled")
    }
    return issue(.bearer, credentials)
  }

  private func issue(
    _ kind: AccessToken.Kind, _ credentials: WebCredentials, id: String? = nil
  ) -> String {
    let seconds = kind == .session ? Self.sessionSeconds : Self.bearerSeconds
    return AccessToken.issue(
      kind, expiry: wallClock.unixSeconds() + seconds, key: credentials.keyBytes, random: random,
      id: id)
  }

  /// Listens on a port, and writes the changed port and state to the credentials file.
  /// - Parameter port: The TCP port; nil means the default port, or a free one if the default is taken.
  private func listen(_ port: UInt16?, isEnabled: Bool) async throws(ControlError) {
    var changed = credentials ?? WebCredentials(random: random)
    var pair: ControlListener.LoopbackPair?
    if port == nil || port != origin?.port {
      do throws(ControlError) {
        pair = try ControlListener.loopback(port ?? WebOrigin.defaultPort)
      } catch {
        guard port == nil, error.code == .portInUse else { throw error }
        pair = try ControlListener.loopback(nil)
      }
    }
    if let pair { changed.port = pair.port }
    changed.isEnabled = isEnabled
    if changed != credentials { try file.write(changed) }
    credentials = changed
    guard let pair else { return }
    let origin = WebOrigin(name: changed.name, port: pair.port)
    self.origin = origin
    let checks = WebRequestChecks(
      origin: origin, key: changed.keyBytes,
      endedSessions: Set((changed.ended ?? []).map(\.id)))
    await apply(LoopbackListeners(pair.listeners, checks))
    report(.listening(url: origin.description))
  }

  private func apply(_ listeners: LoopbackListeners) async {
    generation += 1
    await acceptor?.replaceLoopback(listeners, generation: generation)
  }
}

/// The listeners of the web page, and the checks for requests through them.
struct LoopbackListeners: Sendable {
  var listeners: [ControlListener] = []
  var checks: WebRequestChecks?

  init() {}

  init(_ listeners: [ControlListener], _ checks: WebRequestChecks) {
    self.listeners = listeners
    self.checks = checks
  }
}
