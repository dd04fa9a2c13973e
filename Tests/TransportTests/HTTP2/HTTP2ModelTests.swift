import Models
import Testing
import Transport

@testable import TransportSocket

/// The model test of pool, connections and dispatcher: whatever a server does in whatever order, each transfer
/// ends, exactly once, and after a bounded number of requests.
@Suite("HTTP/2 model of pool, connections and dispatcher")
struct HTTP2ModelTests {
  @Test("For any order of answers, refusals and ends every transfer ends once", arguments: 0..<120)
  func anyOrder(seed: UInt64) throws {
    var random = Sequence64(seed: seed)
    let model = try HTTP2Model(transferLimit: Int(random.next() % 12) + 1)
    defer { model.end() }
    for _ in 0..<150 {
      switch random.next() % 8 {
      case 0...1 where model.started < 60: try model.startTransfer()
      case 2 where model.started > 0 && random.next() % 4 == 0:
        model.cancelTransfer(random.next() % model.started + 1)
      case 3: break
      default: step(model, &random)
      }
      model.iterate()
    }
    finish(model)
    #expect(model.isDone, "\(model.summary)")
    #expect(model.outcomes.values.allSatisfy { $0.count == 1 })
    #expect(model.violations == [])
    #expect(model.occupancy == 0)
    for outcome in model.outcomes.values {
      guard case .failure(let error) = outcome.result else { continue }
      #expect([.connectionLost, .truncated, .cancelled].contains(error.code), "\(error)")
    }
  }

  /// Lets the server do something by chance, in one write.
  private func step(_ model: HTTP2Model, _ random: inout Sequence64) {
    guard let peer = model.openPeers.randomElement(using: &random) else { return }
    if random.next() % 40 == 0 { return model.disconnect(peer) }
    var parts: [HTTP2Model.Part] = []
    var (unanswered, begun) = (peer.unanswered, peer.begun)
    for _ in 0...(random.next() % 5) {
      switch random.next() % 17 {
      case 0...6: if let stream = unanswered.removeRandom(&random) { parts.append(.answer(stream)) }
      case 7:
        if let stream = unanswered.removeRandom(&random) {
          parts.append(.beginning(stream))
          begun.append(stream)
        }
      case 8: if let stream = begun.removeRandom(&random) { parts.append(.rest(stream)) }
      case 9...11:
        if let stream = unanswered.removeRandom(&random) { parts.append(.refusal(stream)) }
      case 12:
        if let stream = (unanswered + begun).randomElement(using: &random) {
          unanswered.removeAll { $0 == stream }
          begun.removeAll { $0 == stream }
          parts.append(.failure(stream, code: 2))
        }
      case 13:
        if let stream = unanswered.removeRandom(&random) { parts.append(.misdirection(stream)) }
      case 14: parts.append(.settings(streams: UInt32(random.next() % 6)))
      default:
        let last = [0, .max, unanswered.min() ?? 1, begun.max() ?? 0].randomElement(using: &random)
        let last32 = max(last ?? 0, begun.max() ?? 0)
        parts.append(.goAway(last: last32, code: 0))
        unanswered.removeAll { $0 > last32 }
      }
    }
    model.send(parts, by: peer)
  }

  /// Answers everything until no transfer is left.
  private func finish(_ model: HTTP2Model) {
    for _ in 0..<1_000 where !model.isDone {
      for peer in model.openPeers {
        model.send(
          [.settings(streams: 100)] + peer.begun.map { .rest($0) }
            + peer.unanswered.map { .answer($0) }, by: peer)
      }
      model.iterate(maximumWait: 10)
    }
  }

  /// A server that leaves requests unprocessed in one way.
  enum Refusing: String, CaseIterable, Sendable {
    case everyStream, byGoAway, byGoAwayAtOnce, byBoth, noStreams, byHTTP1GoAway
  }

  @Test(
    "A server that processes no request gets a bounded number of requests and connections",
    arguments: Refusing.allCases, [1, 7, 40])
  func noProgress(_ refusing: Refusing, count: Int) throws {
    let model = try HTTP2Model(transferLimit: count)
    defer { model.end() }
    for _ in 0..<count { try model.startTransfer() }
    for _ in 0..<1_000 where !model.isDone {
      for peer in model.openPeers { refuse(refusing, by: peer, model) }
      model.iterate(maximumWait: 10)
    }
    #expect(model.isDone, "\(model.summary)")
    #expect(model.outcomes.values.allSatisfy { $0.count == 1 })
    // Each request is sent at most four times.
    #expect(model.requestCount <= 4 * count)
    #expect(model.peers.count <= 4 * count)
    for outcome in model.outcomes.values {
      guard case .failure(let error) = outcome.result else {
        Issue.record("a request without an answer has succeeded")
        continue
      }
      #expect(error.code == .connectionLost || error.code == .protocolViolation, "\(error)")
    }
  }

