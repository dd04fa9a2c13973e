import Models
import SystemCalls
import Transport

/// Transfers on the streams of HTTP/2 connections.
extension TransferDispatcher {
  func openHTTP2(_ socket: ConnectedSocket, for transfer: Transfer) {
    let origin = transfer.url.origin
    let connection: HTTP2Connection
    do throws(HTTP2Failure) {
      connection = try HTTP2Connection(
        socket, to: origin, registry, reader, flushQueue, limits: options.http2Limits)
    } catch {
      removeAndFail(transfer, transfer.error(.system, error.reason))
      dialer.close(socket, to: origin)
      decide(.attemptEnded, origin: origin)
      return retryWaiting()
    }
    registry[socket.token] = .http2(connection)
    decide(.opened(socket.token, streams: connection.initialStreams), origin: origin)
    startStream(of: transfer, on: connection)
  }

  func use(_ connection: HTTP2Connection, for transfer: Transfer) {
    transfer.leaveQueue()
    guard transfer.allows(connection.socket.address.ip) else {
      removeAndFail(transfer, transfer.refusal(of: connection.socket.address.ip))
      let now = Machine.monotonicNanoseconds
      decide(.streamEnded(connection.token, at: now), origin: transfer.url.origin)
      retryWaiting()
      return closeOrKeepIdle(connection)
    }
    startStream(of: transfer, on: connection)
  }

  private func startStream(of transfer: Transfer, on connection: HTTP2Connection) {
    if let stream = connection.startStream(for: transfer) {
      return transfer.enter(.streaming(stream))
    }
    updatePool(with: connection)
    reassign(transfer, .unsent, by: connection)
  }

  /// Acts on the outcomes of a step of an HTTP/2 connection, in their order.
  /// - Parameter ended: The streams that have ended. The array is emptied, but keeps its storage.
  func handleHTTP2Step(
    _ ended: inout [HTTP2Connection.EndedStream], of connection: HTTP2Connection
  ) {
    updatePool(with: connection)
    for stream in ended { handle(stream.outcome, of: stream.stream) }
    if !ended.isEmpty { ended.removeAll(keepingCapacity: true) }
    if connection.isRetired { closeOrKeepIdle(connection) }
  }

  /// Tells the pool the state of a connection. This precedes every decision that follows from an event of
  /// the connection: a pool that took a retired connection for a usable one would assign the same
  /// transfer to it without end.
  private func updatePool(with connection: HTTP2Connection) {
    if connection.isRetired {
      decide(.retired(connection.token), origin: connection.origin)
    } else if let streams = connection.drainStreamLimit() {
      decide(.streamLimitChanged(connection.token, streams: streams), origin: connection.origin)
    }
  }

  private func handle(_ outcome: HTTP2Stream.Outcome, of stream: HTTP2Stream) {
    let transfer = stream.transfer
    let connection = stream.connection
    switch outcome {
    case .finished(let outcome):
      removeAndComplete(transfer, outcome, stream.head)
      connection.remove(stream)
      let now = Machine.monotonicNanoseconds
      decide(
        .streamEnded(connection.token, at: now, isAnswered: true), origin: connection.origin)
      closeOrKeepIdle(connection)
    case .failed(let error):
      // The transfer fails as over HTTP/2; the next attempts use HTTP/1.1.
      if connection.resetsEveryStream, !connection.isRetired, answers(connection.origin) == 0 {
        demote(connection.origin)
      }
      fail(transfer, error)
    case .refused(let refusal):
      connection.remove(stream)
      if refusal == .misdirected {
        transfer.forgetResponse()
        decide(.misdirected(connection.token), origin: connection.origin)
      }
      reassign(transfer, refusal, by: connection)
    case .wantsHTTP1:
      connection.remove(stream)
      demote(connection.origin)
      reassign(transfer, .http1Required, by: connection)
    }
  }

  /// Uses HTTP/1.1 for an origin from now on.
  private func demote(_ origin: HTTPURL.Origin) {
    dialer.useHTTP1(for: origin)
    decide(.http1Required, origin: origin)
  }

  /// Queues a transfer whose request was not processed again, in front of all that came later. Fails the
  /// transfer if its request was refused too often.
  private func reassign(
    _ transfer: Transfer, _ refusal: HTTP2Refusal, by connection: HTTP2Connection
  ) {
    let origin = transfer.url.origin
    let mayRetry = transfer.countRefusal(
      refusal, hasAnswered: connection.answered > 0, answers: answers(origin))
    let now = Machine.monotonicNanoseconds
    if mayRetry {
      transfer.enter(.waiting)
      decide(
        .streamRefused(
          connection.token, transfer.id, at: now, isFull: refusal == .reset,
          hasAnswered: connection.answered > 0),
        origin: origin)
    } else {
      let text = "the server refused the request \(transfer.refusalCount) times"
      removeAndFail(transfer, transfer.error(.connectionLost, "\(origin): \(text)"))
      decide(.streamEnded(connection.token, at: now), origin: origin)
      retryWaiting()
    }
    closeOrKeepIdle(connection)
  }

  /// Closes a connection without streams if it is retired; otherwise keeps it idle.
  func closeOrKeepIdle(_ connection: HTTP2Connection) {
    guard connection.isUnused, !connection.isClosed else { return }
    if connection.isRetired {
      close(connection)
      return retryWaiting()
    }
    connection.becomeIdle(
      until: Moment.after(Machine.monotonicNanoseconds, seconds: options.idleSeconds))
    limitIdle()
  }

  func close(_ connection: HTTP2Connection) {
    connection.sendGoAway()
    dialer.close(connection.socket, to: connection.origin)
  }

  /// Closes an idle connection.
  func closeIdle(_ connection: HTTP2Connection) {
    connection.retire()
    decide(.retired(connection.token), origin: connection.origin)
    closeOrKeepIdle(connection)
  }
}
