"""Pages of kinds whose author did not know the rules."""

from builder import advertisement, document, head, social, tracker

BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
LOCAL = {
    "de": "Hafen Morgen Licht Brücke Garten Winter Markt Turm Fest Berg See Wald Straße Verein Sommer Wanderung".split(),
    "fr": "port matin lumière pont jardin hiver marché tour fête montagne lac forêt rue musée été bateau".split(),
    "es": "puerto mañana luz puente jardín invierno mercado torre fiesta monte lago bosque calle museo verano".split(),
    "ru": "гавань утро свет мост сад зима рынок башня праздник гора озеро лес улица музей лето лодка".split(),
    "ja": "港 朝 光 橋 庭 冬 市場 塔 祭り 山 湖 森 通り 美術館 夏 舟".split(),
    "zh": "港口 早晨 光线 桥梁 花园 冬天 市场 高塔 节日 山峰 湖泊 森林 街道 博物馆 夏天".split(),
    "ko": "항구 아침 빛 다리 정원 겨울 시장 탑 축제 산 호수 숲 거리 박물관 여름".split(),
    "it": "porto mattina luce ponte giardino inverno mercato torre festa monte lago bosco strada museo estate".split(),
}


def say(b, language, low=2, high=5):
    """Some words of a language."""
    joiner = "" if language in ("ja", "zh") else " "
    return joiner.join(b.choice(*LOCAL[language]) for _ in range(b.number(low, high)))


def cloud_store_product(b, url):
    """A product of a large shop on a commerce cloud, with a carousel, zoom images and recommendations."""
    site = "https://www.outfitter.example/dw/image/v2/BDQR_PRD/on/demandware.static/-/Sites-master-catalog/default"
    code = b.digits(6)
    count = b.number(2, 7)
    slides, zooms = [], []
    for index in range(count):
        path = f"{site}/dw{b.hexadecimal(8)}/images/{code}_{index + 1}.jpg"
        best = b.want(f"{path}?sw=1600&amp;sh=1600&amp;sm=fit".replace("&amp;", "&"))
        text = best.replace("&", "&amp;")
        small = text.replace("1600", "600")
        slides.append(f'<div class="carousel-item {"active" if not index else ""}" data-zoom-image="{text}"><picture><source media="(min-width: 1024px)" srcset="{small} 1x, {text.replace("1600", "1200")} 2x"><img src="{small}" class="d-block img-fluid" alt="{b.words()}, image {index}" itemprop="image" {"" if not index else "loading=lazy"}></picture></div>')
        zooms.append(f'<li data-target="#pdpCarousel" data-slide-to="{index}"><img src="{text.replace("1600", "100")}" alt="" width="100" height="100"></li>')
    swatches = b.many(2, 5, lambda _: f'<button class="color-attribute" aria-label="{b.words(1, 1)}"><span class="color-value swatch-circle swatch-value" style="background-image: url({site}/dw{b.hexadecimal(8)}/swatches/{b.slug()}.jpg?sw=30&amp;sh=30)"></span></button>')
    tiles = b.many(3, 6, lambda _: f'<div class="product" data-pid="{b.digits(6)}"><div class="product-tile"><div class="image-container"><a href="/p/{b.slug()}.html"><img class="tile-image" src="{site}/dw{b.hexadecimal(8)}/images/{b.digits(6)}_1.jpg?sw=340&amp;sh=340" alt="{b.words()}"></a></div></div></div>')
    title = b.title()
    data = f'<script type="application/ld+json">{{"@context":"http://schema.org/","@type":"Product","name":"{title}","sku":"{code}","offers":{{"price":"{b.digits(2)}.00"}}}}</script>' if b.chance(0.7) else ""
    return document(
        head(b, title, url, extra=data),
        f'<div class="page" data-action="Product-Show"><header><a class="logo-home" href="/"><img src="/on/demandware.static/Sites-Out-Site/-/default/dw{b.hexadecimal(8)}/images/logo.svg" alt="Outfitter"></a><nav class="main-menu"><div class="dropdown-menu"><img src="/on/demandware.static/-/Library-Sites-Shared/default/dw{b.hexadecimal(8)}/menu/{b.slug()}.jpg" alt="New in"></div></nav></header><div class="container product-detail product-wrapper" data-pid="{code}"><div class="row"><div class="primary-images col-12 col-sm-6"><div id="pdpCarousel" class="carousel slide" data-interval="0"><div class="carousel-inner" role="listbox">{"".join(slides)}</div><ol class="carousel-indicators">{"".join(zooms)}</ol></div></div><div class="col-sm-6"><h1 class="product-name">{title}</h1><div class="attributes">{swatches}</div></div></div></div><div class="recommendations"><h2>You may also like</h2>{tiles}</div><footer><img src="/images/payment/visa.svg" alt="x"><img src="/images/payment/paypal.svg" alt="x"></footer></div>{tracker(b)}',
    )


