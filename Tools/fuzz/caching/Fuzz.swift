import HTTP1
import Models

/// `Cache-Control` and entity tags: case is ignored, a restriction remains in force when other directives are
/// added, and an entity tag is sent back unchanged.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let control = CacheControl(HTTPFields(["Cache-Control": text]))
  if let age = control.maxAge {
    demand((0...DeltaSeconds.maximum).contains(age), "max-age \(age)")
  }
  let ascii = String(
    decoding: text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  demand(CacheControl(HTTPFields(["cache-control": ascii])) == control, "case matters: \(text)")
  checkRestrictions(text, control)
  checkTag(text)
  return 0
}

private func checkRestrictions(_ text: String, _ control: CacheControl) {
  let more = CacheControl(
    HTTPFields(["Cache-Control": text, "CACHE-CONTROL": "no-store, max-age=1, max-age=2"]))
  demand(more.noStore, "no-store in a second field is lost behind \(text)")
  demand(more.maxAge == 0, "two ages make \(String(describing: more.maxAge)) behind \(text)")
  demand(
    (!control.noCache || more.noCache) && (!control.mustRevalidate || more.mustRevalidate),
    "a restriction is lost: \(text)")
}

private func checkTag(_ text: String) {
  guard let tag = EntityTag(text) else { return }
  demand(tag.fieldValue.utf8.elementsEqual(text.utf8), "\(text) goes back as \(tag.fieldValue)")
  demand(EntityTag(tag.fieldValue) == tag, "\(text) written down again")
  let validator = Validator(entityTag: tag, lastModified: "x")
  demand((validator.ifRange == nil) == tag.isWeak, "\(text) in If-Range")
}
