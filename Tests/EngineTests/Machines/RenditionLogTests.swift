import Persistence
import Testing

@testable import Engine

@Suite("What is written and evicted below the renditions folder")
struct RenditionLogTests {
  private let log = RenditionLog()

  @Test("A file that is leaving is not written before it has left")
  func leaving() {
    #expect(log.beginEviction(["a", "b"]) == ["a", "b"])
    #expect(!log.beginWriting("a"))
    #expect(log.beginWriting("c"))
    log.endEviction(["a", "b"])
    #expect(log.beginWriting("a"))
  }

  @Test("A file that is being written does not leave until each of its writers is done")
  func writing() {
    #expect(log.beginWriting("a"))
    #expect(log.beginWriting("a"))
    #expect(log.beginEviction(["a", "b"]) == ["b"])
    log.cancelWriting("a")
    #expect(log.beginEviction(["a"]).isEmpty)
    log.cancelWriting("a")
    #expect(log.beginEviction(["a"]) == ["a"])
  }

  @Test("A file that has been written does not leave before the book knows of it")
  func written() {
    #expect(log.isEmpty)
    #expect(log.beginWriting("a"))
    log.endWriting("a", bytes: 7)
    log.recordFile("b", bytes: 9)
    #expect(!log.isEmpty)
    #expect(log.beginEviction(["a", "b"]).isEmpty)
    #expect(log.drain().map(\.name) == ["a", "b"])
    #expect(log.isEmpty)
    #expect(log.beginEviction(["a", "b"]) == ["a", "b"])
  }
}
