/// A line of the driver for one sample.
public struct SampleLine: Sendable, Equatable {
  public let index: Int
  /// The URL as it is written; nil for a row without one.
  public let url: String?
  public let caption: String?
  /// The expected hash in hexadecimal digits.
  public let hash: String?
  /// The columns of the row as a JSON object, as they are written; empty if there are none.
  public let columns: [UInt8]

  /// Parses a line.
  /// - Parameter index: The index of the sample, which the line repeats.
  public init(line: [UInt8], index: Int) throws(ShardError) {
    // The columns are copied into the tar file as they are written.
    guard String(validating: line, as: UTF8.self) != nil else {
      throw .malformed("a sample's line is not UTF-8")
    }
    var scanner = JSONScanner(line)
    var (stated, url, caption, hash): (Int?, String?, String?, String?)
    var columns: [UInt8] = []
    try scanner.object { (scanner, name) throws(ShardError) in
      switch name {
      case "i": stated = try scanner.integer()
      case "url": url = scanner.skipNull() ? nil : try scanner.string()
      case "txt": caption = scanner.skipNull() ? nil : try scanner.string()
      case "hash": hash = scanner.skipNull() ? nil : try scanner.string()
      case "meta":
        guard scanner.peek() == UInt8(ascii: "{") else {
          throw .malformed("meta is not an object")
        }
        columns = Array(scanner.slice(try scanner.value()))
      default: throw .malformed("a sample has the unknown member \(name)")
      }
    }
    try scanner.end()
    guard stated == index else {
      throw .malformed("a sample has the index \(stated.map { "\($0)" } ?? "null")")
    }
    (self.index, self.url, self.caption, self.hash, self.columns) = (
      index, url, caption, hash, columns
    )
  }
}
