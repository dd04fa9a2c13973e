import SystemCalls
import TestSupport

/// Archives of texts.
enum ZipBuilding {
  static func archive(_ entries: [(name: String, text: String)]) -> [UInt8] {
    ZipBuilder(entries.map { .deflated($0.name, Array($0.text.utf8)) }).build()
  }
}

extension Rig {
  /// Pages and thumbnails that the cache holds.
  var renditions: Int {
    let root = library + "/.imgdl/renditions"
    let folders = (try? FileSystem.list(root)) ?? []
    return folders.reduce(0) { sum, folder in
      sum + ((try? FileSystem.list("\(root)/\(folder.name)"))?.count ?? 0)
    }
  }

  /// Partial files that are half there.
  var halves: Int {
    let folder = library + "/.imgdl/incoming"
    let names = ((try? FileSystem.list(folder)) ?? []).map(\.name)
    return names.count { name in
      guard name.hasSuffix(".part"), let size = try? FileSystem.status(folder + "/" + name).size
      else { return false }
      return size >= 150_000
    }
  }
}

extension Sample {
  /// Whether a colour is that of the first of its pictures: (1...9, 0, 90).
  static func colour(_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> Bool {
    red < 40 && green < 20 && (70...110).contains(blue)
  }
}
