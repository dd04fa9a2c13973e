import Models
import Testing
import Transport

@testable import TransportSocket

@Suite("The cache of names")
struct ResolverCacheTests {
  private let address = ResolvedAddress(ip: IPAddress(v4: 0x0102_0304), scope: 0)
  private let second: UInt64 = 1_000_000_000

  private func question(
    _ name: String, _ family: IPAddress.Family = .v4
  ) -> AddressLookup { AddressLookup(name: name, family: family) }

  @Test("Equal simultaneous look-ups are made once; the families are two queries")
  func coalescing() {
    var cache = ResolverCache<Int>(limits: ResolverLimits())
    #expect(cache.lookUp(question("a"), 1, now: 0) == .lookUp)
    #expect(cache.lookUp(question("a"), 2, now: 1) == .wait)
    #expect(cache.lookUp(question("a", .v6), 3, now: 1) == .lookUp)
    #expect(cache.lookUp(question("b"), 4, now: 1) == .lookUp)
    let answer = AddressAnswer([address], lifetime: 60 * second)
    #expect(cache.store(question("a"), answer, now: 10).waiters == [1, 2])
    #expect(cache.store(question("a"), answer, now: 11).waiters.isEmpty)
    #expect(cache.lookUp(question("a"), 5, now: 12) == .cached(answer))
    #expect(cache.lookUp(question("a", .v6), 6, now: 12) == .wait)
  }

  @Test("An answer is cached for its lifetime, within bounds")
  func lifetimes() {
    var limits = ResolverLimits()
    limits.minimumLifetime = 5 * second
    limits.maximumLifetime = 100 * second
    for (said, held) in [(0, 5), (1, 5), (30, 30), (100, 100), (1 << 31, 100)] as [(UInt64, UInt64)]
    {
      var cache = ResolverCache<Int>(limits: limits)
      _ = cache.lookUp(question("a"), 1, now: 7)
      let answer = AddressAnswer([address], lifetime: said * second)
      _ = cache.store(question("a"), answer, now: 7)
      #expect(cache.lookUp(question("a"), 2, now: 7 + held * second - 1) == .cached(answer))
      #expect(cache.lookUp(question("a"), 3, now: 7 + held * second) == .lookUp)
    }
  }

  @Test("A name that does not exist is cached for longer than a failed look-up")
  func failures() {
    let limits = ResolverLimits()
    for (code, held) in [
      (ResolveError.Code.notFound, limits.missingNameLifetime),
      (.noAddress, limits.missingNameLifetime),
      (.timeout, limits.failureLifetime), (.serverFailure, limits.failureLifetime),
      (.refused, limits.failureLifetime),
    ] {
      var cache = ResolverCache<Int>(limits: limits)
      _ = cache.lookUp(question("a"), 1, now: 0)
      let answer = AddressAnswer(ResolveError(code, "no"))
      #expect(cache.store(question("a"), answer, now: 3).waiters == [1])
      #expect(cache.lookUp(question("a"), 2, now: 3 + held - 1) == .cached(answer))
      #expect(cache.lookUp(question("a"), 3, now: 3 + held) == .lookUp)
    }
  }

  @Test("No more look-ups than the bound run at a time; the others follow in order")
  func bound() {
    var limits = ResolverLimits()
    limits.concurrentLookups = 2
    var cache = ResolverCache<Int>(limits: limits)
    #expect(cache.lookUp(question("a"), 1, now: 0) == .lookUp)
    #expect(cache.lookUp(question("b"), 2, now: 0) == .lookUp)
    #expect(cache.lookUp(question("c"), 3, now: 0) == .wait)
    #expect(cache.lookUp(question("d"), 4, now: 0) == .wait)
    #expect(cache.lookUp(question("c"), 5, now: 0) == .wait)
    #expect(cache.inFlight == 2)
    let answer = AddressAnswer([address], lifetime: second)
    #expect(cache.store(question("b"), answer, now: 1).next == question("c"))
    #expect(cache.store(question("a"), answer, now: 1).next == question("d"))
    #expect(cache.inFlight == 2)
    let last = cache.store(question("c"), answer, now: 1)
    #expect(last.waiters == [3, 5] && last.next == nil)
    _ = cache.store(question("d"), answer, now: 1)
    #expect(cache.inFlight == 0)
  }

  @Test("A million names leave a bounded number of entries, and no waiting look-up is forgotten")
  func bounded() {
    var limits = ResolverLimits()
    limits.maximumEntries = 100
    limits.concurrentLookups = 10
    var cache = ResolverCache<Int>(limits: limits)
    #expect(cache.lookUp(question("waiting"), 1, now: 0) == .lookUp)
    let answer = AddressAnswer([address], lifetime: 60 * second)
    for number in 0..<10_000 {
      let question = question("n\(number)")
      #expect(cache.lookUp(question, number, now: UInt64(number)) == .lookUp)
      #expect(cache.store(question, answer, now: UInt64(number)).waiters == [number])
    }
    #expect(cache.lookUp(question("n9999"), 2, now: 10_000) == .cached(answer))
    #expect(cache.lookUp(question("n0"), 2, now: 10_000) == .lookUp)
    #expect(cache.store(question("waiting"), answer, now: 10_000).waiters == [1])
  }
}
