import RenderMessages
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// The limits of a page, 512 MiB of memory and the seconds of `limits.pageSeconds`, hold for any file.
@Suite("A PDF that needs excessive resources") struct HostilePDFTests {
  struct Explosion: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    /// What the reason says; nil where the page comes out without what it had no memory for.
    let words: String?

    init(_ name: String, _ words: String?, _ bytes: [UInt8]) {
      (testDescription, self.words, self.bytes) = (name, words, bytes)
    }

    static let all = [
      Explosion("in time: forms in forms", "limits.pageSeconds", forms(levels: 12, each: 10)),
      Explosion(
        "in time: groups in groups", "limits.pageSeconds",
        forms(levels: 9, each: 10, "/Group << /S /Transparency /I true /K true >>")),
      Explosion("in time: tiles", "limits.pageSeconds", tiles),
      Explosion("in time: a shading that is drawn again and again", "limits.pageSeconds", shading),
      Explosion("in memory: samples", nil, samples),
    ]

    /// 10 to the power of the levels.
    private static func forms(levels: Int, each count: Int, _ entries: String = "") -> [UInt8] {
      let others = (0..<levels).map { level in
        let isLast = level == levels - 1
        let content =
          isLast ? "0 0 1 rg 0 0 100 100 re f" : String(repeating: "/F Do ", count: count)
        let next = isLast ? "" : "/Resources << /XObject << /F \(6 + level) 0 R >> >>"
        return TestPDF.stream(
          content, "/Type /XObject /Subtype /Form /BBox [0 0 100 100] \(entries) \(next)")
      }
      return TestPDF.page("/F Do", resources: "/XObject << /F 5 0 R >>", others: others)
    }

    private static let tiles = TestPDF.page(
      "/Pattern cs /P scn 0 0 600 600 re f", side: 600, resources: "/Pattern << /P 5 0 R >>",
      others: [
        TestPDF.stream(
          "1 0 0 rg 0 0 0.0005 0.0005 re f",
          "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 2 /BBox [0 0 600 600] "
            + "/XStep 0.001 /YStep 0.001 /Resources << >>")
      ])

    private static let shading = TestPDF.page(
      String(repeating: "/S sh ", count: 2_000), side: 14_400,
      resources: "/Shading << /S 5 0 R >>",
      others: [
        "<< /ShadingType 1 /ColorSpace /DeviceRGB /Matrix [14400 0 0 14400 0 0] /Function 6 0 R >>",
        TestPDF.stream(
          "{ " + String(repeating: "sin exch cos exch ", count: 2_000) + "2 copy mul }",
          "/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]"),
      ])

    /// 81 million numbers of 8 bytes: an unconfined worker takes 640 MiB.
    private static let samples = TestPDF.page(
      "/S sh", resources: "/Shading << /S 5 0 R >>",
      others: [
        "<< /ShadingType 1 /ColorSpace /DeviceGray /Matrix [100 0 0 100 0 0] /Function 6 0 R >>",
        TestPDF.stream(
          "x",
          "/FunctionType 0 /BitsPerSample 8 /Size [9000 9000] /Domain [0 1 0 1] /Range [0 1]"),
      ])
  }

  private static let bound = 512 << 20

  @Test("stays within the limits of a page, which may end its worker", arguments: Explosion.all)
  func explode(_ explosion: Explosion) async throws {
    let helper = try BadHelper("true")
    // The limit of memory is reached at any speed of the machine.
    let renderer = helper.renderer { $0.pageSeconds = explosion.words == nil ? 600 : 1 }
    let hostile = try helper.folder.file("hostile.pdf", explosion.bytes)
    let sound = try helper.folder.file("sound.pdf", TestPDF.page("10 10 80 80 re f"))
    _ = try await renderer.render(RenderJob(path: sound, sides: [16]))
    let worker = try #require(try helper.started.first)
    #expect(Self.limit("Max data size", of: worker) == Self.bound)
    let first = try #require(Self.peak(of: worker))
    let watch = Task { await Self.lastPeak(of: worker) }
    let job = RenderJob(path: hostile, sides: [256])
    if let words = explosion.words {
      let error = await #expect(throws: RenderError.self) { try await renderer.render(job) }
      #expect(error?.code == .worker && error?.detail.contains(words) == true)
    } else {
      #expect(try await renderer.render(job).renditions.count == 1)
    }
    let last = Self.peak(of: worker) ?? 0
    #expect(try await renderer.render(RenderJob(path: sound, sides: [16])).renditions.count == 1)
    #expect(try helper.started.count == (explosion.words == nil ? 1 : 2))
    await renderer.shutdown()
    // What is mapped of the libraries' own files is not counted by the bound, but here.
    let most = max(first, last, await watch.value)
    print("figures: \(explosion.testDescription): \(most >> 20) MiB at most")
    #expect(most < Self.bound + (64 << 20))
  }

  /// Looks until the process is gone.
  @concurrent
  private static func lastPeak(of process: Int32) async -> Int {
    var last = 0
    while let peak = peak(of: process) {
      last = peak
      await Task.yield()
    }
    return last
  }

  /// The most bytes that the process has had in memory at a time; nil when it is gone.
  private static func peak(of process: Int32) -> Int? {
    guard let status = try? FileSystem.contents(of: "/proc/\(process)/status") else { return nil }
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
    return kibibytes.flatMap { Int($0) }.map { $0 << 10 }
  }

  private static func limit(_ name: String, of process: Int32) -> Int? {
    guard let bytes = try? FileSystem.contents(of: "/proc/\(process)/limits") else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(name) }
    return line?.dropFirst(name.count).split(whereSeparator: \.isWhitespace).first.flatMap {
      Int($0)
    }
  }
}
