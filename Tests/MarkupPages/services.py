"""Pages of photo services, marketplaces and discussion systems: the third set of kinds, which was written after the
rules had been changed for the second one."""

from builder import document, head, tracker


def stock_photos(b, url):
    base = "https://images.stock.example"

    def item(_):
        key = f"photo-{b.digits(13)}-{b.hexadecimal(12)}"
        tail = "?q=80&w={}&auto=format&fit=crop&ixlib=rb-4.0.3&ixid=M3wx"
        widths = [100, 200, 400, 800, 1200, 2000, 3000][: b.number(5, 7)]

        def at(width):
            return f"{base}/{key}{tail.format(width)}"

        b.want(at(widths[-1]))
        candidates = ", ".join(f"{at(w)} {w}w".replace("&", "&amp;") for w in widths)
        user = f'<a href="/@{b.slug()}"><img src="{base}/profile-{b.digits(13)}-{b.hexadecimal(12)}?w=32&amp;dpr=1&amp;crop=faces&amp;h=32&amp;auto=format" width="32" height="32" alt="Avatar of user x" class="Q4Tn5"></a>'
        return f'<figure itemprop="image" itemscope data-test="photo-grid-multi-col-figure"><a itemprop="contentUrl" href="/photos/{b.slug()}" title="View the photo by x"><div class="MorZF"><img sizes="(min-width: 1335px) 416px" srcset="{candidates}" src="{at(1000).replace("&", "&amp;")}" alt="{b.words()}" class="I7OuT" data-test="photo-grid-multi-col-img" itemprop="thumbnailUrl" style="aspect-ratio: 2 / 3;"></div></a>{user}</figure>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<header><nav><a href="/" title="Stock"><svg></svg></a></nav></header><div data-test="search-photos-route"><h1>{title}</h1><div class="ripi6">{b.many(6, 20, item)}</div></div>',
    )


def handmade(b, url):
    base = "https://i.handmade.example"

    def pane(index):
        key = f"{b.digits(7)}/r/il/{b.hexadecimal(6)}/{b.digits(10)}"
        name = key.rsplit("/", 1)[1]
        best = b.want(f"{base}/{key}/il_fullxfull.{name}_{b.hexadecimal(4)}.jpg")
        shown = best.replace("fullxfull", "794xN")
        return f'<li data-carousel-pane data-image-id="{name}" data-index="{index}" class="wt-position-absolute carousel-pane"><img src="{shown}" srcset="{shown} 1x, {best.replace("fullxfull", "1588xN")} 2x" data-src-zoom-image="{best}" data-carousel-first-image alt="{b.words()}" fetchpriority="high" class="wt-max-width-full carousel-image"></li>', best

    panes = [pane(index) for index in range(b.number(2, 8))]
    thumbs = "".join(f'<li data-carousel-thumbnail class="wt-mr-xs-1"><img src="{best.replace("fullxfull", "75x75")}" alt="" data-carousel-thumbnail-image></li>' for _, best in panes)
    title = b.title()
    shop = b.many(2, 4, lambda _: f'<li class="wt-grid__item"><a class="listing-link" href="/listing/{b.digits(9)}"><div class="v2-listing-card__img"><img data-listing-card-listing-image src="{base}/{b.digits(7)}/r/il/{b.hexadecimal(6)}/{b.digits(10)}/il_300x300.{b.digits(10)}_ab.jpg" width="300" height="300" alt=""></div></a></li>')
    return document(
        head(b, title, url, panes[0][1].replace("fullxfull", "570xN")),
        f'<header id="gnav-header" class="global-nav"></header><main id="content"><div class="listing-page-image-carousel-component"><ul class="carousel-pane-list">{"".join(p for p, _ in panes)}</ul><ul class="carousel-thumbs">{thumbs}</ul></div><h1>{title}</h1><div class="reviews">{b.many(0, 2, lambda _: f"""<div class="review-card"><img class="wt-circle user-avatar" src="{base}/iusa/{b.hexadecimal(6)}/iusa_75x75.jpg" width="36" height="36" alt=""></div>""")}</div><div class="more-from-this-shop"><h2>More from this shop</h2><ul>{shop}</ul></div></main><footer></footer>',
    )


