import Testing

@testable import MarkupExtraction

@Suite("Versions of images") struct ImageVersionTests {
  @Test(
    "The size in a URL is recognized",
    arguments: [
      ("https://h/a.jpg", nil), ("https://h/a-1024x683.jpg", 1_024), ("https://h/a_540x.jpg", 540),
      ("https://h/thumb/220px-a.jpg", 220), ("https://h/s1600/a.jpg", 1_600),
      ("https://h/w400-h266-p/a.jpg", 400), ("https://h/s640x960/a.jpg", 640),
      ("https://h/h480/a.jpg", 480), ("https://h/upload/w_400,h_600/a.jpg", 400),
      ("https://h/a.jpg?h=900&w=600", 600),
      ("https://h/a.jpg?w=640&q=75", 640), ("https://h/a.jpg?format=2500w", 2_500),
      ("https://h/resize:fit:1400/a.jpg", 1_400), ("https://h/iiif/x/full/843,/0/default.jpg", 843),
      ("https://h/upload/w_800,h_600,c_fill/a.jpg", 800), ("https://h/236x/a.jpg", 236),
      // Small and large numbers, and those of a series, are not sizes.
      ("https://h/01x02.jpg", nil), ("https://h/a-100.jpg", nil), ("https://h/s01.jpg", nil),
      ("https://h/w100.jpg", nil), ("https://h/2023/05/a.jpg", nil),
    ] as [(String, Int?)])
  func pixels(_ url: String, _ expected: Int?) { #expect(ImageVersion(url).pixels == expected) }

  @Test(
    "Versions of an image have the same key",
    arguments: [
      [
        "https://h/u/a-b-1024x683.jpg", "https://h/u/a-b.jpg", "https://h/u/a-b-scaled.jpg",
        "https://h/u/a-b-150x150.webp",
      ],
      ["https://h/s/a_540x.jpg?v=1", "https://h/s/a_2048x.jpg?v=2", "https://h/s/a.jpg"],
      [
        "https://h/img/b/KEY/s1600/a.jpg", "https://h/img/b/KEY/w400-h266/a.jpg",
        "https://h/img/b/KEY/s72-c/../s72/a.jpg",
      ].filter { !$0.contains("..") },
      [
        "https://h/v2/resize:fit:1400/format:webp/1*abc.jpeg",
        "https://h/v2/resize:fit:640/1*abc.jpeg",
      ],
      [
        "https://h/iiif/2/x/full/843,/0/default.jpg", "https://h/iiif/2/x/full/1686,/0/default.jpg",
      ],
      ["https://h/236x/ab/cd.jpg", "https://h/originals/ab/cd.jpg"],
      [
        "https://h/65535/51234567890_0a1b2c3d4e_b.jpg",
        "https://h/65535/51234567890_f0e1d2c3b4_k.jpg",
      ],
      [
        "https://h/styles/large/public/a.jpg?itok=x",
        "https://h/styles/wide_2x/public/a.jpg?itok=y",
      ],
      [
        "https://h/_next/image?url=%2Fa.jpg&w=640&q=75",
        "https://h/_next/image?url=%2Fa.jpg&w=3840&q=75",
      ],
      ["https://h/p/x/480x320.webp", "https://h/p/x/1200x630.jpg"],
      ["https://h/a.jpg?fb", "https://h/a.jpg", "https://h/a.jpg?"],
      ["https://h/i.php?id=1&amp;n=2", "https://h/i.php?id=1&n=2", "https://h/i.php?id=1;n=2"],
    ])
  func same(_ urls: [String]) { #expect(Set(urls.map { ImageVersion($0).key }).count == 1) }

  @Test(
    "Different images have different keys",
    arguments: [
      ["https://h/1.jpg", "https://h/2.jpg"], ["https://h/a-100.jpg", "https://h/a-101.jpg"],
      ["https://h/s01.jpg", "https://h/s02.jpg"], ["https://h/w100.jpg", "https://h/w101.jpg"],
      ["https://h/2023/05/a.jpg", "https://h/2023/06/a.jpg"],
      ["https://h/x/a.jpg", "https://g/x/a.jpg"],
      ["https://h/img.php?id=1", "https://h/img.php?id=2"],
      ["https://h/img.php?s=1", "https://h/img.php?s=2"],
      ["https://h/img.php?album=1&p=12", "https://h/img.php?album=1&p=13"],
      ["https://h/get?c=1", "https://h/get?c=2"], ["https://h/01x02.jpg", "https://h/01x03.jpg"],
      ["https://h/attachments/a-jpg.1/", "https://h/attachments/b-jpg.2/"],
      ["https://h/a/large.jpg", "https://h/b/large.jpg"],
      ["https://h/large.jpg", "https://h/small.jpg"],
    ])
  func different(_ urls: [String]) {
    #expect(Set(urls.map { ImageVersion($0).key }).count == urls.count)
  }

  @Test(
    "A link leads to an image if its path ends like one",
    arguments: [
      ("a.jpg", true), ("A.JPG?x=1#y", true), ("https://h/a.webp", true), ("a.html", false),
      ("a", false),
      ("a.jpg/", false), ("/wiki/File:A.jpg", false), ("/wiki/File%3AA.jpg", false),
      ("https://h/s1600-h/a.jpg", false), (".jpg", false), ("https://h.jpg", false),
    ])
  func imageFiles(_ url: String, _ expected: Bool) {
    #expect(URLShape(url).isImageFile == expected)
  }

  @Test(
    "A URL of the same program with a value in common names a version of the image",
    arguments: [
      ("a.php?id=7", "a.php?thumb=7", true), ("i.php?do=x;id=7", "i.php?do=y;id=7", true),
      ("a.php?id=7", "a.php?id=8", false), ("a.php?id", "a.php?thumb", false),
      ("a.php?id=7", "b.php?id=7", false), ("https://h/a.jpg", "https://h/a.jpg/full", false),
      ("https://h/a.jpg/640w", "https://h/a.jpg", true), ("https://h/a/b", "https://h/a", false),
    ])
  func programs(_ image: String, _ other: String, _ expected: Bool) {
    #expect(URLShape(image).isVersion(of: URLShape(other)) == expected)
  }

  @Test("Any text has a key")
  func anyText() {
    for url in [
      "", "/", "//", "?", "#", "a?b", "?&=&", "https://", "%", "a/%3", "-_.", "w", "x.", "..", ",,",
    ] {
      _ = ImageVersion(url).key
    }
  }
}
