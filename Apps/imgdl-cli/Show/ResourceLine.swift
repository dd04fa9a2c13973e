import Models
import Persistence

/// A resource as a line of machine-readable output. The fields are stable: later versions may add fields, but
/// do not remove any.
struct ResourceLine {
  let index: Int
  let url: String
  let mirrors: [String]
  let status: String
  let reason: String?
  let pages: Int
  let record: Record
  let stored: StoredFile?
  /// The progress of the running engine with the resource.
  let live: LiveState
  /// The size of the first page in pixels; of an image that is being downloaded, its own. Nil if it is unknown.
  let size: PageSize?

  /// The progress of the engine with a resource. The fields have the names of the API.
  struct LiveState: Equatable {
    /// The step: `queuing`, `downloading`, `unzipping` or `rendering`; nil if no engine is about to do anything.
    var stage: String?
    /// The bytes received so far, and those of the whole file; nil if nothing is being downloaded, or if the length
    /// is unknown.
    var received: Int64?
    var expected: Int64?
  }

  init(
    _ resource: Resource, in record: Record, live: LiveState = LiveState(), size: PageSize? = nil
  ) {
    self.live = live
    self.size = size
    index = resource.index
    url = resource.url
    mirrors = resource.mirrors
    status = resource.state.rawValue
    reason = resource.reason.map(CredentialMask.masked)
    pages = resource.pageCount
    self.record = record
    stored = resource.file
  }

  /// The path of the file relative to the library's folder, or nil if the resource has no file.
  var file: String? { stored.map { "\(record.folder)/\($0.name)" } }

  /// Appends the resource as a JSON object, without a line break.
  func append(to bytes: inout [UInt8]) {
    JSONRow.append(to: &bytes) { row in
      row.add("bytes", stored?.byteCount)
      row.add("expected", live.expected)
      row.add("file", file)
      row.add("format", stored?.format.rawValue)
      row.add("height", size.map { Int64($0.height) })
      row.add("index", Int64(index))
      row.add("milliseconds", thousandths: Self.thousandths(stored?.timings.duration))
      if !mirrors.isEmpty { row.add("mirrors", mirrors) }
      row.add("pages", Int64(pages))
      if let timings = stored?.timings {
        row.add("phases") { phases in
          phases.add("connect", thousandths: Self.thousandths(timings.connect))
          phases.add("dns", thousandths: Self.thousandths(timings.dns))
          phases.add("firstByte", thousandths: Self.thousandths(timings.firstByte))
          phases.add("lastByte", thousandths: Self.thousandths(timings.lastByte))
          phases.add("queue", thousandths: Self.thousandths(timings.queue))
          phases.add("request", thousandths: Self.thousandths(timings.request))
          phases.add("tls", thousandths: Self.thousandths(timings.tls))
        }
      }
      row.add("reason", reason)
      row.add("received", live.received)
      row.add("sha256", stored?.digest.description)
      row.add("stage", live.stage)
      row.add("status", status)
      row.add("url", url)
      row.add("width", size.map { Int64($0.width) })
    }
  }

  /// Appends the resource as a row of CSV, without a line break.
  /// - Parameter isRaw: Whether texts that a spreadsheet would run as formulas are left unchanged.
  func appendCSV(isRaw: Bool, to bytes: inout [UInt8]) {
    func add(_ text: String?) {
      // Control characters, including line breaks, are escaped, so that a row is always one line.
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
    add(Self.thousandths(stored?.timings.duration).map { "\(Double($0) / 1_000)" })
    add(stored?.digest.description)
    add(reason)
    bytes.removeLast()
  }

  static let csvHeader = "index,file,url,status,bytes,milliseconds,sha256,reason"

  /// Returns the value in thousandths; nil if it is not finite, since JSON and CSV cannot represent it.
  private static func thousandths(_ value: Double?) -> Int64? {
    value.flatMap { Int64(exactly: ($0 * 1_000).rounded()) }
  }
}
