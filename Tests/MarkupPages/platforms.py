"""Pages of systems and services that hold what others publish, by an author who did not know the rules."""

import html
import json

from builder import advertisement, document, head, social, tracker


def museum_object(b, url):
    """The page of one object of a museum, with its views, the way to it and other objects."""
    iiif = "https://images.collection.example/CRDImages/ep"

    def view(index):
        name = f"{b.choice('DP', 'DT')}-{b.digits(5)}-{b.digits(3)}.jpg"
        best = b.want(f"{iiif}/original/{name}")
        return name, best, f'<li class="met-carousel__item"><button class="gtm__carousel__thumbnail met-carousel__item__button" data-image-index="{index}"><img class="met-carousel__item__thumbnail" src="{iiif}/mobile-large/{name}" data-superjumboimage="{iiif}/web-large/{name}" data-originalimage="{best}" alt="{b.words()}" loading="lazy"></button></li>'

    title = b.title()
    views = [view(index) for index in range(b.choice(1, 1, 2, 4, 7))]
    name, best, _ = views[0]
    carousel = '<ul class="met-carousel__list">' + "".join(item for _, _, item in views) + "</ul>" if len(views) > 1 else ""
    related = b.many(4, 10, lambda _: f'<div class="related-content-card"><a href="/art/collection/search/{b.digits(6)}"><img class="related-content-card__image lazyload" data-src="{iiif}/mobile-large/{b.choice("DP", "ADA")}{b.digits(6)}.jpg" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" alt="{b.words()}"></a><span>{b.title()}</span></div>')
    data = json.dumps({"@context": "http://schema.org", "@type": "VisualArtwork", "name": title, "image": best})
    return document(
        head(b, title, url, f"{iiif}/web-large/{name}", extra=f'<script type="application/ld+json">{data}</script>'),
        f'<header class="global-header"><a href="/"><img src="/content/dam/logo/museum-logo.svg" alt="The Museum" class="global-header__logo"></a><nav><a href="/visit">Visit</a><a href="/art">Art</a></nav></header>'
        f'<main id="main"><section class="artwork"><div class="artwork__interaction artwork__interaction--download"><a class="gtm__download__image" href="{best}" download="{name}"><svg class="icon"></svg></a></div><figure class="artwork__image-wrapper"><img id="artwork__image" class="artwork__image" src="{iiif}/web-large/{name}" alt="{title}" itemprop="contentUrl"></figure>{carousel}<h1 class="artwork__title">{title}</h1>{b.paragraph()}</section>'
        f'<section class="artwork__location"><a href="https://maps.example/?hash=1"><img src="/content/dam/maps/gallery-{b.digits(3)}.png" alt="Map of the gallery" width="240" height="160"></a></section><section class="related-content"><h2>Related artworks</h2>{related}</section></main>'
        f'<footer><img src="/content/dam/footer/city-seal.png" alt="City" width="60"><a href="/join"><img src="/content/dam/promo/membership-{b.number(2019, 2025)}.jpg" alt="Become a member"></a></footer>{tracker(b)}',
    )


def webtoon_episode(b, url):
    """An episode of a vertical comic, its strips waiting for the reader, with other episodes and series below."""
    host = "https://webtoon-phinf.toon.example"
    series = b.digits(4)

    def strip(index):
        best = b.want(f"{host}/20{b.number(18, 25)}{b.digits(4)}_{b.digits(3)}/{b.digits(13)}{b.hexadecimal(5)}_JPEG/{series}_{index:03}.jpg?type=q90")
        return f'<img src="https://webtoons-static.toon.example/image/bg_transparency.png" width="800" height="{b.number(900, 1280)}.0" alt="image" class="_images" data-url="{best}" rel="nofollow" ondragstart="return false;" onselectstart="return false;" oncontextmenu="return false;">'

    title = b.title()
    strips = b.many(12, 40, strip)
    episodes = b.many(5, 10, lambda index: f'<li data-episode-no="{index}"><a href="/en/drama/x/ep-{index}/viewer?title_no={series}&episode_no={index}"><span class="thmb"><img src="https://webtoons-static.toon.example/image/bg_transparency.png" data-url="{host}/{b.digits(8)}_{b.digits(3)}/{b.digits(13)}{b.hexadecimal(5)}_JPEG/thumb_{b.digits(12)}.jpg?type=q90" class="_thumbnailImages" width="92" height="87" alt="Ep. {index}"></span><span class="subj">Ep. {index}</span></a></li>')
    series_cards = b.many(3, 6, lambda _: f'<li><a href="/en/fantasy/{b.slug()}/list?title_no={b.digits(4)}" class="lst_item"><img src="https://swebtoon-phinf.toon.example/{b.digits(8)}_{b.digits(2)}/{b.digits(13)}{b.hexadecimal(4)}_JPEG/{b.slug()}.jpg?type=a210" width="210" height="210" alt=""><p class="subj">{b.words()}</p></a></li>')
    return document(
        head(b, title, url, f"{host}/{b.digits(8)}_{b.digits(3)}/{b.digits(13)}_JPEG/og_{series}.jpg"),
        f'<div id="wrap"><div id="header"><h1><a href="/en/"><img src="https://webtoons-static.toon.example/image/logo.png" alt="TOON" width="118"></a></h1></div><div id="container" class="bg"><div id="content" class="viewer"><div class="tool_area"><h1 class="subj_episode">{title}</h1><div class="episode_area" id="topEpisodeList"><div class="episode_lst"><ul class="episode_cont">{episodes}</ul></div></div></div>'
        f'<div class="cont_box"><div class="viewer_lst"><div class="viewer_img _img_viewer_area" id="_imageList">\n{strips}\n</div></div></div><div class="aside viewer"><div class="author_area"><span class="author_thumb"><img src="https://profile-phinf.toon.example/{b.hexadecimal(10)}.jpg?type=f120" width="60" height="60" alt="creator"></span>{b.paragraph()}</div><div class="recommend"><ul>{series_cards}</ul></div></div></div></div>'
        f'<div id="footer"><a href="https://app.example/"><img src="https://webtoons-static.toon.example/image/app_store.png" alt="App Store"></a></div></div>{tracker(b)}',
        attributes='class="en"',
    )


