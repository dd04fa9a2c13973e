import Models
import Rendering
import RenderingSandbox
import TestSupport
import Testing

/// A picture as the workers hand it over: header and pixels.
struct Shown {
  let info: DocumentInfo
  let pixels: PixelRendition
  /// Why that is only a part of it.
  let damage: RenderError?
  /// What is unusual about a file that is complete.
  let remark: String?

  /// - Parameter side: of the picture; a smaller one stays as it is.
  /// - Parameter decoder: the setting `adapters.decoder`.
  init(_ bytes: [UInt8], side: Int = 256, decoder: String = "auto") async throws {
    var configuration = WorkerPoolConfiguration.test(workers: 1)
    configuration.decoder = decoder
    let renderer = WorkerPoolRenderer(configuration)
    let folder = try ScratchFolder()
    let job = RenderJob(path: try folder.file("picture", bytes), sides: [side], quality: 0)
    let outcome: Result<RenderResult, RenderError>
    do throws(RenderError) {
      outcome = .success(try await renderer.render(job))
    } catch {
      outcome = .failure(error)
    }
    await renderer.shutdown()
    let result = try outcome.get()
    info = result.info
    damage = result.damage
    remark = result.remark
    pixels = try #require(result.renditions.first.flatMap { PixelRendition($0) })
  }

  /// Red, green, blue, alpha.
  func colour(_ x: Int, _ y: Int) -> [UInt8] {
    let start = pixels.pixels.startIndex + (y * pixels.width + x) * 4
    let pixel = Array(pixels.pixels[start..<(start + 4)])
    return [pixel[2], pixel[1], pixel[0], pixel[3]]
  }

  /// Of the middle of each square of 8 × 8 pixels: red, green, blue.
  var squares: [[UInt8]] {
    (0..<(pixels.width / 8)).map { Array(colour($0 * 8 + 4, 4).prefix(3)) }
  }
}

/// How far two colours are apart in the component in which they differ most.
func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  a.count == b.count ? zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0 : 255
}
