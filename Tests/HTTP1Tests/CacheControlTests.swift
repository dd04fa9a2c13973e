import HTTP1
import Models
import TestSupport
import Testing

@Suite("Cache-Control")
struct CacheControlTests {
  private func control(_ values: String...) -> CacheControl {
    CacheControl(HTTPFields(values.map { HTTPFields.Field(name: "Cache-Control", value: $0) }))
  }

  @Test(
    "max-age is read in any case, place and quotation",
    arguments: [
      ("max-age=60", 60), ("MAX-AGE=60", 60), ("Max-Age=\"60\"", 60), ("max-age=0", 0),
      ("max-age=00000000000000000000060", 60), ("public, max-age=60", 60),
      ("max-age=60,public", 60), (" ,, max-age=60 , ", 60), ("a=b,\tmax-age=60", 60),
      ("a=\"x, max-age=1\", max-age=60", 60), ("a=\"\\\", max-age=1\", max-age=60", 60),
      ("max-age=60, max-age=60", 60), ("s-maxage=1, max-age=60", 60),
      ("x-max-age=1,max-age=60", 60),
      ("max-age=\"6\\0\"", 60),
    ] as [(String, Int64)])
  func maxAge(value: String, seconds: Int64) {
    #expect(control(value).maxAge == seconds)
  }

  @Test("A number that is too large is 2^31")
  func overflow() {
    for text in [
      "2147483648", "2147483649", "9223372036854775808", String(repeating: "9", count: 500),
    ] {
      #expect(control("max-age=\(text)").maxAge == 2_147_483_648)
    }
    #expect(control("max-age=2147483647").maxAge == 2_147_483_647)
  }

  @Test(
    "A max-age that is not a number, or two different ones, are stale",
    arguments: [
      "max-age", "max-age=", "max-age=-1", "max-age=+1", "max-age=1.5", "max-age=60s",
      "max-age=0x10", "max-age=\"\"", "max-age=\"60", "max-age=60\"", "max-age='60'",
      "max-age= 60", "max-age =60", "max-age=60 60", "max-age=60;public", "max-age=\"60\"1",
      "max-age=10, max-age=60", "max-age=60, max-age=10", "max-age=60, max-age", "max-age=６０",
    ])
  func badMaxAge(value: String) {
    #expect(control(value).maxAge == 0)
  }

  @Test(
    "A restriction applies even if it is malformed",
    arguments: [
      "no-store", "NO-STORE", "no-store=1", "no-store=\"x\"", "no-store ", "no-store =",
      "max-age=60, no-store", "x=\"unclosed, no-store", "x=\"a\" b, no-store", ",no-store,",
      "=, no-store", "\", no-store",
    ])
  func noStore(value: String) {
    #expect(control(value).noStore)
  }

  @Test(
    "A name inside a quotation or inside another name is ignored",
    arguments: ["x=\"no-store\"", "x=\"a, no-store, b\"", "x=no-store", "xno-store", "no-storex"])
  func notNoStore(value: String) {
    #expect(!control(value).noStore)
  }

  @Test("no-cache counts with and without names; the others are flags")
  func flags() {
    #expect(control("no-cache").noCache)
    #expect(control("no-cache=\"Set-Cookie, A\", max-age=5").noCache)
    #expect(control("no-cache=\"Set-Cookie, A\", max-age=5").maxAge == 5)
    #expect(control("must-revalidate").mustRevalidate)
    #expect(control("immutable").immutable)
    let none = control("public, private, proxy-revalidate, stale-while-revalidate=5, x=y")
    #expect(none == control())
    #expect(none.maxAge == nil)
  }

  @Test("Several field lines are one")
  func severalLines() {
    let control = control("max-age=60", "no-cache", "", "immutable")
    #expect(control.maxAge == 60)
    #expect(control.noCache && control.immutable && !control.noStore)
    #expect(self.control("max-age=60", "max-age=10").maxAge == 0)
  }

  @Test(
    "Any value is accepted, and its meaning does not depend on lines or commas", arguments: 0..<10)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "max-age", "=", "60", "\"", "\\", ",", " ", "no-store", "no-cache", "é", "\t", "immutable",
      "x",
    ]
    for _ in 0..<500 {
      let texts = (0..<2).map { _ in
        (0..<Int.random(in: 0...7, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? ""
        }.joined()
      }
      let both = control(texts[0], texts[1])
      let apart = texts.map { control($0) }
      #expect(both.noStore == apart.contains { $0.noStore })
      #expect(both.noCache == apart.contains { $0.noCache })
      #expect((both.maxAge == nil) == apart.allSatisfy { $0.maxAge == nil })
      #expect((0...DeltaSeconds.maximum).contains(both.maxAge ?? 0))
    }
  }
}