def broadcaster(b, url):
    base = "https://ichef.news.example"

    def block(_):
        key = f"{b.hexadecimal(4)}/live/{b.hexadecimal(8)}-{b.hexadecimal(4)}.jpg"
        widths = [240, 320, 480, 640, 800, 1024, 1536]
        best = b.want(f"{base}/news/1536/cpsprodpb/{key}.webp")
        candidates = ",".join(f"{base}/news/{w}/cpsprodpb/{key}.webp {w}w" for w in widths)
        image = f'<img src="/bbcx/grey-placeholder.png" aria-label="image unavailable" class="sc-hide-when-no-script"><img sizes="(min-width: 1280px) 50vw" srcset="{candidates}" src="{base}/news/480/cpsprodpb/{key}.webp" loading="lazy" alt="{b.words()}" class="sc-show">'
        return f'<figure><div data-component="image-block"><div data-testid="hero-image" class="sc-image">{image}</div></div><figcaption>{b.words()}</figcaption></figure>{b.paragraph()}' if best else ""

    blocks = b.many(1, 5, block)
    title = b.title()
    cards = b.many(3, 6, lambda _: f'<div data-testid="dundee-card"><a href="/news/articles/{b.slug()}"><div class="sc-card-media"><img src="/bbcx/grey-placeholder.png" class="sc-hide"><img srcset="{base}/news/240/cpsprodpb/{b.hexadecimal(12)}.jpg.webp 240w" src="{base}/news/480/cpsprodpb/{b.hexadecimal(12)}.jpg.webp" alt=""></div><h2>{b.words()}</h2></a></div>')
    extra = f'<script type="application/ld+json">{{"@type":"NewsArticle","image":{{"@type":"ImageObject","width":1920,"height":1080,"url":"{b.wanted[0].replace("/news/1536/", "/news/1024/branded_news/")}"}},"publisher":{{"@type":"NewsMediaOrganization","logo":"https://static.news.example/logo.png"}}}}</script>'
    return document(
        head(b, title, url, b.wanted[0].replace("/news/1536/", "/news/1024/branded_news/").replace(".webp", ""), extra=extra),
        f'<header><img src="/bbcx/logo.svg" alt="News"></header><main id="main-content"><article><h1>{title}</h1>{blocks}</article><section data-testid="related-content" class="related"><h2>Related</h2>{cards}</section></main><footer></footer>',
    )


def dokuwiki(b, url):
    origin = "https://wiki.lab.example"

    def picture(_):
        media = f"project:{b.slug()}.jpg"
        full = b.want(f"{origin}/_media/{media}" if b.chance(0.5) else f"{origin}/lib/exe/fetch.php?w=400&tok={b.hexadecimal(6)}&media={media}")
        if "_media" in full:
            return f'<p><a href="/_media/{media}" class="media" title="{media}"><img src="/_media/{media}?w=300&amp;tok={b.hexadecimal(6)}" class="mediacenter" loading="lazy" title="{b.words()}" alt="{b.words()}" width="300" /></a></p>'
        return f'<p><a href="/lib/exe/detail.php?id=project&amp;media={media}" class="media" title="{media}"><img src="{full.replace(origin, "").replace("&", "&amp;")}" class="media" loading="lazy" alt="" width="400" /></a></p>'

    title = b.title()
    return document(
        f'<head><meta charset="utf-8" /><title>{title} [Lab]</title><link rel="shortcut icon" href="/lib/tpl/dokuwiki/images/favicon.ico" /></head>',
        f'<div id="dokuwiki__site"><div id="dokuwiki__header"><div class="headings"><a href="/start"><img src="/lib/tpl/dokuwiki/images/logo.png" width="64" height="64" alt="" /></a></div></div><div class="wrapper"><div id="dokuwiki__content"><div class="page group"><h1 class="sectionedit1">{title}</h1><p>{b.words()} <img src="/lib/images/smileys/icon_smile.svg" class="icon smiley" alt=":-)" /></p>{b.many(2, 8, picture)}</div></div></div><div id="dokuwiki__footer"><a href="#"><img src="/lib/tpl/dokuwiki/images/button-php.gif" width="80" height="15" alt="Powered by PHP" /></a></div></div><img src="/lib/exe/taskrunner.php?id=project&amp;{b.digits(10)}" width="2" height="1" alt="" />',
    )


def issue(b, url):
    def picture(_):
        path = f"/group/project/uploads/{b.hexadecimal(32)}/{b.slug()}.png"
        b.want(f"https://git.example{path}")
        return f'<p dir="auto"><a class="no-attachment-icon" href="{path}" target="_blank" rel="noopener noreferrer" data-src="{path}"><img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="image" decoding="async" class="lazy" data-src="{path}" data-canonical-src="{path}" loading="lazy"></a></p>'

    def note(_):
        return f'<li class="timeline-entry note"><div class="timeline-avatar"><a href="/user"><img src="/uploads/-/system/user/avatar/{b.digits(4)}/avatar.png?width=64" class="gl-avatar gl-avatar-circle" width="32" height="32" alt="x"></a></div><div class="note-body md">{b.paragraph()}{b.many(0, 3, picture)}<gl-emoji><img class="emoji" src="/-/emojis/3/tada.png" width="20" height="20"></gl-emoji></div></li>'

    title = b.title()
    notes = b.many(2, 5, note) + f'<div class="description md">{picture(0)}</div>'
    return document(
        head(b, title, url, "https://git.example/assets/twitter_card-570ddb06edf56a2312253c5872489847.jpg"),
        f'<header class="navbar"><img class="brand-header-logo" src="/assets/logo.svg" alt="Git"></header><div class="layout-page"><main class="content"><h1 class="title">{title}</h1><ul class="notes">{notes}</ul></main><aside class="right-sidebar"><img class="avatar" src="/uploads/-/system/user/avatar/1/a.png" width="24" height="24"></aside></div>',
    )


