import Aria2
import SystemCalls
import WebSocket

/// A WebSocket of the aria2 interface, from its handshake to its end. Runs on the acceptor's actor.
struct Aria2WebSocket {
  /// The number of seconds without input after which the server sends a ping; without a response to it, the
  /// connection is closed after the same time.
  private static let pingSeconds = 60.0

  private let client: ClientSocket
  private let service: Aria2Service
  private let connections: OpenConnections
  private let idleSeconds: Double
  private var reader: WebSocketReader
  /// Whether the handshake or a call had the secret.
  private var isAuthorised: Bool
  private var awaitsPong = false

  /// - Parameters:
  ///   - isGranted: Whether calls need no token.
  ///   - unread: The bytes that the client has sent after the handshake.
  init(
    _ client: ClientSocket, _ service: Aria2Service, isGranted: Bool, unread: [UInt8],
    options: ControlServer.Options, connections: OpenConnections
  ) {
    self.client = client
    self.service = service
    self.connections = connections
    idleSeconds = options.idleSeconds
    isAuthorised = isGranted
    reader = WebSocketReader(limit: options.bodyBytes)
    reader.receive(unread)
  }

  /// Serves the WebSocket until it closes.
  mutating func serve() async {
    let loop = client.loop
    let start = loop.clock.now()
    while true {
      setPhase(.serving)
      guard await answerMessages(), await sendNotifications() else { return }
      if connections.isStopping {
        _ = await client.send(WebSocketFrame.close(.goingAway, "the server is stopping"))
        return
      }
      var deadline = loop.clock.now() + Self.pingSeconds
      if !isAuthorised {
        // The connection may be closed for another one, as one without a request may be.
        setPhase(.idle)
        guard loop.clock.now() < start + idleSeconds else {
          _ = await client.send(WebSocketFrame.close(.policyViolation, "no call had the secret"))
          return
        }
        deadline = min(deadline, start + idleSeconds)
      }
      switch await loop.arrival(client.id, until: deadline) {
      case .bytes(let bytes):
        reader.receive(bytes)
        awaitsPong = false
      case .woken: break
      case .ended: return
      case .timedOut where connections.isStopping || !isAuthorised: break
      case .timedOut:
        guard !awaitsPong, await client.send(WebSocketFrame.ping) else { return }
        awaitsPong = true
      }
    }
  }

  private func setPhase(_ phase: OpenConnections.Table.Phase) {
    connections.setPhase(phase, of: client.id)
  }

  /// Answers the messages that have been received completely.
  /// - Returns: False if the connection is to be closed.
  private mutating func answerMessages() async -> Bool {
    do throws(WebSocketError) {
      while let event = try reader.next() {
        switch event {
        case .text(let text):
          let client = client
          let reply = await service.reply(
            to: Array(text.utf8), from: .socket(client.id),
            isGone: { await client.loop.hasInputEnded(client.id) })
          isAuthorised = isAuthorised || reply.wasAuthorised
          let isSent = await service.unsentReplies.send(reply) { reply in
            await client.send(WebSocketFrame.text(reply.body))
          }
          guard isSent else { return false }
        case .ping(let payload):
          guard await client.send(WebSocketFrame.pong(payload)) else { return false }
        case .pong: break
        case .close(let code):
          _ = await client.send(WebSocketFrame.close(code ?? .normal))
          return false
        }
      }
      return true
    } catch {
      _ = await client.send(WebSocketFrame.close(error.code, error.description))
      return false
    }
  }

  private func sendNotifications() async -> Bool {
    while true {
      guard let frames = await service.takeNotifications(for: client.id) else {
        let close = WebSocketFrame.close(.policyViolation, "the client reads too slowly")
        _ = await client.send(close)
        return false
      }
      if frames.isEmpty { return true }
      // A wake-up during the transmission is lost, so the notifications are taken again after it.
      guard await client.send(frames) else { return false }
    }
  }
}
