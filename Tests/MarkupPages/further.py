"""Pages of further shops, places, readers, albums and blogs."""

from builder import document, head, tracker


def plugin_gallery(b, url):
    """A page of a WordPress with a plugin for galleries."""
    folder = "https://club.example/wp-content/gallery/regatta"

    def thumb(n):
        name = b.slug()
        full = b.want(f"{folder}/{name}.jpg")
        return f'<div id="ngg-image-{n}" class="ngg-gallery-thumbnail-box"><div class="ngg-gallery-thumbnail"><a href="{full}" title="" data-src="{full}" data-thumbnail="{folder}/thumbs/thumbs_{name}.jpg" data-image-id="{b.digits(3)}" class="ngg-fancybox" rel="x"><img title="{name}" alt="{name}" src="{folder}/thumbs/thumbs_{name}.jpg" width="240" height="160" style="max-width:100%;"/></a></div></div>'

    news = b.many(2, 4, lambda _: f'<li><a href="https://club.example/{b.slug()}/"><img width="100" height="67" src="https://club.example/wp-content/uploads/{b.slug()}-100x67.jpg" alt=""></a></li>')
    title = b.title()
    return document(
        head(b, title, url, generator="WordPress 6.4"),
        f'<div id="wrapper"><div class="mh-header"><a href="/"><img src="https://club.example/wp-content/uploads/2018/01/club-head.jpg" width="1080" height="200" alt="Club"></a></div><div class="mh-content"><h1 class="page-title">{title}</h1><div class="entry-content"><div class="ngg-galleryoverview">{b.many(6, 18, thumb)}</div></div></div><div class="mh-widget-col-1"><ul class="mh-recent">{news}</ul><div class="textwidget"><a href="https://www.bank.example/"><img src="https://club.example/wp-content/uploads/bank.png" width="220" height="90" alt="Bank"></a></div></div></div>',
    )


def tiled(b, url):
    """A post of a hosted blog with mosaics of pictures."""
    host = "https://i0.host.example/birds.files.example"

    def tile(_):
        name = f"2023/04/{b.slug()}.jpg"
        full = b.want(f"https://birds.files.example/{name}")
        return f'<div class="tiled-gallery__item"><figure><img alt="" data-attachment-id="{b.digits(4)}" data-orig-file="{full}" data-orig-size="4000,2667" data-medium-file="{full}?w=300" data-large-file="{full}?w=1024" role="button" src="{full}?w=600&amp;h=400&amp;crop=1" srcset="{full}?w=600 600w, {full}?w=900 900w" class="wp-image" width="600" height="400"></figure></div>'

    likes = b.many(2, 6, lambda _: f'<li class="wp-liker-me"><a href="https://gravatars.example/x"><img src="https://2.gravatar.example/avatar/{b.hexadecimal(32)}?s=30" width="30" height="30" class="avatar" alt=""></a></li>')
    near = b.many(1, 3, lambda _: f'<div class="jp-relatedposts-post"><a class="jp-relatedposts-post-a" href="https://birds.example/2022/0{b.number(1, 9)}/1{b.number(0, 9)}/{b.slug()}/"><img class="jp-relatedposts-post-img" src="{host}/2022/{b.slug()}.jpg?resize=350%2C200" width="350" height="200" alt=""></a></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<header class="site-header"><img src="https://birds.files.example/2020/01/cropped-header.jpg" class="header-image" width="1280" height="300" alt=""></header><main class="site-main"><article class="post"><h1>{title}</h1><div class="entry-content">{b.paragraph()}<div class="wp-block-jetpack-tiled-gallery">{b.many(3, 9, tile)}</div>{b.paragraph()}<div id="jp-post-flair"><ul class="likes">{likes}</ul><div id="jp-relatedposts">{near}</div></div></div></article></main>{tracker(b)}',
    )