def madara_chapter(b, url):
    """A chapter in a common theme for manga sites, with blanks around the addresses and notices of the group."""
    base = f"https://cdn.scans.example/wp-content/uploads/WP-manga/data/manga_{b.hexadecimal(13)}/{b.hexadecimal(32)}"
    lazy = b.chance(0.5)

    def page(index):
        best = b.want(f"{base}/{index + 1:02}.{b.choice('jpg', 'jpg', 'webp')}")
        attribute = f'src="/wp-content/themes/madara/images/dflazy.jpg" data-src="\n\t\t\t{best}"' if lazy else f'src="\t\t\t\n\t\t\t{best}"'
        return f'<div class="page-break {b.choice("", "no-gaps")}">\n<img id="image-{index}" {attribute} class="wp-manga-chapter-img {"img-responsive lazyload effect-fade" if lazy else ""}">\n</div>'

    title = f"{b.title()} - Chapter {b.number(1, 150)}"
    pages = b.many(8, 30, page)
    popular = b.many(4, 7, lambda _: f'<div class="popular-item-wrap"><div class="popular-img widget-thumbnail c-image-hover"><a href="/manga/{b.slug()}/"><img width="75" height="106" src="/wp-content/uploads/20{b.number(18, 24)}/0{b.number(1, 9)}/{b.slug()}-75x106.jpg" class="img-responsive" alt=""/></a></div><div class="popular-content"><h5>{b.words()}</h5></div></div>')
    comments = b.many(0, 6, lambda _: f'<li class="comment"><div class="comment-author vcard"><img alt="" src="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=50&#038;d=mm&#038;r=g" srcset="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=100 2x" class="avatar avatar-50 photo" height="50" width="50"></div>{b.paragraph()}</li>')
    return document(
        head(b, title, url, f"https://www.scans.example/wp-content/uploads/2021/05/{b.slug()}.jpg", generator="WordPress 5.8"),
        f'<div class="wrap"><div class="body-wrap"><header class="site-header"><div class="wrap_branding"><a class="logo" href="/"><img class="img-responsive" src="/wp-content/uploads/2019/01/logo-white.png" alt="Scans"/></a></div></header>{advertisement(b) if b.chance(0.7) else ""}'
        f'<div class="site-content"><div class="content-area"><div class="entry-header header" id="manga-reading-nav-head"><ol class="breadcrumb"><li><a href="/">Home</a></li><li>{title}</li></ol></div><div class="entry-content"><div class="entry-content_wrap"><div class="read-container"><div class="reading-content"><input type="hidden" id="wp-manga-current-chap" value="chapter-1"/>\n{pages}\n</div></div></div></div><div class="ad c-ads custom-code body-bottom-ads">{advertisement(b)}</div><div id="comments"><ol class="comment-list">{comments}</ol></div></div>'
        f'<div class="c-sidebar"><div class="widget widget-manga-popular">{popular}</div></div></div><footer class="site-footer"><a href="https://chat.example/invite"><img src="/wp-content/uploads/2020/11/discord-join.png" alt="Discord"></a></footer></div></div>{tracker(b)}',
        attributes='class="wp-manga-template-default single single-wp-manga reading-manga"',
    )


