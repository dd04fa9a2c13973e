import Testing

@testable import Control

@Suite("The table of connections")
struct ConnectionTableTests {
  typealias Table = ConnectionTable<Int, String>

  private func table(_ phases: [(Int, String, Table.Phase)]) -> Table {
    var table = Table(limit: 6, peerLimit: 3)
    for (id, peer, phase) in phases {
      table.add(id, of: peer)
      if phase != .idle { table.setPhase(phase, of: id) }
    }
    return table
  }

  @Test("admits every peer while there is room")
  func room() {
    var table = table([(1, "a", .incomplete), (2, "a", .serving), (3, "b", .idle)])
    #expect(table.makeRoom(for: "a") == .admitted)
    #expect(table.makeRoom(for: "b") == .admitted)
    #expect(table.count == 3)
  }

  @Test("closes a peer's own oldest incomplete connection if the peer has reached its limit")
  func peer() {
    var table = table([
      (1, "b", .incomplete), (2, "a", .idle), (3, "a", .incomplete), (4, "a", .incomplete),
    ])
    #expect(table.makeRoom(for: "a") == .admittedAfter(.init(id: 3, isIncomplete: true)))
    table.add(5, of: "a")
    #expect(table.makeRoom(for: "a") == .admittedAfter(.init(id: 4, isIncomplete: true)))
    table.add(6, of: "a")
    #expect(table.makeRoom(for: "a") == .admittedAfter(.init(id: 2, isIncomplete: false)))
    #expect(table.makeRoom(for: "b") == .admitted)
  }

  @Test(
    "without room, closes the oldest incomplete connection of all peers, then the longest idle one")
  func full() {
    var table = table([
      (1, "a", .serving), (2, "a", .idle), (3, "b", .incomplete), (4, "b", .incomplete),
      (5, "c", .idle), (6, "c", .serving),
    ])
    // A connection that begins anew is not the oldest any more.
    table.setPhase(.incomplete, of: 3)
    var closed: [Int] = []
    for id in 7... {
      guard case .admittedAfter(let closing) = table.makeRoom(for: "p\(id)") else { break }
      closed.append(closing.id)
      table.add(id, of: "p\(id)")
      table.setPhase(.serving, of: id)
    }
    #expect(closed == [4, 3, 2, 5])
    #expect(table.makeRoom(for: "z") == .refused(limit: 6, isOfPeer: false))
  }

  @Test("refuses a peer whose connections are all active, and no other peer")
  func atWork() {
    var table = table([(1, "a", .serving), (2, "a", .serving), (3, "a", .serving)])
    #expect(table.makeRoom(for: "a") == .refused(limit: 3, isOfPeer: true))
    #expect(table.makeRoom(for: "b") == .admitted)
    table.remove(2)
    table.remove(2)
    #expect(table.makeRoom(for: "a") == .admitted)
  }
}
