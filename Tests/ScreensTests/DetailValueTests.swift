import Models
import Testing

@testable import Screens

@Suite("The numbers of an image") struct DetailValueTests {
  @Test(
    "the host is that of the URL, without a user; a file of this machine has none",
    arguments: [
      ("http://birds.example/1.jpg", "birds.example"), ("http://h:8080?q#f", "h:8080"),
      ("https://me:secret@h/a", "h"), ("http://[::1]:80/a", "[::1]:80"),
      ("file:///birds/1.jpg", ""), ("file://nas/birds/1.jpg", "nas"), ("1.jpg", ""),
    ])
  func host(url: String, host: String) {
    let resource = Resource(id: ResourceID(1), record: RecordID(1), index: 1, url: url)
    #expect(DetailValue.text(.host, resource) == host)
  }
}
