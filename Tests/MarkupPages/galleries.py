"""Pages of photo galleries, readers and museums."""

from builder import advertisement, document, head, social, tracker


def flickr(b, url):
    base = "//live.photos.example/65535"
    key, secret = b.digits(11), b.hexadecimal(10)
    best = b.want(f"https:{base}/{key}_{b.hexadecimal(10)}_k.jpg")[6:]
    sizes = [(f"{base}/{key}_{secret}_n.jpg", 320), (f"{base}/{key}_{secret}.jpg", 500), (f"{base}/{key}_{secret}_c.jpg", 800), (f"{base}/{key}_{secret}_b.jpg", 1024), (best, 2048)]
    candidates = ", ".join(f"{u} {w}w" for u, w in sizes)
    others = b.many(3, 8, lambda _: f'<div class="photo-thumb thumb"><a href="/photos/name/{b.digits(11)}/in/photostream"><img src="{base}/{b.digits(11)}_{b.hexadecimal(10)}_s.jpg" width="75" height="75" alt="x"></a></div>')
    comments = b.many(1, 4, lambda _: f'<li class="comment"><div class="avatar person small" style="background-image: url({base}/buddyicons/{b.digits(8)}@N00_s.jpg?1);"></div>{b.paragraph()}</li>')
    title = b.title()
    return document(
        head(b, title, url, f"https:{base}/{key}_{secret}_b.jpg" if b.chance(0.5) else f"https:{best}"),
        f'<div class="view global-nav-view"><a class="main-logo"><img src="/images/logo.svg" alt="Photos"></a></div><div class="view photo-page-scrappy-view"><div class="photo-well-media-scrappy-view"><img src="{base}/{key}_{secret}_b.jpg" srcset="{candidates}" class="main-photo" alt="{title}" width="1024" height="683"><img class="low-res-photo" src="{base}/{key}_{secret}_n.jpg" alt=""></div></div>'
        f'<div class="sub-photo-left-view"><a class="owner-name"></a><div class="avatar large" style="background-image: url({base}/buddyicons/1@N00_l.jpg)"></div><h1 class="photo-title">{title}</h1><ul class="comments">{comments}</ul></div><div class="context-slider">{others}</div>{tracker(b)}',
    )


def manga(b, url):
    base = "https://cdn.reader.example"
    chapter = f"{b.hexadecimal(6)}/chapter-{b.number(1, 90)}"
    lazy = b.choice(True, False)

    def sheet(index):
        source = b.want(f"{base}/{chapter}/{index + 1:03}.{b.choice('jpg', 'webp')}")
        if lazy:
            return f'<div class="page-break no-gaps"><img id="image-{index}" data-src="\n\t\t\t{source}\n" class="wp-manga-chapter-img img-responsive lazyload effect-fade" src="/wp-content/themes/x/images/dflazy.jpg"></div>'
        return f'<div class="page-break"><img id="image-{index}" src="\t\t\t\n{source}" class="wp-manga-chapter-img"></div>'

    sheets = b.many(6, 24, sheet)
    title = f"{b.title()} - Chapter {b.number(1, 90)}"
    popular = b.many(2, 5, lambda _: f'<div class="popular-item-wrap"><a href="/manga/{b.slug()}/"><img width="75" height="106" src="{base}/covers/{b.slug()}-75x106.jpg" class="img-responsive" alt=""></a></div>')
    return document(
        head(b, title, url, f"{base}/covers/social-share.jpg"),
        f'<header class="site-header"><div class="wrap_branding"><a class="logo" href="/"><img class="img-responsive" src="/wp-content/uploads/2020/logo-dark.png" alt="Reader"></a></div></header>'
        f'<div class="c-blog-post"><h1 id="chapter-heading">{title}</h1><div class="select-view"><a class="btn prev_page"><img src="/images/prev.png" alt="prev"></a><a class="btn next_page"><img src="/images/next.png" alt="next"></a></div>{advertisement(b)}<div class="reading-content">{sheets}</div>{advertisement(b)}'
        f'<div id="comments"><img class="avatar" src="https://gravatar.example/avatar/{b.hexadecimal(32)}?s=50" width="50" height="50"></div></div><div class="c-sidebar sidebar-right"><div class="widget popular">{popular}</div></div>',
    )


