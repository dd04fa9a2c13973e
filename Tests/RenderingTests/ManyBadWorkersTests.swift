import Glibc
import Models
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

/// M10: a worker that is killed, hangs, lies or talks nonsense costs one call, however often.
@Suite("Workers that go wrong again and again", .serialized) struct ManyBadWorkersTests {
  /// What a worker does in the middle of its first job.
  struct Behaviour: CustomTestStringConvertible {
    let testDescription: String
    let script: String

    init(_ name: String, _ script: String) { (testDescription, self.script) = (name, script) }
  }

  private static let waits = "exec sleep 1000"

  private static let sendsPicture: String = {
    let png = "\\003\\000\\000\\000png"
    let one = "\\001" + String(repeating: "\\000", count: 7)
    let none = String(repeating: "\\000", count: 4)
    return "printf '\\100\\000\\000\\000\\002\\000\(png)\(one)\(one)\(one)\\000\\000"
      + "\\001\\000\\000\\000\(png)\(one)\(one)\(none)' >&3"
  }()

  private static func wants(_ size: String) -> String {
    "printf '\\010\\000\\000\\000\\004\\000\(size)' >&3"
  }

  static let behaviours = [
    Behaviour("is killed", "kill -9 $$"), Behaviour("crashes", "kill -SEGV $$"),
    Behaviour("hangs", waits), Behaviour("ends", "exit 0"),
    Behaviour("complains without end", "head -c 100000 /dev/zero >&2; exit 3"),
    Behaviour("sends nonsense", "printf nonsensenonsense >&3; \(waits)"),
    Behaviour(
      "says that 4 GiB will follow", "printf '\\377\\377\\377\\377\\002\\000' >&3; \(waits)"),
    Behaviour(
      "sends an answer of a kind that there is not",
      "printf '\\000\\000\\000\\000\\143\\000' >&3; \(waits)"),
    Behaviour(
      "sends half an answer",
      "printf '\\066\\000\\000\\000\\002\\000\\003\\000\\000\\000png' >&3; \(waits)"),
    // Of 1 × 1, without bytes.
    Behaviour("sends a picture that was not asked for", "\(sendsPicture); \(waits)"),
    Behaviour("sends two answers", "\(sendsPicture); \(sendsPicture); \(waits)"),
    Behaviour("wants all memory", "\(wants("\\377\\377\\377\\377\\377\\377\\377\\177")); \(waits)"),
    Behaviour(
      "wants memory and hangs", "\(wants("\\020\\000\\000\\000\\000\\000\\000\\000")); \(waits)"),
  ]

  private static let isLong = Machine.environment("IMGDL_LONG") != nil
  private static let count = isLong ? 1_000 : 6

  @Test(
    "fail one call each; the program continues, leaks nothing, and the next intact one works",
    arguments: behaviours)
  func again(_ behaviour: Behaviour) async throws {
    let helper = try BadHelper(
      "dd bs=1 count=1 <&3 >/dev/null 2>&1\n\(behaviour.script)", untilSound: true)
    let renderer = helper.renderer { configuration in
      configuration.imageSeconds = 0.05
      configuration.workers = 2
    }
    let path = try helper.folder.file("a.png", TestPicture.png(width: 40, height: 30))
    let before = try HungUpDescriptors.count
    let failures = await failures(of: renderer, path)
    #expect(failures.count == Self.count)
    for error in failures { #expect(error.code == .worker, "\(error.detail)") }
    _ = try helper.folder.file("sound", [])
    // One that was started before is still of the bad kind.
    for _ in 0..<4 { _ = try? await renderer.probe(path) }
    let result = try await renderer.render(RenderJob(path: path, sides: [16]))
    #expect(result.renditions.first?.width == 16)
    await renderer.shutdown()
    // Only the long run starts more workers than the other tests of the process have closed connections.
    if Self.isLong { #expect(try HungUpDescriptors.count < before + Self.count / 2) }
    let started = try helper.started
    for process in started { #expect(!isOurs(process)) }
    print(
      "figures: a worker that \(behaviour.testDescription): \(failures.count) calls failed, "
        + "\(started.count) processes came and went")
  }

  /// Whether a process is there that we have started: its number may be somebody else's by now.
  private func isOurs(_ process: Int32) -> Bool {
    guard let bytes = try? FileSystem.contents(of: "/proc/\(process)/stat") else { return false }
    // Behind the name, which may hold anything: state and parent (proc(5)).
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
      .split(separator: " ")
    return fields?.dropFirst().first == "\(getpid())"
  }

  /// What `count` calls at the same time come to: half of them probe, half want a picture.
  private func failures(of renderer: WorkerPoolRenderer, _ path: String) async -> [RenderError] {
    await withTaskGroup(of: RenderError?.self) { group in
      for index in 0..<Self.count {
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
      return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
    }
  }
}
