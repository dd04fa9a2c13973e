import Persistence
import Testing

@testable import Engine

@Suite("What is written and evicted below the renditions folder")
struct RenditionLogTests {
  private let log = RenditionLog()

  @Test("A file that is leaving is not written before it has left")
  func leaving() {
    #expect(log.letLeave(["a", "b"]) == ["a", "b"])
    #expect(!log.begin("a"))
    #expect(log.begin("c"))
    log.haveLeft(["a", "b"])
    #expect(log.begin("a"))
  }

  @Test("A file that is being written does not leave until each of its writers is done")
  func writing() {
    #expect(log.begin("a"))
    #expect(log.begin("a"))
    #expect(log.letLeave(["a", "b"]) == ["b"])
    log.giveUp("a")
    #expect(log.letLeave(["a"]).isEmpty)
    log.giveUp("a")
    #expect(log.letLeave(["a"]) == ["a"])
  }

  @Test("A file that has been written does not leave before the book knows of it")
  func written() {
    #expect(log.isEmpty)
    #expect(log.begin("a"))
    log.end("a", bytes: 7)
    log.note("b", bytes: 9)
    #expect(!log.isEmpty)
    #expect(log.letLeave(["a", "b"]).isEmpty)
    #expect(log.take().map(\.name) == ["a", "b"])
    #expect(log.isEmpty)
    #expect(log.letLeave(["a", "b"]) == ["a", "b"])
  }
}
