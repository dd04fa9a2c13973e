import Testing

@testable import MarkupExtraction

@Suite("Versions at services of images") struct ServiceVersionTests {
  @Test(
    "The size that a service makes is recognized",
    arguments: [
      ("https://h/image/upload/c_fill,w_300,h_200,q_auto/v17/a.jpg", 300),
      ("https://h/photos/master/w_1600%2Cc_limit/a.jpg", 1_600),
      ("https://h/media/a~mv2.jpg/v1/fill/w_306,h_204,q_80/a.jpg", 306),
      ("https://h/thumb/a/ab/Name.jpg/330px-Name.jpg", 330),
      ("https://h/images/I/71abc._AC_SL1500_.jpg", 1_500),
      ("https://h/images/M/0a1b@._V1_UX182_CR0,0,182,268_AL_.jpg", 182),
      ("https://h/images/g/key/s-l1600.jpg", 1_600), ("https://h/a.jpg_640x640.jpg", 640),
      ("https://h/a.jpg@300w_200h", 300), ("https://h/a.jpg!w700", 700),
      ("https://h/cdn-cgi/image/width=1080,quality=80/a.jpg", 1_080),
      ("https://h/x/rs:fit:1600:0/q:80/plain/https://s.test/a.jpg@webp", 1_600),
      ("https://h/thumbor/0a1b2c3d4e5f0a1b2c3d4e=/0x0:5000x3333/1200x800/a.jpg", 1_200),
      ("https://h/pw/0a1b2c3d=w2400-h1600-no", 2_400), ("https://h/pw/0a1b2c3d=s0", nil),
      ("https://h/img/s72-c/a.jpg", 72), ("https://h/max/1400/a.jpg", 1_400),
      ("https://h/resize/840x0/a.jpg", 840), ("https://h/source/600x600bb.jpg", 600),
      ("https://h/65535/51234567890_0a1b2c3d4e_b.jpg", 1_024),
      ("https://h/a/0a1b2c3d-4e5f_w948_r1.778_fpx50.jpg", 948),
      ("https://h/hash-3000x2000.jpg?w=800", 800),
      ("https://h/hash-3000x2000.jpg?w=800&dpr=2", 1_600),
      ("https://h/harbour.jpg?sw=340&sh=340", 340), ("https://h/harbour.jpg?im_w=720", 720),
      ("https://h/harbour.jpg?x-oss-process=image/resize,w_800", 800),
      ("https://h/harbour.jpg?imageView2/2/w/800", 800),
      ("https://h/harbour.jpg?tr=w-300,h-300", 300),
      ("https://h/media/0a1b2c3d?format=jpg&name=900x900", 900),
      ("https://h/harbour.jpg?type=w966", 966),
      ("https://h/_next/image?url=%2Fa.jpg&w=640&q=75", 640),
      ("https://h/iiif/2/x/full/!800,600/0/default.jpg", 800),
      ("https://h/iiif/3/x/full/max/0/default.jpg", nil),
      // Numbers of things are none.
      ("https://h/w/1234/a.jpg", nil), ("https://h/images/e_mail/a.jpg", nil),
      ("https://h/harbour.jpg?v=20240101", nil), ("https://h/a_1200.jpg", nil),
    ] as [(String, Int?)])
  func pixels(_ url: String, _ expected: Int?) { #expect(ImageVersion(url).pixels == expected) }

  @Test(
    "The versions that a service makes have the same key",
    arguments: [
      [
        "https://h/image/upload/c_fill,w_300,h_200/v17/f/a.jpg",
        "https://h/image/upload/f_auto,q_auto/v17/f/a.jpg", "https://h/image/upload/v17/f/a.jpg",
      ],
      [
        "https://h/commons/thumb/a/ab/Name.jpg/330px-Name.jpg", "https://h/commons/a/ab/Name.jpg",
      ],
      [
        "https://h/media/a~mv2.jpg/v1/fill/w_306,h_204,q_80/b.jpg",
        "https://h/media/a~mv2.jpg/v1/fit/w_1920,h_1280/b.jpg", "https://h/media/a~mv2.jpg",
      ],
      [
        "https://h/I/71abc._AC_SL1500_.jpg", "https://h/I/71abc._AC_US40_.jpg",
        "https://h/I/71abc.jpg",
      ],
      [
        "https://h/a.jpg_640x640.jpg", "https://h/a.jpg", "https://h/a.jpg!large",
        "https://h/a.jpg@300w",
      ],
      ["https://h/pw/0a1b2c3d=w400-h300-no", "https://h/pw/0a1b2c3d=s0"],
      [
        "https://h/files/styles/large/public/2024/a.jpg?itok=x", "https://h/files/2024/a.jpg",
        "https://h/files/styles/teaser/public/2024/a.jpg",
      ],
      [
        "https://h/product/cache/0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d/a/b/c.jpg",
        "https://h/product/a/b/c.jpg",
      ],
      ["https://h/cdn-cgi/image/width=1080/photos/a.jpg", "https://h/photos/a.jpg"],
      ["https://h/_next/image?url=%2Fu%2Fa.jpg&w=640", "https://h/u/a.jpg"],
      ["https://p/x/rs:fit:1600:0/plain/https://s.test/u/a.jpg@webp", "https://s.test/u/a.jpg"],
      [
        "https://h/media/0a1b2c3d?format=jpg&name=small",
        "https://h/media/0a1b2c3d?format=jpg&name=orig",
      ],
      [
        "https://h/is/image/12345678-x?wid=300&fmt=jpeg",
        "https://h/is/image/12345678-x?wid=30&fmt=webp",
      ],
      ["https://h/bphoto/0a1b2c3d/o.jpg", "https://h/bphoto/0a1b2c3d/ls.jpg"],
      ["https://h/harbour.jpg?sharp=10&auto=compress", "https://h/harbour.jpg?fp-x=0.5"],
      ["https://h/iiif/2/x/full/600,/0/default.jpg", "https://h/iiif/2/x/full/full/0/default.jpg"],
      ["https://h/p-1/0a1b2c3d4e5f_w948_r1.5.jpg", "https://h/p-1/0a1b2c3d4e5f_w300_r1.5.jpg"],
    ])
  func same(_ urls: [String]) {
    #expect(
      Set(urls.map { ImageVersion($0).key }).count == 1, "\(urls.map { ImageVersion($0).key })")
  }

