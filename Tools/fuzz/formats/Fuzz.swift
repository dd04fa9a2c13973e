import Models

/// The format of a file by its first bytes, and whether its images are complete. The functions accept every input,
/// and bytes after the point where they stop reading do not change the result.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let format = ResourceFormat(sniffing: input)
  let head = Array(input.prefix(ResourceFormat.sniffLength))
  let first = ResourceFormat(sniffing: head)
  if !ResourceFormat.hasOpenProlog(head) || first != .text {
    demand(first == format, "\(first) by the first bytes, \(format) by all")
  }
  demand(
    first == .text || first == format,
    "\(first) by the first bytes became \(format), no late markup")
  input.withUnsafeBytes { bytes in
    let file = ByteView(bytes)
    _ = GIFStructure(file).isWhole
    _ = TIFFStrips.isCut(file)
    _ = (HEIFStructure(file).isPremultiplied, JPEGXLStructure(file).isPremultiplied)
    for page in [0, 1, 7, Int.max] { _ = TIFFStrips(file, page: page)?.isWhole }
  }
  return 0
}
