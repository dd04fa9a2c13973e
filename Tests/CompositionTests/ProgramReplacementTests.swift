import Composition
import SystemCalls
import TestSupport
import Testing

/// When an imgdld whose program was replaced starts the new one.
@Suite struct ProgramReplacementTests {
  private let own = ProgramReplacement.Identity(device: 1, inode: 10)
  private let new = ProgramReplacement.Identity(device: 1, inode: 11)
  private let newest = ProgramReplacement.Identity(device: 1, inode: 12)

  @Test("a new program is started once it was there at two looks, and there is nothing to do")
  func settled() {
    var replacement = ProgramReplacement(own)
    let looks: [(ProgramReplacement.Identity?, isIdle: Bool, expected: Bool)] = [
      (own, true, false), (new, false, false), (new, false, false), (new, true, true),
    ]
    for (found, isIdle, expected) in looks {
      let restarts = replacement.shouldRestart(found, isIdle: isIdle)
      #expect(restarts == expected)
    }
  }

  @Test("a program that has just appeared, that is missing or that is this one is not started")
  func unsettled() {
    var replacement = ProgramReplacement(own)
    for found in [new, nil, new, newest, nil, own, own] {
      let restarts = replacement.shouldRestart(found, isIdle: true)
      #expect(!restarts)
    }
    #expect(!replacement.isNew(own) && !replacement.isNew(nil) && replacement.isNew(new))
  }

  @Test("a program that does not start is not tried again, but the next one is")
  func refused() {
    var replacement = ProgramReplacement(own)
    _ = replacement.shouldRestart(new, isIdle: true)
    replacement.refuse(new)
    let restarts = [new, newest, newest].map { replacement.shouldRestart($0, isIdle: true) }
    #expect(restarts == [false, false, true])
  }

  @Test("a file is another one when it was replaced, and nothing when it cannot be started")
  func identities() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/program"
    let program = ProgramFile(path)
    #expect(await program.identity() == nil)
    try write("exit 0", to: path)
    let first = await program.identity()
    #expect(first != nil)
    #expect(await program.identity() == first)
    #expect(await program.refusal() == nil)
    // The first one keeps its number, as that of a running program does.
    let kept = try FileSystem.open(path)
    try write("exit 1", to: path)
    #expect(await program.identity() != first)
    #expect(await program.refusal() == "\(path) --version fails")
    kept.close()
  }

  private func write(_ line: String, to path: String) throws {
    try FileSystem.replace(path, with: "#!/bin/sh\n\(line)\n", mode: 0o755)
  }
}
