import Archive
import TestSupport
import Testing

@Suite("Order of pages")
struct EntryOrderTests {
  @Test(
    "Names are sorted in natural order",
    arguments: [
      ["page1.jpg", "page2.jpg", "page10.jpg"],
      ["1.png", "02.png", "3.png", "010.png"],
      ["cover.jpg", "cover 2.jpg", "cover10.jpg"],
      ["A.jpg", "b.jpg", "C.jpg"],
      ["z.jpg", "a/1.jpg", "a/2.jpg", "a/b/1.jpg", "b/1.jpg"],
      ["ch2/10.png", "ch10/1.png"],
      ["v1.2/p.png", "v1.10/p.png"],
      ["1.png", "01.png", "001.png"],
      ["99999999999999999999998.png", "99999999999999999999999.png"],
      ["x.gif", "x.jpg"],
      ["", "a"],
      ["第２話.png", "第3話.png", "第１０話.png"],
      ["صفحة ٢.png", "صفحة ١٠.png"],
      ["पृष्ठ ९.png", "पृष्ठ १०.png"],
    ])
  func expectedOrder(_ names: [String]) {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20 {
      #expect(EntryOrder.natural(names.shuffled(using: &generator)) == names)
    }
  }

  @Test("Equal labels keep their order")
  func stability() {
    let pages = [("a", 1), ("b", 2), ("a", 3), ("a", 4)]
    #expect(EntryOrder.natural(pages) { $0.0 }.map(\.1) == [1, 3, 4, 2])
  }

  @Test("The order is one: any two permutations sort alike")
  func totalOrder() {
    var generator = SeededGenerator(seed: 11)
    let alphabet = Array("a1B02./-é ٣５")
    let names = (0..<300).map { _ in
      String((0..<6).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
    }
    let sorted = EntryOrder.natural(names)
    for _ in 0..<5 { #expect(EntryOrder.natural(names.shuffled(using: &generator)) == sorted) }
  }
}