def discourse_topic(b, url):
    """A topic of a modern forum, with photographs in lightboxes, emoji, avatars and cards of links."""
    host = "https://forum-uploads.talk.example"

    def avatar():
        return f'<img alt="" loading="lazy" width="48" height="48" src="/user_avatar/talk.example/{b.choice("ann", "ben", "eva")}/48/{b.digits(5)}_2.png" title="x" class="avatar">'

    def photo():
        key = b.hexadecimal(40)
        folder = f"{key[0]}/{key[1]}/{key[2]}"
        best = b.want(f"{host}/original/3X/{folder}/{key}.jpeg")
        small = f"{host}/optimized/3X/{folder}/{key}_2_"
        return f'<div class="lightbox-wrapper"><a class="lightbox" href="{best}" data-download-href="/uploads/short-url/{b.hexadecimal(27)}.jpeg?dl=1" title="IMG_{b.digits(4)}"><img src="{small}690x460.jpeg" alt="IMG_{b.digits(4)}" data-base62-sha1="{b.hexadecimal(27)}" width="690" height="460" srcset="{small}690x460.jpeg, {small}1035x690.jpeg 1.5x, {small}1380x920.jpeg 2x" data-dominant-color="{b.hexadecimal(6)}"><div class="meta"><svg class="fa d-icon d-icon-far-image svg-icon"><use href="#far-image"></use></svg><span class="filename">IMG_{b.digits(4)}</span><span class="informations">4032×3024 2.1 MB</span></div></a></div>'

    def post(index):
        pictures = "".join(photo() for _ in range(b.number(1, 4) if index == 0 or b.chance(0.3) else 0))
        emoji = f'<img src="https://emoji.talk.example/images/emoji/twitter/{b.choice("smile", "heart", "camera_flash")}.png?v=12" title=":smile:" class="emoji" alt=":smile:" loading="lazy" width="20" height="20">' if b.chance(0.5) else ""
        onebox = f'<aside class="onebox allowlistedgeneric" data-onebox-src="https://other.example/{b.slug()}"><header class="source"><img src="{host}/original/3X/{b.hexadecimal(1)}/{b.hexadecimal(1)}/{b.hexadecimal(40)}.png" class="site-icon" width="32" height="32"><a href="https://other.example/">other.example</a></header><article class="onebox-body"><h3>{b.title()}</h3>{b.paragraph()}</article></aside>' if b.chance(0.3) else ""
        return f'<div class="topic-post clearfix regular"><article id="post_{index + 1}" data-post-id="{b.digits(6)}" class="boxed onscreen-post"><div class="row"><div class="topic-avatar"><div class="post-avatar"><a class="trigger-user-card main-avatar">{avatar()}</a></div></div><div class="topic-body clearfix"><div class="regular contents"><div class="cooked">{b.paragraph()}{pictures}<p>{b.words()} {emoji}</p>{onebox}</div></div></div></div></article></div>'

    title = b.title()
    suggested = b.many(3, 5, lambda _: f'<tr class="topic-list-item"><td class="main-link"><a href="/t/{b.slug()}/{b.digits(5)}">{b.title()}</a></td><td class="posters"><a>{avatar()}</a><a>{avatar()}</a></td></tr>')
    return document(
        head(b, title, url, generator="Discourse 3.2.0.beta2 - https://github.com/discourse/discourse"),
        f'<div id="main" class="ember-application"><header class="d-header"><div class="title"><a href="/"><img id="site-logo" class="logo-big" src="{host}/original/2X/4/4{b.hexadecimal(39)}.png" alt="Talk"></a></div></header><div id="main-outlet-wrapper"><div id="main-outlet"><div id="topic-title"><h1>{title}</h1></div><div class="posts-wrapper"><div class="post-stream">{b.many(3, 12, post)}</div></div><div class="more-topics__container"><table class="topic-list">{suggested}</table></div></div></div></div>',
        attributes='class="crawler-off"',
    )


def lemmy_post(b, url):
    """A post with one picture in a federated community, with icons of communities and users."""
    picture = f"https://pics.fedi.example/pictrs/image/{b.hexadecimal(8)}-{b.hexadecimal(4)}-{b.hexadecimal(4)}-{b.hexadecimal(4)}-{b.hexadecimal(12)}.{b.choice('jpeg', 'png', 'webp')}"
    best = b.want(picture)

    def icon(kind):
        return f'<picture><source srcset="https://fedi.example/pictrs/image/{b.hexadecimal(8)}-{b.hexadecimal(12)}.png?format=webp&amp;thumbnail=96" type="image/webp"><img src="https://fedi.example/pictrs/image/{b.hexadecimal(8)}-{b.hexadecimal(12)}.png?format=png&amp;thumbnail=96" alt="" class="{kind}" loading="lazy"></picture>'

    def comment(_):
        return f'<li class="comment list-unstyled"><article class="details comment-node py-2"><div class="d-flex flex-wrap"><a class="person-listing d-inline-flex align-items-baseline text-info" href="/u/ann">{icon("overflow-hidden pictrs-image img-icon") if b.chance(0.7) else ""}<span>ann</span></a></div><div class="comment-content"><div class="md-div">{b.paragraph()}</div></div></article></li>'

    title = b.title()
    inline = ""
    if b.chance(0.4):
        inline = f'<div class="my-2"><div class="md-div">{b.paragraph()}<p><img src="{b.want(f"https://pics.fedi.example/pictrs/image/{b.hexadecimal(8)}-{b.hexadecimal(12)}.webp")}" alt="" class="icon-inline-none"></p></div></div>'
    return document(
        head(b, title, url, best),
        f'<div id="root"><div class="shadow-sm"><nav class="navbar navbar-expand-md"><a id="navTitle" class="d-flex align-items-center navbar-brand" href="/">{icon("pictrs-image img-icon me-1")}Fedi</a></nav></div><div class="mt-4 p-0 fl-1"><div class="post container-lg"><div class="row"><main class="col-12 col-md-8 col-lg-9 mb-3"><article class="post-container"><div class="post-listing mt-2"><h1 class="h4 d-inline text-break">{title}</h1><div class="small mb-1"><a class="person-listing" href="/u/ben">{icon("overflow-hidden pictrs-image img-icon")}ben</a> to <a class="community-link" href="/c/photos">{icon("overflow-hidden pictrs-image img-icon")}photos</a></div>'
        f'<div class="offset-sm-3 my-2 d-none d-sm-block"><a href="{picture}" class="d-inline-block"><picture><source srcset="{picture}?format=webp" type="image/webp"><source srcset="{picture}"><source srcset="{picture}?format=jpg" type="image/jpeg"><img src="{picture}" alt="" title="" class="overflow-hidden pictrs-image img-expanded slight-radius" loading="lazy"></picture></a></div>{inline}</div></article><ul class="comments">{b.many(2, 14, comment)}</ul></main>'
        f'<aside class="d-none d-md-block col-md-4 col-lg-3"><div class="community-sidebar"><section id="sidebarMain" class="card mb-3"><div class="position-relative mb-2"><img src="https://fedi.example/pictrs/image/{b.hexadecimal(8)}-banner.webp" alt="" class="overflow-hidden pictrs-image w-100 banner"><div>{icon("overflow-hidden pictrs-image avatar-overlay")}</div></div>{b.paragraph()}</section></div></aside></div></div></div></div>',
    )


