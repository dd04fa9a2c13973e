import Models
import Persistence

/// Finds the files of a source that was added before for the URLs that its list has signed anew since. As in a refresh,
/// one earlier URL and one listed URL must be the only ones that differ in nothing but their signatures
/// (`UnsignedURL`). Pure.
struct SignedAnew {
  private var listed: [UnsignedURL: Listed] = [:]
  private var found: [UnsignedURL: Found] = [:]

  private struct Listed {
    let fields: HTTPFields
    let request: RequestKey
    /// Whether no other URL of the list differs in the signature only.
    var isUnique = true
  }

  private struct Found {
    let request: RequestKey
    /// A resource with a file; nil if there is none.
    var resource: Resource?
    /// Whether no other earlier URL differs in the signature only.
    var isUnique = true
  }

  /// Adds a URL of the list. All are added before the earlier resources.
  mutating func add(_ url: UnsignedURL, _ fields: HTTPFields, _ request: RequestKey) {
    if let known = listed[url] {
      if known.request != request { listed[url]?.isUnique = false }
    } else {
      listed[url] = Listed(fields: fields, request: request)
    }
  }

  /// Adds resources of the earlier reading.
  /// - Parameters:
  ///   - earlier: Returns the key of the request for a resource.
  ///   - new: Returns the key that the request for a URL with fields has now.
  mutating func add(
    _ resources: [Resource], earlier: (Resource) -> RequestKey,
    new: (String, HTTPFields) -> RequestKey
  ) {
    for resource in resources {
      guard let url = UnsignedURL(resource.url), let entry = listed[url], entry.isUnique else {
        continue
      }
      let request = earlier(resource)
      // Requests with other fields or options may have other answers. What has the same URL shares its files anyway.
      guard request != entry.request, request == new(resource.url, entry.fields) else {
        listed[url] = nil
        continue
      }
      var place = found[url] ?? Found(request: request)
      if place.request != request { place.isUnique = false }
      if place.resource == nil, resource.file?.answer != nil { place.resource = resource }
      found[url] = place
    }
  }

  /// The changes that make the files the answers to the requests for the listed URLs, in the order of the resources.
  var changes: [ResourceChange] {
    let answers: [(ResourceID, StoredFile.Answer)] = found.compactMap { url, place in
      guard place.isUnique, let entry = listed[url], let resource = place.resource,
        var answer = resource.file?.answer
      else { return nil }
      answer.request = entry.request
      return (resource.id, answer)
    }
    return answers.sorted { $0.0 < $1.0 }.map { .answering($0.0, $0.1) }
  }
}