def hostel(b, url):
    """A place to stay with a mosaic of photographs, rooms and places nearby."""
    host = "https://cf.stays.example/xdata/images/hotel"

    def path(size):
        return f"{host}/{size}/{b.digits(9)}.jpg?k={b.hexadecimal(40)}&o="

    def photo(_):
        best = b.want(path("max1024x768"))
        return f'<a href="#" class="bh-photo-grid-item" data-thumb-url="{best.replace("max1024x768", "square60")}" style="background-image: url({best});"><img src="{best}" alt="{b.words()}" class="hide"></a>'

    def room(_):
        best = b.want(path("max500"))
        return f'<tr><td><a class="hprt-roomtype-link" href="#RD{b.digits(6)}"><img src="{best}" alt="Room" width="500" height="333"></a></td></tr>'

    nearby = b.many(2, 5, lambda _: f'<div class="sr_item"><a href="/hotel/gb/{b.slug()}.html?label=x&amp;sid={b.hexadecimal(8)}"><img src="{path("square240")}" width="240" height="240" alt=""></a></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="bodyconstraint"><div class="header-wrapper"><a href="/"><svg></svg></a></div><div id="basiclayout"><h2 class="hp__hotel-name">{title}</h2><div class="bh-photo-grid">{b.many(4, 8, photo)}</div><div class="hp-description">{b.paragraph()}</div><table class="hprt-table">{b.many(1, 4, room)}</table><div class="host"><img src="{path("square128")}" width="128" height="128" alt="Your host"></div><h2>Travellers also stayed in</h2><div>{nearby}</div></div></div>',
    )


def vehicle(b, url):
    """A used car, its dealer, and cars like it."""
    host = "https://img.cars.example/api/v1/mo-prod/images"

    def photo(n):
        key = f"{b.hexadecimal(2)}/{b.hexadecimal(8)}-{b.hexadecimal(4)}-{b.hexadecimal(12)}"
        best = b.want(f"{host}/{key}?rule=mo-1600.jpg")
        return f'<div class="image-gallery-slide"><div class="gallery-img-{n}"><img src="{host}/{key}?rule=mo-640.jpg" srcset="{host}/{key}?rule=mo-640.jpg 640w, {best} 1600w" alt="{b.words()}" width="640" height="480"></div></div>'

    other = b.many(3, 6, lambda _: f'<article class="A3G6X"><a href="/fahrzeuge/details.html?id={b.digits(9)}&amp;ref=srp"><img src="{host}/{b.hexadecimal(2)}/{b.hexadecimal(8)}-{b.hexadecimal(12)}?rule=mo-240.jpg" alt=""></a></article>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="root"><header><a href="/" aria-label="Cars"><img src="https://static.cars.example/consumer/logo.svg" width="140" height="32"></a></header><main><div class="gallery">{b.many(4, 12, photo)}</div><section><h1>{title}</h1>{b.paragraph()}</section><section data-testid="vip-dealer-box"><a href="/haendler/auto-x"><img src="https://img.cars.example/dealer/{b.digits(6)}?rule=d-160.jpg" alt="Auto X" width="160" height="60"></a></section><section><h3>Ähnliche Fahrzeuge</h3>{other}</section></main></div>',
        language="de",
    )


