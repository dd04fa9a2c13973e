import TestSupport

@testable import Engine

/// A long file, to be stopped in the middle.
enum LongFile {
  static let url = "http://h/big.bin"
  static let bytes: [UInt8] = {
    var random = SeededGenerator(seed: 11)
    return [0, 1, 2, 3] + random.bytes(400_000)
  }()

  /// Held after 100,000 bytes of the first request for it.
  static func serve(_ lab: Lab, _ gate: Gate, tag: String? = "\"v1\"") {
    let file = FakeAnswer.file(bytes, tag: tag)
    lab.web.serve(url, file.held(by: gate, after: 100_000), file)
  }
}
