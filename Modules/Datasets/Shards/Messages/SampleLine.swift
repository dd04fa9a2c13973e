public import JSON

/// A line of the driver for one sample.
public struct SampleLine: Sendable {
  public let index: Int
  /// The URL as it is written; nil for a row without one.
  public let url: String?
  public let caption: String?
  /// The expected hash in hexadecimal digits.
  public let hash: String?
  /// The beginning of the JSON file of the sample: an open object with the columns of the row. It takes less memory than
  /// a tree, and up to ``ShardMachine/Limits/window`` lines are in memory.
  public let columns: JSONWriter

  /// Parses a line.
  /// - Parameter index: The index of the sample, which the line repeats.
  public init(line: [UInt8], index: Int) throws(ShardError) {
    var (stated, url, caption, hash): (Int?, String?, String?, String?)
    // The form is that of Python's `json.dumps(…, indent=4)`.
    var columns = JSONWriter(isASCII: true, indentation: 4)
    columns.write(.beginObject)
    for member in try JSONValue.members(ofLine: line) {
      switch member.name {
      case "i": stated = member.value.integer
      case "url": url = try member.value.unlessNull?.string()
      case "txt": caption = try member.value.unlessNull?.string()
      case "hash": hash = try member.value.unlessNull?.string()
      case "meta":
        guard case .object(let members) = member.value else {
          throw .malformed("meta is not an object")
        }
        for column in members { columns.write(column) }
      default: throw .malformed("a sample has the unknown member \(member.name)")
      }
    }
    guard stated == index else {
      throw .malformed("a sample has the index \(stated.map { "\($0)" } ?? "null")")
    }
    (self.index, self.url, self.caption, self.hash, self.columns) = (
      index, url, caption, hash, columns
    )
  }
}