def indie_game(b, url):
    """A game with screenshots, and games like it."""
    host = "https://img.games.example"

    def shot(_):
        key = b.hexadecimal(24)
        best = b.want(f"{host}/{key}/original/{b.hexadecimal(6)}.png")
        return f'<a href="{best}" data-image_lightbox="true" target="_blank"><img class="screenshot" src="{host}/{key}/347x500/{b.hexadecimal(6)}.png" srcset="{host}/{key}/347x500/{b.hexadecimal(6)}.png 1x" alt="" data-screenshot_id="{b.digits(8)}"></a>'

    inline = b.many(0, 3, lambda _: f'<p><img src="{b.want(f"{host}/{b.hexadecimal(24)}/original/{b.hexadecimal(6)}.gif")}" alt=""></p>')
    other = b.many(2, 5, lambda _: f'<div class="game_cell"><div class="game_thumb" style="background-color:#333"><a href="https://maker{b.digits(2)}.games.example/{b.slug()}" class="thumb_link game_link"><img class="lazy_loaded" data-lazy_src="{host}/{b.hexadecimal(24)}/315x250%23c/{b.hexadecimal(6)}.png" width="315" height="250"></a></div></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="wrapper" class="main"><div id="header" class="header has_image"><img src="{host}/{b.hexadecimal(24)}/original/head.png" alt="{title}"></div><div class="inner_column"><div class="columns"><div class="left_col column"><div class="formatted_description user_formatted">{b.paragraph()}{inline}</div><div class="game_comments_widget"><div class="community_post"><a class="post_avatar" href="/u" style="background-image:url(\'{host}/{b.hexadecimal(12)}/25x25%23/x.png\')"></a></div></div></div><div class="right_col column"><div class="screenshot_list">{b.many(2, 6, shot)}</div></div></div><div class="related_games">{other}</div></div></div>',
    )


def book(b, url):
    """A book: its cover, its author, and what other readers read."""
    host = "https://covers.books.example/compressed.photo.books.example/books"
    best = b.want(f"{host}/{b.digits(10)}i/{b.digits(7)}.jpg")
    other = b.many(3, 8, lambda _: f'<div class="CarouselGroup__item"><a href="https://www.books.example/book/show/{b.digits(7)}-{b.slug()}"><div class="BookCover__image"><img class="ResponsiveImage" role="presentation" src="{host}/{b.digits(10)}i/{b.digits(7)}._SY180_.jpg" alt=""></div></a></div>')
    reviews = b.many(1, 4, lambda _: f'<article class="ReviewCard"><a href="/user/show/{b.digits(6)}"><div class="Avatar"><img alt="x" src="https://images.books.example/users/{b.digits(9)}p2/{b.digits(6)}.jpg" width="64" height="64"></div></a>{b.paragraph()}</article>')
    title = b.title()
    return document(
        head(b, title, url, best),
        f'<div id="__next"><header class="Header"><a href="/"><img src="https://s.books.example/assets/home/header.png" width="140" height="30" alt=""></a></header><main class="BookPage"><div class="BookPage__leftColumn"><div class="BookCover"><div class="BookCover__image"><img class="ResponsiveImage" role="presentation" src="{best}" alt="{title}"></div></div></div><div class="BookPage__rightColumn"><h1>{title}</h1>{b.paragraph()}<div class="AuthorPreview"><a href="/author/show/{b.digits(5)}.X"><img src="https://images.books.example/authors/{b.digits(10)}i/{b.digits(5)}._UX200_CR0,27,200,200_.jpg" width="72" height="72" alt=""></a></div><div class="BookDiscussions">{other}</div>{reviews}</div></main></div>',
    )


def kakalot(b, url):
    """A chapter in a reader without lazy loading, with covers of popular titles in a column."""
    host = f"https://v{b.number(1, 9)}.pages.example/img/tab_1/03/12/{b.hexadecimal(10)}/chapter_12"

    def page(n):
        return f'<img src="{b.want(f"{host}/{n + 1}-o.jpg")}" alt="Chapter 12 page {n + 1}" title="Chapter 12 page {n + 1}">'

    popular = b.many(3, 8, lambda _: f'<div class="xem-nhieu-item"><a title="x" href="https://read.example/manga-{b.hexadecimal(8)}"><img src="https://avt.pages.example/avatar_225/{b.digits(5)}-{b.hexadecimal(8)}.jpg" width="60" alt=""></a><h3>{b.title()}</h3></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="body-site"><div class="container container-header"><div class="panel-search-story"><a class="logo" href="https://read.example/"><img src="https://read.example/themes/hm/images/logo-chap.png" alt=""></a></div></div><div class="container-chapter-reader">{b.many(6, 14, page)}<div style="text-align:center"><a href="https://go.example/?z={b.digits(5)}" rel="nofollow"><img src="https://go.example/b/{b.hexadecimal(8)}.png" alt=""></a></div></div><div class="container"><div class="popular">{popular}</div></div></div>',
    )


