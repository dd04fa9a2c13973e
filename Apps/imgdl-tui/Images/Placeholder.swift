import Models
import Rendering
import Terminal

extension Image {
  /// Creates the blurred image that is shown until the thumbnail is loaded. Returns nil for a hash without pixels.
  ///
  /// A terminal enlarges it, so that 16 pixels on the longest side suffice: they need a kilobyte on the wire.
  init?(placeholder hash: ThumbHash) {
    let (width, height, pixels) = hash.pixels(side: 16)
    self.init(width: width, height: height, format: .rgba, pixels: pixels)
  }
}
