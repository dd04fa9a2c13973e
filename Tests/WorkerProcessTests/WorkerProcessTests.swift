import Glibc
import SystemCalls
import Testing
import WorkerProcess

/// The helpers here are shell scripts that speak on descriptor 3.
@Suite(.timeLimit(.minutes(60))) struct WorkerProcessTests {
  private func shell(
    _ script: String, errors: WorkerProgram.StandardError = .captured
  ) throws -> WorkerProcess {
    try WorkerProcess(
      WorkerProgram(path: "/bin/sh", arguments: ["-c", script], standardError: errors))
  }

  private func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 }

  @Test("a helper answers, and ends when its connection is closed")
  func echo() async throws {
    let worker = try shell("exec cat <&3 >&3")
    let answer = try await OwnThread.run {
      try worker.call(Frame(kind: 7, payload: [1, 2, 3]), before: .after(seconds: 600))
    }
    #expect(answer.kind == 7)
    #expect(answer.payload == [1, 2, 3])
    #expect(try await OwnThread.run { worker.stop(grace: 30) } == .code(0))
    #expect(!isAlive(worker.processID))
  }

  @Test("a helper that is killed is an error at once, with the signal's name and its last output")
  func killed() async throws {
    let worker = try shell("echo 'bad \u{1b}[31mthing' >&2; head -c 6 <&3 >/dev/null; kill -9 $$")
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run { try worker.call(Frame(kind: 1), before: .after(seconds: 600)) }
    }
    #expect(error?.code == .died)
    #expect(error?.exit == .signal(SIGKILL))
    #expect(error?.description == "sh killed by signal 9 (SIGKILL): bad [31mthing")
    #expect(!isAlive(worker.processID))
  }

  @Test("the report of a helper's end quotes nothing that it wrote about an earlier request")
  func earlierOutput() async throws {
    let worker = try shell(
      """
      head -c 6 <&3 >/dev/null; echo 'about the first' >&2; printf '\\001\\000\\000\\000a\\000b' >&3
      head -c 6 <&3 >/dev/null; echo 'about the second' >&2; kill -9 $$
      """)
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run {
        _ = try worker.call(Frame(kind: 1), before: .after(seconds: 600))
        return try worker.call(Frame(kind: 1), before: .after(seconds: 600))
      }
    }
    #expect(error?.description == "sh killed by signal 9 (SIGKILL): about the second")
  }

  @Test("the stack trace of a fatal error does not displace the error")
  func stackTrace() async throws {
    let worker = try shell(
      """
      echo 'Fatal error: no memory' >&2; echo 'Current stack trace:' >&2
      for line in 1 2 3 4 5 6 7 8 9; do printf '%0100d\n' $line >&2; done
      head -c 6 <&3 >/dev/null; kill -ABRT $$
      """)
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run { try worker.call(Frame(kind: 1), before: .after(seconds: 600)) }
    }
    #expect(error?.description == "sh killed by signal 6 (SIGABRT): Fatal error: no memory")
  }

  @Test("a helper that hangs is killed and collected at the deadline")
  func hang() async throws {
    let worker = try shell("exec sleep 1000")
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run { try worker.call(Frame(kind: 1), before: .after(seconds: 0.05)) }
    }
    #expect(error?.code == .timedOut)
    #expect(error?.exit == .signal(SIGKILL))
    #expect(!isAlive(worker.processID))
  }

  @Test("a helper that sends an invalid response is killed")
  func nonsense() async throws {
    let worker = try shell("echo nonsense-nonsense >&3; exec sleep 1000")
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run { try worker.call(Frame(kind: 1), before: .after(seconds: 600)) }
    }
    #expect(error?.code == .malformed)
    #expect(!isAlive(worker.processID))
  }

  @Test("a helper that sends more than a response is killed")
  func twoAnswers() async throws {
    // Of the kind 'a', with the payload 'b'; 'c' is too much.
    let worker = try shell(
      "printf '\\001\\000\\000\\000a\\000bc' >&3; exec sleep 1000")
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run { try worker.call(Frame(kind: 1), before: .after(seconds: 600)) }
    }
    #expect(error?.code == .malformed)
    #expect(error?.description.contains("more data than one message") == true)
    #expect(!isAlive(worker.processID))
  }

  @Test("a response that arrives in pieces is reassembled")
  func pieces() async throws {
    let worker = try shell(
      """
      printf '\\003' >&3; head -c 6 <&3 >/dev/null; printf '\\000\\000\\000a\\000b' >&3
      head -c 6 <&3 >/dev/null; printf cd >&3; exec sleep 1000
      """)
    let sent = try await OwnThread.run {
      try worker.send(Frame(kind: 1))
      return try worker.call(Frame(kind: 1), before: .after(seconds: 600))
    }
    #expect(sent.kind == UInt8(ascii: "a"))
    #expect(sent.payload == Array("bcd".utf8))
  }

  @Test("kill from another thread ends a waiting call")
  func killWhileWaiting() async throws {
    let worker = try shell("exec sleep 1000")
    async let answer = OwnThread.run {
      Result { try worker.call(Frame(kind: 1), before: .never) }
    }
    worker.kill()
    let result = try await answer
    let error = try #require(throws: WorkerError.self) { try result.get() }
    #expect(error.exit == .signal(SIGKILL))
  }

  @Test("releasing a helper leaves no process")
  func letGo() async throws {
    let process = try await OwnThread.run {
      let worker = try shell("exec sleep 1000")
      return worker.processID
    }
    #expect(!isAlive(process))
  }

  @Test("a helper has four descriptors, for any open files of this process")
  func descriptors() async throws {
    // Deliberately without close-on-exec.
    let leaky = dup(2)
    defer { close(leaky) }
    let worker = try shell(
      "i=0; while [ $i -lt 500 ]; do [ -e /proc/$$/fd/$i ] && o=\"$o $i\"; i=$((i+1)); done;"
        + " echo $o >&2; exit 3")
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run { try worker.receive(before: .after(seconds: 600)) }
    }
    #expect(error?.exit == .code(3))
    #expect(error?.description == "sh exited with code 3: 0 1 2 3")
  }

  @Test("the environment of a helper has the given variables only")
  func environment() async throws {
    setenv("IMGDL_TEST_SECRET", "token", 1)
    var program = WorkerProgram(path: "/usr/bin/env")
    program.environment = WorkerEnvironment.passing(["PATH"], adding: ["IMGDL_X": "1"])
    let worker = try WorkerProcess(program)
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run { try worker.receive(before: .after(seconds: 600)) }
    }
    let words = try #require(error?.description)
    #expect(words.contains("IMGDL_X=1 | PATH="))
    #expect(!words.contains("token"))
  }

  @Test("only the last 4 KiB of the output of a helper are kept, and the helper is not blocked")
  func talkative() async throws {
    let worker = try shell("yes 0123456789 | head -n 100000 >&2; echo the end >&2; exit 1")
    let error = await #expect(throws: WorkerError.self) {
      try await OwnThread.run { try worker.receive(before: .after(seconds: 600)) }
    }
    #expect(error?.exit == .code(1))
    #expect((error?.description.utf8.count ?? 0) < 8_000)
  }

  @Test("a missing program cannot be started, and the error says so")
  func missing() throws {
    let error = try #require(throws: WorkerError.self) {
      try WorkerProcess(WorkerProgram(path: "/nowhere/imgdl-x"))
    }
    #expect(error.code == .cannotStart)
    #expect(error.description == "cannot start /nowhere/imgdl-x: No such file or directory")
  }
}