def discourse(b, url):
    base = "https://cdn.talk.example"

    def picture(_):
        key = b.hexadecimal(40)
        full = b.want(f"{base}/original/3X/{key[0]}/{key[1]}/{key}.jpeg")
        small = f"{base}/optimized/3X/{key[0]}/{key[1]}/{key}_2_690x460.jpeg"
        return f'<div class="lightbox-wrapper"><a class="lightbox" href="{full}" data-download-href="/uploads/short-url/x.jpeg?dl=1" title="{b.slug()}"><img src="{small}" alt="{b.slug()}" data-base62-sha1="x" width="690" height="460" srcset="{small}, {base}/optimized/3X/{key[0]}/{key[1]}/{key}_2_1035x690.jpeg 1.5x, {base}/optimized/3X/{key[0]}/{key[1]}/{key}_2_1380x920.jpeg 2x" data-dominant-color="7A8"><div class="meta"><svg class="fa d-icon"></svg><span class="filename">{b.slug()}.jpeg</span><span class="informations">3000×2000 1.2 MB</span></div></a></div>'

    def post(_):
        return f'<div class="topic-post clearfix regular"><article class="onscreen-post"><div class="row"><div class="topic-avatar"><a class="trigger-user-card main-avatar"><img alt="" width="48" height="48" src="/user_avatar/talk.example/x/96/{b.digits(5)}_2.png" title="x" class="avatar"></a></div><div class="topic-body"><div class="cooked">{b.paragraph()}{b.many(0, 4, picture)}<img src="/images/emoji/twitter/heart.png?v=12" title=":heart:" class="emoji" alt=":heart:" width="20" height="20"></div></div></div></article></div>'

    title = b.title()
    posts = b.many(2, 5, post) + f'<div class="cooked">{picture(0)}</div>'
    return document(
        head(b, title, url, b.wanted[0].replace("/original/", "/optimized/").replace(".jpeg", "_2_1024x682.jpeg"), generator="Discourse 3.2"),
        f'<header class="d-header"><div class="title"><a href="/"><img id="site-logo" class="logo-big" src="{base}/original/2X/logo-talk.png" alt="Talk"></a></div></header><div id="main-outlet"><h1>{title}</h1><div class="post-stream">{posts}</div><div class="more-topics__list suggested-topics">{b.many(0, 2, lambda _: f"""<td class="posters"><img src="/user_avatar/x/48/{b.digits(4)}.png" class="avatar" width="25" height="25"></td>""")}</div></div>',
    )


def one_page(b, url):
    def image(index):
        path = f"assets/images/image{index + 1:02}.jpg?v={b.hexadecimal(8)}"
        b.want(f"https://person.example/{path}")
        lazy = b.chance(0.5)
        source = f'src="data:image/svg+xml;base64,PHN2Zw==" data-src="{path}"' if lazy else f'src="{path}"'
        return f'<div id="image{index + 1:02}" class="style1 image" data-position="center"><span class="frame"><img {source} alt="" /></span></div>'

    def gallery(index):
        full = f"assets/images/gallery01/{b.hexadecimal(8)}_original.jpg?v={b.hexadecimal(8)}"
        b.want(f"https://person.example/{full}")
        return f'<li><a href="{full}" class="thumbnail"><img src="{full.replace("_original", "")}" alt="" /></a></li>'

    title = b.title()
    return document(
        head(b, title, url, "https://person.example/assets/images/share.jpg?v=1"),
        f'<div id="wrapper"><div id="main"><div class="inner"><section id="home-section">{b.many(2, 6, image)}<h1>{title}</h1><div id="gallery01" class="style1 gallery"><ul>{b.many(2, 8, gallery)}</ul></div><ul id="icons01" class="style1 icons"><li><a class="n01" href="#"><svg></svg></a></li></ul></section></div></div></div>',
    )


