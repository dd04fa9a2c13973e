import LibraryAPI
import Manifests
import Models

/// The body of `POST /v1/sources`, with exactly one of `url`, `file`, `standardInput` and `upload`.
struct SourceMessage: Codable, Equatable {
  var url: String?
  /// The absolute path of a file.
  var file: String?
  /// The absolute path of the spooled standard input.
  var standardInput: String?
  /// The name of the list from standard input for display; if missing, it is called that.
  var displayName: String?
  /// The id of an uploaded file.
  var upload: String?
  /// The name of a format, as for the option `--format`; if missing, the format is recognised by content.
  var format: String?
  /// The columns of a table, as for the options `--url-column`, `--name-column`, `--title-column` and
  /// `--sha256-column`.
  var urlColumn: String?
  var nameColumn: String?
  var titleColumn: String?
  var sha256Column: String?
  var again: Bool?
  var lazy: Bool?
  /// The value of `began` in an earlier response (`SourceRequest.since`).
  var since: Int64?
  /// A template for file names, as for the option `--name`.
  var name: String?
  /// Whether the server reads the source to its end even if the client closes the connection.
  var outlivesClient: Bool?
  var options: RequestOptionsMessage?

  init(_ request: SourceRequest) {
    switch request.location {
    case .url(let address): url = address.description
    case .file(let path): file = path
    case .standardInput(let spool): (standardInput, displayName) = (spool, request.displayName)
    }
    format = request.format?.rawValue
    urlColumn = request.columns.url
    nameColumn = request.columns.name
    titleColumn = request.columns.title
    sha256Column = request.columns.sha256
    again = request.again
    lazy = request.isLazy
    since = request.since?.rawValue
    name = request.naming?.text
    outlivesClient = request.outlivesClient ? true : nil
    options = request.options.isEmpty ? nil : RequestOptionsMessage(request.options)
  }

  /// Whether the message refers to no path on the server's machine.
  var namesNoFile: Bool { file == nil && standardInput == nil }

  func uploadID() throws(ControlError) -> UInt64? {
    try upload.map { (text) throws(ControlError) in
      try HexadecimalID.value(text, of: "upload")
    }
  }

  /// - Parameters:
  ///   - spool: The absolute path of the uploaded file that the message names.
  ///   - name: The name of that file for display.
  func request(
    uploadedTo spool: String? = nil, name uploadName: String? = nil
  ) throws(ControlError) -> SourceRequest {
    guard displayName == nil || standardInput != nil else {
      throw ControlError(.badBody, "\"displayName\" is only for \"standardInput\"")
    }
    var request = SourceRequest(
      location: try location(spool), format: try manifestFormat(),
      columns: ListColumns(
        url: urlColumn, name: nameColumn, title: titleColumn, sha256: sha256Column),
      again: again ?? false, isLazy: lazy ?? false, naming: try naming(),
      since: since.map { ResourceID($0) }, outlivesClient: outlivesClient ?? false,
      displayName: uploadName ?? displayName)
    request.options = try options?.options() ?? RequestOptions()
    return request
  }

  private func naming() throws(ControlError) -> NameTemplate? {
    do throws(NameTemplateError) {
      return try name.map { (text) throws(NameTemplateError) in try NameTemplate(text) }
    } catch {
      throw ControlError(.badValue, "\"name\": \(error)")
    }
  }

  private func location(
    _ uploaded: String?
  ) throws(ControlError) -> SourceRequest.Location {
    switch (url, file, standardInput, uploaded) {
    case (let url?, nil, nil, nil): .url(try HTTPURL(field: "url", url))
    case (nil, let file?, nil, nil): .file(try Self.path("file", file))
    case (nil, nil, let spool?, nil):
      .standardInput(spool: try Self.path("standardInput", spool))
    case (nil, nil, nil, let uploaded?): .standardInput(spool: uploaded)
    default:
      throw ControlError(
        .badBody, "exactly one of \"url\", \"file\", \"standardInput\", \"upload\" is needed")
    }
  }

  private func manifestFormat() throws(ControlError) -> ManifestFormat? {
    guard let format else { return nil }
    guard let known = ManifestFormat(rawValue: format) else {
      let names = ManifestFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError(.badBody, "\"format\" is not one of \(names)")
    }
    return known
  }

  private static func path(_ field: String, _ text: String) throws(ControlError) -> String {
    guard text.utf8.first == UInt8(ascii: "/"), !text.utf8.contains(0) else {
      throw ControlError(.badBody, "\"\(field)\" is not an absolute path")
    }
    return text
  }
}

extension HTTPURL {
  init(field: String, _ text: String) throws(ControlError) {
    do {
      self = try HTTPURL(text)
    } catch {
      throw ControlError(.badValue, "\"\(field)\": \(error.description)")
    }
  }
}

/// The result of adding a source.
struct AddResultMessage: Codable, Equatable {
  var outcome: String
  /// `changed` or `unknown`; nil if the file has not changed.
  var fileChange: String?
  /// nil if the source was added by an earlier engine, or by this call.
  var isUnderWay: Bool?
  var records: [Int64]
  var entryCount: Int
  var problems: [String]
  var problemCount: Int
  var began: Int64

  init(_ result: AddResult) {
    began = result.began.rawValue
    outcome = Self.name(result.outcome)
    fileChange = result.fileChange == .none ? nil : result.fileChange.rawValue
    isUnderWay = result.isUnderWay ? true : nil
    records = result.records.map(\.rawValue)
    entryCount = result.entryCount
    problems = result.problems.map(CredentialMask.masked)
    problemCount = result.problemCount
  }

  func result() throws(ControlError) -> AddResult {
    let outcomes: [AddResult.Outcome] = [.appended, .continued, .onlyFailuresRemain]
    guard let outcome = outcomes.first(where: { Self.name($0) == outcome }) else {
      throw ControlError(.badBody, "\"outcome\" is not known")
    }
    return AddResult(
      outcome: outcome, fileChange: fileChange.map { .init(rawValue: $0) ?? .unknown } ?? .none,
      isUnderWay: isUnderWay ?? false,
      records: records.map { RecordID($0) }, entryCount: entryCount, problems: problems,
      problemCount: problemCount, began: ResourceID(began))
  }

  private static func name(_ outcome: AddResult.Outcome) -> String {
    switch outcome {
    case .appended: "appended"
    case .continued: "continued"
    case .onlyFailuresRemain: "onlyFailuresRemain"
    }
  }
}

/// The result of a refresh.
struct RefreshResultMessage: Codable, Equatable {
  var isUnchanged: Bool
  var newRecords: [Int64]
  var newEntries: Int
  var problems: [String]

  init(_ result: RefreshResult) {
    isUnchanged = result.isUnchanged
    newRecords = result.newRecords.map(\.rawValue)
    newEntries = result.newEntries
    problems = result.problems.map(CredentialMask.masked)
  }

  var result: RefreshResult {
    RefreshResult(
      isUnchanged: isUnchanged, newRecords: newRecords.map { RecordID($0) },
      newEntries: newEntries, problems: problems)
  }
}
