import Archive
import LibraryAPI
public import Models
public import Rendering
import Threading

/// The dependencies of exporting images: the list of a record's images, the renderer, the images in archives, the
/// settings and a scratch file.
public struct ImageExportTools: Sendable {
  let images: RecordImages
  let renderer: any Renderer
  let archives: ArchiveImages
  let settings: Settings
  /// The path of the scratch file, which is created for each rendered page or sheet and then deleted.
  let scratch: String
  /// The password of encrypted documents, or nil if none was given.
  let password: DocumentPassword?
  /// The queue on which blocking file operations run.
  let queue = BlockingQueue("images")

  /// - Parameters:
  ///   - scratch: The path of a file that is created and deleted as needed.
  ///   - password: The password of encrypted documents.
  public init(
    _ images: RecordImages, _ renderer: any Renderer, _ archives: ArchiveImages,
    _ settings: Settings, scratch: String, password: DocumentPassword? = nil
  ) {
    self.images = images
    self.renderer = renderer
    self.archives = archives
    self.settings = settings
    self.scratch = scratch
    self.password = password
  }

  /// Returns a render job for an image, with the limits of its record.
  func job(
    _ path: String, page: Int?, side: Int, quality: Int, of record: Record
  ) -> RenderJob {
    var job = RenderJob(path: path, page: page ?? 0, sides: [side], quality: quality)
    job.limits = RenderLimits(settings.limits(for: record))
    job.password = password
    return job
  }

  /// Returns the path of an image that needs no document, which is extracted first if it is in an archive only. An
  /// error of the archive is returned, not thrown.
  /// - Throws: `CancellationError`, and `SystemError` if the image cannot be written.
  func path(of image: RecordImage, _ record: Record) async throws -> Result<String, ImageProblem> {
    guard image.isInArchive else { return .success(image.path) }
    do {
      let path = try await archives.path(
        of: image, ArchivePolicy(settings.limits(for: record)), password)
      return .success(path)
    } catch let error as ArchiveError {
      return .failure(ImageProblem(image, error))
    }
  }

  /// Compares the original at the path of an image with its row; nil if there is no difference or no original.
  func change(of image: RecordImage, readsContent: Bool) async throws -> OriginalChange? {
    guard let original = image.original else { return nil }
    return try await queue.run { [folder = images.layout.folder] in
      try OriginalChange.find(image.path, original, in: folder, readsContent: readsContent)
    }
  }

  /// Renders the only image of a job. A failure to render is returned, not thrown.
  /// - Throws: `CancellationError`.
  func draw(_ job: RenderJob) async throws -> Result<Rendition, RenderError> {
    do throws(RenderError) {
      guard let rendition = try await renderer.render(job).renditions.first else {
        return .failure(RenderError(.worker, "the decoder returned no image of the file"))
      }
      return .success(rendition)
    } catch {
      if error.code == .cancelled { throw CancellationError() }
      return .failure(error)
    }
  }
}