def regional_daily(b, url):
    """An article of a local newspaper on a system for regional dailies."""
    root = "https://bloximages.press1.example/gazette.example/content/tncms/assets/v3/editorial"
    ad_count = b.number(1, 2)

    def asset(_):
        key = f"{b.hexadecimal(8)}-{b.hexadecimal(4)}-5{b.hexadecimal(3)}-{b.hexadecimal(4)}-{b.hexadecimal(12)}"
        base = f"{root}/{key[0]}/{key[1:3]}/{key}/{b.hexadecimal(13)}.image.jpg"
        high = b.number(1100, 1300)
        best = b.want(f"{base}?resize=1763%2C{high}")
        sizes = ", ".join(f"{base}?resize={w}%2C{w * high // 1763} {w}w" for w in (200, 540, 990, 1035, 1200)) + f", {best} 1763w"
        return f'<figure class="photo layout-horizontal hover-expand letterbox-style-default" itemscope itemtype="https://schema.org/ImageObject"><div class="image"><div style="--aspect-ratio: 1763 / {high};"><img alt="{b.words()}" class="img-responsive lazyload full default" width="1763" height="{high}" data-sizes="auto" data-srcset="{sizes}" src="{BLANK}"></div></div><figcaption class="caption"><span class="caption-text"><p>{b.words(5, 9)}</p></span><div class="photo-buttons"><a class="btn btn-default">Buy Now</a></div></figcaption></figure>'

    def card(_):
        base = f"{root}/{b.hexadecimal(1)}/{b.hexadecimal(2)}/{b.hexadecimal(8)}-0000-5111-aaaa-{b.hexadecimal(12)}/{b.hexadecimal(13)}.image.jpg"
        return f'<article class="tnt-asset-type-article card summary image-left"><div class="card-image image"><a href="/news/article_{b.hexadecimal(8)}.html"><img class="img-responsive lazyload" alt="" data-srcset="{base}?resize=150%2C100 150w, {base}?resize=300%2C200 300w" src="{BLANK}"></a></div><div class="card-headline"><h3>{b.title()}</h3></div></article>'

    title = b.title()
    first, more = asset(0), b.many(0, 4, asset)
    portrait = f'<div class="asset-author-box author-inline"><img class="img-thumbnail img-circle avatar" src="https://bloximages.press1.example/gazette.example/content/tncms/avatars/{b.hexadecimal(1)}/{b.hexadecimal(2)}/{b.hexadecimal(3)}/{b.hexadecimal(32)}.jpg" alt="author"></div>' if b.chance(0.7) else ""
    return document(
        head(b, title, url, f"{root}/social/{b.hexadecimal(12)}.image.jpg?crop=1763%2C926" if b.chance(0.3) else None, generator="BLOX Content Management System"),
        f'<div id="site-container"><header id="main-header"><a class="site-logo" href="/"><img src="https://bloximages.press1.example/gazette.example/content/tncms/custom/image/logo-{b.hexadecimal(8)}.png" alt="Gazette" width="400"></a></header>{advertisement(b)}<section id="main-body-container"><article class="asset main article clearfix"><header class="asset-header"><h1 class="headline">{title}</h1></header><div class="asset-photo">{first}</div><div id="asset-content" class="asset-content subscriber-premium"><div itemprop="articleBody" id="article-body" class="asset-body">{b.paragraph()}{advertisement(b) * ad_count}{b.paragraph()}<div class="inline-asset inline-image">{more}</div></div></div>{portrait}</article></section><aside class="col-sm-4"><div class="block-title"><h3>Most Popular</h3></div>{b.many(3, 7, card)}</aside><footer><img src="/shared-content/art/stats/common/blox.png" alt="Powered"></footer></div>{tracker(b)}',
    )


def rendered_article(b, url):
    """An article of a paper whose pages are rendered from components with hashed class names."""
    host = "https://i.paper.example/img/media"

    def figure(role):
        key, crop = b.hexadecimal(40), f"0_{b.number(0, 300)}_{b.digits(4)}_3000"
        base = f"{host}/{key}/{crop}/master/4000.jpg"
        widths = (1900, 1300, 620) if role == "immersive" else (620, 605, 445)
        best = b.want(f"{base}?width={widths[0]}&dpr=2&s=none&crop=none")
        sources = "".join(
            f'<source srcset="{base}?width={w}&amp;dpr=2&amp;s=none&amp;crop=none" media="(min-width: {w}px) and (-webkit-min-device-pixel-ratio: 1.25), (min-width: {w}px) and (min-resolution: 120dpi)"><source srcset="{base}?width={w}&amp;dpr=1&amp;s=none&amp;crop=none" media="(min-width: {w}px)">'
            for w in widths
        )
        assert best.replace("&", "&amp;") in sources
        return f'<figure id="{b.hexadecimal(8)}-{b.hexadecimal(4)}" data-spacefinder-role="{role}" data-spacefinder-type="model.dotcomrendering.pageElements.ImageBlockElement" class="dcr-{b.hexadecimal(6)}"><div id="img-1"><picture class="dcr-evn1e9">{sources}<img alt="{b.words()}" src="{base}?width=445&amp;dpr=1&amp;s=none&amp;crop=none" width="445" height="267" {"loading=lazy" if role == "inline" else ""} class="dcr-evn1e9"></picture></div><figcaption class="dcr-fd61eq">{b.words(4, 8)}</figcaption></figure>'

    def related(_):
        base = f"{host}/{b.hexadecimal(40)}/0_0_3000_1800/master/3000.jpg"
        return f'<li class="dcr-1rbr8"><div class="dcr-card" data-link-name="related"><a href="/world/2025/{b.slug()}" aria-label="x"></a><picture><source srcset="{base}?width=300&amp;dpr=2&amp;s=none" media="(min-width: 740px)"><img src="{base}?width=220&amp;dpr=1&amp;s=none" alt=""></picture><h3>{b.title()}</h3></div></li>'

    title = b.title()
    byline = f'<div class="dcr-byline"><picture><source srcset="https://i.paper.example/img/uploads/{b.slug()}.png?width=300&amp;dpr=2&amp;s=none"><img src="https://i.paper.example/img/uploads/{b.slug()}.png?width=180&amp;dpr=1&amp;s=none" alt="Ann Writer" class="dcr-portrait"></picture></div>' if b.chance(0.5) else ""
    body = "".join(f"{b.paragraph()}{b.paragraph()}{figure('inline')}" for _ in range(b.number(0, 5)))
    return document(
        head(b, title, url, f"{host}/{b.hexadecimal(40)}/0_0_5000_3000/master/5000.jpg?width=1200&amp;height=630&amp;overlay-base64=L2ltZy9zdGF0aWMvb3ZlcmxheXMvdGctZGVmYXVsdC5wbmc" if b.chance(0.4) else None),
        f'<div data-print-layout="hide" id="bannerandheader"><div class="top-banner-ad-container"><div id="dfp-ad--top-above-nav" class="js-ad-slot ad-slot"></div></div><header><a href="/" data-link-name="header : logo"><img src="https://assets.paper.example/static/masthead.svg" alt="Paper" width="295"></a></header></div><main data-layout="StandardLayout"><article><div data-gu-name="media">{figure(b.choice("immersive", "inline"))}</div><h1>{title}</h1>{byline}<div id="maincontent" class="article-body-commercial-selector">{body}{b.paragraph()}</div></article></main><section data-component="related-stories"><ul>{b.many(3, 8, related)}</ul></section><footer><img src="https://assets.paper.example/static/app-store.png" alt="app"><img src="https://assets.paper.example/static/play-store.png" alt="play"></footer>{tracker(b)}',
    )