def mediawiki(b, url):
    base = "//upload.wiki.example/wikipedia/commons"

    def path():
        one = b.hexadecimal(1)
        return f"{one}/{one}{b.hexadecimal(1)}", b.slug().replace("-", "_").capitalize() + ".jpg"

    def thumb(index):
        folder, name = path()
        width = b.choice(220, 250, 300)
        best = b.want(f"https:{base}/thumb/{folder}/{name}/{width * 2}px-{name}")[6:]
        candidates = f"{base}/thumb/{folder}/{name}/{width * 3 // 2}px-{name} 1.5x, {best} 2x"
        image = f'<a href="/wiki/File:{name}" class="mw-file-description"><img src="{base}/thumb/{folder}/{name}/{width}px-{name}" decoding="async" width="{width}" height="{width * 2 // 3}" class="mw-file-element" srcset="{candidates}" data-file-width="3000" data-file-height="2000" /></a>'
        if index == 0:
            return f'<table class="infobox"><tbody><tr><td class="infobox-image">{image}</td></tr></tbody></table>'
        return f'<figure class="mw-default-size" typeof="mw:File/Thumb">{image}<figcaption>{b.words()}</figcaption></figure>{b.paragraph()}'

    def gallery_item(_):
        folder, name = path()
        best = b.want(f"https:{base}/thumb/{folder}/{name}/360px-{name}")[6:]
        return f'<li class="gallerybox" style="width: 215px"><div class="thumb" style="width: 210px; height: 180px;"><span typeof="mw:File"><a href="/wiki/File:{name}" class="mw-file-description"><img src="{base}/thumb/{folder}/{name}/180px-{name}" width="180" height="120" srcset="{base}/thumb/{folder}/{name}/270px-{name} 1.5x, {best} 2x"/></a></span></div></li>'

    thumbs = b.many(2, 6, thumb)
    gallery = b.many(0, 6, gallery_item)
    icon = f'<span class="noviewer" typeof="mw:File"><a href="/wiki/File:Commons-logo.svg"><img alt="" src="{base.replace("commons", "en")}/thumb/4/4a/Commons-logo.svg/30px-Commons-logo.svg.png" decoding="async" width="30" height="40" class="mw-file-element" srcset="{base}/thumb/4/4a/Commons-logo.svg/45px-Commons-logo.svg.png 1.5x" /></a></span>'
    flag = f'<span class="flagicon"><img alt="" src="{base}/thumb/b/ba/Flag_of_X.svg/23px-Flag_of_X.svg.png" width="23" height="14" class="mw-file-element" srcset="{base}/thumb/b/ba/Flag_of_X.svg/46px-Flag_of_X.svg.png 2x"/></span>'
    title = b.title()
    first = b.wanted[0]
    shared = None
    if b.chance(0.5):
        # The image for social networks is the largest version of the first image of the article.
        shared = f"{first.rsplit('/', 1)[0]}/1200px-{first.rsplit('px-', 1)[1]}"
        b.wanted[0] = shared
    return document(
        head(b, f"{title} - Wiki", url, shared, generator="MediaWiki 1.43"),
        f'<div class="vector-header-container"><header class="vector-header mw-header"><a href="/wiki/Main_Page" class="mw-logo"><img class="mw-logo-icon" src="/static/images/icons/wikipedia.png" alt="" aria-hidden="true" height="50" width="50"><img class="mw-logo-wordmark" alt="Wiki" src="/static/images/mobile/copyright/wordmark-en.svg" style="width: 7.5em; height: 1.125em;"></a></header></div>'
        f'<main id="content" class="mw-body"><h1 id="firstHeading" class="firstHeading mw-first-heading">{title}</h1><div id="mw-content-text"><div class="mw-content-ltr mw-parser-output">{thumbs}<p>{flag} {b.words()}</p><ul class="gallery mw-gallery-traditional">{gallery}</ul><div role="navigation" class="navbox"><img src="{base}/thumb/a/aa/Nav_{b.hexadecimal(3)}.jpg/50px-Nav.jpg" width="50" height="33"></div><div class="side-box metadata sistersitebox">{icon}</div></div></div></main>'
        f'<footer id="footer" class="mw-footer"><ul id="footer-icons"><li><a class="cdx-button"><img src="/static/images/footer/wikimedia-button.svg" width="84" height="29"></a></li></ul></footer><noscript><img src="https://login.wiki.example/wiki/Special:CentralAutoLogin/start?type=1x1" alt="" width="1" height="1" style="border: none; position: absolute;"></noscript>',
    )