def booru_index(b, url):
    """A page of the search in a tagged archive of drawings."""

    def preview(_):
        key = b.hexadecimal(32)
        base = "https://cdn.booru.example"
        small = f"{base}/180x180/{key[:2]}/{key[2:4]}/{key}.jpg"
        best = b.want(f"{base}/360x360/{key[:2]}/{key[2:4]}/{key}.jpg")
        number = b.digits(7)
        return f'<article id="post_{number}" class="post-preview post-preview-fit-compact post-preview-180" data-id="{number}" data-tags="{b.words()}" data-rating="g" data-score="{b.number(0, 90)}"><div class="post-preview-container"><a class="post-preview-link" draggable="false" href="/posts/{number}?q=river"><picture><source type="image/jpeg" srcset="{small} 1x, {best} 2x"><img src="{small}" width="180" height="{b.number(120, 180)}" class="post-preview-image" title="{b.words()} rating:g score:3" alt="post #{number}" draggable="false"></picture></a></div></article>'

    title = b.title()
    return document(
        head(b, title, url, "https://booru.example/images/og-default.png"),
        f'<header id="top"><div id="app-name-header"><a id="app-logo" href="/"><img src="/packs/static/images/booru-logo-128x128-{b.hexadecimal(20)}.png" width="96" height="96" alt="Booru"></a></div><nav id="main-menu"><a href="/posts">Posts</a></nav></header><div id="page"><div id="c-posts"><div id="a-index"><aside id="sidebar"><section id="tag-box"><ul class="search-tag-list">{b.many(8, 20, lambda _: f"<li><a class=search-tag href=/posts?tags={b.words(1, 1)}>{b.words(1, 2)}</a></li>")}</ul></section>{advertisement(b) if b.chance(0.6) else ""}</aside>'
        f'<section id="content"><div id="posts"><div class="post-gallery post-gallery-grid post-gallery-180"><div class="posts-container gap-2">{b.many(8, 24, preview)}</div></div></div></section></div></div></div><footer id="page-footer"><a href="https://chat.example/x"><img src="/packs/static/images/discord-logo-{b.hexadecimal(20)}.png" width="16" height="16" alt="chat"></a><a href="https://code.example/x"><img src="/packs/static/images/github-logo-{b.hexadecimal(20)}.png" width="16" height="16" alt="code"></a></footer>{tracker(b)}',
        attributes='class="c-posts a-index" data-controller="posts"',
    )


def moebooru_post(b, url):
    """One drawing of a tagged archive, as a sample with a link to the file, with the avatars of its admirers."""
    key = b.hexadecimal(32)
    name = "%20".join(["board", b.digits(6)] + b.words(3, 6).split())
    best = b.want(f"https://files.board-art.example/image/{key}/{name}.{b.choice('jpg', 'png')}")
    sample = f"https://files.board-art.example/sample/{key}/{name}.jpg"
    avatars = b.many(2, 6, lambda _: f'<div class="comment avatar-container"><div class="author"><h6><a href="/user/show/{b.digits(4)}">{b.words(1, 1)}</a></h6><a href="/post/show/{b.digits(6)}/"><img alt="" class="avatar" src="/data/avatars/{b.digits(5)}.jpg?{b.digits(10)}" width="80" height="110"></a></div><div class="content"><div class="body">{b.paragraph()}</div></div></div>')
    title = b.title()
    large = b.chance(0.5)
    return document(
        head(b, title, url, sample),
        f'<div id="header"><div id="title"><h2 id="site-title"><a href="/"><img alt="Board" src="/images/mascot-title.png" width="200" height="60"></a></h2></div></div><div id="content"><div id="post-view"><div class="status-notice" style="display: none" id="resized_notice">This image has been resized.</div><div class="sidebar"><ul id="tag-sidebar">{b.many(6, 15, lambda _: f"<li class=tag-type-general><a href=/post?tags={b.words(1, 1)}>{b.words(1, 2)}</a></li>")}</ul><div id="stats"><h5>Statistics</h5><ul><li>Id: {b.digits(6)}</li></ul></div>{advertisement(b)}</div>'
        f'<div class="content" id="right-col"><div><img alt="{b.words()}" class="image js-notesManager--toggle" data-notes="[]" height="{b.number(800, 1100)}" id="image" large_height="2893" large_width="4092" src="{sample}" width="1500"></div><div style="margin-bottom: 1em;"><p id="note-count"></p></div><h4 id="post-tools"><ul><li><a class="original-file-{"changed" if large else "unchanged"} highres-show" href="{best}" id="highres">{"Download larger version" if large else "View larger version"} (3.71 MB)</a></li></ul></h4><div id="comments"><div class="response-list">{avatars}</div></div></div></div></div><div id="csp"><a href="https://shop.example/figures"><img src="/images/affiliate/figures-468x60.png" width="468" height="60" alt=""></a></div>{tracker(b)}',
    )


