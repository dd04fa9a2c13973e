import Foundation
import Glibc
import SystemCalls
import Testing

/// `add --via gallery-dl`, with a script in place of the program.
@Suite struct ViaTests {
  /// Writes a program `gallery-dl`, and returns an environment that finds it.
  private func install(_ script: String, _ rig: Rig) throws -> [String: String] {
    let path = try rig.write("bin/gallery-dl", "#!/bin/sh\n" + script)
    try FileSystem.open(path).setMode(0o755)
    return ["PATH": rig.root + "/bin:/usr/bin:/bin"]
  }

  @Test("the program lists the images of a page, which is its last argument")
  func listing() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("p", 2)
      let environment = try install(
        """
        for word in "$@"; do echo "$word"; done > arguments
        echo note >&2
        echo '[2,{"title":"Work"}]'
        echo '[3,"\(urls[0])",{"filename":"first","extension":"png"}]'
        echo '[3,"\(urls[1])",{}]'
        """, rig)
      let page = "--exec=rm http://h/a b?c=d"
      let ending = try await rig.imgdl(
        ["add", "--via", "gallery-dl", "--", page], environment: environment)
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(
        try await rig.shell("cat arguments").output
          == "-o\noutput.jsonl=false\n-o\noutput.private=true\n-J\n--\n\(page)\n")
      #expect(try await rig.records().map(\.title) == ["Work"])
      #expect(try await rig.resources().map(\.url) == urls)
      #expect(try await rig.resources().first?.file == "Work/0001-first.png")
      #expect(try rig.incoming() == [])
      let preview = try await rig.imgdl(
        ["add", "--via", "gallery-dl", "--dry-run", "http://h/"], environment: environment)
      #expect(
        preview.output == "Work\t\(urls[0])\tname=first.png\nWork\t\(urls[1])\n",
        "\(preview.errors)")
      // The engine does not run gallery-dl, and says what does.
      let refresh = try await rig.imgdl(["refresh", "1"], environment: environment)
      #expect(refresh.code == 3, "\(refresh.errors)")
      #expect(
        refresh.errors.contains("imgdl-cli add --via gallery-dl -- '\(page)'"),
        "\(refresh.errors)")
    }
  }

  @Test(
    "entries that were listed before a failure are added, and the failure is reported",
    arguments: [
      (#"echo '[3,"URL",{}]'"#, "exited with code 4: one | two"),
      (#"printf '[\n  [\n 3, "URL", {}\n  ]\n]\n'"#, "exited with code 4: one | two"),
      (
        #"printf '\357\273\277[[3,"URL",{}]]'"#, "entry 2: gallery-dl exited with code 4: one | two"
      ),
      (#"printf '[[3,"URL",{"a":"]]"}],\n'"#, "gallery-dl exited with code 4: one | two"),
      (#"printf '[[2,{"title":"T"}],[3,"URL",{}],[3,"http://h/'"#, "exited with code 4: one | two"),
      (#"echo '[[3,"URL",{}]]'; echo 'Exception ignored in: [<_io>]'"#, "code 4: one | two"),
      (#"echo '[3,"URL",{}]'; printf '[3,"http'"#, "exited with code 4: one | two"),
    ])
  func partialFailure(script: String, cause: String) async throws {
    try await Rig.run { rig in
      let url = try rig.serveImages("p", 1)[0]
      let environment = try install(
        script.replacing("URL", with: url) + "\necho one >&2; echo two >&2; exit 4", rig)
      let ending = try await rig.imgdl(
        ["add", "--via", "gallery-dl", "http://h/x"], environment: environment)
      #expect(ending.code == 1 && ending.errors.contains(cause), "\(ending.errors)")
      #expect(try await rig.resources().map(\.url) == [url])
    }
  }

  @Test(
    "a program that lists nothing is an error with its last lines",
    arguments: [
      ("echo 'no extractor' >&2; exit 64", "gallery-dl exited with code 64: no extractor"),
      ("seq 9 >&2; exit 1", "code 1: 5 | 6 | 7 | 8 | 9"),
      ("echo '[]'; exit 1", "gallery-dl exited with code 1"), ("true", "gallery-dl found nothing"),
      ("kill -9 $$", "gallery-dl killed by signal 9"),
      ("echo '<html>'", "this is a web page, not a list"),
      (
        #"echo '[-1,{"error":"HttpError","message":"404"}]'"#, "gallery-dl reports HttpError: 404"
      ),
    ])
  func failure(script: String, cause: String) async throws {
    try await Rig.run { rig in
      let environment = try install(script, rig)
      let ending = try await rig.imgdl(
        ["add", "--via", "gallery-dl", "http://h/x"], environment: environment)
      #expect(ending.code == 3 && ending.errors.contains(cause), "\(ending.errors)")
      #expect(ending.errors.contains("http://h/x"))
      #expect(try rig.incoming() == [])
    }
  }

  @Test("a missing program, and options that do not apply, are reported")
  func mistakes() async throws {
    try await Rig.run { rig in
      let bare = ["PATH": rig.root + "/none"]
      let ending = try await rig.imgdl(
        ["add", "--via", "gallery-dl", "http://h/x"], environment: bare)
      #expect(ending.code == 3 && ending.errors.contains("gallery-dl is not installed"))
      let environment = try install("exit 9", rig)
      for words in [["--format", "json", "http://h/"], ["-"], ["-i", "list"]] {
        let ending = try await rig.imgdl(
          ["add", "--via", "gallery-dl"] + words, environment: environment)
        #expect(ending.code == 2 && ending.errors.contains("--via"), "\(ending.errors)")
      }
    }
  }

  @Test("if imgdl-cli is killed, the program ends too", arguments: [SIGKILL, SIGTERM, SIGINT])
  func killed(_ number: Int32) async throws {
    try await Rig.run { rig in
      let environment = try install(
        "exec 9> lock; flock 9; echo $$ > started; exec sleep 1000", rig)
      let program = try rig.start(
        ["add", "--via", "gallery-dl", "http://h/x"], environment: environment)
      let started = rig.root + "/started"
      #expect(await program.waits(for: { FileSystem.exists(started) }))
      program.signal(number)
      let ending = await program.ending(atMost: 10)
      #expect(number == SIGKILL ? ending.signal == SIGKILL : ending.code == 7, "\(ending.errors)")
      // The lock is free when the program has ended.
      #expect(try await rig.shell("flock -w 30 lock echo free").output == "free\n")
    }
  }

  @Test(
    "two interrupts in a row end the program and its children, and one of the messages is printed")
  func interruptedTwice() async throws {
    try await Rig.run { rig in
      let environment = try install(
        "exec 9> lock; flock 9; echo $$ > started; sleep 1000 & wait", rig)
      let started = rig.root + "/started"
      for _ in 0..<10 {
        try? FileSystem.remove(started)
        let program = try rig.start(
          ["add", "--via", "gallery-dl", "http://h/x"], environment: environment)
        #expect(await program.waits(for: { FileSystem.exists(started) }))
        for _ in 0..<2 { program.signal(SIGINT) }
        let ending = await program.ending(atMost: 10)
        #expect(ending.code == 7, "\(ending.errors)")
        #expect(ending.errors.contains("interrupted"), "\(ending.errors)")
        // The lock is free when all processes that the program has started have ended.
        #expect(try await rig.shell("flock -w 30 lock echo free").output == "free\n")
      }
    }
  }

  @Test("a program whose parent has already ended is not started")
  func orphan() async throws {
    try await Rig.run { rig in
      let words = ["/bin/sh", "-c", "echo $0", "x"]
      let orphan = try await rig.imgdl(["--dependent-on", "1"] + words)
      #expect(orphan.code == 127 && orphan.output == "", "\(orphan.output)")
      let child = try await rig.imgdl(["--dependent-on", "\(getpid())"] + words)
      #expect(child.code == 0 && child.output == "x\n", "\(child.errors)")
      let none = try await rig.imgdl(["--dependent-on", "\(getpid())", rig.root + "/none"])
      #expect(none.code == 127 && none.errors.contains("/none"), "\(none.errors)")
    }
  }

  @Test(
    "after an interrupt nothing of the page is added, and nothing else is claimed",
    arguments: [[], ["--dry-run"]])
  func interrupted(options: [String]) async throws {
    try await Rig.run { rig in
      let environment = try install(
        #"echo '[3,"http://h/a.png",{}]'; touch started; exec sleep 1000"#, rig)
      let program = try rig.start(
        ["add", "--via", "gallery-dl"] + options + ["http://h/x"], environment: environment)
      let started = rig.root + "/started"
      #expect(await program.waits(for: { FileSystem.exists(started) }))
      program.signal(SIGINT)
      let ending = await program.ending(atMost: 10)
      #expect(ending.code == 7 && ending.output == "", "\(ending.errors)")
      #expect(
        ending.errors.contains(
          "http://h/x: gallery-dl was interrupted before it had ended; nothing of the page was"),
        "\(ending.errors)")
      #expect(!ending.errors.contains("kept") && !ending.errors.contains("continue"))
      if options.isEmpty { #expect(try await rig.records().isEmpty) }
    }
  }

  @Test("output without end is refused, and the program and its children end")
  func endless() async throws {
    try await Rig.run { rig in
      let environment = try install("exec 9> lock; flock 9; sleep 1000 & yes", rig)
      let ending = try await rig.imgdl(
        ["add", "--set", "limits.resourceBytes=1M", "--via", "gallery-dl", "http://h/x"],
        environment: environment)
      #expect(ending.code == 8, "\(ending.errors)")
      #expect(ending.errors.contains("writes more than limits.resourceBytes"))
      // The lock is free when all processes that the program has started have ended.
      #expect(try await rig.shell("flock -w 30 lock echo free").output == "free\n")
      #expect(try rig.incoming() == [])
    }
  }

  @Test("a truncated list is reported, also if the program ends with success")
  func incomplete() async throws {
    try await Rig.run { rig in
      let url = try rig.serveImages("p", 1)[0]
      let environment = try install(#"printf '[[3,"\#(url)",{}],[3,"http://h'"#, rig)
      let ending = try await rig.imgdl(
        ["add", "--via", "gallery-dl", "http://h/x"], environment: environment)
      #expect(ending.code == 1, "\(ending.errors)")
      #expect(ending.errors.contains("gallery-dl wrote an incomplete list"), "\(ending.errors)")
      #expect(try await rig.resources().map(\.url) == [url])
    }
  }

  @Test("a process that holds the output open after the program has exited is not waited for")
  func heldOutput() async throws {
    try await Rig.run { rig in
      let url = try rig.serveImages("p", 1)[0]
      let environment = try install(
        """
        exec 9> lock; flock 9; sleep 1000 &
        echo '[[3,"\(url)",{}]]'
        """, rig)
      let ending = try await rig.imgdl(
        ["add", "--via", "gallery-dl", "http://h/x"], environment: environment)
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.resources().map(\.url) == [url])
      #expect(try await rig.shell("flock -w 30 lock echo free").output == "free\n")
    }
  }

  @Test("a page with credentials in its URL is refused, and they are neither shown nor kept")
  func credentials() async throws {
    try await Rig.run { rig in
      let environment = try install("echo '[3,\"http://h/1\",{}]'; touch started", rig)
      for page in ["http://user:sekret@h/p", "recursive:https://user:sekret@h/p"] {
        let ending = try await rig.imgdl(
          ["add", "--json", "--via", "gallery-dl", page], environment: environment)
        #expect(ending.code == 3 && ending.errors.contains("credentials"), "\(ending.errors)")
        #expect(ending.errors.contains("***@h/p") && !ending.errors.contains("sekret"))
        #expect(!ending.output.contains("sekret"))
      }
      #expect(try await rig.shell("ls started; grep -r sekret library").output == "")
    }
  }
}
