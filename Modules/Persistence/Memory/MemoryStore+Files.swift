public import Models
public import Persistence

extension MemoryStore {
  public func partial(of request: RequestKey) throws(StoreError) -> PartialDownload? {
    try checkOpen()
    return tables.partialDownloads[request]
  }

  public func partials() throws(StoreError) -> [RequestKey] {
    try checkOpen()
    return tables.partialDownloads.keys.sorted()
  }

  public func answers(
    to requests: [RequestKey]
  ) throws(StoreError) -> [RequestKey: ExistingFile] {
    try checkOpen()
    var answers: [RequestKey: ExistingFile] = [:]
    for request in Set(requests) {
      // Of equally new files, the one whose resource was added last is chosen.
      let existing = existingFiles(tables.resourcesByRequest[request])
      answers[request] = existing.max { first, second in
        (first.file.answer?.asOf.rawValue ?? 0, first.resource)
          < (second.file.answer?.asOf.rawValue ?? 0, second.resource)
      }
    }
    return answers
  }

  public func holders(
    of digests: [Digest], limit: Int
  ) throws(StoreError) -> [Digest: [ExistingFile]] {
    try checkOpen()
    var holders: [Digest: [ExistingFile]] = [:]
    for digest in Set(digests) {
      let existing = existingFiles(tables.resourcesByDigest[digest]).sorted {
        $0.resource > $1.resource
      }
      if !existing.isEmpty, limit > 0 { holders[digest] = Array(existing.prefix(limit)) }
    }
    return holders
  }

  /// Returns the files of the given resources; nil stands for no resources. Omitted are resources without a
  /// file, those whose file may not be at its final path yet (`stored`), and those of records that the list
  /// does not show, except the standalone record.
  private func existingFiles(_ ids: Set<ResourceID>?) -> [ExistingFile] {
    (ids ?? []).compactMap { id in
      guard let resource = tables.resources[id], resource.state != .stored,
        let file = resource.file, let entry = tables.entries[resource.record], entry.isInPlace
      else { return nil }
      return ExistingFile(
        resource: id, record: resource.record, folder: entry.record.folder, file: file)
    }
  }
}
