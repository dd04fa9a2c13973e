import Models
import SystemCalls
import TestSupport
import Testing

@testable import Engine

@Suite("Downloads of files of this machine") struct LocalFileTests {
  private let content = Attempt.content

  @Test("A file of this machine is copied and hashed")
  func localFile() async throws {
    var attempt = try Attempt()
    let source = try attempt.folder.write("My file.png", content)
    attempt.url = ResourceLocation.fileURL(path: source)
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.isEmpty)
    #expect(FileSystem.exists(source))
  }

  @Test("A file of this machine that cannot be read fails alone, with its name")
  func localFileGone() async throws {
    var attempt = try Attempt()
    attempt.url = ResourceLocation.fileURL(path: attempt.folder.path + "/gone.png")
    let (failure, _) = try await attempt.runFailing()
    guard case .content(let detail) = failure else { return #expect(Bool(false), "\(failure)") }
    #expect(detail.contains("gone.png"))
    attempt.url = ResourceLocation.fileURL(path: attempt.folder.path)
    #expect(try await attempt.runFailing().0 == .content("not a regular file"))
  }

  @Test("A file of this machine is held to the limit, too")
  func localFileTooLarge() async throws {
    var attempt = try Attempt()
    attempt.settings.limits.resourceBytes = 10
    attempt.url = ResourceLocation.fileURL(path: try attempt.folder.write("a.png", content))
    #expect(try await attempt.runFailing().0 == .tooLarge(limit: 10))
  }
}
