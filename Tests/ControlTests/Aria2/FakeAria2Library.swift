import Aria2
import Models
import TestSupport

/// A library of the aria2 interface that remembers the calls, and can hold additions at a gate.
struct FakeAria2Library: Aria2Library {
  let calls = Watched<[String]>([])
  /// The resources that an earlier process has created, by URI.
  let earlier = Watched<[String: [ResourceID]]>([:])
  /// The states of all resources; nil if they cannot be read.
  let states = Watched<[ResourceID: Aria2ResourceState]?>(nil)
  /// Additions wait while this is false.
  let isOpen = Watched(true)
  /// The readings of Metalink documents wait while this is false.
  let readsMetalinks = Watched(true)

  func metalinkFiles(
    in document: [UInt8]
  ) async throws(Aria2LibraryError) -> (files: [MetalinkFile], problems: [String]) {
    let text = String(decoding: document, as: UTF8.self)
    calls.update { $0.append("read \(text)") }
    try? await readsMetalinks.until { $0 }
    guard text != "bad" else { throw Aria2LibraryError("It is not well-formed.", isFinal: true) }
    return ([MetalinkFile(uris: ["http://m.example/\(text)"])], ["another file has no URL"])
  }

  func earlierResources(
    for order: TransferOrder
  ) async -> (resources: [ResourceID], folder: String)? {
    earlier.value[order.uri].map { ($0, "/library/aria2") }
  }

  func addResource(
    for order: TransferOrder
  ) async throws(Aria2LibraryError) -> (resource: ResourceID, folder: String) {
    let number = calls.update { calls in
      calls.append("add \(order.uri)")
      return calls.filter { $0.hasPrefix("add") }.count
    }
    try? await isOpen.until { $0 }
    return (ResourceID(Int64(number)), "/library/aria2")
  }

  func start(_ limits: [ResourceID: TransferLimits]) async throws(Aria2LibraryError) {
    for id in limits.keys.sorted() { calls.update { $0.append("start \(id)") } }
  }

  func stop(_ resource: ResourceID) async throws(Aria2LibraryError) {
    calls.update { $0.append("stop \(resource)") }
  }

  func discard(_ resource: ResourceID) async throws(Aria2LibraryError) {
    calls.update { $0.append("discard \(resource)") }
  }

  func setConcurrency(_ limit: Int) async throws(Aria2LibraryError) {}

  func setRateLimit(bytesPerSecond: Int) async throws(Aria2LibraryError) {}

  func progress() async -> [ResourceID: Aria2Progress] { [:] }

  func title(of record: RecordID) async -> String? { record == RecordID(1) ? "aria2" : nil }

  func states(of resources: [ResourceID]) async -> [ResourceID: Aria2ResourceState]? {
    states.value?.filter { resources.contains($0.key) }
  }
}