def tabloid_story(b, url):
    """A story of a tabloid with many lazily loaded pictures and a long column of other stories."""

    def name():
        return f"https://i.tabloid.example/1s/20{b.number(15, 25)}/0{b.number(1, 9)}/1{b.digits(1)}/{b.digits(2)}/{b.digits(8)}-{b.digits(8)}-image-a-{b.number(1, 90)}_{b.digits(13)}.jpg"

    def group(index):
        def one(css):
            best = b.want(name())
            width = 306 if css else 634
            return f'<div class="mol-img {css}"><div class="image-wrap"><img id="i-{b.hexadecimal(16)}" {"src" if index == 0 else "data-src"}="{best}" height="{b.number(300, 900)}" width="{width}" alt="{b.words(5, 9)}" class="blkBorder img-share" {"" if index == 0 else f"src={chr(34)}{BLANK}{chr(34)}"}/><button class="share-btn"></button></div></div>'

        inner = f'<div class="artSplitter mol-img-group" style=""><div class="splitLeft">{one("half")}</div><div class="splitRight">{one("half")}</div>' if index and b.chance(0.3) else f'<div class="artSplitter mol-img-group" style="">{one("")}'
        return f'{inner}<p class="imageCaption">{b.words(6, 12)}</p></div>{b.paragraph().replace("<p>", chr(60) + "p class=mol-para-with-font" + chr(62))}'

    def puff(_):
        return f'<li class="link-xogr2 arial" data-track-module="puff"><a href="/news/article-{b.digits(8)}/{b.slug()}.html"><img data-src="{name()}" src="{BLANK}" width="154" height="115" alt="{b.words()}"><span class="pufftext">{b.title()}</span></a></li>'

    title = b.title()
    return document(
        head(b, title, url, f"{name()}"),
        f'<div class="page-header bdrgr2"><div class="masthead"><a href="/start/index.html"><img src="https://i.tabloid.example/i/sitelogos/logo_site.png" width="450" height="80" alt="Tabloid"></a></div></div><div id="page-container" class="site"><div id="content" class="alpha"><div id="js-article-text" class="article-text wide"><h2>{title}</h2><p class="author-section byline-plain">By <a href="/x">Ann</a></p><div class="shareArticles"><img src="https://i.tabloid.example/i/share/fb.png" width="24" height="24"></div><div itemprop="articleBody">{b.many(1, 9, group)}</div></div></div><div class="beta"><div class="puff"><h3>Do not miss</h3><ul>{b.many(6, 14, puff)}</ul></div>{advertisement(b)}</div></div>{tracker(b)}',
    )


def script_reader_chapter(b, url):
    """A chapter of a reader whose pages are named by a script, with a fallback without it."""
    host = f"https://cdn{b.number(1, 5)}.scans.example/wp-content/uploads/20{b.number(20, 25)}/{b.slug()}"
    token = b.choice("", b.hexadecimal(6) + "-")
    pages = [b.want(f"{host}/{token}{index + 1:03}.{b.choice('jpg', 'webp')}") for index in range(b.number(3, 20))]
    fallback = "".join(f'<img src="{page}" alt="" class="ts-main-image" data-index="{index}"/>' for index, page in enumerate(pages))
    listed = ",".join(f'"{b.json(page)}"' for page in pages)
    area = b.choice(f"<noscript><p>{fallback}</p></noscript>", f"<p>{fallback}</p>")
    related = b.many(4, 7, lambda _: f'<div class="bs"><div class="bsx"><a href="https://scans.example/manga/{b.slug()}/"><div class="limit"><span class="type Manhwa"></span><img src="https://i{b.number(0, 3)}.scans.example/wp-content/uploads/cover/{b.slug()}.jpg?resize=165,225" class="ts-post-image wp-post-image attachment-medium size-medium" loading="lazy" width="165" height="225"/></div><div class="tt">{b.words()}</div></a></div></div>')
    title = b.title()
    return document(
        head(b, title, url, f"https://scans.example/wp-content/uploads/cover/{b.slug()}.jpg", generator="WordPress 6.4"),
        f'<div class="mainholder"><div class="th"><div class="centernav bound"><header role="banner"><div class="site-branding logox"><a href="https://scans.example/"><img src="https://scans.example/wp-content/uploads/logo-2.png" alt="Scans"></a></div></header></div></div><div id="content" class="readercontent"><div class="wrapper"><div class="chapterbody"><div class="postarea"><article class="hentry"><div class="headpost"><h1 class="entry-title">{title} Chapter {b.number(1, 200)}</h1></div><div class="kln blox"><a href="https://go.casino.example/"><img src="https://scans.example/wp-content/uploads/iklan/{b.slug()}.gif" alt="ads"></a></div><div class="entry-content"><div class="chdesc"><p>Read {title}</p></div><div id="readerarea" class="rdminimal">{area}</div></div></article></div></div><div class="bixbox"><div class="releases"><h2>Related Series</h2></div><div class="listupd">{related}</div></div></div></div></div><script>ts_reader.run({{"post_id":{b.digits(5)},"noimagehtml":"NO IMAGE YET","prevUrl":"","nextUrl":"","mode":"full","sources":[{{"source":"Server 1","images":[{listed}]}}],"lazyload":true,"defaultSource":"Server 1"}});</script>{tracker(b)}',
    )


