import JSON
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

  /// Returns the line for the driver; members without a value are left out.
  public func line(_ index: Int, _ shard: ShardDescription) -> [UInt8] {
    var members = [JSONValue.Member("i", .integer(index))] + result(index, shard)
    if let kind = shard.hash { members.append(.init(kind.rawValue, .init(hash))) }
    members += [
      .init("exif", .init(exif)), .init("damage", .init(damage)),
      .init("ms", .integer(milliseconds)),
    ]
    return JSONValue.object(members.filter { $0.value != .null }).line
  }

  /// Returns the JSON member of a successful sample's files: the columns of its row, then the result.
  public func member(_ line: SampleLine, _ shard: ShardDescription) -> [UInt8] {
    // The form is that of Python's `json.dumps(…, indent=4)`.
    var writer = JSONWriter(isASCII: true, indentation: 4)
    writer.write(.beginObject)
    // A line has only columns that could be parsed.
    if case .object(let columns)? = try? JSONValue(parsing: line.columns, .python) {
      for column in columns { writer.write(column) }
    }
    for member in result(line.index, shard) { writer.write(member) }
    if shard.sample.wantsEXIF { writer.write(.init("exif", .init(exif))) }
    if let kind = shard.hash { writer.write(.init(kind.rawValue, .init(hash))) }
    writer.write(.endObject)
    return writer.bytes
  }

  private func result(_ index: Int, _ shard: ShardDescription) -> [JSONValue.Member] {
    [
      .init("key", .string(shard.key(index))), .init("status", .string(status.rawValue)),
      .init("error_message", .init(message)), .init("width", .init(width)),
      .init("height", .init(height)), .init("original_width", .init(originalWidth)),
      .init("original_height", .init(originalHeight)),
    ]
  }
}

extension JSONValue {
  fileprivate init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  fileprivate init(_ number: Int?) { self = number.map { .integer($0) } ?? .null }

  /// The value as a line of ASCII.
  var line: [UInt8] {
    var writer = JSONWriter(isASCII: true)
    writer.write(self)
    return writer.bytes + "\n".utf8
  }
}
