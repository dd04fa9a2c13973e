import SystemCalls
import Testing

/// Programs that are started in unusual environments.
@Suite struct OddStartTests {
  @Test(
    "closed standard streams do not become files of the library",
    arguments: ["<&- >&- 2>&-", "<&-", ">&-", "2>&-"])
  func closedStreams(closing: String) async throws {
    try await Rig.run { rig in
      let list = try rig.write(
        "l.txt", try rig.serveImages("p", 3).joined(separator: "\n"))
      let ending = try await rig.shell(
        """
        imgdl-cli add \(list) \(closing); imgdl-cli add none.json \(closing)
        imgdl-cli verify --read-data; echo "verify: $?"
        """)
      #expect(ending.output.contains("verify: 0"), "\(ending.output)\(ending.errors)")
      #expect(try await rig.records().map(\.status) == ["Finished"])
    }
  }

  @Test("few descriptors cause fewer simultaneous transfers and a warning, and no failure")
  func fewDescriptors() async throws {
    try await Rig.run { rig in
      let list = try rig.write("l.txt", try rig.serveImages("p", 40).joined(separator: "\n"))
      let workers = "--set rendering.workers=1"
      let few = try await rig.shell("ulimit -n 50; imgdl-cli add -j 16 \(workers) \(list)")
      #expect(few.code == 0, "\(few.errors)")
      #expect(
        few.errors.contains(
          "warning: only 50 file descriptors are allowed (ulimit -n), enough for 2 transfers at the "
            + "same time, not for 16\n"), "\(few.errors)")
      #expect(try await rig.records().map(\.status) == ["Finished"])
      let none = try await rig.shell("ulimit -n 47; imgdl-cli add -j 1 \(workers) \(list)")
      #expect(none.code == 6)
      #expect(
        none.errors
          == "imgdl-cli: only 47 file descriptors are allowed (ulimit -n); 48 are needed\n")
      // A soft limit is raised as far as that is allowed.
      let soft = try await rig.shell("ulimit -Sn 50; imgdl-cli add -j 16 \(list)")
      #expect(soft.code == 0 && !soft.errors.contains("descriptors"), "\(soft.errors)")
    }
  }

  @Test(
    "a program that cannot start threads reports it and exits", arguments: ["add l.txt", "list"])
  func noThreads(words: String) async throws {
    try await Rig.run { rig in
      try rig.write("l.txt", try rig.serveImages("p", 1).joined(separator: "\n"))
      // A stack as large as half of all addresses: the second thread has no place.
      let ending = try await rig.shell(
        "ulimit -s 4000000; ulimit -v 8000000; exec imgdl-cli \(words)")
      #expect(ending.code == 6)
      #expect(
        ending.errors.hasPrefix(
          "imgdl-cli: cannot start 4 threads: the system refuses more than 1 "),
        "\(ending.errors)")
    }
  }

  @Test("a file at the path of the library is an error, and not an empty library")
  func fileAsLibrary() async throws {
    try await Rig.run { rig in
      let file = try rig.write("file", "text")
      for verb in ["list", "show"] {
        let words = verb == "show" ? ["show", "1"] : ["list"]
        let ending = try await rig.imgdl(words + ["-d", file])
        #expect(ending.code == 6 && ending.errors.contains("is not a folder"), "\(ending)")
      }
    }
  }
}