def wide_board_thread(b, url):
    """A thread of a Russian image board: previews of attached files with links to the files."""
    thread = b.digits(8)

    def image(_):
        name, kind = b.digits(14), b.choice("jpg", "png", "jpg")
        best = b.want(f"https://board.board2.example/b/src/{thread}/{name}.{kind}")
        path = f"/b/src/{thread}/{name}.{kind}"
        assert best.endswith(path)
        return f'<figure class="post__image"><figcaption class="post__file-attr"><a class="desktop" target="_blank" href="{path}" title="{b.words(1, 2)}.{kind}">{b.words(1, 1)}.{kind}</a><span class="post__filezise">{b.digits(3)}Кб, 1280x960</span></figcaption><a class="post__image-link" href="{path}" target="_blank"><img class="post__file-preview preview" src="/b/thumb/{thread}/{name}s.jpg" width="200" height="150" alt="1280x960" data-title="x" data-md5="{b.hexadecimal(32)}" data-src="{path}" data-width="1280" data-height="960"></a></figure>'

    def post(index):
        count = b.number(1, 4) if index == 0 else b.choice(0, 0, 1, 2)
        files = f'<div class="post__images post__images_type_{"multi" if count > 1 else "single"}">{"".join(image(n) for n in range(count))}</div>' if count else ""
        return f'<div class="thread__post"><div class="post post_type_{"reply" if index else "oppost"}" data-num="{b.digits(8)}"><div class="post__details"><span class="post__anon">Аноним</span><span class="post__icon">{"<img src=/icons/logos/fav.png width=16>" if b.chance(0.3) else ""}</span></div>{files}<article class="post__message">{say(b, "ru", 4, 12)}</article></div></div>'

    return document(
        head(b, say(b, "ru"), url, "https://board.board2.example/static/img/dvach.png"),
        f'<header class="header"><div class="header__logo"><a href="/"><img src="/static/img/logo-top.png" alt="Лого"></a></div></header><div class="board"><a href="/news/"><img class="logo__image" src="/ololo/{b.slug()}.gif" width="300" height="100" alt="баннер"></a><form id="posts-form"><div class="captcha"><img src="/api/captcha/image/{b.hexadecimal(8)}" width="270" height="120" alt="captcha"></div><div class="thread" id="thread-{thread}">{b.many(4, 15, post)}</div></form></div><div class="ban"><a href="https://x.example"><img src="/banners/{b.slug()}.gif" alt="реклама"></a></div>{tracker(b)}',
        "ru",
    )


def model_builder_thread(b, url):
    """A thread of a German forum suite, with attachments inside the texts and below them."""
    base = "https://forum.modellbau.example/"

    def attachment(inline):
        path = f"attachment/{b.digits(5)}-{b.slug()}-jpg/"
        best = b.want(base + path)
        link = f'<a href="{best}" title="{b.words(1, 2)}.jpg" class="{"embeddedAttachmentLink " if inline else ""}jsImageViewer">'
        image = f'<img src="{best}?thumbnail=1" alt="" loading="lazy" width="{b.choice(280, 400)}" height="{b.choice(210, 300)}">'
        if inline:
            return f"<p>{link}{image}</a></p>"
        return f'<li class="attachmentThumbnail jsAttachmentThumbnail" data-attachment-id="{b.digits(5)}"><div class="attachmentThumbnailContainer"><span class="attachmentThumbnailImage">{image}</span>{link}<span class="attachmentFilename">{b.words(1, 2)}.jpg</span></a></div></li>'

    def post(index):
        style = b.choice("inline", "list", "outside", "none") if index else b.choice("inline", "list")
        inline = "".join(attachment(True) for _ in range(b.number(1, 4))) if style == "inline" else ""
        if style == "outside":
            inline = f'<p><img src="{b.want(f"https://img.hoster.example/{b.hexadecimal(10)}.jpg")}" class="jsResizeImage" alt="" loading="lazy"></p>'
        listed = f'<section class="section attachmentThumbnailList"><h2>Bilder</h2><ul class="inlineList">{"".join(attachment(False) for _ in range(b.number(1, 6)))}</ul></section>' if style == "list" else ""
        return f'<li class="anchorFixedHeader"><article class="wbbPost message messageSidebarOrientationLeft jsMessage"><aside class="messageSidebar member"><div class="messageAuthor"><div class="userAvatar"><a href="{base}user/{b.digits(3)}/"><img src="{base}images/avatars/{b.hexadecimal(2)}/{b.digits(3)}-{b.hexadecimal(40)}.jpg" width="128" height="128" alt="" class="userAvatarImage"></a></div><div class="userRank"><img src="{base}images/rank/stars{b.number(1, 5)}.png" alt=""></div></div></aside><div class="messageContent"><div class="messageText"><p>{say(b, "de", 6, 14)} <img src="{base}images/smilies/smile.png" class="smiley" alt=":)" height="23"></p>{inline}</div>{listed}<div class="messageSignature"><p>{"<img src=" + chr(34) + "https://banner.example/sig/" + b.slug() + ".png" + chr(34) + " class=jsResizeImage alt=x>" if b.chance(0.3) else ""}</p></div></div></article></li>'

    title = say(b, "de")
    return document(
        head(b, title, url, f"{base}images/style-3/pageLogo.png"),
        f'<div id="pageContainer" class="pageContainer"><div id="pageHeaderContainer"><header id="pageHeader"><div id="pageHeaderLogo" class="pageHeaderLogo"><a href="{base}"><img src="{base}images/style-3/pageLogo.png" alt="Forum" class="pageHeaderLogoLarge" height="90" width="350"></a></div></header></div><section id="main" class="main" role="main"><div id="content" class="content"><h1 class="contentTitle">{title}</h1><div class="section"><ul class="wbbThreadPostList messageList">{b.many(3, 9, post)}</ul></div></div></section><div class="boxesFooter"><a href="https://www.laden.example/"><img src="{base}images/partner/laden.png" alt="Partner"></a></div></div>',
        "de",
    )


