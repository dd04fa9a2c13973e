import JSON
import Models
import Rendering

/// The result of a sample.
public struct SampleReport: Sendable, Equatable {
  public enum Status: String, Sendable, CaseIterable {
    case success
    case failedToDownload = "failed_to_download"
    case failedToResize = "failed_to_resize"
  }

  public var status: Status
  /// The reason of a failure, in the words of img2dataset, by which users group their statistics.
  public var message: String?
  /// The size of the sample in pixels; nil if it was not decoded.
  public var width: Int?
  public var height: Int?
  /// The stored size of the image in pixels.
  public var originalWidth: Int?
  public var originalHeight: Int?
  /// The EXIF tags as a JSON object.
  public var exif: String?
  /// The hash of the downloaded bytes in hexadecimal digits.
  public var hash: String?
  /// The reason why a part of the image is missing.
  public var damage: String?
  /// The time from the start of the first transfer, in milliseconds.
  public var milliseconds = 0

  public init(_ status: Status, message: String? = nil) {
    self.status = status
    self.message = message
  }

  /// Returns the line for the driver.
  public func line(_ index: Int, _ shard: ShardDescription) -> [UInt8] {
    var row = JSONLine()
    row.add("i", index)
    row.add("key", shard.key(index))
    row.add("status", status.rawValue)
    row.add("error_message", message)
    row.add("width", width)
    row.add("height", height)
    row.add("original_width", originalWidth)
    row.add("original_height", originalHeight)
    if let hash, let kind = shard.hash { row.add(kind.rawValue, hash) }
    row.add("exif", exif)
    row.add("damage", damage)
    row.add("ms", milliseconds)
    return row.finish()
  }

  /// Returns the JSON member of a successful sample's files: the columns of its row, then the result.
  public func member(_ line: SampleLine, _ shard: ShardDescription) throws(ShardError) -> [UInt8] {
    var object = IndentedJSON()
    if !line.columns.isEmpty { try object.addMembers(of: line.columns[...]) }
    object.add("key", shard.key(line.index))
    object.add("status", status.rawValue)
    object.add("error_message", message)
    object.add("width", width)
    object.add("height", height)
    object.add("original_width", originalWidth)
    object.add("original_height", originalHeight)
    if shard.sample.wantsEXIF { object.add("exif", exif) }
    if let kind = shard.hash { object.add(kind.rawValue, hash) }
    return object.finish()
  }
}

/// Writes one JSON object on a line; members that are nil are left out.
struct JSONLine {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  mutating func add(_ name: String, _ text: String?) {
    guard let text else { return }
    begin(name)
    bytes.appendJSON(text, isASCII: true)
  }

  mutating func add(_ name: String, _ number: Int?) {
    guard let number else { return }
    begin(name)
    bytes += "\(number)".utf8
  }

  mutating func add(_ name: String, literal: String) {
    begin(name)
    bytes += literal.utf8
  }

  mutating func add(_ name: String, counts: [(String, Int)]) {
    begin(name)
    bytes.append(UInt8(ascii: "{"))
    for (index, (key, count)) in counts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.appendJSON(key, isASCII: true)
      bytes += ":\(count)".utf8
    }
    bytes.append(UInt8(ascii: "}"))
  }

  consuming func finish() -> [UInt8] {
    bytes += "}\n".utf8
    return bytes
  }

  private mutating func begin(_ name: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.appendJSON(name, isASCII: true)
    bytes.append(UInt8(ascii: ":"))
  }
}