def museum(b, url):
    base = "https://iiif.museum.example/iiif/2"

    def view(_):
        key = b.hexadecimal(8) + "-" + b.hexadecimal(12)
        best = b.want(f"{base}/{key}/full/1686,/0/default.jpg")
        candidates = ", ".join(f"{base}/{key}/full/{w},/0/default.jpg {w}w" for w in (200, 400, 843)) + f", {best} 1686w"
        return f'<li class="m-gallery-header__thumb" data-gallery-img-srcset="{candidates}"><span class="m-media__img"><img alt="{b.words()}" class="img-hero-caption" src="{base}/{key}/full/200,/0/default.jpg" srcset="{candidates}" sizes="100vw" width="843" height="1000"></span></li>'

    views = b.many(1, 5, view)
    title = b.title()
    explore = b.many(3, 6, lambda _: f'<li class="m-listing"><a href="/artworks/{b.digits(5)}"><img class="lazyload" alt="x" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="{base}/{b.hexadecimal(8)}/full/200,/0/default.jpg" data-srcset="{base}/{b.hexadecimal(8)}/full/400,/0/default.jpg 400w"></a></li>')
    extra = f'<script type="application/ld+json">{{"@context":"http://schema.org","@type":"VisualArtwork","name":"{title}","image":"{b.wanted[0].replace("1686,", "843,")}"}}</script>'
    return document(
        head(b, title, url, b.wanted[0].replace("1686,", "1200,"), extra=extra),
        f'<header class="g-header"><svg class="icon--logo"></svg><img src="/logos/museum.svg" alt="Museum"></header><main id="content"><h1>{title}</h1><ul class="m-gallery-header">{views}</ul><div class="o-blocks">{b.paragraph()}</div><img class="qr-code" src="/qr/{b.digits(5)}.png" width="90" height="90" alt="QR code">'
        f'<div class="m-related"><h2>Explore related</h2><ul>{explore}</ul></div></main><footer class="g-footer"><img src="/logos/city.png" alt="City"></footer>',
    )