def component_forum(b, url):
    """A topic of a forum inside a content system of an Italian club."""
    base = "https://www.moto.example"

    def picture(_):
        user, name = b.digits(3), b.slug() + b.choice(".jpg", ".JPG", ".jpeg")
        best = b.want(f"{base}/media/kunena/attachments/{user}/{name}")
        path = best.removeprefix(base) if b.chance(0.5) else best
        return f'<div class="kmsgimage"><a href="{path}" title="{name}" class="fancybox-button" data-fancybox="gallery"><img class="kmsimage" src="{best.replace(name, "thumb/" + name).removeprefix(base)}" width="180" style="max-height:800px;" alt="{name}"/></a></div>'

    def post(index):
        pictures = b.many(1, 5, picture) if not index else b.many(0, 2, picture)
        return f'<div class="row-fluid message"><div class="span2"><ul class="unstyled center profilebox"><li><strong>{b.words(1, 1)}</strong></li><li><a href="#"><img class="img-polaroid kavatar" src="/media/kunena/avatars/resized/size90/users/avatar{b.digits(4)}.jpg" width="90" height="90" alt="avatar"/></a></li><li><img src="/media/kunena/ranks/rank{b.number(1, 6)}.gif" alt=""/></li></ul></div><div class="span10"><div class="kmessage"><div class="kmsg"><p>{say(b, "it", 5, 15)} <img src="/media/kunena/emoticons/wink.png" alt=";-)" class="bbcode_smiley"/></p>{pictures}</div><div class="ksig"><hr/><span class="ksignature">{say(b, "it")}</span></div></div></div></div>'

    title = say(b, "it")
    return document(
        head(b, title, url, generator="Joomla! - Open Source Content Management"),
        f'<div class="body"><div class="container"><header class="header"><a class="brand pull-left" href="/"><img src="/images/logo-club.png" alt="Moto"/></a></header><div class="bannergroup"><div class="banneritem"><a href="/component/banners/click/3"><img src="{base}/images/banners/{b.slug()}.jpg" alt="Officina" width="468" height="60"/></a></div></div><div class="row-fluid"><main id="content" role="main" class="span9"><div id="kunena" class="layout"><h1>{title}</h1>{b.many(2, 8, post)}</div></main><div id="aside" class="span3"><div class="well"><h3>Sponsor</h3><img src="/images/sponsor/{b.slug()}.png" alt="sponsor"/></div></div></div></div></div>{tracker(b)}',
        "it-it",
    )


def hundred_encyclopedia(b, url):
    """An entry of a Chinese encyclopedia, with pictures beside the text and a map of related entries."""
    host = "https://bkimg.cdn.baike.example/pic"

    def picture(_):
        best = b.want(f"{host}/{b.hexadecimal(40)}?x-bce-process=image/format,f_auto/resize,m_lfit,limit_1,w_{b.choice(440, 500, 700)}")
        lazy = b.chance(0.7)
        source = f'src="{BLANK}" data-src="{best}"' if lazy else f'src="{best}"'
        return f'<div class="lemma-picture text-pic layout-{b.choice("right", "center", "left")}" style="width:220px;"><a class="image-link" nslog-type="9317" href="/pic/x/{b.digits(6)}/0/{b.hexadecimal(24)}?fr=lemma&amp;ct=single" target="_blank" title="{say(b, "zh")}"><img class="{"lazy-img" if lazy else ""}" {source} alt="{say(b, "zh")}" style="width:220px;height:{b.number(120, 300)}px;"/></a><span class="description">{say(b, "zh")}</span></div><div class="para" label-module="para">{say(b, "zh", 8, 30)}。</div>'

    best = b.want(f"{host}/{b.hexadecimal(40)}?x-bce-process=image/format,f_auto/quality,Q_70/resize,m_lfit,limit_1,w_536")
    title = say(b, "zh", 1, 2)
    stars = b.many(3, 8, lambda _: f'<li class="star-item"><a href="/item/x/{b.digits(5)}"><img src="{host}/{b.hexadecimal(40)}?x-bce-process=image/resize,m_fill,w_100,h_100" width="75" height="75" alt=""/><div class="name">{say(b, "zh", 1, 2)}</div></a></li>')
    return document(
        head(b, title, url),
        f'<div class="header-wrapper"><div class="logo-container"><a href="/"><img class="logo" src="https://static.baike.example/resource/logo.png" width="137" height="46" alt="百科"/></a></div></div><div class="body-wrapper"><div class="content-wrapper"><div class="content"><div class="main-content"><h1>{title}</h1><img class="star-flag" src="https://static.baike.example/star.png" alt="星级"/><div class="lemma-summary">{say(b, "zh", 10, 30)}</div>{b.many(1, 8, picture)}<div class="rs-container-foot"><ul>{stars}</ul></div></div><div class="side-content"><div class="summary-pic"><a href="/pic/x/{b.digits(6)}/1"><img src="{best}" alt="{title}"/></a></div><div class="promotion-declaration"><a href="/vbaike"><img src="https://static.baike.example/promo/{b.slug()}.png" alt="v百科" width="268"/></a></div></div></div></div></div>{tracker(b)}',
        "zh",
    )


