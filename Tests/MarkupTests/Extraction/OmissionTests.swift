import Markup
import Testing

@Suite("Images that are left out") struct OmissionTests {
  @Test(
    "A decoration is left out",
    arguments: [
      "<img src=x.gif width=1 height=1>", "<img src=x.jpg width=600 height=2>",
      "<img src=x.png width=32 height=32>",
      "<img src=x.png style='width:16px;height:16px'>", "<img src=x.png height=20>",
      "<img src=88x31.gif width=88 height=31>",
      "<img src=https://h/t?id=1 style='display:none'>", "<img src=https://ads.example/x.jpg>",
      "<img src=/cgi-bin/Count.cgi?df=x>", "<img src=x.jpg class=avatar>",
      "<div class=user-avatar><a><img src=x.jpg></a></div>",
      "<img src=x.jpg class='emoji'>", "<img src=x.jpg alt=':)'>", "<img src=x.jpg alt='🙂'>",
      "<img src=x.jpg alt='Site logo'>",
      "<img src=/img/logo.png>", "<img src=site-logo.jpg>", "<img src=icon.svg>",
      "<img src=/avatars/1.jpg>",
      "<img src=/smilies/a.gif>", "<img src=spacer.gif>", "<img src=favicon.ico>",
      "<img src=arrow.gif>", "<img src=facebook.png>",
      "<img src=/wp-content/themes/x/deco.png>", "<img src=https://secure.gravatar.example/x?s=56>",
      "<div class=advertisement><p><img src=x.jpg></p></div>", "<img src=logo-0a1b2c3d4e5f.png>",
      "<img src=x.jpg class=profile>",
      "<a rel='sponsored' href=https://s.example/><img src=x.jpg></a>",
      "<a href=https://other.test/><img src=x.jpg width=300 height=250></a>",
      "<img src=x_32x32.png>", "<img src=1x1.gif>",
      "<div style='background:url(bg.png)'></div>",
      "<div style='background:url(x.png) repeat-x'></div>",
      "<figure><img src=x.jpg class=social-share></figure>", "<img src=x.jpg class='trust-badge'>",
      String(repeating: "<img src=x.jpg>", count: 5),
    ])
  func decorations(_ html: String) throws {
    #expect(try Page(html + "<img src=wanted.jpg>").urls == ["wanted.jpg"])
    // Also if the page has nothing else.
    #expect(try Page(html).urls.isEmpty)
  }

  @Test(
    "What is beside the contents is left out, unless there is nothing else",
    arguments: [
      "nav", "footer", "aside", "header", "div class=sidebar", "div id=footer",
      "div class='site-header'",
      "section class=related-products", "div class='more-from'", "div role=navigation",
      "ul class=breadcrumbs",
      "div class='widget-area'", "div class='site-footer'", "div class=ad-slot", "div class=banner",
      "div id=side-gallery", "div class=right-column", "div class=postsignature",
      "div class=side",
    ])
  func places(_ element: String) throws {
    let html = "<\(element)><p><img src=x.jpg></p></\(element.split(separator: " ")[0])>"
    #expect(try Page(html + "<img src=wanted.jpg>").urls == ["wanted.jpg"])
    #expect(try Page(html).urls == ["x.jpg"])
  }

  @Test(
    "An image for social networks is left out if its name is that of a whole site",
    arguments: [
      ("https://cdn.example/site/cover-all.jpg", true), ("og_image.png", false),
      ("site-cover.jpg", false), ("social_default.png", false),
      ("heron.jpg", true), ("default-heron-at-dawn.jpg", true),
    ])
  func shares(_ name: String, _ isKept: Bool) throws {
    let page = try Page("<meta property=og:image content='\(name)'><img src=wanted.jpg>")
    #expect(page.urls.contains(name) == isKept)
  }

  @Test("An image for social networks from another folder than several on the page is left out")
  func sharesOfSites() throws {
    let meta = "<meta property=og:image content=/assets/site-cover-photo.jpg>"
    let page = try Page(meta + "<img src=/uploads/1/a.jpg><img src=/uploads/2/b.jpg>")
    #expect(page.urls == ["/uploads/1/a.jpg", "/uploads/2/b.jpg"])
    #expect(try Page(meta + "<img src=/uploads/1/a.jpg>").urls.count == 2)
  }

  @Test("The original that a page names for social networks replaces a reduced version")
  func reducedVersions() throws {
    let digest = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
    let meta = "<meta property=og:image content=/images/0a/1b/\(digest).png>"
    let page = try Page(meta + "<img src=/samples/0a/1b/sample_\(digest).jpg>")
    #expect(page.urls == ["/images/0a/1b/\(digest).png"])
  }

  @Test("Small previews of other pages are left out, unless there is nothing else")
  func previews() throws {
    let html = "<a href=p1.html><img src=t1.jpg width=75 height=75></a>"
    #expect(try Page(html + "<img src=wanted.jpg>").urls == ["wanted.jpg"])
    #expect(try Page(html).urls == ["t1.jpg"])
  }

  @Test(
    "Contents are kept whose names have words of decorations",
    arguments: [
      "<img src=star-trails.jpg>", "<img src=abstract-background.jpg>",
      "<img src=new-logo-on-the-headquarters-building.jpg>",
      "<img src=/icons/virgin-mary.jpg>", "<img src=flag-of-nepal.jpg>",
      "<img src=button-mushroom-soup.jpg>",
      "<img src=banner-peak-at-dawn.jpg>", "<img src=/awards/2020/winner.jpg>",
      "<img src=home-3.jpg alt='Our home in the hills'>",
      "<img src=a.jpg alt='The sign with the new logo of the company'>",
      "<article class='post category-logos tag-icons'><img src=a.jpg></article>",
      "<div class='content-sidebar-wrap'><img src=a.jpg></div>",
      "<div class=has-sidebar><img src=a.jpg></div>",
      "<article><header class=entry-header><img src=a.jpg></header></article>",
      "<main class=author-page><img src=a.jpg></main>",
      "<div class=sidebar-right><main><img src=a.jpg></main></div>",
      "<body class='has-nav footer-dark sidebar'><img src=a.jpg>",
      "<figure><img src=drawing.svg></figure>", "<img src=map.svg width=600 height=400>",
      "<img src=a.gif>",
      "<img src=a.jpg width=100% height=20%>", "<img src=a.jpg width=640>",
      "<img src=https://img.example/photo?id=7>",
      "<div class=loading><img src=a.jpg class='lazyload loading'></div>",
      "<img src=a.jpg style='display:none'>",
      "<a href=https://other.test/><img src=a.jpg width=640 height=480></a>",
      "<div class=menu-item><img src=a.jpg></div>",
      "<dt class='gallery-icon landscape'><img src=a.jpg></dt>",
      "<div class=ad-gallery><img src=a.jpg></div>", "<div id=comp-ad5914><img src=a.jpg></div>",
      "<img src=/albums/userpics/1/a.jpg>", "<img src=a.jpg alt='Icon of a saint'>",
      "<main><div class=hero-banner><img src=a.jpg></div></main>",
      "<div class='_2SlAD x3Ad9k'><img src=a.jpg></div>",
      "<div id=nav-review><img src=a.jpg></div>",
    ])
  func contents(_ html: String) throws { #expect(try Page(html).urls.count == 1) }
}
