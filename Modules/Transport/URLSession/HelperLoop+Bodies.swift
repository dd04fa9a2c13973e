import Models
import SystemCalls
import Transport

extension HelperLoop {
  /// The maximum number of body bytes that are delivered for one transfer before the other
  /// transfers are served.
  private static let slice: Int64 = 1 << 20

  static let noHead = "no head before the body"

  // MARK: - Heads

  func receiveHead(_ transfer: Transfer, _ status: Int, _ fields: HTTPFields, at time: UInt64) {
    guard isWithinLimits(fields) else {
      return fail(transfer, transfer.error(.limitExceeded, "the response's header is too large"))
    }
    let head: ResponseHead
    switch ResponseFields.checked(status: status, fields) {
    case .success(let fields):
      head = ResponseHead(
        status: status, url: transfer.policy.url, fields: ResponseFields.decoded(fields),
        hasLeftOrigin: transfer.policy.hasLeftOrigin)
    case .failure(let problem):
      return fail(transfer, transfer.error(.protocolViolation, problem.description))
    }
    transfer.exchange?.head = head
    _ = transfer.exchange?.speed.receive(0, at: time)
    transfer.exchange?.lastActivity = time
    do throws(TransportError) {
      switch try transfer.policy.handle(status: status, fields: fields) {
      case .follow:
        if transfer.accepted == nil { transfer.submission.sink.redirected(by: head) }
        transfer.restrictAddresses(afterLeaving: head.url.host)
        startNextHop(of: transfer)
      case .deliver: try deliver(head, to: transfer, at: time)
      }
    } catch {
      fail(transfer, error)
    }
  }

  private func isWithinLimits(_ fields: HTTPFields) -> Bool {
    var (count, bytes) = (0, 0)
    fields.forEach { name, value in
      count += 1
      bytes += name.count + value.count + 4
    }
    return count <= configuration.maxHeaderFields && bytes <= configuration.maxHeaderBytes
  }

  private func startNextHop(of transfer: Transfer) {
    guard let slot = transfer.exchange?.slot else { return }
    abandonExchange(of: transfer, isFinal: false)
    startHop(transfer.id, in: slot)
  }

  private func deliver(
    _ head: ResponseHead, to transfer: Transfer, at time: UInt64
  ) throws(TransportError) {
    transfer.firstByteAt = time
    handleSchedulerEvent(.answered(transfer.id))
    if let accepted = transfer.accepted {
      guard transfer.canContinue(accepted, with: head) else {
        throw transfer.error(
          .connectionLost, "the helper program died, and the transfer cannot be resumed")
      }
      transfer.exchange?.consumed = transfer.delivered
      return
    }
    if let declared = Transfer.declaredLength(of: head), declared > transfer.limits.maxBodyBytes {
      throw transfer.error(
        .limitExceeded, TransportError.tooLarge(transfer.limits.maxBodyBytes))
    }
    do throws(SinkError) {
      switch try transfer.submission.sink.begin(head) {
      case .accept: transfer.accepted = head
      case .refuse: succeed(transfer, transfer.response(head, .refused, at: nil))
      }
    } catch {
      throw transfer.sinkFailure(error)
    }
  }

  // MARK: - Bodies

  /// Delivers body bytes of each transfer whose spool file has undelivered bytes, one transfer
  /// after another.
  func pump() {
    for id in Array(pumping) {
      guard let transfer = transfers[id] else {
        pumping.remove(id)
        continue
      }
      do throws(TransportError) {
        try pump(transfer)
      } catch {
        fail(transfer, error)
      }
    }
  }

  private func pump(_ transfer: Transfer) throws(TransportError) {
    guard var exchange = transfer.exchange else { return }
    let end = min(exchange.available, exchange.consumed &+ Self.slice)
    let start = exchange.consumed
    while exchange.consumed < end {
      let count = try deliverBytes(of: exchange, upTo: end, to: transfer)
      exchange.consumed += Int64(count)
      transfer.exchange?.consumed = exchange.consumed
    }
    if start < end { exchange.spool.releaseBlocks(start..<end) }
    guard exchange.consumed >= exchange.available else { return }
    pumping.remove(transfer.id)
    if let end = exchange.end {
      completeTransfer(transfer, exchange, end)
    } else if exchange.owesAcknowledgement {
      transfer.exchange?.owesAcknowledgement = false
      transfer.exchange?.sequence.acknowledge()
      // The time that the sink took must not count as the server's inactivity.
      let now = Machine.monotonicNanoseconds
      transfer.exchange?.speed.exclude(
        now > exchange.lastActivity ? now - exchange.lastActivity : 0)
      transfer.exchange?.lastActivity = now
      send(.progressSeen(exchange: exchange.number), to: exchange.slot)
    }
  }

