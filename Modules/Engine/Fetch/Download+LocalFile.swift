import LibraryAPI
import Models
import SystemCalls
import Threading

extension Download {
  /// Copies a file of this machine instead of requesting it.
  func copyLocalFile(_ source: String) async -> Outcome {
    let path = path
    let counter = counter
    let limit = limit
    let folder = downloadContext.layout.folder
    do {
      let file = try await downloadContext.files.runCancellable { isCancelled in
        try LocalFile.copy(source, to: path, in: folder, limit, counter, isCancelled)
      }
      return .complete(file)
    } catch let failure as DownloadFailure {
      return .failed(failure, partial: nil)
    } catch let error as SystemError where error.path == source {
      return .failed(.content(error.description), partial: nil)
    } catch let error as SystemError {
      return .failed(.disk(error.description, isFull: error.isDiskFull), partial: nil)
    } catch {
      return .failed(.cancelled, partial: nil)
    }
  }
}
