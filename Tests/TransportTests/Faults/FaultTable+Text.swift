extension FaultTable {
  /// The table as Markdown.
  /// - Parameter reasons: why `url-session` differs, by the name of the case.
  func text(reasons: [String: String]) -> String {
    let notes = Array(Set(rows.compactMap { reasons[$0.fault.name] })).sorted()
    var lines = [
      "| | the server | socket | url-session | |", "|---|---|---|---|---|",
    ]
    for row in rows {
      let note = reasons[row.fault.name].flatMap { notes.firstIndex(of: $0) }
      let differs = !row.differences(.urlSession).isEmpty
      lines.append(
        "| \(row.fault.group) | \(Self.escaped(row.fault.name)) | \(row.cell(.socket)) | "
          + "\(row.cell(.urlSession)) | \(differs ? note.map { "\($0 + 1)" } ?? "?" : "") |")
    }
    lines.append("")
    lines += notes.enumerated().map { "\($0.offset + 1). \($0.element)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("<", with: "&lt;")
  }
}

extension FaultTable.Row {
  /// One verdict where all places agree; otherwise which came where.
  fileprivate func cell(_ backend: Backend) -> String {
    let own = verdicts.filter { $0.key.backend == backend }
    let all = Set(own.values)
    if all.count <= 1 { return all.first ?? "not run" }
    let plain = Set(own.filter { $0.key.scheme == .http }.values)
    let secure = Set(own.filter { $0.key.scheme == .https }.values)
    if plain.count == 1, secure.count == 1, let http = plain.first, let https = secure.first {
      return "\(http); over TLS \(https)"
    }
    return all.sorted().map { verdict in
      let places = own.filter { $0.value == verdict }.keys
        .map { "\($0.position.rawValue) \($0.scheme.rawValue)" }.sorted()
      return places.count > own.count / 2
        ? verdict : "\(verdict) (\(places.joined(separator: ", ")))"
    }.joined(separator: "; ")
  }
}
