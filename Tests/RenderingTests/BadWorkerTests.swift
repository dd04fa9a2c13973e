import Glibc
import Models
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("A worker that goes wrong") struct BadWorkerTests {
  /// Waits for the first byte of a job, so that what follows happens in the middle of it.
  private static let readsOneByte = "dd bs=1 count=1 <&3 >/dev/null 2>&1"

  @Test(
    "fails the one call, says how, and the next call succeeds",
    arguments: [
      ("\(readsOneByte); kill -9 $$", "killed by signal 9"),
      ("\(readsOneByte); kill -SEGV $$", "killed by signal 11"),
      ("\(readsOneByte); echo 'free(): invalid pointer' >&2; exit 3", "free(): invalid pointer"),
      ("exit 7", "exited with code 7"),
      ("\(readsOneByte); printf nonsensenonsense >&3; exec sleep 1000", "imgdl-render"),
      // A frame of a sound form whose contents are none.
      (
        "\(readsOneByte); printf '\\001\\000\\000\\000\\002\\000x' >&3; exec sleep 1000",
        "sent a message that is too short"
      ),
    ])
  func oneCallFails(_ behaviour: String, _ words: String) async throws {
    let helper = try BadHelper(behaviour)
    let renderer = helper.renderer()
    let path = try helper.folder.file("a.png", TestPicture.png(width: 40, height: 30))
    let job = RenderJob(path: path, sides: [16])
    let error = await #expect(throws: RenderError.self) { try await renderer.render(job) }
    #expect(error?.code == .worker)
    #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
    let result = try await renderer.render(job)
    #expect(result.renditions.first?.width == 16)
    await renderer.shutdown()
    // Killed and collected: not even a zombie has that number.
    for process in try helper.started { #expect(kill(process, 0) == -1) }
  }

  @Test("is stopped when it waits ten times as long as the setting allows")
  func hangs() async throws {
    let helper = try BadHelper("exec sleep 1000")
    let renderer = helper.renderer { $0.imageSeconds = 0.1 }
    let path = try helper.folder.file("a.png", TestPicture.png(width: 40, height: 30))
    let error = await #expect(throws: RenderError.self) { try await renderer.probe(path) }
    #expect(error?.code == .worker)
    #expect(error?.detail.contains("ten times the time of limits.thumbnailSeconds (0.1 s)") == true)
    await renderer.shutdown()
    for process in try helper.started { #expect(kill(process, 0) == -1) }
  }

  @Test("is killed by a shutdown in the middle of its job")
  func shutdown() async throws {
    let helper = try BadHelper("exec sleep 1000")
    let renderer = helper.renderer()
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    let call = Task { try await renderer.probe(path) }
    while try helper.started.isEmpty { await Task.yield() }
    await renderer.shutdown()
    await #expect(throws: RenderError.self) { try await call.value }
    for process in try helper.started { #expect(kill(process, 0) == -1) }
  }

  @Test("is reported with the searched places if it is missing")
  func missing() async throws {
    let folder = try ScratchFolder()
    let renderer = WorkerPoolRenderer(.test(helpers: HelperLocator(explicit: folder.path)))
    let path = try folder.file("a.png", TestPicture.png(width: 4, height: 3))
    for _ in 0..<3 {
      let error = await #expect(throws: RenderError.self) { try await renderer.probe(path) }
      #expect(error?.code == .worker)
      #expect(error?.detail.contains("imgdl-render is missing") == true)
      #expect(error?.detail.contains(folder.path) == true)
    }
    await renderer.shutdown()
  }

  @Test("leaves a call that came later untouched when it died with nothing to do")
  func idleDeath() async throws {
    let helper = try BadHelper("true")
    let renderer = helper.renderer()
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    _ = try await renderer.probe(path)
    for process in try helper.started {
      kill(process, SIGKILL)
      // Waits for its end and leaves the collecting to the pool.
      var end = siginfo_t()
      waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT)
    }
    #expect(try await renderer.probe(path).width == 4)
    #expect(try helper.started.count == 2)
    await renderer.shutdown()
  }
}
