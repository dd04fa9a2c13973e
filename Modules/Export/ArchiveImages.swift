public import Archive
public import Models
import PageExtraction
import SystemCalls
import Threading

/// The images of an archive whose pages are not in the cache, extracted to a folder outside of the library. Only the
/// images of one archive exist at a time.
public actor ArchiveImages {
  private let folder: ConfinedFolder
  private let reader: any ArchiveReader
  private let queue = BlockingQueue("archives")
  private var current: Extracted?
  private var number = 0

  /// The images of the archive that was opened last.
  private struct Extracted {
    let archive: String
    let password: DocumentPassword?
    let extraction: ArchiveExtraction
    let images: Result<[ArchiveExtraction.ExtractedImage], ArchiveError>
  }

  /// - Parameter folder: An existing folder, in which files are created as needed.
  public init(folder: String, _ reader: any ArchiveReader) {
    self.folder = ConfinedFolder(folder)
    self.reader = reader
  }

  /// Returns the path of an image (`RecordImage.isInArchive`), which is valid until an image of another archive is
  /// requested. Calls must not overlap.
  /// - Throws: `ArchiveError` if the archive or the image cannot be read; `CancellationError`; `SystemError` if the
  ///   images cannot be written.
  public func path(
    of image: RecordImage, _ policy: ArchivePolicy, _ password: DocumentPassword?
  ) async throws -> String {
    if current?.archive != image.path || current?.password?.text != password?.text {
      await discard()
      try await extract(image.path, policy, password)
    }
    let images = try current?.images.get() ?? []
    let index = (image.page ?? 1) - 1
    // The entry of that number is another one if the file was replaced.
    guard images.indices.contains(index), images[index].label == image.label else {
      throw ArchiveError(.damaged, "the archive does not contain this image any more")
    }
    return images[index].path
  }

  /// Deletes the extracted images.
  public func discard() async {
    guard let old = current else { return }
    current = nil
    guard let images = try? old.images.get() else { return }
    _ = try? await queue.run { old.extraction.discard(images) }
  }

  private func extract(
    _ path: String, _ policy: ArchivePolicy, _ password: DocumentPassword?
  ) async throws {
    number += 1
    let extraction = ArchiveExtraction(
      path: path, folder: folder, prefix: "\(folder.path)/archive-\(number)", archive: reader,
      policy: policy, password: password)
    let images: Result<[ArchiveExtraction.ExtractedImage], ArchiveError>
    do {
      images = .success(try await queue.runCancellable { try extraction.run($0) }.images)
    } catch let error as ArchiveError {
      images = .failure(error)
    }
    current = Extracted(
      archive: path, password: password, extraction: extraction, images: images)
  }
}