def photoswipe(b, url):
    def item(_):
        slug = b.slug()
        full = b.want(f"https://photos.example/_data/i/upload/2020/{slug}-xx.jpg")
        return f'<figure itemprop="associatedMedia" itemscope itemtype="http://schema.org/ImageObject"><a href="_data/i/upload/2020/{slug}-xx.jpg" itemprop="contentUrl" data-size="1600x1067"><img src="_data/i/upload/2020/{slug}-th.jpg" itemprop="thumbnail" alt="{b.words()}" /></a><figcaption itemprop="caption description">{b.words()}</figcaption></figure>' if full else ""

    def tile(_):
        slug = b.slug()
        b.want(f"https://photos.example/albums/{slug}.jpg")
        quote = b.choice("&quot;", "'", "")
        return f'<a class="tile" href="albums/{slug}.jpg" style="background-image: url({quote}thumbs/{slug}.jpg{quote}); width: 240px"></a>'

    def background(_):
        quote = b.choice("&quot;", "'", "")
        return f'<div class="photo" style="background-size:cover;background-image:url({quote}{b.want(f"https://photos.example/full/{b.slug()}.jpg")}{quote})"></div>'

    title = b.title()
    items = b.many(4, 12, b.choice(item, tile, background))
    return document(
        head(b, title, url),
        f'<div class="titrePage" style="background:url(/template/pattern.png) repeat-x"><h2>{title}</h2><img src="themes/default/icon/menu.png" alt="menu"></div><div class="my-gallery" itemscope>{items}</div><div class="pswp"><div class="pswp__preloader"><img src="themes/default/loading.gif" alt="loading"></div></div><div id="copyright"><a href="https://piwigo.example"><img src="themes/powered-by.png" alt="Powered by"></a></div>',
    ).replace("<head>", '<head><base href="https://photos.example/">')


def joomla(b, url):
    base = "https://club.example/images"

    def item(_):
        slug = b.slug()
        full = b.want(f"{base}/galleries/{b.slug()}/{slug}.{b.choice('jpg', 'JPG', 'jpeg')}")
        rel = b.choice('class="jcepopup" rel="group[x]"', 'class="sigProLink fancybox" data-fancybox="g"', 'class="thumbnail" data-lightbox="a"')
        thumb = f'<img class="sigProImg" src="/plugins/content/jw_sigpro/x/images/transparent.gif" alt="Click to enlarge {slug}" style="width:200px;height:160px;background-image:url(\'/cache/jw_sigpro/{b.hexadecimal(10)}_{slug}.jpg\');" />' if b.chance(0.4) else f'<img src="/cache/thumbs/{slug}_200.jpg" alt="{slug}" width="200" height="150" />'
        return f'<li class="sigProThumb"><a href="{full.replace("https://club.example", "")}" {rel} title="{b.words()}">{thumb}</a></li>'

    items = b.many(4, 14, item)
    title = b.title()
    return document(
        head(b, title, url, generator="Joomla! - Open Source Content Management"),
        f'<div class="header"><a class="brand" href="/"><img src="{base}/verein_kopf.jpg" alt="Club"></a></div><div id="content" class="item-page"><h2 itemprop="headline">{title}</h2><ul class="actions"><li class="print-icon"><a><img src="/media/system/images/printButton.png" alt="Print"></a></li><li class="email-icon"><img src="/media/system/images/emailButton.png" alt="Email"></li></ul>{b.paragraph()}<ul class="sigProContainer">{items}</ul></div>'
        f'<div id="right"><div class="moduletable"><img src="{base}/banners/sponsor-bank.gif" alt="Bank"></div></div><div class="footer"><img src="{base}/w3c-valid.gif" alt="Valid HTML"></div>',
    )


