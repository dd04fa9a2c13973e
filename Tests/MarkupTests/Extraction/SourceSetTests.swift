import Testing

@testable import MarkupExtraction

@Suite("Sets of sources") struct SourceSetTests {
  typealias Candidate = SourceSet.Candidate

  @Test(
    "The candidates are those of the HTML Standard",
    arguments: [
      ("", []),
      (" , ,", []),
      ("a.jpg", [Candidate(url: "a.jpg")]),
      ("a.jpg 640w", [Candidate(url: "a.jpg", width: 640)]),
      (
        "a.jpg 1x, b.jpg 2.5x",
        [Candidate(url: "a.jpg", density: 1), Candidate(url: "b.jpg", density: 2.5)]
      ),
      // A comma within a URL belongs to it; one at its end does not.
      (
        "a,w_640/b.jpg 640w, c,d.jpg",
        [Candidate(url: "a,w_640/b.jpg", width: 640), Candidate(url: "c,d.jpg")]
      ),
      ("a.jpg, b.jpg", [Candidate(url: "a.jpg"), Candidate(url: "b.jpg")]),
      ("a.jpg,b.jpg 2x", [Candidate(url: "a.jpg,b.jpg", density: 2)]),
      (
        "a.jpg 1x,b.jpg 2x",
        [Candidate(url: "a.jpg", density: 1), Candidate(url: "b.jpg", density: 2)]
      ),
      (
        "\n\ta.jpg\n640w\n,\nb.jpg\t2x\n",
        [Candidate(url: "a.jpg", width: 640), Candidate(url: "b.jpg", density: 2)]
      ),
      ("a.jpg 640w 480h", [Candidate(url: "a.jpg", width: 640)]),
      ("a.jpg (1, 2) 3x, b.jpg", [Candidate(url: "a.jpg", density: 3), Candidate(url: "b.jpg")]),
      // Invalid descriptors are ignored.
      (
        "a.jpg 0w, b.jpg -1x, c.jpg x, d.jpg infx",
        ["a.jpg", "b.jpg", "c.jpg", "d.jpg"].map { Candidate(url: $0) }
      ),
      ("a.jpg 99999999999999999999w", [Candidate(url: "a.jpg")]),
      ("a.jpg (unclosed 2x, b.jpg", [Candidate(url: "a.jpg")]),
    ] as [(String, [Candidate])])
  func candidates(_ text: String, _ expected: [Candidate]) {
    #expect(SourceSet(text).candidates == expected)
  }

  @Test("The number of candidates is bounded")
  func bounded() {
    let text = (0..<10_000).map { "\($0).jpg \($0 + 1)w" }.joined(separator: ", ")
    #expect(SourceSet(text).candidates.count == 256)
  }

  @Test("Any text is a set")
  func anyText() {
    for length in 0..<5 {
      for text in texts(of: length) { _ = SourceSet(text) }
    }
  }

  private func texts(of length: Int) -> [String] {
    guard length > 0 else { return [""] }
    return texts(of: length - 1).flatMap { text in
      ["a", ",", " ", "(", ")", "w", "1"].map { text + $0 }
    }
  }
}
