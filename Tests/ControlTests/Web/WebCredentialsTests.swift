import Glibc
import SystemCalls
import Testing
import TestSupport
@testable import Control

@Suite("The file of the web page")
struct WebCredentialsTests {
  private func withFile<Result>(
    _ body: (WebCredentialsFile) throws -> Result
  ) throws -> Result {
    let folder = try TemporaryFolder()
    try FileSystem.makeFolders(folder.path + "/.imgdl")
    return try body(WebCredentialsFile(libraryRoot: folder.path))
  }

  private var sample: WebCredentials {
    var credentials = WebCredentials(random: SystemRandomSource())
    credentials.port = 4_840
    credentials.isEnabled = true
    return credentials
  }

  @Test("is read as it was written, and only the user can read it")
  func roundTrip() throws {
    try withFile { file in
      #expect(try file.read() == nil)
      let credentials = sample
      try file.write(credentials)
      #expect(try file.read() == credentials)
      #expect(try FileSystem.status(file.path).mode == 0o600)
      try file.write(sample)
      #expect(try file.read() != credentials)
    }
  }

  @Test("that other users could read is not trusted", arguments: [0o640, 0o604, 0o660] as [mode_t])
  func open(_ mode: mode_t) throws {
    try withFile { file in
      try file.write(sample)
      #expect(chmod(file.path, mode) == 0)
      #expect(throws: ControlError.self) { try file.read() }
    }
  }

  @Test(
    "that is damaged is not trusted",
    arguments: [
      "", "{}", "[]", "null", "\u{0}",
      #"{"name":"x","key":"y","port":4840,"isEnabled":true}"#,
      #"{"name":"NAME","key":"KEY","port":80,"isEnabled":true}"#,
      #"{"name":"NAME","key":"KEY","port":70000,"isEnabled":true}"#,
      #"{"name":"NAME","key":"KEY","isEnabled":true}"#,
      #"{"name":"NAME","key":"KEY","port":4840}"#,
      #"{"name":"evil.test/NAME","key":"KEY","port":4840,"isEnabled":true}"#,
    ])
  func damaged(_ text: String) throws {
    try withFile { file in
      let text = text.replacing("NAME", with: String(repeating: "a", count: 32))
        .replacing("KEY", with: String(repeating: "b", count: 64))
      try FileSystem.replace(file.path, with: text, mode: 0o600)
      let error = #expect(throws: ControlError.self) { try file.read() }
      #expect(error?.detail.contains("web.json") == true)
    }
  }

  @Test("is not followed if it is a symbolic link")
  func link() throws {
    try withFile { file in
      let other = try TemporaryFolder()
      try FileSystem.replace(other.path + "/x", with: "{}", mode: 0o600)
      #expect(symlink(other.path + "/x", file.path) == 0)
      #expect(throws: ControlError.self) { try file.read() }
      try file.write(sample)
      #expect(try FileSystem.contents(of: other.path + "/x") == Array("{}".utf8))
      #expect(try FileSystem.status(file.path, followingLinks: false).kind == .file)
    }
  }
}
