/// The durable state of a resource, which survives a crash. The current activity (downloading, unzipping,
/// rendering) is a `ResourceActivity` and exists in memory only.
public enum ResourceState: String, Sendable, CaseIterable {
  /// The resource waits for its download; a partial file may exist.
  case queued
  /// The file is downloaded, but may not yet have its final name or be synced to the disk.
  case stored
  /// The original is durable under its final name; pages or thumbnails are still to be made.
  case fetched
  /// The download and all pages are complete.
  case finished
  /// The download or the rendering has failed; the reason is kept.
  case failed

  public var isSettled: Bool { self == .finished || self == .failed }
}

/// The activity of a resource at this moment.
public enum ResourceActivity: Sendable, Equatable {
  case downloading(received: Int64, expected: Int64?)
  case unzipping
  case rendering
}

/// The kind of content that the manifest or the URL promises; other content may be an error (RM5).
public enum ResourceExpectation: String, Sendable, CaseIterable {
  case image, pdf, archive, anything

  /// Derives the expectation from the extension of the last path segment.
  public init(_ url: HTTPURL) { self.init(fileName: url.lastPathComponent) }

  /// Derives the expectation from the extension of a file name.
  public init(fileName: String) {
    let name = fileName.lowercased()
    let suffix = name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    switch name.contains(".") ? suffix : "" {
    case "jpg", "jpeg", "jpe", "png", "apng", "webp", "gif", "tif", "tiff", "bmp", "heic", "heif",
      "avif", "svg", "svgz", "jxl", "jp2", "j2k", "ico", "cur", "tga",
      "pnm", "ppm", "pgm", "pbm", "pfm":
      self = .image
    case "pdf": self = .pdf
    case "zip", "cbz", "cbr", "cb7", "cbt", "7z", "rar", "tar": self = .archive
    default: self = .anything
    }
  }
}

/// One URL of a record and the state of its download.
public struct Resource: Sendable, Equatable {
  /// The largest number of mirrors of a resource; further ones are ignored.
  public static let mirrorLimit = 16

  public let id: ResourceID
  public let record: RecordID
  /// The number in the record, from 1, in the order of addition; a part of the file's name. The display order
  /// differs once a refresh has put new resources at the top.
  public let index: Int
  public var url: String
  /// A name from the manifest.
  public let title: String?
  /// The checksum of the content from the manifest.
  public var expectedChecksum: Checksum?
  /// Request fields from the manifest.
  public let fields: HTTPFields
  /// Other URLs of the same content from the manifest, the best one first; at most ``mirrorLimit``.
  public var mirrors: [String]
  /// The size in bytes that the content must have, as the manifest states it; nil if it states none. Sizes that
  /// are hints, such as those of feeds, are not kept.
  public var expectedByteCount: Int64?
  public var state: ResourceState
  /// The reason for a failure, or for images that cannot be shown; a sentence for users.
  public var reason: String?
  /// The number of downloads that were started.
  public var attempts: Int
  /// The stored file; a queued resource may still have the file that is to be replaced.
  public var file: StoredFile?
  public var pageCount: Int
  /// Whether the resource is fetched even if a file exists (DL9).
  public var mustReload: Bool
  /// Whether the user has named the resource for a download, which does not wait for a viewer although the record is
  /// lazy, until it is finished or has failed.
  public var isNamed = false

  public init(
    id: ResourceID, record: RecordID, index: Int, url: String, title: String? = nil,
    expectedChecksum: Checksum? = nil, fields: HTTPFields = HTTPFields(),
    mirrors: [String] = [], expectedByteCount: Int64? = nil,
    state: ResourceState = .queued, reason: String? = nil, attempts: Int = 0,
    file: StoredFile? = nil, pageCount: Int = 0, mustReload: Bool = false
  ) {
    self.id = id
    self.record = record
    self.index = index
    self.url = url
    self.title = title
    self.expectedChecksum = expectedChecksum
    self.fields = fields
    self.mirrors = mirrors
    self.expectedByteCount = expectedByteCount
    self.state = state
    self.reason = reason
    self.attempts = attempts
    self.file = file
    self.pageCount = pageCount
    self.mustReload = mustReload
  }
}

