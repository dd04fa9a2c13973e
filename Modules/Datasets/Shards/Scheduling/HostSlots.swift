/// Bounds the simultaneous transfers of a shard from one host. Pure: no input or output.
///
/// Of the samples beyond the limit that of the lowest index begins first, because reports have the order of the input.
public struct HostSlots: Sendable {
  private struct Host {
    var transferCount = 0
    /// The waiting samples in ascending order.
    var waiting: ArraySlice<Int> = []
  }

  private let limit: Int
  private var hosts: [String: Host] = [:]

  /// - Parameter limit: The maximum number of simultaneous transfers from a host, at least 1.
  public init(limit: Int) { self.limit = max(1, limit) }

  /// Takes a slot for a transfer.
  /// - Returns: false if there is none; `end(at:)` returns the sample when its turn has come.
  public mutating func begin(_ index: Int, at host: String) -> Bool {
    guard hosts[host, default: Host()].transferCount < limit else {
      let waiting = hosts[host]?.waiting ?? []
      // A sample whose transfer failed is older than the others; all others come in order.
      let place = waiting.lastIndex { $0 < index }.map { $0 + 1 } ?? waiting.startIndex
      hosts[host]?.waiting.insert(index, at: place)
      return false
    }
    hosts[host, default: Host()].transferCount += 1
    return true
  }

  /// Returns the slot of a transfer.
  /// - Returns: The sample that begins next; nil if there is none.
  public mutating func end(at host: String) -> Int? {
    hosts[host]?.transferCount -= 1
    if let next = hosts[host]?.waiting.popFirst() { return next }
    if hosts[host]?.transferCount == 0 { hosts[host] = nil }
    return nil
  }
}