def tree_wiki(b, url):
    """A page of a Korean wiki with placeholders before its lazy pictures, flags and advertisements."""

    def picture(_):
        best = b.want(f"https://i.treewiki.example/i/{b.hexadecimal(30)}{b.hexadecimal(30)}.webp")
        short = best.removeprefix("https:")
        return f"<span class='wiki-image-align-{b.choice('normal', 'center')}'><span class='wiki-image-wrapper' style=\"width: 100%;\"><img class='wiki-image-space' width='100%' src='data:image/svg+xml;base64,PHN2ZyB3aWR0aD0iNjAwIiBoZWlnaHQ9IjQwMCIgeG1sbnM9Imh0dHA6Ly93d3cudzMub3JnLzIwMDAvc3ZnIj48L3N2Zz4=' alt=''><img class='wiki-image wiki-image-loading' data-filesize='{b.digits(6)}' data-src='{short}' src='{BLANK}' alt='{say(b, 'ko')}' data-doc='파일:{say(b, 'ko', 1, 1)}.jpg' loading='lazy'><noscript><img class='wiki-image' src='{short}' alt='x'></noscript></span></span><div class='wiki-paragraph'>{say(b, 'ko', 6, 20)}</div>"

    flags = b.many(2, 6, lambda _: f"<a class='wiki-link-internal' href='/w/x'><span class='wiki-image-align-normal' style='width:24px'><span class='wiki-image-wrapper'><img class='wiki-image' width='24' height='16' src='//i.treewiki.example/i/flag{b.hexadecimal(20)}.svg' alt='국기'></span></span> {say(b, 'ko', 1, 1)}</a>")
    title = say(b, "ko", 1, 2)
    return document(
        head(b, title, url),
        f'<div id="app"><nav><a href="/"><img src="/skins/senkawa/logo.svg" alt="wiki" height="28"></a><img src="/skins/senkawa/user.png" width="32" height="32" alt=""></nav><div class="liberty-content"><h1>{title}</h1><div class="wiki-content"><div class="wiki-table-wrap table-right"><table class="wiki-table"><tr><td>{picture(0)}</td></tr><tr><td>{flags}</td></tr></table></div><div class="wiki-heading-content">{b.many(0, 6, picture)}</div><div class="ad-powerlink"><a href="https://ader.example/{b.hexadecimal(8)}"><img src="https://searchad.example/{b.hexadecimal(16)}.jpg" width="120" height="120" alt="광고"></a></div></div></div><footer><img src="//i.treewiki.example/cc-by-nc-sa-2.0-88x31.png" alt="CC" width="88" height="31"></footer></div>{tracker(b)}',
        "ko",
    )


def catalogue_results(b, url):
    """Results of a museum's object search; objects without a picture show a placeholder."""
    base = "https://collections.citymuseum.example"
    size = b.choice("thumbnail", "preview")

    def item(index):
        number = f"{b.digits(2)}{b.digits(4)}"
        image = "/images/media-placeholder.png"
        if index == 0 or b.chance(0.85):
            best = b.want(f"{base}/internal/media/dispatcher/{index + 1}{number}/{size}")
            image = best.removeprefix(base)
        return f'<div class="grid-item large-3 medium-4 small-6 columns"><div class="result item grid-item-inner"><div class="grid-item-image img-wrap emuseum-img-wrap"><a href="/objects/{number}/{b.slug()}?ctx={b.hexadecimal(40)}&amp;idx={index}" title="{b.words()}"><img src="{image}" alt="{b.words()}" class="emuseum-image"></a></div><div class="grid-item-data text-wrap"><h3>{b.title()}</h3><div class="primaryMaker">{b.words(2, 2)}</div></div></div></div>'

    title = b.choice("Search results", "Prints and drawings", "Highlights")
    return document(
        head(b, title, url),
        f'<header id="banner" role="banner"><div class="logo"><a href="https://www.citymuseum.example/"><img src="/assets/logo-{b.hexadecimal(32)}.png" alt="City Museum"></a></div></header><div id="emuseum-sidebar"><img src="/assets/icons/filter.svg" alt="filter"></div><section class="emuseum-content" role="main"><h1>{title}</h1><div class="emuseum-results-tools"><a href="#"><img src="/assets/icons/grid.png" alt="grid"></a><a href="#"><img src="/assets/icons/list.png" alt="list"></a></div><div class="results grid"><div class="row small-up-2">{b.many(8, 20, item)}</div></div></section><footer role="contentinfo"><img src="/assets/arts-council.png" alt="Supported by"><img src="/assets/lottery.png" alt="Fund"></footer>',
    )