def wallpaper(b, url):
    """One wallpaper, with its tags and its uploader."""
    key = b.hexadecimal(6)
    best = b.want(f"https://w.walls.example/full/{key[:2]}/wallhaven-{key}.jpg")
    others = b.many(2, 5, lambda _: f'<li><figure class="thumb" data-wallpaper-id="{b.hexadecimal(6)}"><img alt="loading" class="lazyload" data-src="https://th.walls.example/small/{b.hexadecimal(2)}/{b.hexadecimal(6)}.jpg" src="/images/layout/blank.gif"><a class="preview" href="https://walls.example/w/{b.hexadecimal(6)}"></a></figure></li>')
    title = b.title()
    return document(
        head(b, title, url, f"https://w.walls.example/full/{key[:2]}/wallhaven-{key}.jpg"),
        f'<header id="header"><h1><a id="logo" href="/"><img src="/images/layout/logo_sm.png" alt="walls"></a></h1></header><main id="main"><section id="showcase"><div class="scrollbox"><img id="wallpaper" alt="{title}" data-wallpaper-id="{key}" src="{best}" data-wallpaper-width="3840" data-wallpaper-height="2160"></div></section><aside id="showcase-sidebar"><dd class="showcase-uploader"><a href="/user/x" class="avatar avatar-32"><img src="https://walls.example/images/user/avatar/32/{b.hexadecimal(6)}.png"></a></dd></aside><section class="thumb-listing"><h2>Similar tags</h2><ul>{others}</ul></section></main>',
    )


def tag_index(b, url):
    """The drawings with a tag: previews of pages, each with a mark of its source."""

    def item(_):
        number = b.digits(7)
        best = b.want(f"https://s1.zero.example/240/{b.number(10, 99)}/{b.number(10, 99)}/{number}.jpg")
        return f'<li><a href="/{number}" tabindex="1" class="thumb"><img src="{best}" alt="{b.words()}" title="720x1080 300kB" style="width:240px;height:360px"></a><p><a href="/{b.words(1, 1).title()}">x</a> <span><b class="fav"></b></span></p></li>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="wrapper"><div id="header"><h1><a href="/"><img src="https://static.zero.example/header.png" alt="Zero" width="200" height="60"></a></h1></div><div id="body"><div id="children"><div id="content"><h2>{title}</h2><div id="menu"><p><img src="https://static.zero.example/{b.hexadecimal(6)}.avatar.jpg" width="200" height="200" alt=""></p></div><ul id="thumbs2">{b.many(8, 20, item)}</ul><p class="pagination"><a href="?p=2" rel="next">Next</a></p></div></div></div></div>{tracker(b)}',
    )


