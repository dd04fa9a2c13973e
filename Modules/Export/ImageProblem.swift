import Archive
import Hashing
import Models
import Rendering
import SystemCalls

/// The reason why an existing image is not intact.
public struct ImageDamage: Sendable, Equatable {
  public let reason: String
  /// Whether the intact part of the image can be shown; otherwise no part can.
  public let isPartial: Bool

  public init(reason: String, isPartial: Bool) {
    self.reason = reason
    self.isPartial = isPartial
  }
}

/// A missing or damaged image of a record.
public struct ImageProblem: Error, Equatable {
  public enum Cause: Sendable {
    /// The image is damaged, not downloaded, or missing.
    case failure
    /// The image is left out because of a limit in the settings or a missing password.
    case refusal
  }

  /// The problem as one sentence for users.
  public let text: String
  public let cause: Cause

  init(_ text: String, cause: Cause) {
    self.text = text
    self.cause = cause
  }

  /// - Parameters:
  ///   - subject: The number of the resource or image, with its name.
  ///   - reason: The reason from the store, which has no error code. The cause is inferred from its text: the
  ///     reason of an exceeded limit names the setting, and that of an encrypted file ends with a hint.
  init(_ subject: String, _ reason: String, followedBy rest: String = "") {
    let isRefusal = reason.contains("limits.") || reason.hasSuffix(Resource.passwordHint)
    self.init("\(subject): \(reason)\(rest)", cause: isRefusal ? .refusal : .failure)
  }

  /// Creates the problem of an image whose original has changed on the disk.
  init(_ image: RecordImage, _ change: OriginalChange) {
    self.init("\(image.number): \(image.label): \(change.reason)", cause: .failure)
  }

  /// Creates the problem of an image that could not be extracted from its archive.
  init(_ image: RecordImage, _ error: ArchiveError) {
    self.init(
      "\(image.number): \(image.label): \(error.description)",
      cause: error.code == .encrypted || error.code == .limit ? .refusal : .failure)
  }

  /// Creates the problem of an image that could not be rendered.
  init(_ image: RecordImage, _ error: RenderError) {
    self.init(
      "\(image.number): \(image.label): \(error.detail)",
      cause: error.code == .encrypted || error.code == .limit ? .refusal : .failure)
  }
}

/// The number of exported images.
public struct ExportedImageCount: Sendable, Equatable {
  public var total = 0
  /// The number of images in `total` that are damaged.
  public var damaged = 0

  public init(total: Int = 0, damaged: Int = 0) {
    self.total = total
    self.damaged = damaged
  }
}

/// A difference between an original on the disk and its row: the file was deleted, replaced, truncated or damaged since
/// it was stored.
struct OriginalChange: Sendable, Equatable {
  /// The reason for users, as a sentence without its subject.
  let reason: String
  /// Whether there is a file that can be exported nevertheless.
  let isReadable: Bool

  private init(_ reason: String, isReadable: Bool = true) {
    self.reason = reason
    self.isReadable = isReadable
  }

  /// Compares an original with its row. Blocks.
  /// - Parameter readsContent: Whether the SHA-256 is compared; otherwise only the size is.
  /// - Returns: nil if there is no difference.
  /// - Throws: `SystemError` if this process has no descriptors left.
  static func find(
    _ path: String, _ file: StoredFile, in folder: ConfinedFolder, readsContent: Bool
  ) throws(SystemError) -> OriginalChange? {
    do throws(SystemError) {
      // The status comes first, because opening a pipe or a device may have side effects.
      guard try folder.status(path).kind == .file else {
        return OriginalChange("it is not a regular file", isReadable: false)
      }
      let opened = try folder.open(path)
      let size = try opened.status().size
      guard size == file.byteCount else {
        return OriginalChange("its file has \(size) bytes instead of \(file.byteCount)")
      }
      guard readsContent, try digest(of: opened) != file.digest else { return nil }
      return OriginalChange("the content of its file is not what was downloaded")
    } catch {
      if error.isOutOfDescriptors { throw error }
      return OriginalChange(
        error.isMissing ? "its file is missing" : "its file cannot be read (\(error.reason))",
        isReadable: false)
    }
  }

  private static func digest(of file: OwnedDescriptor) throws(SystemError) -> Digest {
    let hasher = SHA256Hasher()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { buffer.deallocate() }
    while case let count = try file.read(into: buffer), count > 0 {
      hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return hasher.finalize()
  }
}