def dawn_product(b, url):
    """A product in the standard theme of a system for shops, with thumbnails, payment badges and recommendations."""
    root = "//lamps.example/cdn/shop"

    def sized(name, widths, stamp):
        return ", ".join(f"{root}/{name}?v={stamp}&amp;width={width} {width}w" for width in widths)

    def media(index):
        name, stamp = f"{b.choice('files', 'products')}/{b.slug()}.jpg", b.digits(10)
        best = b.want(f"https:{root}/{name}?v={stamp}&width=1946")
        slide = f'<li id="Slide-template--{b.digits(14)}__main-{b.digits(14)}" class="product__media-item grid__item slider__slide {"is-active" if index == 0 else ""}" data-media-id="{b.digits(14)}"><div class="product-media-container media-type-image media-fit-contain global-media-settings gradient" style="--ratio: 1.0;"><modal-opener class="product__modal-opener product__modal-opener--image"><div class="product__media media media--transparent"><img src="{root}/{name}?v={stamp}&amp;width=1946" alt="{b.words()}" srcset="{sized(name, (246, 493, 600, 713, 823, 990, 1100, 1206, 1346, 1426, 1646, 1946), stamp)}" width="1946" height="1946" class="image-magnify-lightbox" sizes="(min-width: 1200px) 605px, calc(100vw - 4rem)" {"" if index == 0 else "loading=lazy"}></div></modal-opener></div></li>'
        thumb = f'<li class="thumbnail-list__item slider__slide"><button class="thumbnail global-media-settings"><img src="{root}/{name}?v={stamp}&amp;width=416" srcset="{sized(name, (54, 74, 104, 162, 208, 324, 416), stamp)}" width="416" height="416" alt="" loading="lazy"></button></li>'
        return best, slide, thumb

    def card(_):
        name, stamp = f"products/{b.slug()}.jpg", b.digits(10)
        return f'<li class="grid__item"><div class="card-wrapper product-card-wrapper"><div class="card card--standard card--media"><div class="card__inner"><div class="card__media"><div class="media media--transparent media--hover-effect"><img srcset="{sized(name, (165, 360, 533, 720, 940, 1066), stamp)}" src="{root}/{name}?v={stamp}&amp;width=533" class="motion-reduce" loading="lazy" width="1200" height="1200" alt="{b.words()}"></div></div></div><h3 class="card__heading"><a href="/products/{b.slug()}">{b.title()}</a></h3></div></div></li>'

    title = b.title()
    items = [media(index) for index in range(b.number(1, 8))]
    thumbs = f'<slider-component class="thumbnail-slider"><ul class="thumbnail-list list-unstyled slider">{"".join(item[2] for item in items)}</ul></slider-component>' if len(items) > 1 else ""
    recommended = f'<product-recommendations class="related-products"><h2>You may also like</h2><ul class="grid product-grid">{b.many(4, 4, card)}</ul></product-recommendations>' if b.chance(0.7) else ""
    return document(
        head(b, title, url, items[0][0], extra='<meta property="og:type" content="product">'),
        f'<div id="shopify-section-header"><sticky-header><header class="header"><h1 class="header__heading"><a href="/" class="header__heading-link"><div class="header__heading-logo-wrapper"><img src="{root}/files/logo_lamps.png?v=16{b.digits(8)}&amp;width=600" srcset="{root}/files/logo_lamps.png?v=1613&amp;width=90 90w, {root}/files/logo_lamps.png?v=1613&amp;width=180 180w" width="90" height="32" alt="Lamps" class="header__heading-logo"></div></a></h1></header></sticky-header></div><main id="MainContent" class="content-for-layout focus-none" role="main"><section class="shopify-section section"><product-info><div class="product product--large product--thumbnail_slider grid grid--1-col"><div class="grid__item product__media-wrapper"><media-gallery id="MediaGallery"><slider-component><ul class="product__media-list contains-media grid grid--peek list-unstyled slider slider--mobile" role="list">{"".join(item[1] for item in items)}</ul></slider-component>{thumbs}</media-gallery></div><div class="product__info-wrapper grid__item"><div class="product__title"><h1>{title}</h1></div>{b.paragraph()}</div></div></product-info></section>{recommended}</main>'
        f'<footer class="footer"><a href="/pages/press"><img src="{root}/files/as-seen-in.png?v={b.digits(10)}" alt="As seen in" loading="lazy"></a><ul class="list list-payment">{"".join(f"<li class=list-payment__item><img class=icon alt={name} src={root}/t/2/assets/{name}.svg width=38 height=24></li>" for name in ("visa", "master", "paypal"))}</ul></footer>{tracker(b)}',
        attributes='class="gradient"',
    )


