import FoundationEssentials
import Glibc

/// A folder of images in a given order, as the `series` interface shows it.
///
/// The order is that of `order.json` (`{"slices": [{"file": NAME}, …]}`) where it exists, else that
/// of the names.
struct Series: Sendable {
  let id: String
  let slices: [String]
  private let known: Set<String>
  private let folder: Folder

  private struct Order: Decodable {
    struct Slice: Decodable { let file: String }
    let id: String?
    let slices: [Slice]
  }

  private struct Listing: Encodable {
    let id: String
    let slices: [String]
  }

  init(_ path: String) throws(OriginError) {
    folder = try Folder(path)
    let name = path.split(separator: "/").last.map { String($0) } ?? "series"
    if let file = folder.file(["order.json"]) {
      let bytes = file.read(0..<file.size)
      let order: Order
      do {
        order = try JSONDecoder().decode(Order.self, from: Data(bytes))
      } catch {
        throw OriginError(.series, "\(path)/order.json does not name its slices: \(error)")
      }
      id = order.id ?? name
      slices = order.slices.map(\.file)
    } else {
      id = name
      slices = try Self.images(in: path)
    }
    known = Set(slices)
  }

  /// The body of `/series`.
  var listing: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try? encoder.encode(Listing(id: id, slices: slices))
    return data.map { [UInt8]($0) } ?? []
  }

  /// The file of a slice; only listed names lead to one.
  func slice(_ name: String) -> StoredFile? {
    guard known.contains(name) else { return nil }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return folder.file(parts.map { String($0) })
  }

  private static func images(in path: String) throws(OriginError) -> [String] {
    guard let directory = opendir(path) else {
      throw OriginError(.series, "cannot list \(path): \(Descriptor.reason)")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if ContentType.of(name).hasPrefix("image/") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
