import Manifests
import Models
import Persistence

/// Compares the entries of a list that is read again with the resources of its record. Resources are equal if
/// their requests are, or if each names the URL of the other as a mirror, as after a change of the priorities.
/// A URL that differs from one that has vanished from the list in its signature only (`UnsignedURL`) is a new URL of the
/// same resource.
struct RecordComparison {
  private let entries: [ManifestEntry]
  private let key: (String, HTTPFields) -> RequestKey
  private var known: Set<RequestKey> = []
  /// The keys in `known` that the entries have as well.
  private var listed: Set<RequestKey> = []
  /// The resources with mirrors or an expected size, and those whose entries have some, by the keys of their
  /// requests.
  private var comparable: [RequestKey: Resource] = [:]
  private let keysWithMirrorsOrSize: Set<RequestKey>
  /// The checksums that the entries state.
  private let checksums: [RequestKey: Checksum]
  /// The resources whose checksums differ from those of their entries, by the keys of their requests.
  private var otherwiseVerified: [RequestKey: [Resource]] = [:]
  /// The entries that the record does not have yet.
  private(set) var new: [ManifestEntry] = []
  private var newRequests: Set<RequestKey> = []
  /// The new entries that follow all entries of the record in the list, as new pages of a book do; none if the list
  /// has no entries of the record.
  var following: ArraySlice<ManifestEntry> {
    precedingCount.map { new[$0...] } ?? []
  }
  /// The other new entries.
  var preceding: ArraySlice<ManifestEntry> { precedingCount.map { new[..<$0] } ?? new[...] }
  /// The number of new entries before the last one that the record has; nil if it has none of them.
  private var precedingCount: Int?
  /// Whether the list has all resources of the record.
  var hasAllKnown: Bool { listed.count == known.count }
  /// Whether the last entry is new, so that what follows the list may be new as well.
  private(set) var endsWithNew = false
  /// The changes of the URLs, mirrors, sizes and checksums of known resources.
  private(set) var changes: [ResourceChange] = []
  /// The number of failed resources that are queued again, because they have another URL now.
  private(set) var retriedCount = 0
  /// The resources whose URL was signed anew, with the new one.
  private(set) var relocated: [(resource: Resource, url: String)] = []
  private var waiting: [(request: RequestKey, id: ResourceID)] = []
  /// The requests of the entries with signed URLs that are the only ones of their kind, if the list is whole.
  private let signed: [UnsignedURL: Signed]
  /// The resources whose URLs differ from those of `signed` in the signature, by the keys of their requests.
  private var vanished: [UnsignedURL: [RequestKey: [Resource]]] = [:]

  /// The requests of entries that differ in their signatures only.
  private struct Signed {
    var requests: Set<RequestKey>
    /// Whether the list names one URL only, so that it is known which one has replaced another.
    var isUnique: Bool { requests.count == 1 }
  }

  /// - Parameters:
  ///   - isWhole: Whether `entries` are all that the list has, so that what is not among them has vanished from it.
  ///   - key: Returns the key of the request for a URL with fields.
  init(
    _ entries: [ManifestEntry], isWhole: Bool = false,
    key: @escaping (String, HTTPFields) -> RequestKey
  ) {
    self.entries = entries
    self.key = key
    keysWithMirrorsOrSize = Set(
      entries.lazy.filter { !$0.mirrors.isEmpty || $0.expectedByteCount != nil }.map {
        key($0.address, $0.headers)
      })
    checksums = Dictionary(
      entries.lazy.compactMap { entry in
        entry.checksum.map { (key(entry.address, entry.headers), $0) }
      }, uniquingKeysWith: { first, _ in first })
    var signed: [UnsignedURL: Signed] = [:]
    if isWhole {
      for entry in entries {
        guard let url = UnsignedURL(entry.address) else { continue }
        signed[url, default: Signed(requests: [])].requests
          .insert(key(entry.address, entry.headers))
      }
    }
    self.signed = signed
  }

  /// Adds resources of the record. All are added before `finish`.
  mutating func add(_ resources: [Resource]) {
    for resource in resources {
      let request = key(resource.url, resource.fields)
      known.insert(request)
      if !resource.mirrors.isEmpty || resource.expectedByteCount != nil
        || keysWithMirrorsOrSize.contains(request)
      {
        comparable[request] = resource
      }
      if resource.expectedChecksum != checksums[request] {
        otherwiseVerified[request, default: []].append(resource)
      }
      if !signed.isEmpty, let url = UnsignedURL(resource.url), let entries = signed[url],
        entries.isUnique, !entries.requests.contains(request)
      {
        vanished[url, default: [:]][request, default: []].append(resource)
      }
    }
  }

