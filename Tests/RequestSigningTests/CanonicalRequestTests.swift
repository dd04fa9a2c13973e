import Models
import Testing

@testable import RequestSigning

@Suite("Canonical requests")
struct CanonicalRequestTests {
  @Test(
    "The path is decoded and encoded once, and not normalized",
    arguments: [
      ("/", "/"), ("/a/b.jpg", "/a/b.jpg"), ("/a//b/", "/a//b/"), ("/a%20b", "/a%20b"),
      ("/a+b", "/a%2Bb"), ("/a%2Bb", "/a%2Bb"), ("/%7eme/~you", "/~me/~you"),
      ("/%e6%97%a5", "/%E6%97%A5"), ("/(1)'*!", "/%281%29%27%2A%21"),
      ("/a:b@c=d&e", "/a%3Ab%40c%3Dd%26e"),
      ("/100%", "/100%25"), ("/%zz", "/%25zz"), ("/a%2Fb", "/a/b"), ("/%2525", "/%2525"),
      ("/x?a=/b", "/x"),
    ])
  func path(_ target: String, _ canonical: String) {
    #expect(CanonicalRequest.path(of: url(target)) == canonical)
  }

  @Test(
    "The parameters are encoded and sorted",
    arguments: [
      ("/", ""), ("/?", ""), ("/?acl", "acl="), ("/?acl=", "acl="), ("/?&&a&", "a="),
      ("/?b=2&a=1", "a=1&b=2"), ("/?a=2&a=1&a", "a=&a=1&a=2"), ("/?a=b=c", "a=b%3Dc"),
      ("/?prefix=f/g%20h%2F", "prefix=f%2Fg%20h%2F"), ("/?a=x+y", "a=x%20y"),
      ("/?a=x%2by", "a=x%2By"), ("/?a-b=1&a=2&aa=3", "a=2&a-b=1&aa=3"), ("/?A=1&a=2", "A=1&a=2"),
      ("/?a=~_-.", "a=~_-."), ("/?a=?", "a=%3F"),
    ])
  func query(_ target: String, _ canonical: String) {
    #expect(CanonicalRequest.query(of: url(target)) == canonical)
  }

  @Test("The fields are signed in the order of their names, with the blanks of AWS")
  func fields() {
    let request = CanonicalRequest(
      HTTPURL(
        origin: HTTPURL.Origin(scheme: .http, host: "::1", port: 9_000), target: "/b/k?list-type=2"),
      signing: HTTPFields([
        "X-Amz-Date": "20130524T000000Z", "Range": "  bytes=0-9 ", "x-amz-b": "1",
        "x-amz-a": "a  \t b", "X-AMZ-B": "2",
      ]))
    #expect(request.signedNames == "host;range;x-amz-a;x-amz-b;x-amz-date")
    #expect(
      request.text == """
        GET
        /b/k
        list-type=2
        host:[::1]:9000
        range:bytes=0-9
        x-amz-a:a b
        x-amz-b:1,2
        x-amz-date:20130524T000000Z

        host;range;x-amz-a;x-amz-b;x-amz-date
        e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
        """)
  }

  @Test(
    "Times are in UTC",
    arguments: [
      (0, "19700101T000000Z"), (951_782_399, "20000228T235959Z"), (951_782_400, "20000229T000000Z"),
      (951_868_800, "20000301T000000Z"), (1_369_353_600, "20130524T000000Z"),
      (1_735_689_599, "20241231T235959Z"), (1_735_689_600, "20250101T000000Z"),
      (4_107_542_400, "21000301T000000Z"), (.max, "99991231T235959Z"), (.min, "19700101T000000Z"),
    ] as [(Int64, String)])
  func time(_ seconds: Int64, _ text: String) {
    let time = SigningTime(secondsSince1970: seconds)
    #expect(time.text == text)
    #expect(time.day == text.prefix(8))
  }

  private func url(_ target: String) -> HTTPURL {
    HTTPURL(origin: HTTPURL.Origin(scheme: .https, host: "h", port: 443), target: target)
  }
}
