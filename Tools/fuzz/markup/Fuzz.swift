import Models

/// Untrusted texts as attributes, styles, scripts and beginnings of pages: no text causes a trap, and the results
/// have the properties that their users rely on.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  let text = String(decoding: bytes, as: UTF8.self)
  checkSet(text)
  checkReference(text)
  checkVersion(text)
  checkContinuation(text)
  for word in Words.split(text) { demand(!word.isEmpty, "an empty word in \(text)") }
  if let title = Words.collapsed(text) {
    demand(Words.collapsed(title) == title, "\(title) is not collapsed")
  }
  _ = ElementNames(text)
  _ = ImageFilter.omission(ofURL: text)
  _ = BackgroundImage.url(inStyle: "background:" + text)
  _ = BackgroundImage.url(inStyle: text)
  if let width = BackgroundImage.pixels("width", inStyle: text) { _ = DisplayedSize(width: width) }
  demand(LinkedData.images(in: text).count <= 1_000, "too many images")
  _ = EncodingPrescan.encoding(of: bytes)
  _ = EncodingPrescan.charset(inContentType: text)
  return 0
}

private func checkSet(_ text: String) {
  let candidates = SourceSet(text).candidates
  demand(candidates.count <= 256, "\(candidates.count) candidates")
  for candidate in candidates {
    demand(!candidate.url.isEmpty, "an empty URL in \(text)")
    demand(!candidate.url.utf8.contains { $0 == 0x20 || $0 == 0x0a }, "a space in \(candidate.url)")
    demand(candidate.width ?? 1 > 0 && candidate.density ?? 1 > 0, "a size of nothing")
  }
}

private func checkReference(_ text: String) {
  guard let reference = Reference.cleaned(text) else { return }
  demand(Reference.cleaned(reference) == reference, "\(reference) is not clean")
  demand(!reference.utf8.contains { $0 == 0x0a || $0 == 0x09 || $0 == 0x5c }, "\(reference)")
}

private func checkVersion(_ text: String) {
  let version = ImageVersion(text)
  demand((16...20_000).contains(version.pixels ?? 16), "\(version.pixels ?? 0) pixels")
  demand(version.key.utf8.count <= 3 * text.utf8.count + 3, "the key of \(text) is too long")
  let shape = URLShape(text)
  demand(shape.folders.count <= shape.segments.count, "more folders than segments")
  demand((0...100).contains(version.percentage ?? 0), "\(version.percentage ?? 0) percent")
  demand(shape.innerURL?.hasPrefix("http") != false, "an image of \(text) is made of another one")
  let target = URLShape(String(text.prefix(text.count / 2)))
  demand(!target.isVersion(of: shape) || target.segments.count >= shape.segments.count, "\(text)")
  _ = shape.isVersion(of: target)
  _ = ListedKind(text)
}

private func checkContinuation(_ text: String) {
  guard let url = try? HTTPURL("http://h/" + text) else { return }
  let page = PageContinuation(url)
  demand(!page.isContinued(by: page), "\(url) continues itself")
}
