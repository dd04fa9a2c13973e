import Models
import Testing
@testable import CLIProgram

/// Numbers behind the name of a record: `1:8` is resource 8, `1:8.3` its page 3.
@Suite struct PictureNumberTests {
  @Test("a number is a resource, and a page of it")
  func parsing() {
    #expect(ImageNumber("8")?.description == "8")
    #expect(ImageNumber("8.3")?.description == "8.3")
    for text in [
      "", ".", "8.", ".3", "0", "8.0", "-1", "8.3.1", "a", "8.a", "99999999999999999999",
    ] {
      #expect(ImageNumber(text) == nil, "\(text)")
    }
  }
}
