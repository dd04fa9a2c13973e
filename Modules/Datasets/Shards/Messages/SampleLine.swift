import JSON

/// A line of the driver for one sample.
public struct SampleLine: Sendable, Equatable {
  public let index: Int
  /// The URL as it is written; nil for a row without one.
  public let url: String?
  public let caption: String?
  /// The expected hash in hexadecimal digits.
  public let hash: String?
  /// The columns of the row as a JSON object in ASCII without blanks; empty if there are none. A tree, or the form of
  /// the file, may take a hundred times as much memory, and up to ``ShardMachine/Limits/window`` lines are in memory.
  public let columns: [UInt8]

  /// Parses a line.
  /// - Parameter index: The index of the sample, which the line repeats.
  public init(line: [UInt8], index: Int) throws(ShardError) {
    var (stated, url, caption, hash): (Int?, String?, String?, String?)
    var columns = JSONWriter(isASCII: true)
    for member in try JSONValue.members(ofLine: line) {
      switch member.name {
      case "i": stated = member.value.integer
      case "url": url = try member.value.unlessNull?.string()
      case "txt": caption = try member.value.unlessNull?.string()
      case "hash": hash = try member.value.unlessNull?.string()
      case "meta":
        guard case .object = member.value else { throw .malformed("meta is not an object") }
        guard columns.bytes.isEmpty else { throw .malformed("meta is stated twice") }
        columns.write(member.value)
      default: throw .malformed("a sample has the unknown member \(member.name)")
      }
    }
    guard stated == index else {
      throw .malformed("a sample has the index \(stated.map { "\($0)" } ?? "null")")
    }
    (self.index, self.url, self.caption, self.hash, self.columns) = (
      index, url, caption, hash, columns.bytes
    )
  }
}