def campaign(b, url):
    """A letter that was sent to subscribers, in tables."""
    host = f"https://mcusercontent.example/{b.hexadecimal(25)}/images"

    def block(_):
        best = b.want(f"{host}/{b.hexadecimal(8)}-{b.hexadecimal(4)}-{b.hexadecimal(12)}.jpg")
        image = f'<img align="center" alt="" src="{best}" width="564" style="max-width:1200px; padding-bottom: 0;" class="mcnImage">'
        if b.chance(0.5):
            image = f'<a href="https://gallery.example/{b.slug()}?utm_source=news&amp;utm_campaign={b.hexadecimal(10)}" target="_blank">{image}</a>'
        return f'<table class="mcnImageBlock" width="100%"><tbody><tr><td class="mcnImageContent">{image}</td></tr></tbody></table><table class="mcnTextBlock"><tbody><tr><td class="mcnTextContent">{b.paragraph()}</td></tr></tbody></table>'

    icons = "".join(f'<td><a href="https://{n}.example/x"><img src="https://cdn-images.mc.example/icons/social-block-v2/color-{n}-48.png" alt="{n}" height="24" width="24"></a></td>' for n in ("facebook", "instagram", "link"))
    title = b.title()
    return document(
        head(b, title, url),
        f'<center><table id="bodyTable" width="100%"><tbody><tr><td id="templatePreheader"><a href="https://gallery.example/"><img src="{host}/brand.png" width="196" alt=""></a></td></tr><tr><td id="templateBody">{b.many(2, 7, block)}</td></tr><tr><td id="templateFooter"><table class="mcnFollowBlock"><tbody><tr>{icons}</tr></tbody></table><a href="https://www.mc.example/"><img src="https://cdn-images.mc.example/monkey_rewards/intuit-mc-rewards-1.png" width="137" height="53" alt="Email Marketing"></a></td></tr></tbody></table></center><img src="https://gallery.us2.list-manage.example/track/open.php?u={b.hexadecimal(12)}" height="1" width="1" alt="">',
    )


def static_posts(b, url):
    """A page of a static generator, with processed images, in a theme with a portrait of the author."""

    def figure(_):
        name = b.slug()
        folder = "https://hugo.example/posts/harbour"
        full = b.want(f"{folder}/{name}.jpg")
        return f'<figure class="align-center"><a href="{full}"><picture><source type="image/webp" srcset="{folder}/{name}_hu{b.hexadecimal(16)}_480x0_resize_q75_box.webp 480w"><img loading="lazy" src="{folder}/{name}_hu{b.hexadecimal(16)}_720x0_resize_q75_box.jpg" alt="{b.words()}" width="720" height="480"></picture></a><figcaption><p>{b.words()}</p></figcaption></figure>{b.paragraph()}'

    title = b.title()
    links = b.many(1, 2, lambda _: f'<a class="pagenav" href="https://hugo.example/posts/{b.slug()}/"><span>Next</span><img src="https://hugo.example/posts/{b.slug()}/cover_hu{b.hexadecimal(12)}_120x80_fill.jpg" width="120" height="80" alt=""></a>')
    return document(
        head(b, title, url, generator="Hugo 0.121"),
        f'<header class="header"><div class="logo"><a href="/"><img src="/apple-touch-icon.png" alt="" height="30">Ann</a></div></header><main class="main"><article class="post-single"><h1>{title}</h1><div class="post-content">{b.many(2, 8, figure)}</div><div class="paginav">{links}</div></article><div class="profile"><img draggable="false" src="/images/me_hu{b.hexadecimal(12)}_150x150_resize.jpg" alt="profile image" width="150" height="150"></div></main>',
    )


def shared_album(b, url):
    """An album of photographs in a Chinese network."""

    def photo(_):
        number = "p" + b.digits(10)
        best = b.want(f"https://img{b.number(1, 9)}.dou.example/view/photo/m/public/{number}.jpg")
        return f'<div class="photo_wrap"><a href="https://www.dou.example/photos/photo/{number[1:]}/" class="photolst_photo" title=""><img width="" src="{best}"></a><div class="pl"></div></div>'

    comments = b.many(0, 4, lambda _: f'<div class="comment-item"><div class="pic"><a href="https://www.dou.example/people/{b.digits(8)}/"><img class="pil" src="https://img1.dou.example/icon/u{b.digits(8)}-2.jpg" width="48" height="48" alt="x"></a></div></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="nav" id="db-nav-sns"><div class="nav-primary"><div class="nav-logo"><a href="/">x</a></div></div></div><div id="wrapper"><div id="db-usr-profile"><div class="pic"><a href="https://www.dou.example/people/{b.digits(8)}/"><img src="https://img2.dou.example/icon/up{b.digits(8)}-1.jpg" alt="x"></a></div><div class="info"><h1>{title}</h1></div></div><div id="content"><div class="grid-16-8 clearfix"><div class="article"><div class="photolst clearfix">{b.many(6, 18, photo)}</div>{comments}</div><div class="aside"><div class="album_side"><a href="https://www.dou.example/photos/album/{b.digits(8)}/"><img class="album" src="https://img3.dou.example/view/photo/albumcover/public/p{b.digits(9)}.jpg" alt=""></a></div></div></div></div></div>',
        language="zh",
    )


