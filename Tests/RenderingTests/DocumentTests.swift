import Models
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

/// P3 to P6: documents that are long, odd, curious or huge.
@Suite("Documents") struct DocumentTests {
  /// A PDF whose objects are given, numbered from 1; the first is the catalogue.
  static func pdf(_ objects: [String]) -> [UInt8] {
    var text = "%PDF-1.5\n"
    for (index, object) in objects.enumerated() {
      text += "\(index + 1) 0 obj \(object) endobj\n"
    }
    return Array((text + "trailer << /Root 1 0 R /Size \(objects.count + 1) >>\n").utf8)
  }

  static func page(_ rest: String, content: String = "0.5 g 0 0 50 50 re f") -> [UInt8] {
    pdf([
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /Contents 4 0 R \(rest) >>",
      "<< /Length \(content.utf8.count) >> stream\n\(content)\nendstream",
    ])
  }

  private func render(
    _ bytes: [UInt8], page: Int = 0, _ change: (inout WorkerPoolConfiguration) -> Void = { _ in }
  ) async throws -> Result<RenderResult, RenderError> {
    var configuration = WorkerPoolConfiguration.test(workers: 1)
    change(&configuration)
    let renderer = WorkerPoolRenderer(configuration)
    let folder = try ScratchFolder()
    let path = try folder.file("a.pdf", bytes)
    var outcome: Result<RenderResult, RenderError>
    do throws(RenderError) {
      outcome = .success(
        try await renderer.render(RenderJob(path: path, page: page, sides: [100])))
    } catch {
      outcome = .failure(error)
    }
    await renderer.shutdown()
    return outcome
  }

  @Test("of many pages open at any page, and as many are shown as the limit permits")
  func manyPages() async throws {
    let count = 10_000
    let kids = (0..<count).map { "\($0 + 3) 0 R" }.joined(separator: " ")
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 60 80] >>"
    let bytes = Self.pdf(
      [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [\(kids)] /Count \(count) >>",
      ]
        + Array(repeating: page, count: count))
    let limited = try await render(bytes).get()
    #expect(limited.info.pageCount == 2_000)
    #expect(
      limited.remark
        == "the file has 10000 pages, of which the first 2000 are shown (limits.pdfPages)")
    for number in [0, count - 1] {
      let drawn = try await render(bytes, page: number) { $0.limits.pages = count }
      #expect(try drawn.get().info.pageCount == count)
      #expect(try drawn.get().renditions.first?.height == 100)
    }
  }

  @Test(
    "with a box that cannot be are drawn all the same, or refused with a reason",
    arguments: [
      "", "/MediaBox [0 0 0 0]", "/MediaBox [0 0 -100 -50]", "/MediaBox [0 0 14400000 14400000]",
      "/MediaBox [0 0 1e30 1e30]", "/MediaBox [0 0 nan nan]", "/MediaBox [100 100 0 0]",
      "/MediaBox [0 0 100]", "/MediaBox (text)", "/MediaBox [0 0 100 1e-9]",
      "/MediaBox [0 0 100000 1]", "/MediaBox [0 0 100 100] /CropBox [200 200 300 300]",
      "/MediaBox [0 0 100 100] /UserUnit 1e9", "/MediaBox [0 0 100 100] /Rotate 91",
    ])
  func boxes(_ box: String) async throws {
    switch try await render(Self.page(box)) {
    case .success(let result):
      let rendition = try #require(result.renditions.first)
      #expect((1...100).contains(rendition.width) && (1...100).contains(rendition.height))
    case .failure(let error):
      #expect(error.code == .damaged || error.code == .limit, "\(error)")
    }
  }

  @Test("that want to run, open or fetch something are pictures and nothing else")
  func curious() async throws {
    let folder = try ScratchFolder()
    let trap = folder.path + "/trap"
    for action in [
      "<< /S /JavaScript /JS (app.launchURL\\(\"file://\(trap)\"\\)) >>",
      "<< /S /Launch /F (/usr/bin/touch) /Win << /F (touch) /P (\(trap)) >> >>",
      "<< /S /URI /URI (http://127.0.0.1:9/) >>",
      "<< /S /GoToR /F (\(trap)) /D [0 /Fit] >>", "<< /S /ImportData /F (/etc/passwd) >>",
    ] {
      let bytes = Self.pdf([
        "<< /Type /Catalog /Pages 2 0 R /OpenAction 5 0 R /AA << /WC 5 0 R >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 50 50] /AA << /O 5 0 R >> /Resources "
          + "<< /XObject << /X 4 0 R >> >> >>",
        "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /F (/etc/passwd) /Length 0 >> "
          + "stream\n\nendstream", action,
      ])
      _ = try await render(bytes).get()
    }
    #expect(!FileSystem.exists(trap))
  }

  @Test("with endless or recursive contents end at most a worker")
  func bombs() async throws {
    // A form that draws itself ten times.
    let form = String(repeating: "/X Do ", count: 10)
    let recursion = Self.pdf([
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 50 50] /Contents 5 0 R /Resources "
        + "<< /XObject << /X 4 0 R >> >> >>",
      "<< /Type /XObject /Subtype /Form /BBox [0 0 50 50] /Resources << /XObject << /X 4 0 R >> >> "
        + "/Length \(form.utf8.count) >> stream\n\(form)\nendstream",
      "<< /Length \(form.utf8.count) >> stream\n\(form)\nendstream",
    ])
    // Pages that are their own parents.
    let loop = Self.pdf([
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>",
    ])
    // Curves without end, for two seconds of a page's time.
    let curves = String(
      repeating: "0 0 m 1e4 9e9 -1e9 1e4 50 50 c 30 w 9 9 9 9 9 9 c S ", count: 50_000)
    for bytes in [recursion, loop, Self.page("/MediaBox [0 0 50 50]", content: curves)] {
      let outcome = try await render(bytes) { $0.pageSeconds = 2 }
      if case .failure(let error) = outcome {
        #expect([.damaged, .worker, .limit].contains(error.code), "\(error)")
      }
    }
  }
}