def campus_library_results(b, url):
    """Results of the digital library of a university, with thumbnails by an image service."""
    host = "https://iiif.library.univ.example/image/iiif/2"
    size = b.choice("!400,400", "300,", "!200,200", "square")

    def entry(index):
        number = f"{b.hexadecimal(2)}{b.digits(7)}"
        region, scale = ("square", "400,400") if size == "square" else ("full", size)
        best = b.want(f"{host}/{number}%2F{number}_{index:04}/{region}/{scale}/0/default.jpg")
        return f'<article data-document-id="{number}" data-document-counter="{index + 1}" itemscope itemtype="http://schema.org/Thing" class="blacklight-image document document-position-{index + 1}"><div class="document-main-section"><header class="documentHeader row"><h3 class="index_title document-title-heading col"><a data-context-href="/catalog/{number}/track?counter={index + 1}" href="/catalog/{number}">{b.title()}</a></h3></header><dl class="document-metadata dl-invert row"><dt>Date</dt><dd>19{b.digits(2)}</dd></dl></div><div class="document-thumbnail"><a aria-hidden="true" tabindex="-1" href="/catalog/{number}"><img alt="" loading="lazy" src="{best}"></a></div></article>'

    exhibits = b.many(1, 3, lambda _: f'<div class="card"><a href="/exhibits/{b.slug()}"><img class="card-img-top" src="/uploads/spotlight/featured_image/image/{b.digits(3)}/{b.slug()}.png" alt="Exhibit" width="120"></a></div>')
    return document(
        head(b, "Digital Collections", url),
        f'<nav class="navbar navbar-expand-md topbar" role="navigation"><a class="mb-0 navbar-brand navbar-logo" href="/"><img src="/assets/library-logo-{b.hexadecimal(20)}.svg" alt="Library"></a></nav><main id="main-container" class="container" role="main"><div class="row"><section id="content" class="col-lg-9 order-last"><div id="documents" class="documents-list">{b.many(6, 20, entry)}</div></section><section id="sidebar" class="page-sidebar col-lg-3"><h2>Exhibits</h2>{exhibits}</section></div></main><footer><a href="https://www.univ.example"><img src="/assets/univ-footer.png" alt="University"></a><img src="/assets/fdlp-emblem.png" alt="Depository"></footer>{tracker(b)}',
    )


def species_observation(b, url):
    """An observation of an animal on a portal for naturalists, with photos and those of other observers."""
    base = "https://www.nature-obs.example"

    def photo(index):
        number = f"{b.digits(8)}"
        best = b.want(f"{base}/media/photo/{number}.jpg")
        path = best.removeprefix(base)
        return f'<div class="app-photo-container {"main" if not index else ""}"><a class="lightgallery-item" href="{path}" data-sub-html="{b.words()}"><img src="{path}?w={800 if not index else 300}" class="img-responsive" alt="{b.words(2, 2)}"></a></div>'

    others = b.many(3, 6, lambda _: f'<div class="col-xs-3"><a href="/observation/{b.digits(9)}/"><img src="/media/photo/{b.digits(8)}.jpg?w=240&amp;h=240" class="img-thumbnail" alt="other observation"></a></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<nav class="navbar navbar-default"><a class="navbar-brand" href="/"><img src="/static/img/logos/nature.{b.hexadecimal(8)}.svg" height="40" alt="Nature"></a></nav><div class="container app-content"><h1 class="app-content-title"><img src="/static/img/groups/birds.png" width="24" height="24" alt="Birds"> {title}</h1><div class="row app-content-section"><div class="col-md-6">{b.many(1, 6, photo)}</div><div class="col-md-6"><table class="table"><tr><th>Observer</th><td><img class="avatar" src="/media/user/{b.digits(5)}.jpg?w=32&amp;h=32" width="32" height="32" alt=""> Ann</td></tr><tr><th>Status</th><td><img src="/static/img/rarity/{b.number(1, 4)}.png" alt="rare" title="rare"></td></tr></table><div class="map"><img src="https://tiles.example/static/{b.digits(2)}/{b.digits(4)}.png" width="400" height="240" alt="map"></div></div></div><div class="row"><h2>Recent observations of this species</h2>{others}</div></div><footer>{social(b, "/static/img/social")}<img src="/static/img/partners/university.png" alt="Partner"></footer>',
    )


def sky_post(b, url):
    """One post of a network of short messages, seen without login, with answers."""
    host = "https://cdn.sky.example/img"
    letters = "abcdefghijklmnopqrstuvwxyz234567"

    def key(count):
        return "".join(b.choice(*letters) for _ in range(count))

    account = f"did:plc:{key(24)}"

    def picture(_):
        best = b.want(f"{host}/feed_thumbnail/plain/{account}/bafkrei{key(52)}@jpeg")
        return f'<div style="flex: 1 1 0%;"><button aria-label="{b.words()}" role="button" type="button" class="css-175oi2r r-1loqt21 r-1otgn73"><div data-expoimage="true" class="css-175oi2r" style="overflow: hidden; position: relative;"><div><img alt="{b.words()}" title="" src="{best}" style="position: absolute; left: 0px; top: 0px; width: 100%; height: 100%; object-position: 50% 50%; object-fit: cover;"></div></div></button></div>'

    def avatar(person):
        return f'<a href="/profile/{b.words(1, 1)}.sky.example" class="css-1jxf684"><div data-testid="userAvatarImage" style="width: 42px; height: 42px; border-radius: 21px;"><img alt="" src="{host}/avatar_thumbnail/plain/{person}/bafkrei{key(52)}@jpeg" style="width: 42px; height: 42px;"></div></a>'

    def answer(_):
        return f'<div data-testid="postThreadItem-by-{b.words(1, 1)}.sky.example" role="link" class="css-175oi2r">{avatar("did:plc:" + key(24))}<div data-word-wrap="1" class="css-146c3p1">{b.words(3, 9)}</div></div>'

    return document(
        head(b, f"{b.words(2, 2)} (@ann.sky.example)", url, extra='<meta property="og:type" content="article"><link rel="alternate" href="at://did:plc:x/app.post/3k">'),
        f'<div id="root"><div class="css-175oi2r"><nav role="navigation"><a href="/"><img src="/static/media/butterfly.{b.hexadecimal(8)}.svg" width="32" alt="Sky"></a></nav><main role="main"><div data-testid="postThreadScreen"><div data-testid="postThreadItem-by-ann.sky.example">{avatar(account)}<div data-word-wrap="1" class="css-146c3p1">{b.words(5, 14)}</div><div class="css-175oi2r" style="flex-direction: row; gap: 4px;">{"".join(picture(n) for n in range(b.number(1, 4)))}</div></div>{"".join(answer(n) for n in range(b.number(2, 8)))}</div></main></div></div>{tracker(b)}',
    )


