import Models
import Persistence
import Transport

extension Download {
  enum Outcome: Sendable {
    /// The partial file is complete; it is not yet moved to its name in the library.
    case complete(StoredFile)
    /// The server confirmed the file that the library holds (304).
    case unchanged(ExistingFile, StoredFile.Answer)
    /// The description of the content was requested instead of the content.
    case described(DescriptionDownload.Result)
    /// The source is the content of a resource, and was not received to its end.
    case isResource(ResponseHead)
    /// The attempt failed; `partial` describes the bytes that the next attempt can continue from.
    case failed(DownloadFailure, partial: PartialDownload?)

    /// Whether the partial file, if there is one, is of use to a later attempt or to the committer.
    var keepsPartialFile: Bool {
      if case .failed(_, partial: nil) = self { false } else { true }
    }
  }
}
