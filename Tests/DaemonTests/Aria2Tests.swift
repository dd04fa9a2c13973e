import CLinux
import Glibc
import Models
import Origin
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// The aria2 interface of imgdld: its options, a download, and its end.
@Suite(.timeLimit(.minutes(60))) struct Aria2Tests {
  /// A port of the loopback interface that is free at the moment.
  private static func freePort() -> UInt16 {
    while true {
      let port = UInt16.random(in: 16_384..<32_768)
      let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      let probe = OwnedDescriptor(raw)
      if imgdl_loopback_bind(probe.raw, 4, port) == 0 { return port }
    }
  }

  private static func call(
    _ stage: DaemonStage, _ port: UInt16, _ method: String, _ parameters: String = "",
    token: String = "s3cret"
  ) async throws -> String {
    let rest = parameters.isEmpty ? "" : ",\(parameters)"
    let body = #"{"id":1,"method":"aria2.\#(method)","params":["token:\#(token)"\#(rest)]}"#
    return try await stage.shell(
      "curl -s http://127.0.0.1:\(port)/jsonrpc -H 'Content-Type: application/json' -d '\(body)'")
  }

  /// Calls until the response contains a text.
  private static func waits(
    for text: String, _ stage: DaemonStage, _ port: UInt16, _ method: String,
    _ parameters: String = ""
  ) async throws -> String {
    let deadline = Deadline.after(seconds: 600)
    var answer = ""
    while !deadline.hasPassed {
      answer = try await call(stage, port, method, parameters)
      if answer.contains(text) { return answer }
    }
    throw SystemError(errno: ETIMEDOUT, call: "see \(text) in \(answer)")
  }

  private static func writeSecret(_ folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/secret"
    try FileSystem.replace(path, with: "s3cret\n")
    chmod(path, 0o600)
    return path
  }

  @Test("a client adds a download, reads its end, and ends the program")
  func downloading() async throws {
    let secrets = try TemporaryFolder()
    let port = Self.freePort()
    let stage = try DaemonStage(
      arguments: [
        "--aria2", "--rpc-secret-file", try Self.writeSecret(secrets),
        "--rpc-listen-port=\(port)", "--max-concurrent-downloads=3", "--timeout=60",
      ]
    ) { served, _ in
      try FileSystem.replace(served + "/note.txt", with: "text")
    }
    _ = try await Self.waits(for: "sessionId", stage, port, "getSessionInfo")
    let options = try await Self.call(stage, port, "getGlobalOption")
    #expect(options.contains(#""max-concurrent-downloads":"3""#))
    let answer = try await Self.call(
      stage, port, "addUri",
      #"["\#(stage.origin.url)note.txt"],{"gid":"0000000000000001","dir":"notes","out":"n.txt"}"#)
    #expect(answer == #"{"id":1,"jsonrpc":"2.0","result":"0000000000000001"}"#)
    let status = try await Self.waits(
      for: #""status":"complete""#, stage, port, "tellStatus", #""0000000000000001""#)
    let path = stage.library + "/notes/0001-n.txt"
    #expect(status.contains(#""path":"\#(path)""#))
    #expect(try FileSystem.contents(of: path) == Array("text".utf8))
    #expect(
      try await Self.call(stage, port, "getVersion", token: "wrong").contains("Unauthorized"))
    #expect(try await Self.call(stage, port, "shutdown").contains("OK"))
    let ending = stage.process.wait(before: .after(seconds: 600))
    #expect(ending?.status == .code(0))
    let (_, log) = stage.terminate()
    #expect(log.contains("event=aria2-refused"))
    #expect(log.contains("event=aria2-option-ignored name=timeout"))
    #expect(log.contains("event=aria2-shutdown"))
    #expect(!log.contains("s3cret"))
  }

  @Test("a Metalink document is read by the worker, and the URLs of a file are tried in turn")
  func metalink() async throws {
    let secrets = try TemporaryFolder()
    let port = Self.freePort()
    let stage = try DaemonStage(
      arguments: [
        "--aria2", "--rpc-secret-file", try Self.writeSecret(secrets),
        "--rpc-listen-port=\(port)",
      ]
    ) { served, _ in
      try FileSystem.replace(served + "/note.txt", with: "text")
    }
    _ = try await Self.waits(for: "sessionId", stage, port, "getSessionInfo")
    let document = { (body: String) in "\"\(Base64.encode(Array(body.utf8)))\"" }
    let url = "\(stage.origin.url)"
    let file = """
      <?xml version="1.0"?><!DOCTYPE metalink [<!ENTITY e "entity">]>
      <metalink><file name="a/n.txt"><size>4</size><url priority="2">\(url)note.txt</url>
      <url priority="1">\(url)missing.txt</url><url>ftp://h/n.txt</url></file></metalink>
      """
    let added = try await Self.call(stage, port, "addMetalink", document(file) + #",{"dir":"m"}"#)
    let gid = try #require(added.firstMatch(of: /"result":\["([0-9a-f]{16})"\]/)?.output.1)
    let status = try await Self.waits(
      for: #""status":"complete""#, stage, port, "tellStatus", "\"\(gid)\"")
    #expect(status.contains(#""totalLength":"4""#))
    let path = stage.library + "/m/0002-n.txt"
    #expect(try FileSystem.contents(of: path) == Array("text".utf8), "\(status)")
    for (body, cause) in [
      ("<metalink><file name='a'><url>http://h/a</url>", "not well-formed in line 1"),
      ("<rss/>", "the document is a feed, not a metalink"), ("text", "not well-formed"),
      ("<metalink><file name='a'/></metalink>", "No files to download: "),
    ] {
      let answer = try await Self.call(stage, port, "addMetalink", document(body))
      #expect(answer.contains(#""error":{"code":1,"#) && answer.contains(cause), "\(answer)")
    }
    #expect(stage.terminate().status == .code(0))
  }

  @Test("a session continues after a restart, and a secret on the command line is warned of")
  func restarting() async throws {
    let port = Self.freePort()
    let arguments = ["--aria2", "--rpc-secret=s3cret", "--listen", "127.0.0.1:\(port)"]
    let first = try DaemonStage(arguments: arguments)
    _ = try await Self.waits(for: "sessionId", first, port, "getSessionInfo")
    _ = try await Self.call(
      first, port, "addUri",
      #"["\#(first.origin.url)x"],{"gid":"0000000000000001","pause":"true"}"#)
    let (status, log) = first.terminate()
    #expect(status == .code(0))
    #expect(log.contains("level=warning event=settings") && log.contains("--rpc-secret-file"))
    let second = try DaemonStage(in: first.folder, arguments: arguments)
    _ = try await Self.waits(for: "sessionId", second, port, "getSessionInfo")
    let waiting = try await Self.call(second, port, "tellWaiting", #"0,9,["gid","status"]"#)
    #expect(waiting.contains(#"[{"gid":"0000000000000001","status":"paused"}]"#))
    #expect(second.terminate().status == .code(0))
  }

  static let refusals: [([String], String)] = [
    (["--aria2"], "--aria2 needs --rpc-secret-file"),
    (["--rpc-secret", "x"], "--rpc-secret needs --aria2"),
    (["--aria2-no-secret"], "--aria2-no-secret needs --aria2"),
    (["--aria2", "--rpc-secret="], "--rpc-secret needs a text"),
    (["--aria2", "--rpc-secret", "x", "--rpc-secret-file", "/dev/null"], "exclude each other"),
    (["--aria2", "--rpc-secret-file", "/dev/null"], "is empty"),
    (["--aria2", "--rpc-secret", "x", "--rpc-listen-all"], "--rpc-listen-all is not supported"),
    (["--aria2", "--rpc-secret", "x", "--rpc-listen-port=80"], "from 1024 to 65535"),
    (["--aria2", "--rpc-secret", "x", "--file-allocation=some"], "file-allocation must be one of"),
    (["--aria2", "--rpc-secret", "x", "--conf-path=/none"], "/none"),
    (["--aria2", "--rpc-secret", "x", "--input-file=/none"], "/none"),
    (["--aria2", "--unknown-option=1"], "--unknown-option"),
  ]

  @Test("a port that another program uses is named, with the exit code for that")
  func portInUse() throws {
    let secrets = try TemporaryFolder()
    let port = Self.freePort()
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let other = OwnedDescriptor(raw)
    #expect(imgdl_loopback_bind(other.raw, 4, port) == 0 && listen(other.raw, 1) == 0)
    let stage = try DaemonStage(
      arguments: [
        "--aria2", "--rpc-secret-file", try Self.writeSecret(secrets), "--rpc-listen-port=\(port)",
      ])
    let ending = stage.process.wait(before: .after(seconds: 600))
    let (_, log) = stage.terminate()
    #expect(ending?.status == .code(9), "\(log)")
    #expect(log.contains("another program uses port \(port)"), "\(log)")
    #expect(log.contains("choose another one with --rpc-listen-port"), "\(log)")
    other.close()
  }

  @Test("options that cannot be meant are refused", arguments: refusals)
  func refusing(arguments: [String], reason: String) throws {
    let stage = try DaemonStage(arguments: arguments)
    let ending = stage.process.wait(before: .after(seconds: 600))
    let (_, log) = stage.terminate()
    guard case .code(let code)? = ending?.status else {
      Issue.record("it runs: \(log)")
      return
    }
    #expect(code != 0 && log.contains(reason), "\(log)")
  }
}