def squarespace_portfolio(b, url):
    """A gallery block of a designed site, where the picture's only address waits in data attributes."""
    static = f"https://images.sqsp.example/content/v1/{b.hexadecimal(24)}"
    grid = b.chance(0.5)

    def picture(index):
        best = b.want(f"{static}/{b.digits(13)}-{b.hexadecimal(20).upper()}/{b.slug()}.jpg")
        size = b.choice("2500x1667", "1500x1000", "1667x2500")
        noscript = f'<noscript><img src="{best}" alt="{b.words()}"/></noscript>'
        if grid:
            return f'<figure class="gallery-grid-item gallery-grid-item--{index}" data-test="gallery-grid-simple-item"><div class="gallery-grid-item-wrapper preFade"><img class="gallery-grid-item-image" data-src="{best}" data-image="{best}" data-image-dimensions="{size}" data-image-focal-point="0.5,0.5" alt="{b.words()}" data-load="false" elementtiming="nbf-gallery-grid-simple"></div></figure>'
        return f'<div class="slide" data-type="image" data-animation-role="image"><div class="margin-wrapper"><a role="button" class="image-slide-anchor content-fill" href="#"><span class="v6-visually-hidden">View fullsize</span>{noscript}<img class="thumb-image" alt="{b.words()}" data-image="{best}" data-image-dimensions="{size}" data-image-focal-point="0.5,0.5" data-load="false" data-image-id="{b.hexadecimal(24)}" data-type="image"/></a></div></div>'

    title = b.title()
    wrapper = "gallery-grid gallery-grid--layout-grid" if grid else "sqs-gallery-container sqs-gallery-block-grid sqs-gallery-aspect-ratio-standard sqs-gallery-thumbnails-per-row-3 clear"
    logo = f"{static}/{b.digits(13)}-{b.hexadecimal(12).upper()}/logo-black.png"
    pictures = b.many(5, 24, picture)
    instagram = b.many(4, 8, lambda _: f'<div class="slide"><a href="https://instagram.example/p/{b.hexadecimal(11)}/" class="image-slide-anchor"><img class="thumb-image" data-src="https://scontent.insta.example/v/t51.29350-15/{b.digits(9)}_n.jpg?_nc_cat={b.digits(3)}" data-image-dimensions="640x640" data-load="false" alt=""></a></div>') if b.chance(0.4) else ""
    return document(
        head(b, title, url, f"{logo}?format=1500w", extra=f'<meta itemprop="thumbnailUrl" content="{logo}?format=1500w"><link rel="image_src" href="{logo}?format=1500w">'),
        f'<header id="header" class="header theme-col--primary"><div class="header-title-logo"><a href="/"><img elementtiming="nbf-header-logo-desktop" src="{logo}?format=1500w" alt="Studio" style="display:block" fetchpriority="high"></a></div><div class="header-actions"><a class="icon icon--fill" href="https://instagram.example/studio"><svg viewBox="23 23 64 64"></svg></a></div></header><main id="page" class="container" role="main"><article class="sections" id="sections"><section class="page-section gallery-section"><div class="content-wrapper"><h1>{title}</h1><div class="{wrapper}">{pictures}</div></div></section></article></main>'
        f'<footer class="sections" id="footer-sections"><div class="sqs-block image-block"><img data-stretch="false" data-src="{static}/{b.digits(13)}/member-of-guild.png" data-image-dimensions="300x120" alt="Member of the guild" width="300" height="120"></div><div class="sqs-block instagram-block"><div class="sqs-gallery-block-grid">{instagram}</div></div></footer>{tracker(b)}',
        attributes='class="tweak-global-animations-enabled seven-one-global-animations"',
    )