def drupal(b, url):
    base = "https://city.example/sites/default/files"

    def item(_):
        slug, token = b.slug(), b.hexadecimal(8)
        style = b.choice("colorbox", "picture", "plain")
        if style == "colorbox":
            b.want(f"{base}/styles/max_1300x1300/public/2020-05/{slug}.jpg?itok={token}")
            return f'<div class="field__item"><a href="{base}/styles/max_1300x1300/public/2020-05/{slug}.jpg?itok={token}" title="{b.words()}" data-colorbox-gallery="gallery-field" class="colorbox"><img src="/sites/default/files/styles/medium/public/2020-05/{slug}.jpg?itok={b.hexadecimal(8)}" width="220" height="147" alt="" loading="lazy" typeof="foaf:Image" /></a></div>'
        if style == "picture":
            best = b.want(f"{base}/styles/wide_2x/public/{slug}.jpg?itok={token}")
            return f'<div class="field__item"><picture><source srcset="/sites/default/files/styles/wide/public/{slug}.jpg?itok={b.hexadecimal(8)} 1x, {best} 2x" media="all and (min-width: 851px)" type="image/jpeg"/><source srcset="/sites/default/files/styles/narrow/public/{slug}.jpg?itok={b.hexadecimal(8)} 1x" type="image/jpeg"/><img src="/sites/default/files/styles/narrow/public/{slug}.jpg?itok=1" width="325" height="217" alt="" /></picture></div>'
        b.want(f"{base}/styles/large/public/{slug}.png?itok={token}")
        return f'<article class="media media--type-image"><div class="field__item"><img loading="lazy" src="/sites/default/files/styles/large/public/{slug}.png?itok={token}" width="480" height="320" alt="x" class="image-style-large" /></div></article>'

    items = b.many(2, 8, item)
    title = b.title()
    return document(
        head(b, title, url, generator="Drupal 10"),
        f'<header class="site-header" role="banner"><div class="site-branding__logo"><img src="/core/themes/olivero/logo.svg" alt="City"></div></header><main role="main"><h1 class="title page-title">{title}</h1><div class="node__content">{b.paragraph()}<div class="field field--name-field-image field--type-image">{items}</div><span class="file file--mime-application-pdf"><img class="file-icon" alt="PDF icon" title="application/pdf" src="/core/modules/file/icons/application-pdf.png" /></span></div></main><div class="region region-sidebar-second"><div class="block views-block-news"><img src="{base}/styles/thumbnail/public/{b.slug()}.jpg" width="100" height="67"></div></div><footer></footer>',
    )


def nextjs(b, url):
    from urllib.parse import quote

    def picture(_):
        inner = f"/photos/{b.slug()}.jpg" if b.chance(0.5) else f"https://cms.example/uploads/{b.slug()}.jpg"
        widths = [640, 750, 828, 1080, 1200, 1920, 2048, 3840]

        def at(width):
            return f"/_next/image?url={quote(inner, safe='')}&amp;w={width}&amp;q=75"

        b.want("https://app.example" + at(3840).replace("&amp;", "&"))
        candidates = ", ".join(f"{at(w)} {w}w" for w in widths)
        if b.chance(0.5):
            return f'<span style="box-sizing:border-box;display:block"><img alt="{b.words()}" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" decoding="async" data-nimg="responsive"/><noscript><img alt="" sizes="100vw" srcSet="{candidates}" src="{at(3840)}" decoding="async" data-nimg="responsive" loading="lazy"/></noscript></span>'
        return f'<img alt="{b.words()}" loading="lazy" width="1200" height="800" decoding="async" data-nimg="1" style="color:transparent;background-image:url(&quot;data:image/svg+xml;charset=utf-8,%3Csvg%3E%3C/svg%3E&quot;)" srcSet="{candidates}" src="{at(3840)}"/>'

    pictures = b.many(2, 9, picture)
    title = b.title()
    return document(
        head(b, title, url, extra='<link rel="preload" as="image" href="/logo.svg"/>'),
        f'<div id="__next"><header><a href="/"><img alt="App" src="/logo.svg" width="120" height="32"></a></header><main><h1>{title}</h1><div class="grid">{pictures}</div><img alt="" src="/_next/static/media/icon-arrow.1234.svg" width="16" height="16"></main><footer><a href="https://host.example"><img alt="Host" src="/host.svg" width="72" height="16"></a></footer></div>',
    )


