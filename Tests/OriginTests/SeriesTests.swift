import Foundation
import HTTP1
import Origin
import Testing

@Suite("A served series")
struct SeriesTests {
  private struct Listing: Decodable {
    let id: String
    let slices: [String]
  }

  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func listing(_ server: OriginServer) throws -> Listing {
    let client = try RawClient(port: server.port)
    client.get("/series")
    return try JSONDecoder().decode(Listing.self, from: Data(client.response().body))
  }

  private func slice(_ server: OriginServer, _ path: String) throws -> RawClient.Response {
    let client = try RawClient(port: server.port)
    client.get("/series/" + path)
    return client.response()
  }

  @Test("has the order of order.json, and only its files")
  func order() throws {
    try folder.write(
      "order.json",
      #"{"id": "CT 1", "slices": [{"file": "10.png"}, {"file": "2.png"}, {"file": "a b/3.png"}, {"file": "gone.png"}]}"#
    )
    for name in ["10.png", "2.png", "a b/3.png", "other.png"] { try folder.write(name, name) }
    let server = try OriginServer(OriginConfiguration(series: folder.path))
    let listing = try listing(server)
    #expect(listing.id == "CT 1")
    #expect(listing.slices == ["10.png", "2.png", "a b/3.png", "gone.png"])
    #expect(try slice(server, "CT%201/slice/10.png").text == "10.png")
    #expect(try slice(server, "CT%201/slice/a%20b%2F3.png").text == "a b/3.png")
    #expect(try slice(server, "CT%201/slice/gone.png").head.status == 404)
    #expect(try slice(server, "CT%201/slice/other.png").head.status == 404)
    #expect(try slice(server, "CT%201/slice/order.json").head.status == 404)
    #expect(try slice(server, "other/slice/10.png").head.status == 404)
  }

  @Test("has the order of the names without order.json, and only images")
  func names() throws {
    for name in ["10.png", "2.png", "1.jpg", "notes.txt"] { try folder.write(name, name) }
    let server = try OriginServer(OriginConfiguration(series: folder.path))
    #expect(try listing(server).slices == ["1.jpg", "10.png", "2.png"])
  }

  @Test("serves no file outside of the folder, for any order.json")
  func escapes() throws {
    try folder.write("order.json", #"{"id": "s", "slices": [{"file": "../../etc/passwd"}]}"#)
    let server = try OriginServer(OriginConfiguration(series: folder.path))
    #expect(try slice(server, "s/slice/..%2F..%2Fetc%2Fpasswd").head.status == 404)
  }

  @Test("is refused if order.json is invalid")
  func badOrder() throws {
    try folder.write("order.json", "[]")
    #expect(throws: OriginError.self) {
      try OriginServer(OriginConfiguration(series: folder.path))
    }
  }
}