def wix_gallery(b, url):
    """A gallery in a builder for sites whose addresses carry commas and both densities in the srcset."""
    host = "https://static.wixst.example/media"
    user = b.hexadecimal(6)

    def picture(index):
        name = f"{user}_{b.hexadecimal(32)}~mv2.jpg"
        width = b.choice(306, 420, 490)
        best = b.want(f"{host}/{name}/v1/fill/w_{width * 2},h_{width * 2},q_90,enc_avif,quality_auto/{name}")
        small = f"{host}/{name}/v1/fill/w_{width},h_{width},q_90,enc_avif,quality_auto/{name}"
        return f'<div class="gallery-item-container item-container-regular has-custom-focus visible clickable" id="pgi{b.hexadecimal(12)}_{index}" data-hash="{b.hexadecimal(8)}" data-hook="item-container" role="link"><div data-hook="item-wrapper" class="gallery-item-wrapper visible cube-type-fill"><div class="image-item gallery-item-visible gallery-item gallery-item-preloaded" data-hook="image-item"><picture id="multi_picture_{b.digits(4)}"><source srcset="{small} 1x, {best} 2x" type="image/jpg"><img alt="{b.words()}" data-hook="gallery-item-image-img" data-idx="{index}" src="{small}" loading="lazy" style="width:{width}px;height:{width}px"></picture></div></div></div>'

    title = b.title()
    logo = f"{user}_{b.hexadecimal(32)}~mv2.png"
    info = html.escape(json.dumps({"containerId": "comp-logo", "displayMode": "fill", "imageData": {"width": 500, "height": 200, "uri": logo}}))
    bar = "".join(f'<li class="social-bar-item"><a href="https://{name}.example/studio"><wow-image class="uWpzU0" data-image-info="{{}}"><img src="{host}/{b.hexadecimal(32)}.png/v1/fill/w_39,h_39,al_c,q_85,usm_0.66_1.00_0.01,enc_auto/{name}.png" alt="{name}" width="39" height="39" style="width:39px;height:39px;object-fit:cover"></wow-image></a></li>' for name in ("facebook", "instagram", "youtube"))
    return document(
        head(b, title, url, f"{host}/{logo}/v1/fill/w_500,h_200,al_c/{logo}", generator="Wix.com Website Builder"),
        f'<div id="SITE_CONTAINER"><div id="main_MF"><div id="site-root"><div id="masterPage"><header id="SITE_HEADER" tabindex="-1"><wow-image id="img_comp-logo" class="BI8PVQ Tj01hh" data-image-info="{info}"><img src="{host}/{logo}/v1/fill/w_178,h_71,al_c,q_85,usm_0.66_1.00_0.01,enc_auto/logo.png" alt="Studio" width="178" height="71" fetchpriority="high"></wow-image></header><main id="PAGES_CONTAINER"><div id="SITE_PAGES"><div id="comp-title" class="wixui-rich-text"><h2>{title}</h2></div><div id="comp-{b.hexadecimal(8)}"><div id="pro-gallery-comp" class="pro-gallery"><div id="pro-gallery-container" class="pro-gallery inline-styles one-row hide-scrollbars slider"><div id="pro-gallery-margin-container">{b.many(5, 18, picture)}</div></div></div></div></div></main><footer id="SITE_FOOTER"><ul aria-label="Social Bar">{bar}</ul><p>© {b.number(2018, 2025)} by Studio.</p></footer></div></div></div></div>',
    )


def ghost_post(b, url):
    """A story in a publishing system with cards for pictures, galleries and bookmarks."""
    root = "https://www.letters.example/content/images"

    def image(kind):
        when = f"{b.number(2019, 2025)}/{b.number(10, 12)}"
        name = f"{b.slug()}.{b.choice('jpg', 'jpeg', 'png')}"
        best = b.want(f"{root}/{when}/{name}")
        srcset = ", ".join(f"{root}/size/w{width}/{when}/{name} {width}w" for width in (600, 1000, 1600))
        return f'<img src="{best}" class="{kind}" alt="" loading="lazy" width="2000" height="1333" srcset="{srcset}, {best} 2000w" sizes="(min-width: 720px) 720px">'

    def card(_):
        kind = b.choice("image", "image", "gallery", "bookmark")
        if kind == "image":
            return f'<figure class="kg-card kg-image-card {b.choice("", "kg-width-wide", "kg-width-full")} kg-card-hascaption">{image("kg-image")}<figcaption>{b.words()}</figcaption></figure>{b.paragraph()}'
        if kind == "gallery":
            rows = "".join(f'<div class="kg-gallery-image">{image("")}</div>' for _ in range(b.number(2, 5)))
            return f'<figure class="kg-card kg-gallery-card kg-width-wide"><div class="kg-gallery-container"><div class="kg-gallery-row">{rows}</div></div></figure>{b.paragraph()}'
        return f'<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://other.example/{b.slug()}"><div class="kg-bookmark-content"><div class="kg-bookmark-title">{b.title()}</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="https://other.example/favicon-180.png" alt=""><span class="kg-bookmark-author">Other</span></div></div><div class="kg-bookmark-thumbnail"><img src="https://other.example/images/{b.slug()}.jpg" alt=""></div></a></figure>'

    def feed(_):
        name = f"{b.number(2019, 2025)}/08/{b.slug()}.jpg"
        return f'<article class="gh-card post"><a class="gh-card-link" href="/{b.slug()}/"><figure class="gh-card-image"><img srcset="{root}/size/w160/format/webp/{name} 160w, {root}/size/w320/format/webp/{name} 320w, {root}/size/w600/format/webp/{name} 600w" sizes="320px" src="{root}/size/w600/{name}" alt="" loading="lazy"></figure><h3 class="gh-card-title">{b.title()}</h3></a></article>'

    title = b.title()
    feature = f'<figure class="gh-article-image">{image("")}</figure>'
    return document(
        head(b, title, url, b.wanted[0], generator="Ghost 5.82", extra='<meta property="article:published_time" content="2023-11-02T10:00:00.000Z">'),
        f'<div class="gh-viewport"><header id="gh-navigation" class="gh-navigation is-left-logo gh-outer"><a class="gh-navigation-logo is-title" href="/"><img src="{root}/2020/04/logo.png" alt="Letters"></a></header><main class="gh-main"><article class="gh-article post"><header class="gh-article-header gh-canvas"><h1 class="gh-article-title is-title">{title}</h1><div class="gh-article-meta"><div class="gh-article-author-image instapaper_ignore"><a href="/author/ann/"><img class="author-profile-image" src="{root}/size/w160/2020/05/ann.jpg" alt="Ann"></a></div></div>{feature}</header><section class="gh-content gh-canvas is-body">{b.paragraph()}{b.many(1, 7, card)}</section></article><section class="gh-container is-grid gh-outer"><h2>Read more</h2><div class="gh-feed">{b.many(3, 4, feed)}</div></section></main><footer class="gh-footer"><a href="https://ghost.example/">Powered by Ghost</a></footer></div>',
        attributes='class="post-template tag-travel has-sans-title"',
    )


