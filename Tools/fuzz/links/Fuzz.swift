import HTTP1
import Models

/// `Link`, `Digest` and `Repr-Digest`: limits are observed, an additional field adds links but removes none, and
/// links are mirrors only with a digest or a strong entity tag.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let links = LinkHeader.links(in: HTTPFields(["Link": text]))
  demand(links.count <= LinkHeader.linkLimit, "\(links.count) links")
  for link in links {
    demand(link.parameters.count <= LinkHeader.parameterLimit, "parameters of \(link.target)")
    demand(!link.target.utf8.contains(UInt8(ascii: ">")), "a target with its end: \(link.target)")
  }
  let more = LinkHeader.links(in: HTTPFields(["Link": text, "link": "<x>; rel=next"]))
  demand(more.starts(with: links), "a second field takes links away: \(text)")
  demand(
    LinkHeader.next(in: HTTPFields(["Link": text]))
      == links.first { $0.relations.contains("next") }?.target, "another next page: \(text)")
  checkDuplicates(text)
  checkDigest(text)
  return 0
}

private func checkDuplicates(_ text: String) {
  demand(DuplicateLinks(HTTPFields(["Link": text])) == nil, "mirrors without proof: \(text)")
  demand(
    DuplicateLinks(HTTPFields(["Link": text, "ETag": "W/\"v\""])) == nil, "a weak tag: \(text)")
  let tagged = DuplicateLinks(HTTPFields(["Link": text, "ETag": "\"v\""]))
  demand(tagged?.targets.count ?? 1 <= DuplicateLinks.limit, "too many mirrors: \(text)")
  demand(tagged?.targets.contains("") != true, "an empty mirror: \(text)")
}

private func checkDigest(_ text: String) {
  for name in ["Digest", "Repr-Digest"] {
    guard let checksum = RepresentationDigest.checksum(in: HTTPFields([name: text])) else {
      continue
    }
    let base64 = Base64.encode(checksum.bytes)
    demand(text.utf8.count >= base64.utf8.count, "a digest from nothing: \(text)")
    demand(
      RepresentationDigest.checksum(in: HTTPFields([name: text, "Content-Encoding": "br"])) == nil,
      "a digest of a coded body: \(text)")
    let type = checksum.algorithm.rawValue
    let again = HTTPFields(["Digest": "\(type)=\(base64)", "Repr-Digest": "\(type)=:\(base64):"])
    demand(RepresentationDigest.checksum(in: again) == checksum, "\(text) written down again")
  }
}
