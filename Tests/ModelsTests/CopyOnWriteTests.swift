import Models
import Testing

@Suite("Values that copies share")
struct CopyOnWriteTests {
  @Test("A modification changes one copy alone")
  func modification() {
    var first = CopyOnWrite(["a"])
    let second = first
    first.value.append("b")
    #expect(first.value == ["a", "b"] && second.value == ["a"])
    #expect(first != second)
    first.value.removeLast()
    #expect(first == second)
  }
}