def block_gallery_post(b, url):
    """A post in the block editor whose gallery links to the files, with a share row and related posts."""
    root = "https://wander.example/wp-content/uploads"
    linked = b.chance(0.6)

    def picture(_):
        base = f"{root}/20{b.number(18, 25)}/0{b.number(1, 9)}/{b.slug()}"
        number = b.digits(5)
        best = b.want(f"{base}.jpg" if linked else f"{base}-1536x1024.jpg")
        srcset = ", ".join(f"{base}{end} {width}w" for end, width in (("-1024x683.jpg", 1024), ("-300x200.jpg", 300), ("-768x512.jpg", 768), ("-1536x1024.jpg", 1536)))
        tag = f'<img fetchpriority="low" decoding="async" width="1024" height="683" data-id="{number}" src="{base}-1024x683.jpg" alt="" class="wp-image-{number}" srcset="{srcset}" sizes="(max-width: 1024px) 100vw, 1024px"/>'
        return f'<figure class="wp-block-image size-large">{f"<a href={chr(34)}{base}.jpg{chr(34)}>{tag}</a>" if linked else tag}</figure>'

    title = b.title()
    galleries = b.many(1, 3, lambda _: f'{b.paragraph()}<figure class="wp-block-gallery has-nested-images columns-{b.choice("2", "3", "default")} is-cropped wp-block-gallery-{b.digits(1)} is-layout-flex">{b.many(2, 8, picture)}</figure>')
    related = b.many(3, 3, lambda _: f'<li class="wp-block-post"><figure class="wp-block-post-featured-image"><a href="/{b.slug()}/"><img width="300" height="200" src="{root}/2022/03/{b.slug()}-300x200.jpg" class="attachment-medium size-medium wp-post-image" alt="" decoding="async" loading="lazy"></a></figure><h3 class="wp-block-post-title">{b.title()}</h3></li>')
    comments = b.many(0, 5, lambda _: f'<li class="comment"><div class="wp-block-avatar"><img alt="" src="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=40&#038;d=mm&#038;r=g" class="avatar avatar-40 photo wp-block-avatar__image" height="40" width="40"></div><div class="wp-block-comment-content">{b.paragraph()}</div></li>')
    return document(
        head(b, title, url, b.wanted[0], generator="WordPress 6.5.2"),
        f'<div class="wp-site-blocks"><header class="wp-block-template-part"><div class="wp-block-site-logo"><a href="/" class="custom-logo-link" rel="home"><img width="120" height="120" src="{root}/2021/01/cropped-logo.png" class="custom-logo" alt="Wander"></a></div></header><main class="wp-block-group is-layout-flow" id="wp--skip-link--target"><h1 class="wp-block-post-title">{title}</h1><div class="entry-content wp-block-post-content is-layout-constrained">{galleries}{social(b, "/wp-content/plugins/share/icons") if b.chance(0.5) else ""}</div><div class="wp-block-query"><ul class="wp-block-post-template is-layout-grid">{related}</ul></div><div class="wp-block-comments"><ol class="wp-block-comment-template">{comments}</ol></div></main><footer class="wp-block-template-part"><figure class="wp-block-image size-full is-resized"><img src="{root}/2021/02/travel-bloggers-badge.png" alt="Member" width="100"/></figure></footer></div>{tracker(b)}',
        attributes='class="post-template-default single single-post wp-custom-logo"',
    )


FAMILIES = {
    "museum-object": (museum_object, "https://www.collection.example/art/collection/search/436121"),
    "webtoon-episode": (webtoon_episode, "https://www.toon.example/en/drama/harbour/ep-12/viewer?title_no=1234&episode_no=12"),
    "madara-chapter": (madara_chapter, "https://www.scans.example/manga/harbour/chapter-12/"),
    "discourse-topic": (discourse_topic, "https://talk.example/t/photos-of-the-harbour/12345"),
    "lemmy-post": (lemmy_post, "https://fedi.example/post/1234567"),
    "booru-index": (booru_index, "https://booru.example/posts?tags=river"),
    "moebooru-post": (moebooru_post, "https://board-art.example/post/show/123456/river-harbour"),
    "dawn-product": (dawn_product, "https://lamps.example/products/harbour-lamp"),
    "squarespace-portfolio": (squarespace_portfolio, "https://www.studio.example/portraits"),
    "wix-gallery": (wix_gallery, "https://www.studio-two.example/gallery"),
    "ghost-post": (ghost_post, "https://www.letters.example/at-the-harbour/"),
    "block-gallery-post": (block_gallery_post, "https://wander.example/2023/at-the-harbour/"),
}