def old_static(b, url):
    def item(_):
        slug = b.slug().replace("-", "").upper()
        if b.chance(0.6):
            b.want(f"http://www.old.example/~name/PICS/{slug}.JPG")
            return f'<TD ALIGN=CENTER><A HREF="PICS/{slug}.JPG"><IMG SRC="PICS/T_{slug}.JPG" BORDER=0 ALT="{b.words()}" WIDTH=160 HEIGHT=120></A><BR><FONT SIZE=-1>{b.words()} \xe9t\xe9'
        b.want(f"http://www.old.example/~name/PICS/{slug}.GIF")
        return f'<TD><IMG SRC=PICS/{slug}.GIF ALT=""><P>{b.words()}'

    rows = b.many(2, 5, lambda _: "<TR>" + b.many(2, 3, item))
    title = b.title()
    return (
        f'<HTML><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=iso-8859-1"><TITLE>{title} \xe0</TITLE></HEAD>\n'
        f'<BODY BACKGROUND="BACK/MARBLE.GIF" BGCOLOR=#FFFFFF><CENTER><IMG SRC="GIFS/NEW.GIF" WIDTH=31 HEIGHT=12 ALT="NEW!"><H1>{title}</H1><IMG SRC="GIFS/RAINBOWLINE.GIF" WIDTH=600 HEIGHT=4 ALT="---"></CENTER>\n'
        f'<TABLE BORDER=0>{rows}</TABLE><P><IMG SRC="GIFS/SPACER.GIF" WIDTH=1 HEIGHT=20><A HREF="index.html"><IMG SRC="GIFS/HOME.GIF" BORDER=0 ALT="Home" WIDTH=40 HEIGHT=40></A><A HREF="mailto:x@old.example"><IMG SRC="GIFS/MAIL.GIF" BORDER=0 ALT="Mail" WIDTH=48 HEIGHT=32></A><BR>You are visitor <IMG SRC="/cgi-bin/Count.cgi?df=name.dat" ALT="counter"></BODY></HTML>'
    ).encode("iso-8859-1")


def elementor(b, url):
    base = "https://hotel.example/wp-content/uploads/2022/03"

    def slide(_):
        return f'<div class="swiper-slide"><div class="elementor-carousel-image" role="img" aria-label="{b.slug()}" style="background-image: url(&quot;{b.want(f"{base}/{b.slug()}.jpg")}&quot;)"></div></div>'

    def item(_):
        slug = b.slug()
        full = b.want(f"{base}/{slug}.jpg")
        return f'<a class="e-gallery-item elementor-gallery-item" href="{full}" data-elementor-open-lightbox="yes" data-elementor-lightbox-slideshow="a"><div class="e-gallery-image elementor-gallery-item__image" data-thumbnail="{base}/{slug}-768x512.jpg" data-width="768" data-height="512" style="background-image: url(&quot;{base}/{slug}-768x512.jpg&quot;)" role="img"></div></a>'

    title = b.title()
    slides, items = b.many(2, 5, slide), b.many(3, 9, item)
    return document(
        head(b, title, url, generator="Elementor 3.18"),
        f'<div data-elementor-type="header" class="elementor elementor-location-header"><div class="elementor-widget-theme-site-logo"><img width="300" height="100" src="{base}/hotel-wort.png" alt=""></div></div>'
        f'<div data-elementor-type="wp-page" class="elementor"><h1 class="elementor-heading-title">{title}</h1><div class="elementor-main-swiper swiper"><div class="swiper-wrapper">{slides}</div></div><div class="elementor-gallery__container">{items}</div><div class="elementor-widget-icon-box"><img src="{base}/wifi-icon.svg" alt=""></div></div>'
        f'<div data-elementor-type="footer" class="elementor elementor-location-footer"><img width="80" height="80" src="{base}/superior.png" alt="Stars"></div>',
    )