def story_feed(b, url):
    """A story of several pictures in a Russian network, with a column of others."""
    host = "https://cs14.pika.example/post_img"

    def block(_):
        key = f"2023/04/{b.number(10, 28)}/{b.number(1, 12)}"
        name = b.digits(16)
        big = b.want(f"{host}/big/{key}/{name}.jpg")
        return f'<div class="story-block story-block_type_image"><div class="story-image story-image_type_img"><div class="story-image__content"><a href="{big}" class="image-link image-lazy" target="_blank"><img class="story-image__image image-loaded" data-src="{host}/{key}/{name}.jpg" data-large-image="{big}" alt="{b.title()}"></a></div></div></div>'

    comments = b.many(1, 5, lambda _: f'<div class="comment"><div class="comment__header"><a class="user" href="/@x"><span class="avatar avatar_small"><img data-src="https://cs.pika.example/avatars/{b.digits(4)}/s{b.digits(8)}.png" alt=""></span></a></div><div class="comment__content">{b.paragraph()}</div></div>')
    other = b.many(2, 5, lambda _: f'<div class="story story_short"><a href="https://pika.example/story/{b.slug().replace("-", "_")}_{b.digits(8)}"><img data-src="https://cs13.pika.example/post_img/2023/03/{b.digits(16)}_m.jpg" alt=""></a></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<header class="header"><a class="header__logo" href="/"><img src="https://cs.pika.example/assets/logo.svg"></a></header><div class="app__inner"><main class="main"><div class="page-story"><article class="story"><h1 class="story__title">{title}</h1><div class="story__content">{b.many(2, 8, block)}</div><a class="story__community" href="/community/x"><img data-src="https://cs.pika.example/images/community/{b.digits(4)}.jpg" width="40" height="40"></a></article><section class="comments">{comments}</section><section class="similar-stories">{other}</section></div></main></div>',
        language="ru",
    )


def creator_note(b, url):
    """An article in a Japanese service for creators, with articles by the same person."""
    host = "https://assets.st-note.example"

    def figure(_):
        best = b.want(f"{host}/img/{b.digits(13)}-{b.hexadecimal(20)}.jpg?width=1200")
        return f'<figure name="{b.hexadecimal(8)}"><img src="{best}" alt="" width="620" height="413" loading="lazy"><figcaption></figcaption></figure>{b.paragraph()}'

    def card(_):
        return f'<div class="m-largeNoteWrapper__card"><a href="/name/n/n{b.hexadecimal(12)}" aria-label="{b.title()}" class="a-link m-largeNoteWrapper__link"></a><div class="m-noteBodyV3__thumbnail"><img src="{host}/production/uploads/images/{b.digits(9)}/rectangle_large_type_2_{b.hexadecimal(32)}.jpeg?width=219" alt="" width="219" height="114"></div></div>'

    title = b.title()
    eyecatch = b.want(f"{host}/production/uploads/images/{b.digits(9)}/rectangle_large_type_2_{b.hexadecimal(32)}.png?width=1280")
    return document(
        head(b, title, url, eyecatch),
        f'<div id="__nuxt"><header class="m-navbarContainer"><a href="/"><img src="https://d2l930y2yx77uc.example/assets/logo.svg" alt="note" width="110" height="32"></a></header><main class="p-article"><article><div class="o-noteEyecatch"><img src="{eyecatch}" alt="" width="1280" height="670"></div><h1>{title}</h1><div class="o-noteContentHeader__info"><a href="/name"><img src="{host}/production/uploads/images/{b.digits(9)}/profile_{b.hexadecimal(32)}.png?width=60" width="40" height="40" alt=""></a></div><div class="note-common-styles__textnote-body">{b.many(2, 6, figure)}</div></article><div class="p-article__recommends">{b.many(3, 6, card)}</div></main></div>',
        language="ja",
    )


