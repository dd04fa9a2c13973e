import LibraryAPI
import Models
import Persistence
import Rendering
import SystemCalls
import TestSupport
import Testing

@testable import Engine

/// Encrypted documents, with and without their password.
@Suite(.timeLimit(.minutes(60))) struct UnlockingTests {
  /// A lab whose only resource is an encrypted document of three pages, and its engine at work.
  private func locked() async throws -> (Lab, Engine, Resource) {
    let lab = try Lab()
    let path = lab.original("0001-a.pdf")
    lab.renderer.document(path, pages: 3)
    lab.renderer.encrypt(path, with: "secret")
    lab.web.serve("http://h/a.pdf", .file(Array("%PDF-1.7".utf8)))
    lab.serveList(["http://h/a.pdf"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    return (lab, engine, try #require(try await lab.allResources().first))
  }

  @Test("Without a password a document is an error that says how to pass one")
  func noPassword() async throws {
    let (lab, engine, resource) = try await locked()
    #expect(resource.state == .failed && resource.needsPassword)
    expectSentence(resource.reason ?? "")
    #expect(resource.reason?.contains("--password-file") == true)
    #expect(try await lab.disk.pages(of: resource.id).isEmpty)
    await engine.stop()
  }

  @Test("With its password a document gets its pages, and the record its counts")
  func unlock() async throws {
    let (lab, engine, resource) = try await locked()
    let password = try #require(DocumentPassword("secret"))
    try await engine.unlock(resource.id, with: password)
    let now = try #require(try await lab.allResources().first)
    #expect(now.state == .finished && now.reason == nil && !now.needsPassword)
    let pages = try await lab.disk.pages(of: resource.id)
    #expect(pages.map(\.number) == [1, 2, 3])
    #expect(FileSystem.exists(lab.layout.rendition(pages[0].file ?? "-")))
    let counts = try #require(try await lab.records().first).counts
    #expect((counts.finished, counts.failed) == (1, 0))
    // The other pages need the password again, since it is not stored.
    let without = await #expect(throws: LibraryError.self) {
      try await engine.draw(page: 2, of: resource.id)
    }
    #expect(without?.code == .encrypted)
    try await engine.draw(page: 2, of: resource.id, password: password)
    #expect(FileSystem.exists(lab.layout.rendition(pages[1].file ?? "-")))
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A wrong password is reported, and the resource then says so, until the right one is given")
  func wrong() async throws {
    let (lab, engine, resource) = try await locked()
    let password = try #require(DocumentPassword("guess"))
    let error = await #expect(throws: LibraryError.self) {
      try await engine.unlock(resource.id, with: password)
    }
    #expect(error?.code == .encrypted)
    #expect(error?.detail == "resource 1: the PDF file is encrypted, and the password is wrong")
    let now = try #require(try await lab.allResources().first)
    #expect(now.state == .failed && now.needsPassword)
    #expect(now.reasonWithoutPasswordHint == "the PDF file is encrypted, and the password is wrong")
    #expect(try #require(try await lab.records().first).counts.failed == 1)
    try await engine.unlock(resource.id, with: try #require(DocumentPassword("secret")))
    let unlocked = try #require(try await lab.allResources().first)
    #expect(unlocked.state == .finished && unlocked.reason == nil)
    // The pages of an unlocked document stay if a wrong password is given later.
    _ = await #expect(throws: LibraryError.self) {
      try await engine.unlock(resource.id, with: password)
    }
    #expect(try await lab.allResources().first == unlocked)
    #expect(try await lab.disk.pages(of: resource.id).count == 3)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A resource that is not a document, or not downloaded, cannot be unlocked")
  func nothingToUnlock() async throws {
    let lab = try Lab()
    let picture = try await lab.run(Lab.url(1), Lab.image(1))
    let engine = try await lab.started()
    let password = try #require(DocumentPassword("secret"))
    for id in [picture.id, ResourceID(999)] {
      let error = await #expect(throws: LibraryError.self) {
        try await engine.unlock(id, with: password)
      }
      #expect(error?.code == .source)
    }
    await engine.stop()
  }
}
