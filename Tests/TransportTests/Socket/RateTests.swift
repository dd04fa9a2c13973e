import Models
import Origin
import SystemCalls
import Testing
import Transport
import TransportContracts

@testable import TransportSocket

@Suite("Rate limit")
struct RateTests {
  @Test("No second has more bytes than the rate, for any requests", arguments: 0..<20)
  func bucket(seed: UInt64) {
    var random = Sequence64(seed: seed)
    let rate = 10 + Int(random.next() % 3_000_000)
    var now: UInt64 = 5_000_000_000
    let begin = now
    var bucket = TokenBucket(rate: rate, now: now)
    var total = 0
    for _ in 0..<5_000 {
      now += random.next() % 40_000_000
      while case let count = bucket.acquire(now: now), count > 0 {
        let used = Int(random.next() % UInt64(count + 1))
        bucket.release(count - used)
        total += used
        #expect(count <= TokenBucket.portion)
        if used == 0 { break }
      }
      let seconds = Double(now - begin) / 1e9
      #expect(Double(total) <= Double(rate) * seconds + 1)
    }
  }

  @Test("The bytes are available at the time that the bucket states")
  func waiting() {
    for rate in [1, 100, 1_024, 50_000, 1 << 30] {
      var bucket = TokenBucket(rate: rate, now: 0)
      var now: UInt64 = 0
      for _ in 0..<200 {
        while bucket.acquire(now: now) > 0 {}
        let next = bucket.time(now: now)
        #expect(next > now)
        #expect(Double(next - now) <= 1.1e9 * 1_024 / Double(rate) + 1e6)
        now = next
        #expect(bucket.acquire(now: now) > 0)
      }
    }
  }

  @Test("All transfers together keep the rate, and each of them gets a share")
  func transfers() async throws {
    let body = randomBytes(80_000, seed: 1)
    let server = try ScriptedServer { _, _, _ in .ok(body) }
    defer { server.stop() }
    var options = SocketOptions()
    options.bytesPerSecond = 400_000
    let transport = SocketTransport(options)
    let begin = Machine.monotonicNanoseconds
    // An idle time below the whole duration: waiting for one's share is not the server's silence.
    // Each has less than the low speed, too, and that is not the server's doing.
    let limits = TransferLimits.testing.with {
      $0.idleTimeout = 1
      $0.lowSpeed = 200_000
      $0.lowSpeedTime = 0.5
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let fetched = try await transport.fetch(server.url, limits: limits)
          #expect(fetched.body == body)
        }
      }
      try await group.waitForAll()
    }
    let seconds = Double(Machine.monotonicNanoseconds - begin) / 1e9
    // 640,000 bytes and their heads at 400,000 a second.
    #expect(seconds >= 1.6)
    await transport.shutdown()
  }

  @Test("A transfer keeps its own rate, and does not slow down others")
  func ownRate() async throws {
    let body = randomBytes(60_000, seed: 2)
    let server = try ScriptedServer { _, _, _ in .ok(body) }
    defer { server.stop() }
    let transport = SocketTransport(SocketOptions())
    let limits = TransferLimits.testing.with {
      $0.idleTimeout = 1
      $0.bytesPerSecond = 100_000
    }
    let begin = Machine.monotonicNanoseconds
    async let slow = transport.fetch(server.url, limits: limits)
    for _ in 0..<20 { #expect(try await transport.fetch(server.url).body == body) }
    let between = Machine.monotonicNanoseconds
    #expect(try await slow.body == body)
    let end = Machine.monotonicNanoseconds
    // The bytes of the first tenth of a second may arrive at once.
    #expect(Double(end - begin) / 1e9 >= 0.45)
    #expect(between < end)
    await transport.shutdown()
  }

  @Test("The rate of all transfers can be changed and removed while they run")
  func changingRate() async throws {
    let body = randomBytes(200_000, seed: 3)
    let server = try ScriptedServer { _, _, _ in .ok(body) }
    defer { server.stop() }
    let transport = SocketTransport(SocketOptions())
    transport.setRateLimit(bytesPerSecond: 400_000)
    let begin = Machine.monotonicNanoseconds
    #expect(try await transport.fetch(server.url).body == body)
    #expect(Double(Machine.monotonicNanoseconds - begin) / 1e9 >= 0.4)
    transport.setRateLimit(bytesPerSecond: 0)
    for _ in 0..<20 { #expect(try await transport.fetch(server.url).body == body) }
    await transport.shutdown()
  }

  @Test("A raised or removed limit takes effect within a second, also after a low one")
  func raisedLimit() throws {
    let fixture = try LoopFixture()
    let (socket, peer) = try fixture.socket()
    for (shared, own) in [(1, nil), (0, RateLimiter(rate: 1))] {
      let reader = SocketReader(sectionBytes: 0, limiter: RateLimiter(rate: shared))
      #expect(reader.read(socket, own: own) == nil)
      let limit = Machine.monotonicNanoseconds + SocketReader.maximumPause
      #expect(reader.nextTime <= limit)
      #expect(reader.drainPaused(limit).count == 1)
      _ = socket.resume(at: limit)
    }
    peer.close()
  }
}
