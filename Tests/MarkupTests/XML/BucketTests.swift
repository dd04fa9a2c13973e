import Markup
import Testing

@Suite("Buckets") struct BucketTests {
  private func listing(_ objects: [String], _ fields: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
    <Name>birds</Name><KeyCount>9</KeyCount>\(fields)
    \(objects.map { "<Contents><Key>\($0)</Key><Size>7</Size><Owner><ID>x</ID></Owner></Contents>" }.joined())
    </ListBucketResult>
    """
  }

  @Test(
    "An object's URL is that of its key below the bucket",
    arguments: [
      ("https://b.s3.amazonaws.com/?list-type=2", "a.jpg", "https://b.s3.amazonaws.com/a.jpg"),
      (
        "https://s3.amazonaws.com/b?list-type=2&prefix=x/", "x/a.jpg",
        "https://s3.amazonaws.com/b/x/a.jpg"
      ),
      ("http://h:9000/b/", "a b+c?d#e%20.jpg", "http://h:9000/b/a%20b%2Bc%3Fd%23e%2520.jpg"),
      ("http://h/b", "日/&amp;.png", "http://h/b/%E6%97%A5/%26.png"),
      ("http://h/", "/a.jpg", "http://h//a.jpg"), ("http://h/", "a//b.zip", "http://h/a//b.zip"),
      ("http://h/", "../a.jpg", "http://h/%2E%2E/a.jpg"),
    ])
  func keys(_ url: String, _ key: String, _ expected: String) throws {
    let page = try Page(listing([key]), url: url)
    #expect(page.rule == .bucket && page.urls == [expected] && page.title == "birds")
    #expect(page.entries.map(\.byteCount) == [7])
  }

  @Test("Keys are decoded if the page says that they are encoded")
  func encodedKeys() throws {
    let page = try Page(
      listing(["a+b%2Bc/%C3%A4.jpg"], "<EncodingType>url</EncodingType>"), url: "http://h/")
    #expect(page.urls == ["http://h/a%20b%2Bc/%C3%A4.jpg"] && page.entries[0].name == "ä.jpg")
    let late = try Page(listing(["a+b.jpg"]), url: "http://h/?encoding-type=url")
    #expect(late.urls == ["http://h/a%20b.jpg"])
  }

  @Test("Other objects are one problem, and folders are none")
  func others() throws {
    let page = try Page(listing(["x/", "index.html", "a.jpg", "noname"]), url: "http://h/")
    #expect(page.urls == ["http://h/a.jpg"])
    #expect(
      page.items.last
        == .problem("2 objects are not images, PDFs or archives; the first: index.html"))
  }

  @Test(
    "The next page has the token and the other parameters",
    arguments: [
      (
        "http://h/b?prefix=x%2F&list-type=2&continuation-token=old&max-keys=5&start-after=q",
        "<IsTruncated>true</IsTruncated><NextContinuationToken>a+/=</NextContinuationToken>",
        "http://h/b?list-type=2&continuation-token=a%2B%2F%3D&prefix=x%2F&max-keys=5"
      ),
      (
        "http://h/b", "<IsTruncated>true</IsTruncated><NextMarker>m&amp;</NextMarker>",
        "http://h/b?marker=m%26"
      ),
      ("http://h/b/?marker=a", "<IsTruncated>true</IsTruncated>", "http://h/b/?marker=z.jpg"),
      ("http://h/b?marker=a", "<IsTruncated>true</IsTruncated>", "http://h/b?marker=z.jpg"),
      ("http://h/b?list-type=2", "<IsTruncated>true</IsTruncated>", nil),
      (
        "http://h/b",
        "<IsTruncated>false</IsTruncated><NextContinuationToken>a</NextContinuationToken>", nil
      ),
    ] as [(String, String, String?)])
  func pages(_ url: String, _ fields: String, _ expected: String?) throws {
    #expect(try Page(listing(["a.jpg", "z.jpg"], fields), url: url).nextPage == expected)
  }

  @Test(
    "A truncated page without the name of the next one is a problem, unless it ends early itself")
  func missingToken() throws {
    let url = "http://h/b?list-type=2"
    let text = listing(["a.jpg", "z.jpg"], "<IsTruncated>true</IsTruncated>")
    guard case .remark(let reason, line: nil)? = try Page(text, url: url).items.last else {
      Issue.record("no remark")
      return
    }
    #expect(reason.contains("no NextContinuationToken"))
    let end = try #require(text.firstRange(of: "z.jpg")).lowerBound
    let cut = try Page(String(text[..<end]), url: url)
    #expect(cut.nextPage == nil && cut.urls == ["http://h/b/a.jpg"])
    guard case .truncation? = cut.items.last else {
      Issue.record("\(cut.items)")
      return
    }
  }

  @Test("Spaces at the ends of keys and prefixes are a part of them")
  func spaces() throws {
    let page = try Page(
      listing(
        ["a.jpg ", " b.jpg"],
        "<CommonPrefixes><Prefix>p /</Prefix></CommonPrefixes>"
          + "<CommonPrefixes><Prefix> </Prefix></CommonPrefixes>"), url: "http://h/b")
    #expect(page.urls == ["http://h/b/a.jpg%20", "http://h/b/%20b.jpg"])
    #expect(page.documents == ["http://h/b?prefix=p%20%2F", "http://h/b?prefix=%20"])
  }

  @Test("Folders of a listing with a delimiter are documents of their own")
  func folders() throws {
    let page = try Page(
      listing(
        ["a.jpg"], "<Prefix>p/</Prefix><CommonPrefixes><Prefix>p/x y/</Prefix></CommonPrefixes>"),
      url: "http://h/?delimiter=/&prefix=p/")
    #expect(page.documents == ["http://h/?prefix=p%2Fx%20y%2F&delimiter=/"])
    #expect(page.title == "p")
    let bucket = try Page(
      listing(["a.jpg"], "<CommonPrefixes><Prefix>p/</Prefix></CommonPrefixes>"),
      url: "http://h/b?delimiter=/")
    #expect(bucket.documents == ["http://h/b?prefix=p%2F&delimiter=/"])
  }
}
