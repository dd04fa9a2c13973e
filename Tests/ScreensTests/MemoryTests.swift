import Terminal
import Testing

@testable import Screens

@Suite("Memory of windows that become smaller")
struct MemoryTests {
  /// A terminal with pixels, the viewer open, its images decoded.
  private static func stage(_ columns: Int, _ rows: Int) -> Stage {
    var stage = ImagesTests.stage(columns, rows)
    stage.send(
      .terminal(
        .capabilities(
          Capabilities(
            colours: .trueColour, images: .kitty, cellPixels: PixelSize(10, 20)))))
    stage.press("enter")
    decode(&stage)
    return stage
  }

  /// Answers every wish with an image of the side that is asked for.
  private static func decode(_ stage: inout Stage) {
    for case .decode(let order) in stage.takeEffects().suffix(1) {
      for key in order.keys {
        let pixels = [UInt8](repeating: 90, count: key.side * 16 * 3)
        guard let image = Image(width: key.side, height: 16, format: .rgb, pixels: pixels)
        else { continue }
        stage.send(.image(key, .image(image)))
      }
    }
  }

  @Test("pictures that are larger than the window are let go once it rests")
  func images() throws {
    var stage = Self.stage(400, 120)
    let bytes = stage.state.images.bytes
    #expect(bytes > 3_000 * 16 * 3)
    for columns in stride(from: 390, through: 80, by: -10) {
      stage.resize(columns, 24)
      stage.pass(0.02)
    }
    Self.decode(&stage)
    #expect(stage.state.images.bytes > bytes)
    _ = stage.takeEffects()
    stage.pass(0.5)
    #expect(!stage.effects.contains(.releaseMemory))
    stage.pass(1)
    #expect(stage.takeEffects().filter { $0 == .releaseMemory }.count == 1)
    #expect(stage.state.images.bytes < bytes / 2)
    // The image of the small window is still there, and nothing runs any more.
    #expect(stage.state.draw().buffer.placements.count == 1)
    #expect(stage.state.wake == nil)
  }

  @Test("a window that grows gives nothing back, and keeps its pictures")
  func growing() {
    var stage = Self.stage(80, 24)
    let bytes = stage.state.images.bytes
    stage.resize(400, 120)
    stage.pass(3)
    #expect(!stage.effects.contains(.releaseMemory))
    #expect(stage.state.images.bytes >= bytes)
  }
}