  private func refuse(_ refusing: Refusing, by peer: HTTP2Model.Peer, _ model: HTTP2Model) {
    let streams = peer.unanswered
    switch refusing {
    case .noStreams:
      model.send([.settings(streams: 0)] + streams.map { .refusal($0) }, by: peer)
    case .byGoAwayAtOnce where peer.lastStream == nil:
      model.send([.goAway(last: 0, code: 0)], by: peer)
    case _ where streams.isEmpty: break
    case .everyStream: model.send(streams.map { .refusal($0) }, by: peer)
    case .byGoAway: model.send([.goAway(last: 0, code: 0)], by: peer)
    case .byHTTP1GoAway:
      model.send([.goAway(last: 0, code: 13)], by: peer)
    case .byBoth:
      model.send(streams.map { .refusal($0) } + [.goAway(last: 0, code: 0)], by: peer)
    case .byGoAwayAtOnce: break
    }
  }

  @Test(
    "A server that answers one request of each connection answers all in the end",
    arguments: [true, false])
  func oneRequestPerConnection(resetsOthers: Bool) throws {
    let model = try HTTP2Model(transferLimit: 16)
    defer { model.end() }
    for _ in 0..<100 { try model.startTransfer() }
    for _ in 0..<1_000 where !model.isDone {
      for peer in model.openPeers {
        guard peer.lastStream == nil, let first = peer.unanswered.first else { continue }
        let others = resetsOthers ? peer.unanswered.dropFirst() : []
        model.send(
          [.answer(first)] + others.map { .refusal($0) }
            + [.goAway(last: first, code: 0)], by: peer)
      }
      model.iterate(maximumWait: 10)
    }
    #expect(model.isDone, "\(model.summary)")
    for outcome in model.outcomes.values {
      guard case .success = outcome.result else {
        Issue.record("\(outcome.result)")
        continue
      }
    }
    #expect(model.peers.count <= 101)
  }

  /// The statuses of the answers, in the order of the transfers; nil for those that have failed.
  private func statuses(_ model: HTTP2Model) -> [Int?] {
    model.outcomes.sorted { $0.key < $1.key }.map {
      guard case .success(.response(let head, _, _)) = $0.value.result else { return nil }
      return head.status
    }
  }

  @Test(
    "Requests do not return to connections that have refused all others, in any order",
    arguments: 1...3, 0..<10)
  func refusingConnections(count: Int, seed: UInt64) throws {
    var random = Sequence64(seed: seed)
    let model = try HTTP2Model(transferLimit: Int(random.next() % 12) + 1)
    defer { model.end() }
    for _ in 0..<24 { try model.startTransfer() }
    for _ in 0..<1_000 where !model.isDone {
      for peer in model.peers.prefix(count) where !peer.isClosed {
        let refused = peer.unanswered.filter { _ in random.next() % 2 == 0 }
        model.send(refused.map { .refusal($0) }, by: peer)
      }
      for peer in model.peers.dropFirst(count) where !peer.isClosed {
        model.send(peer.unanswered.map { .answer($0) }, by: peer)
      }
      model.iterate(maximumWait: 10)
    }
    #expect(statuses(model) == Array(repeating: 200, count: 24), "\(model.summary)")
    #expect(model.peers.count == count + 1)
  }

  @Test(
    "Misdirected requests are repeated once, over a connection that was made afterwards",
    arguments: [true, false], [1, 7, 40])
  func misdirection(always: Bool, count: Int) throws {
    var random = Sequence64(seed: UInt64(count))
    let model = try HTTP2Model(transferLimit: 8)
    defer { model.end() }
    for _ in 0..<count { try model.startTransfer() }
    for _ in 0..<1_000 where !model.isDone {
      for (index, peer) in model.peers.enumerated() where !peer.isClosed {
        for stream in peer.unanswered where random.next() % 2 == 0 {
          model.send([always || index == 0 ? .misdirection(stream) : .answer(stream)], by: peer)
        }
      }
      model.iterate(maximumWait: 10)
    }
    #expect(statuses(model) == Array(repeating: always ? 421 : 200, count: count))
    #expect(model.requestCount <= 2 * count)
    #expect(model.peers.count <= (always ? count + 1 : 2))
  }

  @Test("A server that allows fewer streams than were begun gets each request once")
  func keptBack() throws {
    let model = try HTTP2Model(transferLimit: 30)
    defer { model.end() }
    for _ in 0..<30 { try model.startTransfer() }
    for _ in 0..<500 where !model.isDone {
      for peer in model.openPeers {
        model.send(
          [.settings(streams: 3)] + peer.unanswered.prefix(3).map { .answer($0) }, by: peer)
      }
      model.iterate(maximumWait: 10)
    }
    #expect(model.isDone, "\(model.summary)")
    #expect(model.requestCount == 30)
  }
}

extension [Int32] {
  /// Removes and returns a random element.
  fileprivate mutating func removeRandom(_ random: inout Sequence64) -> Int32? {
    guard let index = indices.randomElement(using: &random) else { return nil }
    return remove(at: index)
  }
}