/// The state of an unfinished download, from which the download can continue.
///
/// The type is a class, because few requests have a partial download and a struct would reserve its space in
/// all of them.
public final class PartialDownload: Sendable, Equatable {
  public let validator: Validator
  /// The length of the whole resource in bytes, or nil if the server did not send it.
  public let totalBytes: Int64?
  /// The id of the boot during which the file was written. During the same boot the length of the file is
  /// reliable, unless it has gaps; after another boot only its first `syncedBytes` bytes are.
  public let bootID: String
  public let syncedBytes: Int64
  /// Whether several connections have filled the file, so that its length says nothing about the bytes in it. Without
  /// the list of its ranges, only its first `syncedBytes` bytes are reliable.
  public let hasGaps: Bool
  /// The URL to which the requests for all of the bytes were sent, and to which `validator` belongs, in the form
  /// of `HTTPURL.equivalenceKey`, followed by a space and the URL that has answered, without its query, if
  /// there were redirects; nil if it is unknown, or if the bytes are of several URLs. In the latter case
  /// `validator` is empty.
  public let url: String?

  public init(
    validator: Validator, totalBytes: Int64?, bootID: String, syncedBytes: Int64,
    hasGaps: Bool = false, url: String? = nil
  ) {
    self.validator = validator
    self.totalBytes = totalBytes
    self.bootID = bootID
    self.syncedBytes = syncedBytes
    self.hasGaps = hasGaps
    self.url = url
  }

  public static func == (a: PartialDownload, b: PartialDownload) -> Bool {
    a.validator == b.validator && a.totalBytes == b.totalBytes && a.bootID == b.bootID
      && a.syncedBytes == b.syncedBytes && a.hasGaps == b.hasGaps && a.url == b.url
  }
}

/// One image of a resource: the image itself, a page of a document, or an image in an archive.
public struct Page: Sendable, Equatable {
  /// The number of the page in reading order, from 1.
  public let number: Int
  /// The upright size in pixels; 0 for a page of a document that has not been rendered yet.
  public let width: Int
  public let height: Int
  /// The name of the archive entry that contains the image.
  public let label: String?
  /// The full-size image below the renditions folder, or nil if the original is the image. The file may have
  /// been evicted, or not be rendered yet (`LibraryService.draw`).
  public let file: String?
  /// The thumbnail below the renditions folder, or nil if there is none.
  public let thumbnail: String?
  /// The blurred image that is shown until the thumbnail is loaded; nil if the page was not rendered yet.
  public let thumbHash: ThumbHash?
  /// The reason why the page has no image, or only a part of its image.
  public let reason: String?
  /// A sentence for users about the image of a sound page, such as what it lacks; nil beside a reason.
  public let remark: String?

  /// The names of the page's own files: its image, and its thumbnail.
  public var fileNames: [String] { [file, thumbnail].compactMap { $0 } }

  /// Whether the page has an image to show: the whole image, or the decoded part of a damaged one.
  public var hasImage: Bool { reason == nil || width > 0 }

  /// Whether the image is rendered from the original and can be rendered again at any time: a page of a
  /// document, or one of several in an image file.
  /// - Parameter original: The format of the resource's file.
  public func isRendered(from original: ResourceFormat) -> Bool {
    file != nil && (original.kind == .document || original.kind == .image)
  }

  public init(
    number: Int, width: Int, height: Int, label: String? = nil, file: String? = nil,
    thumbnail: String? = nil, thumbHash: ThumbHash? = nil, reason: String? = nil,
    remark: String? = nil
  ) {
    self.number = number
    self.width = width
    self.height = height
    self.label = label
    self.file = file
    self.thumbnail = thumbnail
    self.thumbHash = thumbHash
    self.reason = reason
    self.remark = reason == nil ? remark : nil
  }
}
