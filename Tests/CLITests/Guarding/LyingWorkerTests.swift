import Archive
import ArchiveMessages
import Models
import RenderMessages
import Rendering
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// A worker that a file has taken over answers `imgdl-cli` with what is not true: that costs the one
/// resource, and the worker.
@Suite struct LyingWorkerTests {
  struct Lie: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let program: String
    let answer: [UInt8]

    private init(_ name: String, _ program: String, _ answer: [UInt8]) {
      (testDescription, self.program, self.answer) = (name, program, answer)
    }

    /// Of a picture of 8 × 8.
    private init(_ name: String, _ info: DocumentInfo, _ rendition: Rendition) {
      let reply = RenderReply.result(RenderResult(info: info, renditions: [rendition]))
      self.init(name, "imgdl-render", reply.frame().wireBytes)
    }

    private init(archive name: String, _ events: UnpackEvent...) {
      self.init(name, "imgdl-unpack", events.flatMap(\.frame.wireBytes))
    }

    private static let truth = DocumentInfo(format: .png, width: 8, height: 8)
    private static let thumbnail = Rendition(
      format: .png, width: 8, height: 8, bytes: Sample.image(1))
    private static let entry = UnpackEvent.entry(
      name: "../../a.png", kind: .file, isEncrypted: false, compressedSize: 4,
      uncompressedSize: 4)

    static let all = [
      Lie("two thousand million pages", truth.with(pages: 2_000_000_000), thumbnail),
      Lie("a larger picture", DocumentInfo(format: .png, width: .max, height: 8), thumbnail),
      Lie("another format", DocumentInfo(format: .jpeg, width: 8, height: 8), thumbnail),
      Lie(
        "a web page as a thumbnail", truth,
        Rendition(format: .jpeg, width: 8, height: 8, bytes: Array("<html>".utf8))),
      Lie("all of the memory", "imgdl-render", RenderReply.large(.max).frame().wireBytes),
      Lie("a message of no kind", "imgdl-render", Frame(kind: 250, payload: [1]).wireBytes),
      Lie("a message without end", "imgdl-render", [255, 255, 255, 255, 2, 0]),
      Lie("a message with descriptors", "imgdl-render", [1, 0, 0, 0, 2, 4, 1]),
      Lie(archive: "data before an entry", .data([1, 2, 3])),
      Lie(archive: "an entry in an entry", entry, entry),
      Lie(archive: "the end of an entry that was not begun", .endEntry),
    ]
  }

  @Test("fails that resource with a reason, and the others finish: exit 1", arguments: Lie.all)
  func lie(_ lie: Lie) async throws {
    try await Rig.run { rig in
      let helpers = try Self.makeHelpers(rig, lie)
      let pictures = try rig.serveImages("a", 3)
      let isArchive = lie.program == "imgdl-unpack"
      // Pictures in archives are drawn, too: a lie about one of them would cost its archive.
      let archives = try (isArchive ? [1, 2] : []).map { number in
        try rig.serve(
          "b-\(number).zip",
          ZipBuilder([.stored("\(number).png", Sample.image(9 + number))]).build())
      }
      let list = try rig.write("list.txt", (pictures + archives).joined(separator: "\n"))
      let ending = try await rig.imgdl(
        "add", list, "--set", "rendering.workers=1", "--set", "rendering.thumbnailSide=16",
        environment: ["IMGDL_HELPERS": helpers])
      #expect(ending.code == 1, "\(ending.errors)")
      #expect(FileSystem.exists(helpers + "/lied"))
      let resources = try await rig.resources()
      let failed = resources.filter { $0.status == "failed" }
      #expect(
        failed.count == 1 && resources.count == pictures.count + archives.count, "\(ending.errors)")
      #expect(resources.allSatisfy { ["failed", "finished"].contains($0.status) })
      #expect(failed.allSatisfy { $0.url.hasSuffix(isArchive ? ".zip" : ".png") })
      #expect(failed.first?.reason?.isEmpty == false)
      // The file is what the server sent, and nothing has left its place.
      try await rig.expectOriginals()
      #expect(try FileSystem.list(rig.library).map(\.name).sorted() == [".imgdl", "list"])
      // With a worker that does not lie it is made up for.
      #expect(try await rig.imgdl("retry").code == 0)
      #expect(try await rig.resources().allSatisfy { $0.status == "finished" })
    }
  }

  /// A folder of helper programs, one of which answers its first question by the lie.
  private static func makeHelpers(_ rig: Rig, _ lie: Lie) throws -> String {
    let folder = rig.root + "/helpers"
    try FileSystem.makeFolders(folder)
    for name in ["imgdl-render", "imgdl-unpack"] {
      let real = try HelperLocator().path(of: name)
      let behaviour = """
        if mkdir "\(folder)/lied" 2>/dev/null; then
        dd bs=1 count=1 <&3 >/dev/null 2>&1
        cat "\(folder)/answer" >&3
        exec sleep 1000
        fi
        """
      let script = """
        #!/bin/sh
        [ "$1" != --decoders ] || exec "\(real)" "$@"
        \(name == lie.program ? behaviour : "")
        exec "\(real)" "$@"
        """
      try ShellScript.write(script, to: "\(folder)/\(name)")
    }
    try FileSystem.replace(folder + "/answer", with: lie.answer.span.bytes, syncing: false)
    return folder
  }
}

extension DocumentInfo {
  fileprivate func with(pages: Int) -> DocumentInfo {
    DocumentInfo(format: format, width: width, height: height, pageCount: pages)
  }
}