def lazy_portfolio(b, url):
    base = "/media/portfolio"

    def work(_):
        slug = b.slug()
        style = b.choice("original", "lazy", "echo", "multi")
        full = f"{base}/{slug}.jpg"
        if style == "multi":
            best = b.want(f"https://artist.example{base}/{slug},w_2400,h_1600.jpg")
            return f'<figure><img class="lazyload blur-up" src="{base}/{slug},w_20.jpg" data-srcset="{base}/{slug},w_800,h_533.jpg 800w, {best} 2400w" data-sizes="auto" alt="{b.words()}"></figure>'
        b.want(f"https://artist.example{full}")
        if style == "original":
            return f'<figure><img class="lazy" data-original="{full}" src="/img/grey.gif" width="900" height="600" alt="{b.words()}"></figure>'
        if style == "lazy":
            return f'<figure><img data-lazy="{full}" alt="{b.words()}"></figure>'
        return f'<figure><img class="lozad" data-src="{full}" alt="{b.words()}"><figcaption>{b.words()}</figcaption></figure>'

    works = b.many(3, 12, work)
    title = b.title()
    return document(
        head(b, title, url, extra=f'<link rel="next" href="/portfolio?page={b.number(2, 9)}">'),
        f'<nav class="main-nav"><a href="/"><img src="/img/signature.png" alt="Artist"></a></nav><main><h1>{title}</h1>{works}<img class="loader" src="/img/ajax-loader.gif" alt=""></main>{social(b, "/img/social")}<footer><img src="/img/cc-by-nc.svg" alt="CC BY-NC" width="88" height="31"></footer>',
    )


def art_station(b, url):
    base = "https://cdna.art.example/p/assets/images/images"

    def asset(_):
        key, slug = f"{b.digits(3)}/{b.digits(3)}/{b.digits(3)}", b.slug()
        best = b.want(f"{base}/{key}/4k/{slug}.jpg?{b.digits(10)}")
        return f'<div class="project-assets-item"><picture class="project-assets-image"><source media="(max-width: 768px)" srcset="{base}/{key}/medium/{slug}.jpg?1"><source srcset="{base}/{key}/large/{slug}.jpg?1 1920w, {best} 3840w"><img src="{base}/{key}/large/{slug}.jpg?1" alt="{b.words()}" class="img img-fluid"></picture></div>'

    assets = b.many(1, 6, asset)
    first = b.wanted[0]
    title = b.title()
    preload = f'<link rel="preload" as="image" imagesrcset="{first.replace("/4k/", "/large/")} 1920w, {first} 3840w" imagesizes="100vw">'
    more = b.many(2, 6, lambda _: f'<a class="artwork-thumb" href="/artwork/{b.hexadecimal(5)}"><img src="{base}/{b.digits(3)}/smaller_square/{b.slug()}.jpg?1" alt="x" width="80" height="80"></a>')
    return document(
        head(b, title, url, first.replace("/4k/", "/large/"), extra=preload),
        f'<div class="main-menu"><img class="logo" src="/assets/logo.svg" alt="Art"></div><main class="project"><div class="project-assets">{assets}</div></main><aside class="project-sidebar"><div class="project-author"><img class="project-author-avatar" src="https://cdna.art.example/p/users/avatars/{b.digits(3)}/medium/{b.hexadecimal(8)}.jpg" alt="Author"></div><h1>{title}</h1><img class="software-icon" src="https://cdna.art.example/p/software_icons/1/default/ps.png" alt="Photoshop"><div class="more-by"><h3>More by</h3>{more}</div></aside>',
    )


FAMILIES = {
    "flickr": (flickr, "https://www.photos.example/photos/name/123/"),
    "manga": (manga, "https://reader.example/manga/x/chapter-1/"),
    "mediawiki": (mediawiki, "https://en.wiki.example/wiki/Title"),
    "museum": (museum, "https://www.museum.example/artworks/1"),
    "photoswipe": (photoswipe, "https://photos.example/index.php?/category/1"),
    "joomla": (joomla, "https://club.example/index.php/galerie"),
    "drupal": (drupal, "https://city.example/node/12"),
    "nextjs": (nextjs, "https://app.example/gallery"),
    "old-static": (old_static, "http://www.old.example/~name/pics.html"),
    "elementor": (elementor, "https://hotel.example/"),
    "lazy-portfolio": (lazy_portfolio, "https://artist.example/portfolio"),
    "art-station": (art_station, "https://www.art.example/artwork/abc"),
}
