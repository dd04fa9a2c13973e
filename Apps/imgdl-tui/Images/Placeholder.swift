import Models
import Rendering
import Terminal

extension Image {
  /// Creates the blurred image that is shown until the thumbnail is loaded; nil for a hash without pixels.
  ///
  /// The longest side has 16 pixels, which the terminal enlarges, so that the image takes one kilobyte.
  init?(placeholder hash: ThumbHash) {
    let (width, height, pixels) = hash.pixels(side: 16)
    self.init(width: width, height: height, format: .rgba, pixels: pixels)
  }
}
