import Hashing
import Models
import Testing

@testable import CLIProgram

@Suite struct LibraryContentsTests {
  private func digest(_ text: String) -> Digest { SHA256Hasher.hash(of: Array(text.utf8)) }

  private var reference: LibraryContents {
    var contents = LibraryContents()
    contents.digests = ["a/1.png": digest("one"), "a/2.zip": digest("two")]
    contents.images = ["a/2.zip page 1": .here(digest("page"))]
    contents.hasRows = true
    return contents
  }

  @Test("libraries with equal files do not differ, even if other properties do")
  func equal() {
    var contents = reference
    contents.bytes = 7
    #expect(contents.difference(from: reference) == nil)
  }

  @Test("different content, an additional file and a missing file are named")
  func different() throws {
    var contents = reference
    contents.digests["a/1.png"] = digest("other")
    contents.digests["a/3.png"] = digest("three")
    contents.digests["a/2.zip"] = nil
    let sentence = try #require(contents.difference(from: reference))
    let (one, other) = (
      digest("one").description.prefix(12), digest("other").description.prefix(12)
    )
    #expect(
      sentence.hasPrefix("a/1.png (SHA-256 \(other), not SHA-256 \(one)); a/2.zip (missing, not"))
    #expect(sentence.hasSuffix(", not missing)"))
    contents.digests["a/4.png"] = digest("four")
    #expect(contents.difference(from: reference)?.hasSuffix("; and 1 more") == true)
  }

  @Test("images of archives are compared if both runs still have them")
  func pictures() throws {
    var contents = reference
    contents.images = ["a/2.zip page 1": .here(digest("else"))]
    #expect(contents.difference(from: reference)?.contains("a/2.zip page 1 (SHA-256") == true)
    contents.images = [:]
    #expect(contents.difference(from: reference)?.contains("page 1 (missing, not") == true)
    contents.hasRows = false
    #expect(contents.difference(from: reference) == nil, "a store that keeps nothing tells nothing")
    contents = reference
    contents.images = ["a/2.zip page 1": .missing]
    #expect(contents.difference(from: reference) == nil, "evicted")
    #expect(reference.difference(from: contents) == nil)
  }
}
