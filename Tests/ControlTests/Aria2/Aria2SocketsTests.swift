import Synchronization
import Testing
import WebSocket
@testable import Control

/// The notifications that wait for sockets.
@Suite struct Aria2SocketsTests {
  private let one = SocketLoop.SocketID(token: 1)
  private let two = SocketLoop.SocketID(token: 2)

  @Test("authorised sockets receive messages in order")
  func order() {
    var sockets = Aria2Sockets()
    sockets.add(one, isGranted: true) {}
    sockets.add(two, isGranted: false) {}
    sockets.send([1])
    sockets.authorise(two)
    sockets.send([2])
    #expect(sockets.take(one) == WebSocketFrame.text([1]) + WebSocketFrame.text([2]))
    #expect(sockets.take(one) == [])
    #expect(sockets.take(two) == WebSocketFrame.text([2]))
    #expect(sockets.isGranted(one) && !sockets.isGranted(two) && sockets.isAuthorised(two))
    sockets.remove(one)
    sockets.send([3])
    #expect(sockets.take(one) == [])
  }

  @Test("a socket has room for a notification of each download, and is woken once")
  func room() {
    let wakes = Count()
    var sockets = Aria2Sockets()
    sockets.add(one, isGranted: true) { wakes.add() }
    let message = [UInt8](repeating: 0x61, count: 90)
    for _ in 0..<100_000 { sockets.send(message) }
    #expect(sockets.take(one)?.count == 9_200_000)
    #expect(wakes.value == 1)
    sockets.send(message)
    #expect(wakes.value == 2)
  }

  @Test("a socket that reads too slowly is to be closed")
  func slow() {
    var sockets = Aria2Sockets()
    sockets.add(one, isGranted: true) {}
    let message = [UInt8](repeating: 0x61, count: 1 << 20)
    for _ in 0..<15 { sockets.send(message) }
    #expect(sockets.take(one)?.isEmpty == false)
    for _ in 0..<16 { sockets.send(message) }
    #expect(sockets.take(one) == nil)
  }
}

private final class Count: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add() { count.withLock { $0 += 1 } }
}
