import RenderMessages
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("A layer of the sandbox that cannot be applied") struct SandboxRequiredTests {
  /// The worker may not raise this limit, so that the layer `limits` fails.
  private static let lowers = """
    ulimit -v 1500000
    real="$(sed -n '$s/^exec "\\(.*\\)" "$@"$/\\1/p' "$0")"
    if [ "$(id -u)" = 0 ]; then exec setpriv --bounding-set=-sys_resource "$real" "$@"; fi
    exec "$real" "$@"
    """

  @Test("is told once, and the picture is drawn all the same")
  func warning() async throws {
    let helper = try BadHelper(Self.lowers, untilSound: true)
    let renderer = helper.renderer()
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    let told = Gate()
    SandboxWarnings.install { if $0.contains("layer limits") { told.open() } }
    #expect(try await renderer.probe(path).width == 4)
    try await told.pass()
    await renderer.shutdown()
  }

  @Test("is an error where the setting says so")
  func required() async throws {
    let helper = try BadHelper(Self.lowers, untilSound: true)
    let renderer = helper.renderer { $0.sandbox = .required }
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    let error = await #expect(throws: RenderError.self) { try await renderer.probe(path) }
    #expect(error?.code == .worker)
    #expect(error?.detail.contains("layer limits") == true, "\(error?.detail ?? "")")
    #expect(error?.detail.contains("sandbox.required") == true)
    await renderer.shutdown()
    // With all layers it is as without the setting. The first pool may already have started the
    // successor of its worker, without the layer: this takes another pool.
    _ = try helper.folder.file("sound", [])
    let confined = helper.renderer { $0.sandbox = .required }
    #expect(try await confined.probe(path).width == 4)
    await confined.shutdown()
  }

  @Test("is read from what a worker said, and nothing else is")
  func parsing() {
    let layer = MissingLayer("landlock", "this kernel has no Landlock (not (really) there)")
    #expect(MissingLayer.all(in: "a | \(layer.line) | b") == [layer])
    #expect(MissingLayer.all(in: "a | landlock | ") == [])
  }
}
