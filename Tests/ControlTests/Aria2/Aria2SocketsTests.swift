import Testing
@testable import Control

/// The notifications that wait for sockets.
@Suite struct Aria2SocketsTests {
  private let one = SocketLoop.SocketID(token: 1)
  private let two = SocketLoop.SocketID(token: 2)

  @Test("authorised sockets receive messages in order")
  func order() {
    var sockets = Aria2Sockets()
    sockets.add(one, isAuthorised: true) {}
    sockets.add(two, isAuthorised: false) {}
    sockets.send([1])
    sockets.authorise(two)
    sockets.send([2])
    #expect(sockets.take(one) == [[1], [2]])
    #expect(sockets.take(one) == [])
    #expect(sockets.take(two) == [[2]])
    sockets.remove(one)
    sockets.send([3])
    #expect(sockets.take(one) == [])
  }

  @Test("a socket that reads too slowly is to be closed")
  func slow() {
    var sockets = Aria2Sockets()
    sockets.add(one, isAuthorised: true) {}
    for _ in 0..<Aria2Sockets.pendingLimit { sockets.send([1]) }
    #expect(sockets.take(one)?.count == Aria2Sockets.pendingLimit)
    for _ in 0...Aria2Sockets.pendingLimit { sockets.send([1]) }
    #expect(sockets.take(one) == nil)
  }
}