  @Test(
    "Different images at a service have different keys",
    arguments: [
      ["https://h/w/1234/a.jpg", "https://h/w/1235/a.jpg"],
      ["https://h/0a1b2c3d4e5f_1.jpg", "https://h/0a1b2c3d4e5f_2.jpg"],
      ["https://h/a.jpg?id=1", "https://h/a.jpg?id=2"],
      ["https://h/Mr._A.jpg", "https://h/Mr._B.jpg"],
      ["https://h/view?url=%2Fa.jpg", "https://h/view?url=%2Fb.jpg"],
      ["https://h/chapter-12/100.jpg", "https://h/chapter-12/200.jpg"],
      ["https://h/photo_20230101_1200.jpg", "https://h/photo_20230101_1500.jpg"],
    ])
  func different(_ urls: [String]) {
    #expect(Set(urls.map { ImageVersion($0).key }).count == urls.count)
  }

  @Test("Words order versions, but not between the words of a name")
  func ranks() {
    for (url, rank, isReduced) in [
      ("https://h/a-small.jpg", 1, true), ("https://h/original/a.jpg", 6, false),
      ("https://h/thumb_old-town-harbour.jpg", 0, true),
      ("https://h/a-small-boat-1.jpg", nil, false),
      ("https://h/square-old-066.jpg", nil, false), ("https://h/small-old-town.jpg", nil, false),
    ] as [(String, Int?, Bool)] {
      #expect(ImageVersion(url).rank == rank, "\(url)")
      #expect(ImageVersion(url).isReduced == isReduced, "\(url)")
    }
  }

  @Test(
    "Of two versions the one that is called larger is taken",
    arguments: [
      ("/i/0a1b_large.jpg", "/i/0a1b_medium.jpg"), ("/i/harbour.jpg", "/i/harbour-300x200.jpg"),
      ("/i/harbour.jpg?w=966", "/i/harbour.jpg?mode=x&kind=w2"),
      ("/i/1-1024x683.jpg", "/i/1-thumb.jpg"),
    ])
  func candidates(_ larger: String, _ smaller: String) throws {
    for (first, second) in [(larger, smaller), (smaller, larger)] {
      let html = "<img src=\(first) data-src-alt=x><p><img src=\(second)>"
      #expect(try Page(html).urls == [larger], "\(first)")
    }
  }

  @Test("Names after the extension belong to an image file")
  func variants() {
    for url in ["/a.jpg!large", "/a.jpg@300w", "/a.jpg:orig", "/a.PNG_large"] {
      #expect(URLShape(url).isImageFile, "\(url)")
    }
    #expect(!URLShape("/a.html!large").isImageFile)
    #expect(URLShape("https://h/resource/blob/123456/a.jpg").isImageFile)
    #expect(!URLShape("https://h/u/r/blob/main/a.jpg").isImageFile)
  }
}
