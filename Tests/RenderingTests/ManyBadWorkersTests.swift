import Glibc
import Models
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

/// M10: a worker that is killed, hangs, lies or talks nonsense costs one call, however often.
@Suite("Workers that go wrong again and again") struct ManyBadWorkersTests {
  /// Each start does one of these, by its process number. After the first byte of a question,
  /// unless it does not even read.
  private static let behaviours = [
    "kill -9 $$", "kill -SEGV $$", "exec sleep 1000", "exit 0",
    "printf nonsensenonsense >&3; exec sleep 1000",
    // 4 GiB are said to follow.
    "printf '\\377\\377\\377\\377\\002\\000' >&3; exec sleep 1000",
    // An answer of a kind that there is not.
    "printf '\\000\\000\\000\\000\\143\\000' >&3; exec sleep 1000",
    // A picture of 1 × 1 that was not asked for, in memory that nobody wrote to.
    "printf '\\066\\000\\000\\000\\002\\000\\003\\000\\000\\000png' >&3; exec sleep 1000",
    "head -c 100000 /dev/zero >&2; exit 3",
  ]

  @Test("cost one call each; the program lives, leaks nothing, and the next sound one works")
  func again() async throws {
    let count = Machine.environment("IMGDL_LONG") == nil ? 54 : 1_000
    let cases = Self.behaviours.enumerated().map { "\($0.offset)) \($0.element) ;;" }
    let helper = try BadHelper(
      "dd bs=1 count=1 <&3 >/dev/null 2>&1\n"
        + "case $(( $$ % \(Self.behaviours.count) )) in\n\(cases.joined(separator: "\n"))\nesac",
      untilSound: true)
    let renderer = helper.renderer { configuration in
      configuration.imageSeconds = 0.25
      configuration.workers = 2
    }
    let path = try helper.folder.file("a.png", TestPicture.png(width: 40, height: 30))
    let before = try FileSystem.list("/proc/self/fd").count
    await withTaskGroup(of: RenderError?.self) { group in
      for index in 0..<count {
        group.addTask {
          do throws(RenderError) {
            if index % 2 == 0 {
              _ = try await renderer.probe(path)
            } else {
              _ = try await renderer.render(RenderJob(path: path, sides: [16]))
            }
            return nil
          } catch {
            return error
          }
        }
      }
      for await error in group {
        #expect(error?.code == .worker, "\(error?.detail ?? "it worked")")
      }
    }
    _ = try helper.folder.file("sound", [])
    // One that was started before is still of the bad kind.
    for _ in 0..<4 { _ = try? await renderer.probe(path) }
    let result = try await renderer.render(RenderJob(path: path, sides: [16]))
    #expect(result.renditions.first?.width == 16)
    await renderer.shutdown()
    // Other tests open files and connections meanwhile.
    #expect(try FileSystem.list("/proc/self/fd").count < before + 700)
    for process in try helper.started { #expect(kill(process, 0) == -1) }
  }
}
