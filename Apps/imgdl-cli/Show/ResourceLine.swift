import Models

/// A resource in machine-readable form. The fields are stable: new ones may come, none goes.
struct ResourceLine {
  let index: Int
  let url: String
  let status: String
  let reason: String?
  let pages: Int
  let record: Record
  let stored: StoredFile?

  init(_ resource: Resource, in record: Record) {
    index = resource.index
    url = resource.url
    status = resource.state.rawValue
    reason = resource.reason.map(CredentialMask.masked)
    pages = resource.pageCount
    self.record = record
    stored = resource.file
  }

  /// Below the library's folder.
  var file: String? { stored.map { "\(record.folder)/\($0.name)" } }

  var milliseconds: Double? { Self.rounded(stored?.timings.duration) }

  /// Writes it as JSON, without a line end.
  func append(to bytes: inout [UInt8]) {
    var row = JSONRow(after: bytes)
    bytes = []
    row.add("bytes", stored?.byteCount)
    row.add("file", file)
    row.add("format", stored?.format.rawValue)
    row.add("index", Int64(index))
    row.add("milliseconds", milliseconds)
    row.add("pages", Int64(pages))
    if let timings = stored?.timings {
      row.add("phases") { phases in
        phases.add("connect", Self.rounded(timings.connect))
        phases.add("dns", Self.rounded(timings.dns))
        phases.add("firstByte", Self.rounded(timings.firstByte))
        phases.add("lastByte", Self.rounded(timings.lastByte))
        phases.add("queue", Self.rounded(timings.queue))
        phases.add("request", Self.rounded(timings.request))
        phases.add("tls", Self.rounded(timings.tls))
      }
    }
    row.add("reason", reason)
    row.add("sha256", stored?.digest.description)
    row.add("status", status)
    row.add("url", url)
    bytes = row.finished()
  }

  /// Writes it as CSV, without a line end.
  /// - Parameter isRaw: texts that a spreadsheet runs as formulas are left as they are.
  func appendCSV(isRaw: Bool, to bytes: inout [UInt8]) {
    func add(_ text: String?) {
      // Control characters, line ends among them, are made visible: a row is a line.
      bytes += CSVText.cell(Console.visible(text ?? ""), isRaw: isRaw).utf8
      bytes.append(UInt8(ascii: ","))
    }
    func add(_ number: some CustomStringConvertible) {
      bytes += "\(number),".utf8
    }
    add(index)
    add(file)
    add(url)
    add(status)
    add(stored.map { "\($0.byteCount)" })
    add(milliseconds.map { "\($0)" })
    add(stored?.digest.description)
    add(reason)
    bytes.removeLast()
  }

  static let csvHeader = "index,file,url,status,bytes,milliseconds,sha256,reason"

  /// To a microsecond.
  private static func rounded(_ value: Double?) -> Double? {
    value.map { ($0 * 1_000).rounded() / 1_000 }
  }
}
