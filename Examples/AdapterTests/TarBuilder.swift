import Archive
import TestSupport

/// Makes TAR archives of what the rules want to find in an archive.
enum TarBuilder {
  @Sendable
  static func build(_ entries: [MemoryArchiveReader.Entry]) -> [UInt8] {
    var bytes = entries.flatMap { header($0) + padded($0.data) }
    bytes += [UInt8](repeating: 0, count: 1_024)
    return bytes
  }

  private static func header(_ entry: MemoryArchiveReader.Entry) -> [UInt8] {
    var header = field(entry.name, 100) + field("0000644", 8) + field("0000000", 8)
    header += field("0000000", 8) + octal(entry.data.count, 11) + octal(0, 11)
    header += [UInt8](repeating: 32, count: 8)
    header += [UInt8(ascii: entry.kind == .directory ? "5" : "0")] + field("", 100)
    header += field("ustar", 6) + Array("00".utf8)
    header += [UInt8](repeating: 0, count: 512 - header.count)
    let sum = header.reduce(0) { $0 + Int($1) }
    header.replaceSubrange(148..<156, with: octal(sum, 6) + [32])
    return header
  }

  private static func field(_ text: String, _ length: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(length))
    return bytes + [UInt8](repeating: 0, count: length - bytes.count)
  }

  private static func octal(_ number: Int, _ digits: Int) -> [UInt8] {
    let text = String(number, radix: 8)
    return field(String(repeating: "0", count: max(0, digits - text.count)) + text, digits + 1)
  }

  private static func padded(_ data: [UInt8]) -> [UInt8] {
    data + [UInt8](repeating: 0, count: (512 - data.count % 512) % 512)
  }
}