  mutating func finish() {
    for entry in entries {
      let request = key(entry.address, entry.headers)
      endsWithNew = true
      if newRequests.contains(request) { continue }
      endsWithNew = false
      if known.contains(request) {
        precedingCount = new.count
        listed.insert(request)
        updateChecksums(request, from: entry)
        if let resource = comparable.removeValue(forKey: request) {
          update(resource, request, from: entry)
        }
      } else if let (other, resource) = resourceNamingMirror(entry) {
        precedingCount = new.count
        comparable[other] = nil
        known.insert(request)
        listed.formUnion([request, other])
        updateChecksums(other, from: entry)
        update(resource, other, from: entry)
      } else if let (other, resources) = resourcesSignedAnew(entry) {
        precedingCount = new.count
        known.insert(request)
        listed.formUnion([request, other])
        for resource in resources { relocate(resource, other, to: entry) }
      } else {
        newRequests.insert(request)
        new.append(entry)
        endsWithNew = true
      }
    }
  }

  /// The changed resources that wait for their download.
  /// - Parameter isRunning: Returns whether a transfer of the request is running.
  func changedWaiting(_ isRunning: (RequestKey) -> Bool) -> [ResourceID] {
    waiting.filter { !isRunning($0.request) }.map(\.id)
  }

  private func resourceNamingMirror(
    _ entry: ManifestEntry
  ) -> (request: RequestKey, resource: Resource)? {
    guard !comparable.isEmpty else { return nil }
    for mirror in entry.mirrors {
      let request = key(mirror, entry.headers)
      if let resource = comparable[request], resource.mirrors.contains(entry.address) {
        return (request, resource)
      }
    }
    return nil
  }

  /// Returns the resources whose URL has vanished from the list, and has another signature in the entry; nil if there
  /// are none, or of several URLs.
  private func resourcesSignedAnew(
    _ entry: ManifestEntry
  ) -> (request: RequestKey, resources: [Resource])? {
    guard !vanished.isEmpty, let url = UnsignedURL(entry.address), let found = vanished[url],
      let (request, resources) = found.first, found.count == 1,
      // The same fields, other than those that are no part of the keys, make the same request.
      resources.allSatisfy({
        key(entry.address, $0.fields) == key(entry.address, entry.headers)
      })
    else { return nil }
    return (request, resources)
  }

  /// Gives a resource the URL of the entry. What has failed with the old one is tried again.
  private mutating func relocate(
    _ resource: Resource, _ request: RequestKey, to entry: ManifestEntry
  ) {
    changes.append(.relocated(resource.id, url: entry.address))
    relocated.append((resource, entry.address))
    let byteCount = entry.expectedByteCount
    if entry.mirrors != resource.mirrors || byteCount != resource.expectedByteCount {
      changes.append(.mirrored(resource.id, mirrors: entry.mirrors, byteCount: byteCount))
    }
    if entry.checksum != resource.expectedChecksum {
      changes.append(.expecting(resource.id, entry.checksum))
    }
    switch resource.state {
    case .queued: waiting.append((request, resource.id))
    case .failed where resource.file == nil || resource.mustReload:
      changes.append(.queuedAgain(resource.id, mustReload: resource.mustReload))
      retriedCount += 1
    default: break
    }
  }

  private mutating func updateChecksums(_ request: RequestKey, from entry: ManifestEntry) {
    for resource in otherwiseVerified.removeValue(forKey: request) ?? []
    where resource.expectedChecksum != entry.checksum {
      changes.append(.expecting(resource.id, entry.checksum))
      if resource.state == .queued { waiting.append((request, resource.id)) }
    }
  }

  private mutating func update(
    _ resource: Resource, _ request: RequestKey, from entry: ManifestEntry
  ) {
    let urls = [entry.address] + entry.mirrors
    let mirrors = urls.filter { key($0, entry.headers) != request }
    let byteCount = entry.expectedByteCount
    guard mirrors != resource.mirrors || byteCount != resource.expectedByteCount else { return }
    changes.append(.mirrored(resource.id, mirrors: mirrors, byteCount: byteCount))
    if resource.state == .queued { waiting.append((request, resource.id)) }
  }
}
