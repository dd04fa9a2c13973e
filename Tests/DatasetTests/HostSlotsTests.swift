import Datasets
import TestSupport
import Testing

/// The simultaneous transfers from one host.
@Suite struct HostSlotsTests {
  @Test("Samples beyond the limit wait in order, each host for itself")
  func order() {
    var slots = HostSlots(limit: 2)
    for (index, host) in [(0, "a"), (1, "a"), (4, "b")] {
      #expect(slots.begin(index, at: host) == true)
    }
    for index in [2, 3] { #expect(slots.begin(index, at: "a") == false) }
    #expect(slots.end(at: "a") == 2)
    #expect(slots.begin(2, at: "a") == true)
    // A sample whose transfer failed is older than those that wait.
    for index in [5, 1] { #expect(slots.begin(index, at: "a") == false) }
    for index in [1, 3, 5] {
      #expect(slots.end(at: "a") == index)
      #expect(slots.begin(index, at: "a") == true)
    }
    #expect(slots.end(at: "b") == nil)
  }

  @Test("No sample is lost, and no host has more transfers than the limit", arguments: 0..<20)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...4, using: &random)
    var slots = HostSlots(limit: limit)
    var running: [String: [Int]] = [:]
    var begun: Set<Int> = []
    func begin(_ index: Int, _ host: String) {
      guard slots.begin(index, at: host) else { return }
      running[host, default: []].append(index)
      begun.insert(index)
      #expect(running[host]?.count ?? 0 <= limit)
    }
    for index in 0..<200 {
      begin(index, ["a", "b", "c"].randomElement(using: &random) ?? "a")
      while Bool.random(using: &random),
        let host = running.keys.sorted().randomElement(using: &random)
      {
        running[host]?.removeLast()
        if running[host]?.isEmpty == true { running[host] = nil }
        if let next = slots.end(at: host) { begin(next, host) }
      }
    }
    while let host = running.keys.min() {
      running[host]?.removeLast()
      if running[host]?.isEmpty == true { running[host] = nil }
      if let next = slots.end(at: host) { begin(next, host) }
    }
    #expect(begun == Set(0..<200))
  }
}