def local_ads(b, url):
    base = "https://images.local.example"

    def photo(index):
        key = f"{b.hexadecimal(5)}_{b.hexadecimal(11)}_0{b.hexadecimal(2)}0t2"
        best = b.want(f"{base}/{key}_600x450.jpg")
        return f'<a id="{index}_thumb_{b.hexadecimal(6)}" class="thumb" data-imgid="0:{b.hexadecimal(6)}" href="{best}" title="{index + 1}"><img src="{base}/{key}_50x50c.jpg" alt="{index + 1}" class="selected"></a>', best

    photos = [photo(index) for index in range(b.number(2, 9))]
    title = b.title()
    return document(
        head(b, title, url, photos[0][1]),
        f'<section class="page-container"><header class="global-header wide"><a class="header-logo" href="/">L</a></header><section id="pagecontainer" class="body"><h1 class="postingtitle">{title}</h1><section class="userbody"><figure class="iw multiimage"><div class="gallery"><div class="swipe"><div class="swipe-wrap"><div data-index="0" class="slide first visible"><img src="{photos[0][1]}" title="{b.words()} 1" alt="{b.words()} 1"></div></div></div></div><div id="thumbs">{"".join(p for p, _ in photos)}</div></figure><div class="mapAndAttrs"><div class="mapbox"><div id="map" class="viewposting"></div></div></div><section id="postingbody">{b.paragraph()}</section></section></section></section>',
    )


def lodging(b, url):
    base = "https://a0.stay.example/im/pictures"

    def picture(index):
        key = f"{b.hexadecimal(8)}-{b.hexadecimal(4)}-{b.hexadecimal(12)}.jpeg"
        best = b.want(f"{base}/{key}?im_w=1440")
        return f'<button aria-label="{b.words()} image {index + 1}" type="button"><div class="_skzmvy" role="presentation"><picture><source srcset="{base}/{key}?im_w=480 1x" media="(max-width: 743px)"><source srcset="{base}/{key}?im_w=720 1x, {best} 2x" media="(min-width: 743.1px)"><img class="itu7ddv" aria-hidden="true" alt="{b.words()}" decoding="async" elementtiming="LCP-target" src="{base}/{key}?im_w=720" data-original-uri="{base}/{key}" style="--dls-liteimage-object-fit:cover"></picture></div></button>' if best else ""

    pictures = b.many(3, 9, picture)
    title = b.title()
    host = f'<div class="host-card"><img class="profile" src="https://a0.stay.example/im/pictures/user/{b.hexadecimal(12)}.jpg?im_w=240" width="64" height="64" alt="Host"></div>'
    reviews = b.many(1, 4, lambda _: f'<div role="listitem"><h3><a><img src="https://a0.stay.example/im/pictures/user/{b.hexadecimal(12)}.jpg?im_w=240" width="48" height="48" alt="x"></a></h3>{b.paragraph()}</div>')
    return document(
        head(b, title, url, f"{b.wanted[0].split('?')[0]}?im_w=720" if b.chance(0.5) else None),
        f'<header><a href="/" aria-label="home"><svg></svg></a></header><main id="site-content"><h1>{title}</h1><div data-section-id="HERO_DEFAULT">{pictures}</div>{host}<div data-section-id="REVIEWS">{reviews}</div></main><footer></footer>',
    )


def static_album(b, url):
    def item(_):
        name = b.slug()
        b.want(f"https://album.example/summer/slides/{name}.jpg")
        return f'<td class="thumb"><a href="slides/{name}.jpg" data-ref="image" data-width="1600" data-height="1067"><img class="image" src="thumbs/{name}.jpg" alt="{name}" width="160" height="107" data-src="thumbs/{name}.jpg"></a><div class="caption">{b.words()}</div></td>'

    title = b.title()
    folders = b.many(1, 3, lambda _: f'<td class="folder"><a href="sub{b.digits(2)}/index.html"><img src="sub/folderthumb.jpg" width="100" height="75" alt="folder"></a></td>')
    return document(
        f'<head><meta charset="utf-8"><title>{title}</title><meta name="generator" content="Album 30"></head>',
        f'<div id="title"><a href="../index.html" class="up"><img src="../res/up.png" width="32" height="32" alt="Up"></a><h1>{title}</h1></div><table class="index"><tr>{folders}</tr><tr>{b.many(4, 15, item)}</tr></table><div id="footer"><a href="https://album-maker.example"><img src="res/album-maker-badge.png" alt="Album"></a></div>{tracker(b)}',
    )


FAMILIES = {
    "stock-photos": (stock_photos, "https://stock.example/s/photos/harbour"),
    "handmade": (handmade, "https://www.handmade.example/listing/1234/thing"),
    "broadcaster": (broadcaster, "https://www.news.example/news/articles/abc"),
    "dokuwiki": (dokuwiki, "https://wiki.lab.example/project"),
    "issue": (issue, "https://git.example/group/project/-/issues/7"),
    "discourse": (discourse, "https://talk.example/t/title/12"),
    "one-page": (one_page, "https://person.example/"),
    "local-ads": (local_ads, "https://city.local.example/sale/1234.html"),
    "lodging": (lodging, "https://www.stay.example/rooms/1234"),
    "static-album": (static_album, "https://album.example/summer/index.html"),
}
