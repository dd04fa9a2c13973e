import HTTP1
import Models
import SystemCalls
import Threading
import Transport

/// Tunnels through proxies. Requests for http URLs need none: they go to the proxy as they are.
extension EventLoop {
  func openTunnel(_ connection: Connection, through proxy: ProxyServer) {
    guard let transfer = connection.transfer else { return }
    do throws(HTTPParseError) {
      connection.tunnel = try ProxyTunnel(
        proxy, to: transfer.url.origin, userAgent: options.userAgent, limits: options.headLimits)
    } catch {
      return fail(transfer, .invalidRequest, error.detail)
    }
    connection.phase = .tunnelling
    arm(connection)
    advanceTunnel(connection)
  }

  /// The connection can be written to, or something has come.
  func advanceTunnel(_ connection: Connection) {
    guard let tunnel = connection.tunnel, let transfer = connection.transfer else { return }
    var sent = tunnel.sent
    while sent < tunnel.request.count {
      let result = tunnel.request.withUnsafeBytes {
        connection.write(UnsafeRawBufferPointer(rebasing: $0[sent...]))
      }
      switch result {
      case .bytes(let count): sent += count
      case .wouldBlock:
        connection.tunnel?.sent = sent
        return watch(connection, [.input, .output])
      case .ended: return follow(tunnel.ended(nil), connection, transfer)
      case .failed(let reason): return follow(tunnel.ended(reason), connection, transfer)
      }
    }
    connection.tunnel?.sent = sent
    watch(connection, .input)
    readTunnel(connection, transfer)
  }

  private func readTunnel(_ connection: Connection, _ transfer: Transfer) {
    let kept = connection.unread.count
    if kept > 0 { buffer.copyBytes(from: connection.unread) }
    switch connection.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept...])) {
    case .bytes(let count):
      let input = UnsafeRawBufferPointer(rebasing: buffer[..<(kept + count)])
      guard let (consumed, action) = connection.tunnel?.read(input.bytes) else { return }
      connection.unread = action == .wait ? Array(input[consumed...]) : []
      follow(action, connection, transfer)
    case .wouldBlock: break
    case .ended: follow(connection.tunnel?.ended(nil) ?? .wait, connection, transfer)
    case .failed(let reason):
      follow(connection.tunnel?.ended(reason) ?? .wait, connection, transfer)
    }
  }

  private func follow(
    _ action: ProxyTunnel.Action, _ connection: Connection, _ transfer: Transfer
  ) {
    switch action {
    case .wait: break
    case .open:
      connection.tunnel = nil
      secure(connection)
    case .fail(let code, let detail):
      fail(transfer, code, TransportError.escaped(detail, limit: 300))
    }
  }
}
