/// How far a resource is, as it survives a crash. What happens right now (downloading, unzipping,
/// rendering) is `ResourceActivity` and lives in memory only.
public enum ResourceState: String, Sendable, CaseIterable {
  /// To be downloaded; a partial file may exist.
  case queued
  /// Downloaded; its file may not have its final name or may not be on the disk yet.
  case stored
  /// The original is safe under its final name; pages or thumbnails are still to be made.
  case fetched
  /// Everything is done.
  case finished
  /// Gave up; the reason is kept.
  case failed

  public var isSettled: Bool { self == .finished || self == .failed }
}

/// What a resource is doing at this moment.
public enum ResourceActivity: Sendable, Equatable {
  case downloading(received: Int64, expected: Int64?)
  case unzipping
  case rendering
}

/// What the manifest or the URL promises; decides whether other content is an error (RM5).
public enum ResourceExpectation: String, Sendable, CaseIterable {
  case image, pdf, archive, anything

  /// From the extension of the last path segment.
  public init(_ url: HTTPURL) { self.init(fileName: url.lastPathComponent) }

  /// From the extension of a file's name.
  public init(fileName: String) {
    let name = fileName.lowercased()
    let suffix = name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    switch name.contains(".") ? suffix : "" {
    case "jpg", "jpeg", "jpe", "png", "apng", "webp", "gif", "tif", "tiff", "bmp", "heic", "heif",
      "avif", "svg", "jxl", "jp2", "j2k", "ico", "tga":
      self = .image
    case "pdf": self = .pdf
    case "zip", "cbz", "cbr", "cb7", "cbt", "7z", "rar", "tar": self = .archive
    default: self = .anything
    }
  }
}

/// One URL of a record and what became of it.
public struct Resource: Sendable, Equatable {
  public let id: ResourceID
  public let record: RecordID
  /// Its number in the record, from 1, in the order in which resources were added; part of the
  /// file's name. The order in which a record shows them is another one once a refresh has put new
  /// ones at the top.
  public let index: Int
  public let url: String
  /// A name from the manifest.
  public let title: String?
  public let expectedDigest: Digest?
  /// Request fields from the manifest.
  public let fields: HTTPFields
  public var state: ResourceState
  /// Why it failed, or what could not be shown; a sentence for people.
  public var reason: String?
  /// Downloads that were begun.
  public var attempts: Int
  /// What there is; a queued resource may still have the file that is to be replaced.
  public var file: StoredFile?
  public var pageCount: Int
  /// To be fetched whatever is there (DL9).
  public var mustReload: Bool

  public init(
    id: ResourceID, record: RecordID, index: Int, url: String, title: String? = nil,
    expectedDigest: Digest? = nil, fields: HTTPFields = HTTPFields(),
    state: ResourceState = .queued, reason: String? = nil, attempts: Int = 0,
    file: StoredFile? = nil, pageCount: Int = 0, mustReload: Bool = false
  ) {
    self.id = id
    self.record = record
    self.index = index
    self.url = url
    self.title = title
    self.expectedDigest = expectedDigest
    self.fields = fields
    self.state = state
    self.reason = reason
    self.attempts = attempts
    self.file = file
    self.pageCount = pageCount
    self.mustReload = mustReload
  }
}

/// What is known of an unfinished download, so that it can continue where it stopped.
///
/// A value that does not change; an object, because few requests have one and all would have to carry
/// the room for it.
public final class PartialDownload: Sendable, Equatable {
  public let validator: Validator
  /// The whole length, if the server said it.
  public let totalBytes: Int64?
  /// The boot in which the file was written and how many bytes were on the disk for certain.
  /// Same boot: the file's length is right. Another boot: only the synced bytes are.
  public let bootID: String
  public let syncedBytes: Int64

  public init(validator: Validator, totalBytes: Int64?, bootID: String, syncedBytes: Int64) {
    self.validator = validator
    self.totalBytes = totalBytes
    self.bootID = bootID
    self.syncedBytes = syncedBytes
  }

  public static func == (a: PartialDownload, b: PartialDownload) -> Bool {
    a.validator == b.validator && a.totalBytes == b.totalBytes && a.bootID == b.bootID
      && a.syncedBytes == b.syncedBytes
  }
}

/// One picture of a resource: the image itself, a page of a PDF, an image in an archive.
public struct Page: Sendable, Equatable {
  /// From 1, in reading order.
  public let number: Int
  /// Pixels, upright; 0 of a page of a document that nobody has looked at yet.
  public let width: Int
  public let height: Int
  /// The entry of an archive that it came from.
  public let label: String?
  /// The full picture below the renditions folder; nil if it is the original itself. It may have
  /// been evicted, or not be drawn yet (`LibraryService.draw`).
  public let file: String?
  /// The thumbnail below the renditions folder; nil if there is none.
  public let thumbnail: String?
  /// Why there is no picture, or only a part of one.
  public let reason: String?

  /// Whether there is something to show: the picture, or what could be decoded of a damaged one.
  public var hasPicture: Bool { reason == nil || width > 0 }

  /// Whether its picture is made of the original, and can be made again at any time: a page of a
  /// document, or one of several in an image file.
  /// - Parameter original: the format of the resource's file.
  public func isDrawn(from original: ResourceFormat) -> Bool {
    file != nil && (original.kind == .document || original.kind == .image)
  }

  public init(
    number: Int, width: Int, height: Int, label: String? = nil, file: String? = nil,
    thumbnail: String? = nil, reason: String? = nil
  ) {
    self.number = number
    self.width = width
    self.height = height
    self.label = label
    self.file = file
    self.thumbnail = thumbnail
    self.reason = reason
  }
}