def club_news(b, url):
    """A report of a German sports club on an enterprise content system, with scaled previews that link to the files."""
    base = "https://www.tsv-hafen.example"

    def figure(_):
        name = b.slug()
        folder = f"fileadmin/user_upload/{b.choice('Bilder', 'news/2019', 'Fussball')}"
        best = b.want(f"{base}/{folder}/{name}.jpg")
        link = b.choice("/", "") + f"{folder}/{name}.jpg"
        return f'<div class="ce-column"><figure class="image"><a href="{link}" title="{say(b, "de")}" class="lightbox" rel="lightbox[lb{b.digits(3)}]"><img class="image-embed-item" alt="{say(b, "de")}" src="/fileadmin/_processed_/{b.hexadecimal(1)}/{b.hexadecimal(1)}/csm_{name}_{b.hexadecimal(10)}.jpg" width="{b.choice(200, 280, 380)}" height="{b.number(130, 260)}" loading="lazy"></a><figcaption class="image-caption">{say(b, "de")}</figcaption></figure></div>'

    sponsors = b.many(3, 7, lambda _: f'<a href="https://www.firma{b.digits(2)}.example" target="_blank"><img src="/fileadmin/_processed_/{b.hexadecimal(1)}/{b.hexadecimal(1)}/csm_Logo_{b.slug()}_{b.hexadecimal(10)}.png" width="160" height="80" alt="Sponsor"></a>')
    more = b.many(2, 4, lambda _: f'<div class="article articletype-0"><div class="news-img-wrap"><a title="x" href="/aktuelles/detail/{b.slug()}"><img src="/fileadmin/_processed_/{b.hexadecimal(1)}/{b.hexadecimal(1)}/csm_{b.slug()}_{b.hexadecimal(10)}.jpg" width="100" height="75" alt=""></a></div><h3>{say(b, "de")}</h3></div>')
    title = say(b, "de")
    return document(
        head(b, title, url, extra=f'<base href="{base}/">', generator="TYPO3 CMS"),
        f'<div id="page"><header><a href="/"><img src="/typo3conf/ext/site/Resources/Public/Images/wappen.png" width="90" height="100" alt="Wappen"></a><div class="header-image"><img src="/fileadmin/templates/header_{b.number(1, 5)}.jpg" width="1200" height="250" alt=""></div></header><div id="content"><div class="news news-single"><div class="article" itemscope itemtype="http://schema.org/Article"><h1 itemprop="headline">{title}</h1><div class="news-text-wrap" itemprop="articleBody"><p>{say(b, "de", 9, 20)}.</p></div><div class="ce-gallery" data-ce-columns="3" data-ce-images="4"><div class="ce-row">{b.many(1, 12, figure)}</div></div></div></div><h2>Weitere Meldungen</h2>{more}</div><aside class="sponsoren"><h3>Unsere Sponsoren</h3>{sponsors}</aside></div>',
        "de",
    )


FAMILIES = {
    "cloud-store-product": (cloud_store_product, "https://www.outfitter.example/p/harbour-jacket-123456.html"),
    "regional-daily": (regional_daily, "https://www.gazette.example/news/local/article_0a1b2c3d.html"),
    "rendered-article": (rendered_article, "https://www.paper.example/world/2025/may/03/at-the-harbour"),
    "tabloid-story": (tabloid_story, "https://www.tabloid.example/news/article-12345678/At-harbour.html"),
    "script-reader-chapter": (script_reader_chapter, "https://scans.example/harbour-chapter-12/"),
    "wide-board-thread": (wide_board_thread, "https://board.board2.example/b/res/123456.html"),
    "model-builder-thread": (model_builder_thread, "https://forum.modellbau.example/thread/1234-hafen/"),
    "component-forum": (component_forum, "https://www.moto.example/forum/viaggi/1234-porto"),
    "hundred-encyclopedia": (hundred_encyclopedia, "https://baike.example/item/harbour/1234"),
    "tree-wiki": (tree_wiki, "https://treewiki.example/w/harbour"),
    "catalogue-results": (catalogue_results, "https://collections.citymuseum.example/search/harbour/objects"),
    "campus-library-results": (campus_library_results, "https://digital.library.univ.example/catalog?q=harbour"),
    "species-observation": (species_observation, "https://www.nature-obs.example/observation/123456789/"),
    "sky-post": (sky_post, "https://sky.example/profile/ann.sky.example/post/3kabcdefgh2x"),
    "club-news": (club_news, "https://www.tsv-hafen.example/aktuelles/detail/sommerfest"),
}
