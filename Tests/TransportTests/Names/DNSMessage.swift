import Models

/// Messages of the DNS (RFC 1035 §4.1), as far as a test server needs them.
enum DNSMessage {
  struct Question: Sendable, Hashable {
    /// Lower case, without the dot at the end.
    let name: String
    /// 1: A, 28: AAAA.
    let type: UInt16

    var family: IPAddress.Family? { type == 1 ? .v4 : type == 28 ? .v6 : nil }
  }

  struct Record: Sendable {
    var name: String
    var seconds: UInt32
    var data: Data

    enum Data: Sendable {
      case address(IPAddress)
      case alias(String)
    }

    static func address(_ name: String, _ text: String, seconds: UInt32) -> Record? {
      IPAddress(text).map { Record(name: name, seconds: seconds, data: .address($0)) }
    }
  }

  enum Status: UInt8, Sendable {
    case ok = 0
    case formatError = 1
    case serverFailure = 2
    case noSuchName = 3
    case refused = 5
  }

  /// The identifier and the question of a query; nil if it is none.
  static func parse(_ bytes: [UInt8]) -> (id: UInt16, question: Question)? {
    guard bytes.count > 12, bytes[2] & 0x80 == 0 else { return nil }
    var labels: [String] = []
    var index = 12
    while index < bytes.count, bytes[index] > 0 {
      let end = index + 1 + Int(bytes[index])
      guard bytes[index] < 64, end < bytes.count else { return nil }
      labels.append(String(decoding: bytes[index + 1..<end], as: UTF8.self).lowercased())
      index = end
    }
    guard index + 4 < bytes.count else { return nil }
    let question = Question(
      name: labels.joined(separator: "."),
      type: UInt16(bytes[index + 1]) << 8
        | UInt16(bytes[index + 2]))
    return (UInt16(bytes[0]) << 8 | UInt16(bytes[1]), question)
  }

  static func answer(
    id: UInt16, _ question: Question, _ status: Status, _ records: [Record],
    isTruncated: Bool = false
  ) -> [UInt8] {
    var bytes = bigEndian(id)
    bytes += [0x81 | (isTruncated ? 0x02 : 0), 0x80 | status.rawValue]
    bytes += bigEndian(1) + bigEndian(UInt16(records.count)) + bigEndian(0) + bigEndian(0)
    bytes += encoded(question.name) + bigEndian(question.type) + bigEndian(1)
    for record in records {
      let (type, data): (UInt16, [UInt8]) =
        switch record.data {
        case .address(let ip): (ip.family == .v4 ? 1 : 28, ip.bytes)
        case .alias(let name): (5, encoded(name))
        }
      bytes += encoded(record.name) + bigEndian(type) + bigEndian(1)
      bytes += bigEndian(UInt16(truncatingIfNeeded: record.seconds >> 16))
      bytes += bigEndian(UInt16(truncatingIfNeeded: record.seconds))
      bytes += bigEndian(UInt16(data.count)) + data
    }
    return bytes
  }

  private static func bigEndian(_ number: UInt16) -> [UInt8] {
    [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  private static func encoded(_ name: String) -> [UInt8] {
    name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }
}
