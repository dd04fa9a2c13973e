import Models
import RenderMessages
import Rendering
import TestSupport
import Testing
import WorkerProcess

/// An answer that a worker might give to a job with sides of 16 pixels for a PNG of 40 × 30, in which
/// one field is not true.
struct Lie: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let frame: Frame
  /// The message of the program has these words.
  let words: String

  private init(_ name: String, _ words: String, _ reply: RenderReply) {
    (testDescription, self.words, frame) = (name, words, reply.frame())
  }

  private init(_ name: String, _ words: String, _ info: DocumentInfo, _ rendition: Rendition) {
    self.init(name, words, .result(RenderResult(info: info, renditions: [rendition])))
  }

  static let limits = RenderLimits(side: 20_000, pixels: 1_000_000, pages: 2_000)
  static let truth = DocumentInfo(format: .png, width: 40, height: 30)
  static let picture = rendition()

  /// - Parameter claimed: width and height that the message says; the bytes are of 16 × 12.
  private static func rendition(
    _ format: ResourceFormat = .png, claimed: (Int, Int) = (16, 12), bytes: [UInt8]? = nil
  ) -> Rendition {
    Rendition(
      format: format, width: claimed.0, height: claimed.1,
      bytes: bytes ?? TestPicture.png(width: 16, height: 12))
  }

  private static func info(
    _ format: ResourceFormat = .png, _ width: Int = 40, _ height: Int = 30, pages: Int = 1
  ) -> DocumentInfo {
    DocumentInfo(format: format, width: width, height: height, pageCount: pages)
  }

  private static let html = Array("<html><body>".utf8)

  static let all: [Lie] =
    [Int.max, 20_000_000, 2, 0, -1, Int.min].map {
      Lie("\($0) pages", "pages", info(pages: $0), picture)
    }
    + [(0, 30), (40, -30), (Int.max, 30), (40, Int.max), (1_000_001, 1), (Int.min, Int.min)].map {
      Lie("a file of \($0.0) × \($0.1)", "an image of", info(.png, $0.0, $0.1), picture)
    }
    + [
      Lie("more pixels than allowed", "limits.imagePixels", info(.png, 10_000, 10_000), picture),
      Lie("a longer side than allowed", "limits.imageSide", info(.png, 20_001, 1), picture),
      Lie("another format", "a file that is png", info(.jpeg), picture),
      Lie("a document", "a file that is png", info(.pdf, pages: 2_000), picture),
    ]
    + [(17, 12), (0, 0), (-16, -12), (Int.max, Int.max)].map {
      Lie("a thumbnail of \($0.0) × \($0.1)", "an image of", truth, rendition(claimed: $0))
    }
    + [(16, 11), (12, 16), (1, 1)].map {
      Lie(
        "a thumbnail whose header says another size than \($0.0) × \($0.1)", "of the stated size",
        truth,
        rendition(claimed: $0))
    }
    + [
      Lie("a thumbnail in pixels", "not a bmp", truth, rendition(.bmp)),
      Lie("a thumbnail of another format", "not a jpeg", truth, rendition(.jpeg)),
      Lie("a thumbnail of a format that is never made", "not a gif", truth, rendition(.gif)),
      Lie("a thumbnail that is a page", "not a jpeg", truth, rendition(.jpeg, bytes: html)),
      Lie("a thumbnail without bytes", "not a png", truth, rendition(bytes: [])),
      Lie(
        "a thumbnail whose header is cut", "not a png", truth,
        rendition(bytes: Array(TestPicture.png(width: 16, height: 12).prefix(23)))),
      Lie(
        "no thumbnail", "0 images", .result(RenderResult(info: truth, renditions: []))),
      Lie(
        "two thumbnails", "2 images",
        .result(RenderResult(info: truth, renditions: [picture, picture]))),
      Lie("that the job was cancelled", "unknown kind", .failure(RenderError(.cancelled, "x"))),
      Lie("that the worker failed", "unknown kind", .failure(RenderError(.worker, "x"))),
      Lie("that it needs all memory", "memory", .large(Int.max)),
    ]
}
