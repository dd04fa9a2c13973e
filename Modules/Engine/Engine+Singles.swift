public import LibraryAPI
public import Manifests
public import Models
import Transport

/// Single downloads, for clients with a queue of their own.
extension Engine: SingleDownloads {
  public func addResources(
    _ drafts: [SingleDownload], toRecord title: String
  ) async throws(LibraryError) -> (ids: [ResourceID], record: Record) {
    do {
      return try await stages.singles.addResources(drafts, toRecord: title)
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  public func files(
    ofMetalink document: [UInt8]
  ) async throws(LibraryError) -> (entries: [ManifestEntry], problems: [String]) {
    do {
      return try await stages.singles.files(
        ofMetalink: document, atMost: Self.metalinkLimit)
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  public func startTransfers(_ limits: [ResourceID: Int]) async throws(LibraryError) {
    do {
      try await stages.singles.startTransfers(limits)
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  public func setConnections(_ counts: [ResourceID: Int?]) async throws(LibraryError) {
    stages.singles.setConnections(counts)
  }

  public func stopTransfers(
    of resources: [ResourceID], discardingFiles discardsFiles: Bool
  ) async throws(LibraryError) {
    do {
      try await stages.singles.stopTransfers(of: resources, discardingFiles: discardsFiles)
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  public func setRateLimit(bytesPerSecond: Int) {
    stages.verbs.overrideRateLimit(bytesPerSecond)
  }
}