def property_theme(b, url):
    """A property in a WordPress with a theme for agents."""
    folder = "https://agents.example/wp-content/uploads/2023/02"

    def slide(_):
        slug = b.slug()
        full = b.want(f"{folder}/{slug}.jpg")
        return f'<div><a rel="gallery-1" href="#" data-slider-no="1" class="houzez-trigger-popup-slider-js swipebox" data-toggle="modal"><img class="img-fluid" src="{folder}/{slug}-1170x785.jpg" srcset="{folder}/{slug}-1170x785.jpg 1170w, {full} 2000w" alt="" width="1170" height="785" title=""></a></div>'

    other = b.many(2, 4, lambda _: f'<div class="item-listing-wrap hz-item-gallery-js card"><div class="listing-image-wrap"><div class="listing-thumb"><a target="_self" href="https://agents.example/property/{b.slug()}/" class="listing-featured-thumb hover-effect"><img width="592" height="444" src="{folder}/{b.slug()}-592x444.jpg" class="img-fluid wp-post-image" alt=""></a></div></div></div>')
    title = b.title()
    return document(
        head(b, title, url, generator="WordPress 6.2"),
        f'<header class="header-main-wrap"><a href="/"><img src="{folder}/agents.png" height="24" width="127" alt="agents"></a></header><main id="main-wrap"><section class="content-wrap property-wrap"><div class="property-top-wrap"><div class="listing-slider">{b.many(4, 10, slide)}</div></div><div class="property-description-wrap">{b.paragraph()}</div><div class="agent-details"><a href="https://agents.example/agent/ann/"><img class="rounded" src="{folder}/{b.slug()}-150x150.jpg" width="70" height="70" alt="Ann"></a></div><div id="similar-listings-wrap"><h2>Similar Listings</h2>{other}</div></section></main>',
    )


def food_blog(b, url):
    """A recipe in a blog with much advertising, with a card of the recipe at the end."""
    folder = "https://spoon.example/wp-content/uploads"

    def picture(_):
        slug = b.slug()
        full = b.want(f"{folder}/2021/10/{slug}.jpg")
        return f'<figure class="wp-block-image"><img decoding="async" src="{folder}/2021/10/{slug}-960x1440.jpg" srcset="{folder}/2021/10/{slug}-960x1440.jpg 960w, {folder}/2021/10/{slug}-150x225.jpg 150w, {full} 1200w" alt="" width="960" height="1440" data-pin-description="x"></figure>{b.paragraph()}<div class="adthrive-content"></div>'

    card = b.want(f"{folder}/2021/10/{b.slug()}-card.jpg")
    square = f'<img src="{card.replace(".jpg", "-225x225.jpg")}" srcset="{card.replace(".jpg", "-225x225.jpg")} 225w, {card} 1200w" width="225" height="225" class="attachment-thumbnail" alt="">'
    other = b.many(3, 6, lambda _: f'<article class="post-summary"><a class="post-summary__image" href="https://spoon.example/{b.slug()}/"><img width="320" height="320" src="{folder}/2020/03/{b.slug()}-320x320.jpg" class="attachment-square" alt=""></a></article>')
    title = b.title()
    return document(
        head(b, title, url, extra=f'<script type="application/ld+json">{{"@context":"https://schema.org","@type":"Recipe","name":"{title}"}}</script>'),
        f'<div class="site-container"><header class="site-header"><a href="/"><img src="{folder}/2019/01/spoon.png" width="220" height="60" class="nopin" alt="Spoon"></a></header><main class="content"><article><h1>{title}</h1><div class="entry-content">{b.many(2, 7, picture)}<div class="tasty-recipes"><div class="tasty-recipes-image">{square}</div></div></div></article><div class="after-entry"><h3>You\'ll love these</h3>{other}</div></main><aside class="sidebar-primary"><img src="{folder}/2022/01/{b.slug()}-320x400.jpg" alt=""></aside></div>{tracker(b)}',
    )


