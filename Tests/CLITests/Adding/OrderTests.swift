import Testing

@Suite struct OrderTests {
  @Test("2,000 files of one list keep its order, with many transfers at a time")
  func largeList() async throws {
    try await Rig.run { rig in
      // Few files under many URLs: what is asked for differs, and nothing takes long to make.
      for number in 0..<20 { try rig.serve("\(number).png", Sample.image(number)) }
      let urls = (0..<2_000).map { rig.url("\($0 * 7 % 20).png?\($0)") }
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      let ending = try await rig.imgdl("add", "-j", "32", "--no-thumbnails", list)
      #expect(ending.code == 0, "\(ending.errors)")
      let resources = try await rig.resources()
      #expect(resources.map(\.url) == urls)
      #expect(resources.map(\.index) == Array(1...2_000))
      for (number, resource) in resources.enumerated() {
        let name = String(repeating: "0", count: 4 - "\(number + 1)".count) + "\(number + 1)"
        #expect(resource.file == "list/\(name)-\(number * 7 % 20).png")
      }
      #expect(try rig.files().count == 2_000)
      let head = try await rig.shell(
        "imgdl-cli show 1 | head -1; imgdl-cli show 1 --json | head -1")
      #expect(head.code == 0)
      #expect(head.errors == "", "a reader that has gone is no reason to complain")
      #expect(head.output.split(separator: "\n").count == 2)
    }
  }
}
