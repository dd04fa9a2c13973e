import Models

/// The exported values of one resource.
///
/// The names and the order of the members are stable; new members are added at the end. Control characters,
/// which the reason of a failure may contain because servers choose its text, are escaped, so that a row is
/// one line in CSV and in JSON.
struct ExportRow {
  enum Value {
    case text(String)
    case integer(Int64)
    /// A finite number; JSON cannot represent others.
    case number(Double)
  }

  static let names =
    ["url", "file", "sha256", "status", "reason", "bytes", "ms", "title"]
    + otherAlgorithms.map(columnName)

  /// The algorithms of checksums that only lists state. Files of the library are identified by SHA-256.
  private static let otherAlgorithms = Checksum.Algorithm.allCases.filter { $0 != .sha256 }

  /// The values in the order of `names`; nil means unknown.
  let values: [Value?]
  /// The other URLs of the content, which only JSON lists: a cell of CSV has one value.
  private let mirrors: [String]
  /// The request fields of the list, which only JSON has, for the same reason.
  private let fields: [HTTPFields.Field]

  init(_ resource: Resource, in record: Record) {
    let file = resource.file
    mirrors = resource.mirrors
    // A list with another field would not be read again.
    fields = resource.fields.fields.filter(\.value.isFieldValue)
    let stated = resource.expectedChecksum
    var values: [Value?] = []
    values.reserveCapacity(Self.names.count)
    values += [
      .text(resource.url),
      // The path of the file relative to the library's folder.
      file.map { .text("\(record.folder)/\($0.name)") },
      // Without a file, the checksum that the list states is exported, so that another library verifies it.
      (file?.digest ?? stated?.digest).map { .text($0.description) },
      .text(resource.state.rawValue),
      resource.reason.map { .text(CredentialMask.masked($0)) },
      file.map { .integer($0.byteCount) },
      // The duration of the download in milliseconds, with three decimals.
      file?.timings.duration.flatMap {
        $0.isFinite ? .number(($0 * 1_000).rounded() / 1_000) : nil
      },
      resource.title.map { .text($0) },
    ]
    for algorithm in Self.otherAlgorithms {
      values.append(stated.flatMap { $0.algorithm == algorithm ? .text($0.digits) : nil })
    }
    self.values = values
  }

  /// Returns the name of a column of checksums, such as `sha1`.
  private static func columnName(_ algorithm: Checksum.Algorithm) -> String {
    algorithm.rawValue.filter { $0 != "-" }
  }

  static var header: String { names.joined(separator: ",") + "\r\n" }

  /// Appends the row as CSV with its line end.
  /// - Parameter isRaw: Whether texts that a spreadsheet would run as formulas are left unchanged.
  func appendCSV(to output: inout String, isRaw: Bool) {
    for (index, value) in values.enumerated() {
      if index > 0 { output += "," }
      if let value { output += Self.csv(value, isRaw) }
    }
    output += "\r\n"
  }

  /// Appends the row as JSON with its line end; unknown values are omitted.
  func appendJSON(to output: inout String) {
    var separator = "{\""
    for (name, value) in zip(Self.names, values) {
      guard let value else { continue }
      output += separator
      output += name
      output += "\":"
      Self.append(value, to: &output)
      separator = ",\""
    }
    if !mirrors.isEmpty {
      output += ",\"mirrors\":[\(mirrors.map(TextEscaping.json).joined(separator: ","))]"
    }
    if !fields.isEmpty {
      let headers = fields.map { "\(TextEscaping.json($0.name)):\(TextEscaping.json($0.value))" }
      output += ",\"headers\":{\(headers.joined(separator: ","))}"
    }
    output += "}\n"
  }

  private static func csv(_ value: Value, _ isRaw: Bool) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text):
      // The text is escaped first, because a control character at its start would hide a formula from
      // `CSVText`.
      CSVText.cell(TextEscaping.visible(text), isRaw: isRaw)
    }
  }

  private static func append(_ value: Value, to output: inout String) {
    switch value {
    case .integer(let number): output += "\(number)"
    case .number(let number): output += "\(number)"
    case .text(let text): TextEscaping.append(json: text, to: &output)
    }
  }
}

extension String {
  /// Whether the text is the value of a request field: it has no control character except the tab (RFC 9110 §5.5).
  var isFieldValue: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }
}

/// Makes untrusted text harmless for terminals and parsers.
enum TextEscaping {
  /// Whether a scalar is a control character, a line separator, or changes the direction of writing.
  private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// Replaces dangerous characters by escape sequences: a line feed becomes `\u{a}`.
  static func visible(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    return text.unicodeScalars.reduce(into: "") { output, scalar in
      if isDangerous(scalar) {
        output += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
  }

  /// Whether a byte of UTF-8 is a character that every format shows as it is, quotation marks aside.
  private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7f }

  /// Returns a JSON string with its quotation marks (RFC 8259, section 7).
  static func json(_ text: String) -> String {
    var output = ""
    append(json: text, to: &output)
    return output
  }

  /// Appends a JSON string with its quotation marks.
  static func append(json text: String, to output: inout String) {
    output += "\""
    defer { output += "\"" }
    let isVerbatim = text.utf8.allSatisfy {
      isPlain($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard !isVerbatim else { return output += text }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": output += "\\\(scalar)"
      case _ where isDangerous(scalar):
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
  }
}