  /// - Returns: The number of bytes that the sink has received.
  private func deliverBytes(
    of exchange: Exchange, upTo end: Int64, to transfer: Transfer
  ) throws(TransportError) -> Int {
    let room = min(Int64(buffer.count), end - exchange.consumed)
    let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(room)])
    let count: Int
    do throws(SystemError) {
      count = try exchange.spool.read(into: chunk, at: exchange.consumed)
    } catch {
      throw transfer.error(.system, error.description)
    }
    guard count > 0 else {
      throw transfer.error(.helperDied, "the helper program wrote fewer bytes than it reported")
    }
    guard Int64(count) <= transfer.limits.maxBodyBytes - transfer.delivered else {
      throw transfer.error(
        .limitExceeded, TransportError.tooLarge(transfer.limits.maxBodyBytes))
    }
    do throws(SinkError) {
      let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<count])
      try transfer.submission.sink.receive(bytes.bytes)
    } catch {
      throw transfer.sinkFailure(error)
    }
    transfer.delivered += Int64(count)
    return count
  }

  private func completeTransfer(_ transfer: Transfer, _ exchange: Exchange, _ end: Exchange.End) {
    switch end {
    case .done(let bytes, let time):
      guard let head = exchange.head else {
        return fail(transfer, transfer.error(.protocolViolation, Self.noHead))
      }
      switch transfer.outcome(of: head, bytes: bytes, at: time) {
      case .success(let response): succeed(transfer, response)
      case .failure(let error): fail(transfer, error)
      }
    case .failed(let failure):
      let problem = failure.kind == .spool ? transfer.spoolProblem(of: exchange) : nil
      fail(transfer, transfer.failed(failure, head: exchange.head, problem))
    }
  }

  // MARK: - Results

  func succeed(_ transfer: Transfer, _ response: TransportResponse) {
    conclude(transfer, .success(response))
  }

  func fail(_ transfer: Transfer, _ error: TransportError) {
    conclude(transfer, .failure(error))
  }

  private func conclude(_ transfer: Transfer, _ result: Result<TransportResponse, TransportError>) {
    guard transfers.removeValue(forKey: transfer.id) != nil else { return }
    pumping.remove(transfer.id)
    transfer.submission.result.resume(returning: result)
    if transfer.exchange != nil {
      abandonExchange(of: transfer, isFinal: true)
    } else {
      handleSchedulerEvent(.withdrawn(transfer.id))
    }
  }
}

extension Transfer {
  func sinkFailure(_ error: SinkError) -> TransportError {
    TransportError(
      .sink, url: policy.url, detail: error.description, bytesDelivered: delivered,
      sinkError: error)
  }

  /// Returns the reason why the spool file of an exchange cannot grow; nil if it can.
  func spoolProblem(of exchange: Exchange) -> SystemError? {
    do throws(SystemError) {
      try exchange.spool.reserve(64 << 10, at: min(exchange.available, limits.maxBodyBytes))
      return nil
    } catch {
      return error
    }
  }

  /// Returns the error for a failure that the helper reports.
  /// - Parameter spoolProblem: The problem that this process has found with the spool file itself.
  func failed(
    _ failure: ExchangeFailure, head: ResponseHead?, _ spoolProblem: SystemError?
  ) -> TransportError {
    let code = failure.code(isSecure: policy.url.scheme == .https, hasHead: head != nil)
    switch failure.kind {
    // The helper cancelled the exchange by itself: a transfer that this process cancels has no
    // exchange any more.
    case .cancelled:
      return error(.helperDied, "the helper program aborted the transfer")
    case .spool:
      // A full disk ends the whole run, so the helper's report is verified first.
      guard let cause = spoolProblem else {
        return error(.helperDied, "the helper program could not write to the spool file")
      }
      return sinkFailure(
        SinkError(
          disk: cause.description, isFull: cause.isDiskFull, isTooLarge: cause.isTooLarge))
    case .bodyLimit:
      return error(code, TransportError.tooLarge(limits.maxBodyBytes))
    case .address: return error(code, "\(policy.url.host) is not a public address")
    case .url: return error(code, "URLSession rejects the URL")
    case .urlSession where code == .tls && failure.text.contains("wrong version number"):
      return error(code, "\(policy.url.origin): \(TransportError.plainTextServer)")
    case .name, .urlSession: return error(code, failure.text)
    }
  }
}
