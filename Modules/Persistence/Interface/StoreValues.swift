public import Models

public struct SourceDraft: Sendable, Equatable {
  /// What makes two adds the same: canonical URL, real path, or a hash of what came by stdin.
  public var key: String
  /// As the user gave it.
  public var location: String

  public init(key: String, location: String) {
    self.key = key
    self.location = location
  }
}

public struct SourceRow: Sendable, Equatable {
  public let id: SourceID
  public let key: String
  public let location: String

  public init(id: SourceID, key: String, location: String) {
    self.id = id
    self.key = key
    self.location = location
  }
}

public struct RecordDraft: Sendable, Equatable {
  public var source: SourceID
  public var title: String
  public var folder: String

  public init(source: SourceID, title: String, folder: String) {
    self.source = source
    self.title = title
    self.folder = folder
  }
}

public struct ResourceDraft: Sendable, Equatable {
  public var url: String
  public var title: String?
  public var expectedDigest: Digest?
  public var fields: HTTPFields

  public init(
    url: String, title: String? = nil, expectedDigest: Digest? = nil,
    fields: HTTPFields = HTTPFields()
  ) {
    self.url = url
    self.title = title
    self.expectedDigest = expectedDigest
    self.fields = fields
  }
}

/// One change of one resource. Applying it to an id that is gone does nothing. The store does not
/// judge: every change applies in every state.
public enum ResourceChange: Sendable, Equatable {
  /// A download began: one attempt more.
  case attempted(ResourceID)
  /// Partial data is on disk.
  case partial(ResourceID, PartialDownload)
  /// Forget partial data.
  case partialGone(ResourceID)
  /// → `stored`; forgets partial data, the reason and the pages of an older file.
  case stored(ResourceID, StoredFile)
  /// → `fetched`; nothing else changes.
  case fetched(ResourceID)
  /// → `finished`, with its pages in place of older ones. `reason`: what could not be shown (RM5).
  case finished(ResourceID, pages: [Page], reason: String?)
  /// → `failed`; a stored file and partial data stay known; pages given take the place of older ones.
  case failed(ResourceID, reason: String, pages: [Page])
  /// → `queued` as if new: no reason, no attempts; the stored file and its pages are forgotten,
  /// partial data is not.
  case requeued(ResourceID)

  public var id: ResourceID {
    switch self {
    case .attempted(let id), .partial(let id, _), .partialGone(let id), .stored(let id, _),
      .fetched(let id), .finished(let id, _, _), .failed(let id, _, _), .requeued(let id):
      id
    }
  }
}
