public import Models
public import Persistence

extension MemoryStore {
  public func partial(of request: RequestKey) throws(StoreError) -> PartialDownload? {
    try checkOpen()
    return partialDownloads[request]
  }

  public func partials() throws(StoreError) -> [RequestKey] {
    try checkOpen()
    return partialDownloads.keys.sorted()
  }

  public func answers(
    to requests: [RequestKey]
  ) throws(StoreError) -> [RequestKey: HeldFile] {
    try checkOpen()
    let asked = Set(requests)
    var answers: [RequestKey: HeldFile] = [:]
    for held in heldFiles {
      guard let answer = held.file.answer, asked.contains(answer.request) else { continue }
      let best = answers[answer.request]?.file.answer?.asOf
      if best.map({ $0 < answer.asOf }) ?? true { answers[answer.request] = held }
    }
    return answers
  }

  public func holders(
    of digests: [Digest], limit: Int
  ) throws(StoreError) -> [Digest: [HeldFile]] {
    try checkOpen()
    guard limit > 0 else { return [:] }
    let asked = Set(digests)
    let holders = Dictionary(grouping: heldFiles.filter { asked.contains($0.file.digest) }) {
      $0.file.digest
    }
    return holders.mapValues { Array($0.prefix(limit)) }
  }

  /// Files in place that can be seen, those of the resources that were added last first.
  private var heldFiles: [HeldFile] {
    resources.values.sorted { $0.id > $1.id }.compactMap { resource in
      guard let file = resource.file, resource.state != .stored,
        let entry = entries[resource.record], entry.isInPlace
      else { return nil }
      return HeldFile(
        resource: resource.id, record: resource.record, folder: entry.record.folder, file: file)
    }
  }
}