def plain_forum(b, url):
    """A topic in a small forum, whose pictures are at hosts of images, some in links to themselves."""
    hosts = ("pictures.host.example", "img.free.example")

    def picture(_):
        key = b.hexadecimal(8)
        host = b.choice(*hosts)
        best = b.want(f"https://i.{host}/{key}/{b.slug()}.jpg")
        if b.chance(0.5):
            return f'<p><span class="postimg"><img src="{best}" alt="{best}" /></span></p>'
        return f'<p><a href="{best}" rel="nofollow"><span class="postimg"><img src="{best}" alt="{best}" /></span></a></p>'

    def post(n):
        return f'<div id="p{n}" class="blockpost rowodd"><h2><span><a href="viewtopic.php?pid={n}#p{n}">2010</a></span></h2><div class="box"><div class="inbox"><div class="postbody"><div class="postleft"><dl><dt><strong>ann</strong></dt><dd class="postavatar"><img src="https://fluxbb.example/img/avatars/{n}.jpg?m={b.digits(10)}" width="60" height="60" alt="" /></dd></dl></div><div class="postright"><div class="postmsg">{b.paragraph()}{b.many(0, 3, picture)}<p><img src="https://fluxbb.example/img/smilies/smile.png" width="15" height="15" alt="smile" /></p></div><div class="postsignature postmsg"><hr /><p><span class="postimg"><img src="https://sig.example/{b.hexadecimal(6)}.png" alt="" /></span></p></div></div></div></div></div></div>'

    title = b.title()
    return document(
        f"<head><meta charset=utf-8><title>{title}</title></head>",
        f'<div id="punviewtopic" class="pun"><div class="punwrap"><div id="brdheader" class="block"><div id="brdtitle" class="inbox"><h1><a href="index.php">Forum</a></h1></div></div><div id="brdmain">{picture(0)}{b.many(2, 7, post)}</div><div id="brdfooter" class="block"><img src="https://fluxbb.example/style/badge.gif" width="80" height="15"></div></div></div>',
    )


FAMILIES = {
    "plugin-gallery": (plugin_gallery, "https://club.example/pictures/regatta/"),
    "tiled": (tiled, "https://birds.example/2023/04/12/a-walk-at-the-harbour/"),
    "hostel": (hostel, "https://www.stays.example/hotel/gb/the-harbour-inn.html"),
    "vehicle": (vehicle, "https://suche.cars.example/fahrzeuge/details.html?id=123456789"),
    "indie-game": (indie_game, "https://maker.games.example/harbour"),
    "book": (book, "https://www.books.example/book/show/1234567-the-harbour"),
    "kakalot": (kakalot, "https://read.example/manga-0a1b2c3d/chapter-12"),
    "wallpaper": (wallpaper, "https://walls.example/w/0a1b2c"),
    "tag-index": (tag_index, "https://www.zero.example/Harbour"),
    "campaign": (campaign, "https://mailchi.example/gallery/spring-letter"),
    "static-posts": (static_posts, "https://hugo.example/posts/harbour/"),
    "shared-album": (shared_album, "https://www.dou.example/photos/album/123456789/"),
    "story-feed": (story_feed, "https://pika.example/story/port_noch_12345678"),
    "creator-note": (creator_note, "https://note.example/name/n/n0123456789ab"),
    "property-theme": (property_theme, "https://agents.example/property/house-at-the-harbour/"),
    "food-blog": (food_blog, "https://spoon.example/harbour-soup/"),
    "plain-forum": (plain_forum, "https://fluxbb.example/viewtopic.php?id=1234"),
}