@Suite struct HelperLocatorTests {
  @Test("a helper is found beside the program, then in ../libexec/imgdl")
  func places() throws {
    let scratch = try ScratchFolder()
    let program = scratch.path + "/bin/imgdl-cli"
    let installed = scratch.path + "/libexec/imgdl/imgdl-x"
    try FileSystem.makeFolders(scratch.path + "/bin")
    try FileSystem.makeFolders(scratch.path + "/libexec/imgdl")
    try FileSystem.replace(installed, with: "", mode: 0o755)
    let locator = HelperLocator(explicit: nil, executable: program)
    #expect(try locator.path(of: "imgdl-x") == installed)
    try FileSystem.replace(scratch.path + "/bin/imgdl-x", with: "", mode: 0o755)
    #expect(try locator.path(of: "imgdl-x") == scratch.path + "/bin/imgdl-x")
  }

  @Test("a path that is missing, not executable or a folder is an error that lists the places")
  func errors() throws {
    let scratch = try ScratchFolder()
    try FileSystem.replace(scratch.path + "/imgdl-x", with: "", mode: 0o644)
    try FileSystem.makeFolders(scratch.path + "/imgdl-y")
    let locator = HelperLocator(
      explicit: nil, searching: ["/nowhere"], executable: scratch.path + "/imgdl-cli")
    for name in ["imgdl-x", "imgdl-y"] {
      let error = try #require(throws: WorkerError.self) { try locator.path(of: name) }
      #expect(error.code == .notFound)
      #expect(error.description.contains("/nowhere, \(scratch.path), "))
    }
  }

  @Test("a folder that the user names is the only one searched")
  func explicit() {
    #expect(HelperLocator(explicit: "/x", searching: ["/y"]).folders == ["/x"])
    #expect(HelperLocator(explicit: "", searching: ["/y"], executable: nil).folders == ["/y"])
  }
}
