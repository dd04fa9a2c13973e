/// Untrusted labels as names of files and folders: every resulting name stays in its folder, is short enough, can
/// be typed, and is its own safe name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  var chance = Chance(input)
  let label = String(decoding: input, as: UTF8.self)
  let type = ["jpg", "png", "", "a/b", "тип"][chance.below(5)]
  let file = SafeName.file(
    index: chance.below(2_000_000), width: chance.below(30), label: label[...], fileExtension: type)
  check(file, of: label)
  demand(file.utf8.first.map { (0x30...0x39).contains($0) } ?? false, "\(file) has no index")
  let folder = SafeName.folder(label)
  check(folder, of: label)
  demand(folder.utf8.first != UInt8(ascii: "."), "\(folder) is hidden")
  demand(SafeName.folder(folder).utf8.elementsEqual(folder.utf8), "\(folder) is not safe itself")
  let key = SafeName.foldingKey(folder)
  demand(SafeName.foldingKey(key) == key, "the key of \(folder) folds again")
  return 0
}

private func check(_ name: String, of label: String) {
  demand(!name.isEmpty && name.utf8.count <= SafeName.maximumLength, "length of \(name)")
  demand(name != "." && name != "..", "\(name) leads elsewhere")
  demand(
    !name.utf8.contains { $0 < 0x20 || $0 == 0x7f || $0 == 0x2f || $0 == 0x5c },
    "\(name) of \(label) has a separator or a control character")
  demand(name.utf8.last != 0x20 && name.utf8.last != UInt8(ascii: "."), "\(name) ends badly")
}
