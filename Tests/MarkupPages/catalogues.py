"""Pages of catalogues, collections and folders, by an author who did not know the rules."""

from builder import advertisement, document, head, social, tracker

BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def stencil_product(b, url):
    """A thing for sale in a hosted shop, with views to zoom and related things."""
    store = f"https://cdn11.stencil.example/s-{b.hexadecimal(10)}"

    def link(size, product):
        return f"{store}/images/stencil/{size}/products/{product}?c={b.choice(1, 2)}"

    product = b.digits(3)
    names = [f"{product}/{b.digits(4)}/{b.slug()}__{b.digits(5)}.16{b.digits(8)}.jpg" for _ in range(b.number(1, 7))]
    views = [b.want(link("1280x1280", name)) for name in names]

    def thumbnail(view):
        return f'<li class="productView-thumbnail"><a class="productView-thumbnail-link" href="{view}" data-image-gallery-item data-image-gallery-new-image-url="{view.replace("1280x1280", "500x659")}" data-image-gallery-zoom-image-url="{view}"><img src="{view.replace("1280x1280", "50x50")}" alt="{b.words()}" title=""></a></li>'

    def card(_):
        name = f"{b.digits(3)}/{b.digits(4)}/{b.slug()}__{b.digits(5)}.16{b.digits(8)}.jpg"
        return f'<li class="product"><article class="card"><figure class="card-figure"><a href="/{b.slug()}/"><div class="card-img-container"><img class="card-image lazyload" data-sizes="auto" src="{store}/stencil/{b.hexadecimal(8)}/img/loading.svg" data-src="{link("500x659", name)}" alt="{b.words()}"></div></a></figure><h4 class="card-title">{b.words()}</h4></article></li>'

    main = f'<figure class="productView-image" data-image-gallery-main data-zoom-image="{views[0]}"><div class="productView-img-container"><a href="{views[0]}"><img class="productView-image--default" src="{views[0].replace("1280x1280", "500x659")}" alt="{b.words()}" data-main-image></a></div></figure>'
    thumbnails = f'<ul class="productView-thumbnails" data-slick>{"".join(thumbnail(view) for view in views)}</ul>' if len(views) > 1 else ""
    payments = "".join(f'<img src="{store}/stencil/{b.hexadecimal(8)}/img/payment-{name}.png" width="38" alt="{name}">' for name in ("card", "wallet", "bank"))
    title = b.title()
    body = f'<header class="header" role="banner"><h1 class="header-logo"><a href="/"><img class="header-logo-image" src="{store}/images/stencil/250x100/logo_15{b.digits(8)}__{b.digits(5)}.original.png" alt="shop"></a></h1></header><div class="body" data-currency-code="USD"><div class="container"><div itemscope itemtype="http://schema.org/Product"><div class="productView"><section class="productView-details"><div class="productView-product"><h1 class="productView-title" itemprop="name">{title}</h1><a class="productView-brand" href="/brand"><img src="{store}/images/stencil/200x100/m/brand__{b.digits(5)}.png" alt="brand" width="90"></a></div></section><section class="productView-images" data-image-gallery>{main}{thumbnails}</section></div><div class="tab-content" id="tab-description">{b.paragraph()}</div></div><section class="productCarousel"><ul class="productGrid">{b.many(3, 8, card)}</ul></section></div></div><footer class="footer"><div class="footer-payment-icons">{payments}</div></footer>{tracker(b)}'
    return document(head(b, title, url, link("500x659", names[0]), '<meta property="og:type" content="product">'), body)


def repair_guide(b, url):
    """A guide to a repair in numbered steps with up to three pictures each, tools and parts."""
    host = "https://guide-images.cdn.repairs.example/igi"

    def step(index):
        keys = [b.hexadecimal(16).upper() for _ in range(b.number(1, 3))]
        for key in keys:
            b.want(f"{host}/{key}.full")
        thumbs = "".join(f'<li class="js-step-thumb"><a href="{host}/{key}.full" data-full="{host}/{key}.full"><img src="{host}/{key}.{b.choice("140x105", "thumbnail")}" data-standard="{host}/{key}.standard" width="140" height="105" alt="Image {count + 1}/{len(keys)}"></a></li>' for count, key in enumerate(keys)) if len(keys) > 1 else ""
        source = f'src="{host}/{keys[0]}.medium"' if index < 2 else f'src="{BLANK}" class="lazy" data-src="{host}/{keys[0]}.medium"'
        bullets = b.many(1, 3, lambda _: f'<li class="step-bullet"><div class="bullet bullet_black"></div><p>{b.words(8, 20)}</p></li>')
        return f'<li class="step" id="s{b.digits(6)}"><h3 class="step-title"><strong>Step {index + 1}</strong></h3><div class="row"><div class="step-main-media"><a class="fullsize" href="{host}/{keys[0]}.full"><img {source} alt="{b.words()}" itemprop="image"></a></div><ul class="step-thumbs">{thumbs}</ul><ul class="step-lines">{bullets}</ul></div></li>'

    def product(_):
        return f'<li class="item"><a href="/products/{b.slug()}"><img src="https://cart-products.cdn.repairs.example/cart-products/{b.hexadecimal(16)}.mini" alt="{b.words()}" width="56" height="42"></a><span>$9.99</span></li>'

    def comment(_):
        return f'<div class="post-comment"><a href="/User/{b.digits(6)}"><img src="{host}/{b.hexadecimal(16)}.mini" class="avatar" width="41" height="31" alt=""></a><p>{b.words()}</p></div>'

    title = b.title() + " Replacement"
    body = f'<div id="page"><div id="header"><a href="/"><img src="https://assets.cdn.repairs.example/static/images/logo.svg" alt="" width="90"></a></div><div id="content"><div id="contentFloat"><h1 class="title" itemprop="name">{title}</h1><div class="author"><img class="author-image" src="{host}/{b.hexadecimal(16)}.thumbnail" width="60" height="60" alt="author"><img src="https://assets.cdn.repairs.example/badges/{b.words(1, 1)}.png" width="32" alt="badge"></div><div class="guide-tools"><ul class="items">{b.many(1, 5, product)}</ul></div><ol class="steps-container">{b.many(2, 14, step)}</ol><div class="comments-container">{b.many(0, 5, comment)}</div></div></div></div>{tracker(b)}'
    return document(head(b, title, url), body, b.choice("en", "de", "fr"))


def mod_page(b, url):
    """The page of images of a mod for a game, with other mods and the users who endorse it."""
    host = "https://staticdelivery.mods.example/mods/110"

    def block(_):
        name = f"{b.digits(5)}-15{b.digits(8)}-{b.digits(9)}.{b.choice('jpeg', 'png')}"
        best = b.want(f"{host}/images/{name}")
        return f'<li class="image_block thumb" data-src="{best}" data-sub-html="{b.words()}" data-exthumbimage="{host}/images/thumbnails/{name}"><figure><div style="height: 150px"><a href="{url.split("?")[0]}?tab=images&BH={b.digits(2)}"><img alt="{b.words()}" src="{host}/images/thumbnails/{name}"></a></div><figcaption>{b.words()}</figcaption></figure></li>'

    def tile(_):
        return f'<li class="mod-tile"><div class="mod-tile-left"><a class="mod-image" href="/game/mods/{b.digits(4)}"><figure><div class="fore_div_mods"><img class="fore" src="{host}/images/thumbnails/{b.digits(5)}/{b.digits(5)}-15{b.digits(8)}.jpeg" alt="{b.words()}"></div></figure></a></div></li>'

    def member(_):
        return f'<a href="/users/{b.digits(6)}"><img class="avatar" src="https://avatars.mods.example/{b.digits(6)}/100" width="40" height="40" alt="{b.words(1, 1)}"></a>'

    title = b.title()
    body = f'<div id="head"><a id="logo" href="/"><img src="https://www.mods.example/assets/images/default/logo.svg" alt="logo"></a><div class="rj-profile"><img src="https://www.mods.example/assets/images/default/avatar.png" alt=""></div></div><div id="mainContent"><section id="section" class="modpage"><div id="pagetitle"><h1>{title}</h1><div class="game-icon"><img src="https://www.mods.example/images/games/4_3/tile_110.jpg" width="60" height="75" alt="game"></div></div><div class="wrap flex"><div class="tabcontent tabcontent-mod-page"><div class="container tab-images"><div id="list-modimages-1"><h2>Mod images</h2><ul class="thumbgallery gallery clearfix">{b.many(1, 20, block)}</ul></div></div></div></div><div class="endorsers">{b.many(2, 9, member)}</div><div class="premium-block">{advertisement(b)}</div><h2>More</h2><ul class="tiles">{b.many(2, 6, tile)}</ul></section></div><footer><img src="https://www.mods.example/assets/images/partners/partner.png" alt="partner"></footer>{tracker(b)}'
    return document(head(b, title, url), body)


def phone_pictures(b, url):
    """The official pictures of one telephone on a site of facts about telephones."""
    maker = b.words(1, 1)

    def picture(index):
        best = b.want(f"https://fdn2.phones.example/vv/pics/{maker}/{b.slug()}-{index}.jpg")
        return f'<img src="{best}" alt="{maker} {b.words(1, 2)} MORE PICTURES">{"<br>" if b.chance(0.5) else ""}'

    def popular(_):
        return f'<li><a href="{b.slug()}.php" class="module-phones-link"><img src="https://fdn2.phones.example/vv/bigpic/{b.slug()}.jpg" alt="{b.words(1, 2)}"><br>{b.words(1, 2)}</a></li>'

    def news(_):
        return f'<div class="review-item"><a href="/{b.slug()}-news-{b.digits(5)}.php"><img src="https://fdn.phones.example/imgroot/news/24/0{b.number(1, 9)}/{b.slug()}/-184x111/phone_00.jpg" width="184" height="111" alt=""></a></div>'

    title = b.title() + " - pictures"
    body = f'<header id="header" class="row"><div class="wrapper clearfix"><div class="logo col"><a href="/"><object type="image/svg+xml" data="https://fdn.phones.example/vv/assets12/i/logo.svg"><img src="https://fdn.phones.example/vv/assets12/i/logo-fallback.gif" alt="phones"></object></a></div></div></header><div id="wrapper" class="l-container"><div id="outer" class="row"><div id="body" class="clearfix"><div class="main main-review right l-box col"><div class="article-info"><h1 class="article-info-name">{title}</h1></div><div class="adv lb">{advertisement(b)}</div><div id="pictures-list"><h2 class="pictures-title">{maker} official images</h2>{b.many(1, 9, picture)}</div></div><aside class="sidebar col left"><div class="module module-phones module-latest"><h4 class="section-heading">Latest devices</h4><ul class="clearfix">{b.many(4, 8, popular)}</ul></div><div class="module module-news">{b.many(1, 4, news)}</div></aside></div></div></div><footer id="footer"><img src="https://fdn.phones.example/vv/assets12/i/footer-badge.png" alt=""></footer>{tracker(b)}'
    return document(head(b, title, url), body, "en-US")


def project_screenshots(b, url):
    """A project of free software with its screenshots, reviews and similar projects."""
    host = "//a.fsdn.example"

    def shot(_):
        file = f"{host}/con/app/proj/{b.words(1, 1)}/screenshots/{b.slug()}.{b.choice('png', 'jpg')}"
        b.want(f"https:{file}/max/max/1")
        return f'<li><a href="{file}/max/max/1" class="screenshot-link" data-fancybox="shots" title="{b.words()}"><img src="{file}/245/183/1" srcset="{file}/367/274/1 1.5x, {file}/490/366/1 2x" alt="{b.words()} Screenshot" itemprop="screenshot" {b.choice("", "loading=lazy")}></a></li>'

    def similar(_):
        icon = f"{host}/allura/p/{b.slug()}/icon?160{b.digits(7)}"
        return f'<li class="m-project-minimal"><a href="/projects/{b.slug()}/"><img src="{icon}&amp;w=48" srcset="{icon}&amp;w=72 1.5x, {icon}&amp;w=96 2x" alt="icon" width="48" height="48"></a><h4>{b.words()}</h4></li>'

    def review(_):
        return f'<div class="m-review"><img class="avatar" src="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=32&d=retro" width="32" height="32" alt=""><p class="review-txt">{b.words(5, 15)}</p></div>'

    title = b.title()
    body = f'<header id="site-header"><a href="/" class="logo"><img src="{host}/con/images/sandiego/logo-full.svg" alt="logo" width="210" height="25"></a></header><section class="content page-wrapper"><div id="banner-sterling" class="draper">{advertisement(b)}</div><article itemscope itemtype="http://schema.org/SoftwareApplication"><div id="project-icon"><img itemprop="image" src="{host}/allura/p/x/icon?1600000000&amp;w=90" alt="{title} icon" width="90" height="90"></div><h1 itemprop="name">{title}</h1><p class="description">{b.words(12, 30)}</p><div class="gallery" id="project-gallery"><ul>{b.many(1, 7, shot)}</ul></div><section id="reviews-section">{b.many(0, 5, review)}</section><img src="{host}/con/images/badges/oss-community-choice-white.svg" width="125" height="125" alt="badge"></article><aside id="similar"><ul>{b.many(2, 7, similar)}</ul></aside></section>{tracker(b)}'
    return document(head(b, title, url, f"https:{host}/allura/p/x/icon?1600000000"), body)


def coin_sheet(b, url):
    """The sheet of a coin in a catalogue of coins: its two sides, its varieties in other hands and like coins."""
    folder = f"/catalogue/photos/{b.words(1, 1)}"

    def side(name):
        file = f"{folder}/{b.hexadecimal(12)}"
        best = b.want(f"https://coins.example{file}-original.jpg")
        return f'<a href="{best[21:]}" target="_blank" class="fiche_photo_link"><img src="{file}-360.jpg" width="{b.number(300, 360)}" alt="{name}" title=""></a>'

    def like(_):
        return f'<div class="similar_coin"><a href="/catalogue/pieces{b.digits(5)}.html"><img src="{folder}/{b.hexadecimal(12)}-180.jpg" alt="" width="60"><img src="{folder}/{b.hexadecimal(12)}-180.jpg" alt="" width="60"></a><span>{b.words()}</span></div>'

    def owner(_):
        return f'<tr><td><a href="/echanges/profil.php?id={b.digits(5)}"><img src="/echanges/avatars/{b.digits(5)}.jpg" width="32" height="32" alt=""></a></td><td><img src="/images/flags/{b.hexadecimal(2)}.png" width="18" height="12" alt="flag"></td><td>{b.words(1, 2)}</td></tr>'

    title = b.title()
    sides = side("obverse") + side("reverse") if b.chance(0.8) else side("obverse")
    block = b.choice('<main id="main">{}</main>', '<div id="main">{}</div>')
    inner = f'<div id="main_title"><h1>{title}</h1></div><div id="fiche_photo">{sides}<p class="copyright">© {b.words(2, 2)}</p></div><section id="fiche_caracteristiques"><table><tr><th>Issuer</th><td><img src="/images/flags/fr.png" width="18" height="12" alt=""> {b.words(1, 1)}</td></tr></table></section><section id="fiche_descriptions">{b.paragraph()}</section><section id="collection"><table class="collection">{b.many(1, 6, owner)}</table></section><section id="fiche_voir_aussi">{b.many(2, 6, like)}</section>'
    body = f'<header id="page_header"><a href="/"><img src="/images/logo_{b.choice("en", "fr")}.png" alt="coins" width="180" height="50"></a></header>{block.format(inner)}<div id="col_pub">{advertisement(b)}</div><footer><img src="/images/cc-by-nc.png" width="80" height="15" alt=""></footer>'
    return document(head(b, title, url, "https://coins.example/images/social-card.png"), body, b.choice("en", "fr"))


def plane_results(b, url):
    """The results of a search for photographs of planes, each with facts beside its preview."""

    def result(_):
        number = b.digits(8)
        best = b.want(f"https://cdn.planes.example/400/{b.number(1, 6)}/{number}_15{b.digits(8)}.jpg?v=0")
        lazy = b.chance(0.4)
        source = f'src="/assets/img/plane-loading.gif" data-src="{best[6:]}"' if lazy else f'src="{best[6:]}"'
        return f'<div class="result" data-photo="{number}"><div class="result__section result__section--photo-wrapper"><a href="/photo/{number}" class="result__photoLink"><img {source} alt="{b.words()}" class="result__photo{" lazy" if lazy else ""}"></a></div><div class="result__section"><ul class="result__infoList"><li>Reg: <a href="#">{b.hexadecimal(5).upper()}</a></li><li><img src="/assets/img/flags/{b.hexadecimal(2)}.png" width="16" height="11" alt=""> {b.words(1, 2)}</li></ul></div><div class="result__section result__section--stats"><img src="/assets/img/icon-eye.svg" width="14" alt="Views"> {b.digits(4)}</div></div>'

    def contributor(_):
        return f'<li class="top__item"><a href="/photographer/{b.digits(5)}"><img class="top__avatar" src="//cdn.planes.example/avatars/{b.digits(5)}.jpg" width="36" height="36" alt=""></a></li>'

    title = b.title()
    body = f'<header class="header"><a href="/" class="header__logo"><img src="/assets/img/logo.png" width="170" height="34" alt="planes"></a></header><div class="generic-ad">{advertisement(b)}</div><div class="desktop-only"></div><div class="content"><h1>{title}</h1><div id="results">{b.many(5, 24, result)}</div><ul class="pagination"><li><a href="?page=2">2</a></li></ul><div class="top"><ul>{b.many(2, 6, contributor)}</ul></div></div><footer class="footer"><img src="/assets/img/app-store.svg" width="120" height="40" alt="app"><img src="/assets/img/radar-logo.png" width="120" alt="partner"></footer>{tracker(b)}'
    return document(head(b, title, url), body)


def insect_node(b, url):
    """A node of an old guide to insects: one picture with its place in the order of nature, or a page of many."""

    def cached(_=0):
        key = b.hexadecimal(20).upper()
        return f"https://bugs.example/images/cache/{key[:3]}/{key[3:6]}/{key}.jpg"

    def single():
        best = b.want(cached())
        return f'<div class="bgimage"><table border="0" cellspacing="0" cellpadding="0"><tr><td><img src="{best}" class="bgimage-image" height="{b.number(300, 420)}" width="560" alt="{b.words()}"></td></tr></table><div class="bgimage-where-when">{b.words()}, {b.digits(2)} June 2009</div></div>'

    def cell(_):
        best = b.want(cached())
        return f'<td align="center" valign="bottom"><a href="/node/view/{b.digits(6)}/bgimage"><img src="{best}" class="bgimage-thumb" border="0" width="{b.number(120, 160)}" height="{b.number(90, 160)}" alt="{b.words()}"></a><br><span class="thumb-title">{b.words()}</span></td>'

    def row(_):
        return f"<tr>{b.many(2, 4, cell)}</tr>"

    def crumb(_):
        return f'<a href="/node/view/{b.digits(4)}/bgpage"><img src="/images/icons/taxon_{b.words(1, 1)}.gif" width="16" height="16" border="0" alt="">{b.words(1, 2)}</a> »'

    content = single() if b.chance(0.5) else f'<table border="0" class="bgpage-images">{b.many(2, 6, row)}</table>'
    clickable = b.many(3, 9, lambda _: f'<a href="/node/view/{b.digits(4)}/tree"><img src="/sites/clickable/{b.words(1, 1)}-{b.digits(2)}.gif" border="0" alt=""></a>')
    title = b.title()
    return f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>{title}</title></head><body bgcolor="#ffffff"><table width="100%" id="header"><tr><td><a href="/"><img src="/themes/bugguide/logo.gif" border="0" alt="Identification, Images, &amp; Information" width="330" height="60"></a></td><td><a href="https://www.university.example/"><img src="/themes/bugguide/university.gif" border="0" width="120" height="60" alt="University"></a></td></tr></table><table width="100%"><tr><td width="120" valign="top" class="clickable"><div>Clickable Guide</div>{clickable}<a href="/donate"><img src="/images/donate.gif" border="0" width="92" height="26" alt="Donate"></a></td><td valign="top"><div class="bgpage-roots">{b.many(2, 5, crumb)}</div><h1 class="node-title">{title}</h1>{content}<div class="node-links"><a href="/tag"><img src="/images/icons/tag.gif" width="14" height="14" border="0" alt="tag"></a> tag</div></td></tr></table>{tracker(b)}</body></html>'


def pet_adoption(b, url):
    """A pet that waits for a home, with a carousel of its pictures, its shelter and pets nearby."""
    host = "https://dl5.pets.example/photos/pets"
    number, name = b.digits(8), b.words(1, 1).capitalize()
    count = b.number(1, 6)
    links = [f"{host}/{number}/{index + 1}/?bust=16{b.digits(8)}" for index in range(count)]

    def slide(link):
        return f'<img pfdc-pet-carousel-slide class="petCarousel-body-img" alt="Photo of {name}" src="{b.want(link + "&width=1080")}">'

    def nearby(_):
        return f'<div class="petCard"><a class="petCard-link" href="/dog/{b.slug()}/"><div class="petCard-media"><img class="petCard-media-img" alt="" src="{host}/{b.digits(8)}/1/?bust=16{b.digits(8)}&width=300" {b.choice("", "loading=lazy")}></div><span>{b.words(1, 1)}</span></a></div>'

    slides = "".join(slide(link) for link in links)
    buttons = "".join(f'<button class="petCarousel-thumbs-thumb" type="button" pfdc-pet-carousel-thumb><img src="{link}&width=75" alt="" width="75" height="75"></button>' for link in links) if count > 1 else ""
    title = f"{name} - {b.title()}"
    wrap = b.choice('<main id="Site_Main" class="site-main">{}</main>', "<div>{}</div>")
    inner = f'<div class="grid"><div pfdc-pet-carousel class="petCarousel"><div class="petCarousel-body" style="--height: 400px">{slides}</div><div class="petCarousel-thumbs">{buttons}</div></div><div class="card" data-test="Pet_Story_Section"><h1>{name}</h1>{b.paragraph()}</div><div class="card card_org"><a href="/member/us/shelter/"><img class="card-img" src="https://dl5.pets.example/organization-photos/{b.digits(5)}/{b.digits(5)}-1/?bust=2020&width=150" width="150" alt="Shelter"></a><img class="card-map" src="https://maps.example/api/staticmap?center=40.7,-74&zoom=13&size=324x324" alt="map"></div></div><div class="nearby">{b.many(3, 8, nearby)}</div>'
    body = f'<header class="header"><a href="/" class="header-logo"><img src="/images/logo.svg" alt="" height="40"></a></header>{wrap.format(inner)}{social(b)}<footer class="footer"><a href="https://sponsor.example/"><img src="/images/sponsors/food.svg" alt="sponsor" width="100"></a></footer>{tracker(b)}'
    return document(head(b, title, url, links[0] + "&width=600"), body)


def trail_page(b, url):
    """A trail that a walker recorded, with photographs at its places, a map and trails nearby."""
    host = f"https://s{b.number(0, 2)}.trails.example/image_{b.number(10, 99)}"

    def photo(_):
        file = f"{host}/{b.digits(6)}/{b.digits(8)}/{b.digits(8)}Master"
        best = b.want(f"{file}.jpg")
        source = f'src="{file}.400x300.jpg"' if b.chance(0.5) else f'class="lazy" src="/img/placeholder.svg" data-src="{file}.400x300.jpg"'
        return f'<a class="photo-link" href="{best}" data-thumb="{file}.100x75.jpg"><img {source} alt="Photo of {b.words()}"></a>'

    def waypoint(_):
        return f'<div class="waypoint"><img class="waypoint-icon" src="/img/pictograms/{b.number(1, 90)}.svg" width="30" height="30" alt=""><h4>{b.words()}</h4></div>'

    def nearby(_):
        return f'<li class="trail-card"><a href="/hiking-trails/{b.slug()}-{b.digits(7)}"><img loading="lazy" src="{host}/{b.digits(6)}/{b.digits(8)}/{b.digits(8)}.300x200.jpg" alt=""></a><a href="/user/{b.digits(6)}"><img class="avatar" src="{host}/{b.digits(6)}/avatar.60x60.jpg" width="24" height="24" alt=""></a></li>'

    def review(_):
        return f'<li class="review"><img class="user-image__img" src="{host}/{b.digits(7)}/profile.120x120.jpg" width="40" height="40" alt=""><p>{b.words(5, 15)}</p></li>'

    title = b.title()
    body = f'<header class="main-header"><a href="/"><img class="logo" src="/img/logo.svg" alt="trails"></a></header><div class="trail-container view"><div class="view__user"><img class="user-image__img" src="{host}/{b.digits(7)}/profile.120x120.jpg" alt="author"></div><h1>{title}</h1><div class="photo-grid">{b.many(1, 14, photo)}</div><div class="trail-map"><img src="https://tiles.trails.example/static/{b.digits(8)}.png?size=640x300" alt="Map of the trail"></div><div class="description">{b.paragraph()}</div><div class="waypoints">{b.many(0, 5, waypoint)}</div><ul class="reviews">{b.many(0, 4, review)}</ul></div><div class="promo-app"><img src="/img/promo/phone.png" alt="app"><img src="/img/promo/play-badge.svg" width="135" alt="badge"></div><ul class="nearby-trails">{b.many(2, 6, nearby)}</ul>{tracker(b)}'
    return document(head(b, title, url), body, b.choice("en", "es", "ca"))


def php_picture_base(b, url):
    """A category of an old collection in PHP with tables, spacers and one random picture at its side."""
    template = "./templates/default/images"

    def cell(_):
        best = b.want(f"http://pics.old.example/gallery/data/thumbnails/{b.digits(2)}/{b.slug().replace('-', '_')}.jpg")
        rating = f'<img src="{template}/rating_{b.number(1, 5)}.gif" border="0" alt="">' if b.chance(0.3) else ""
        return f'<td width="33%" valign="top" class="imagerow1"><table width="100%" border="0"><tr><td align="center"><a href="./details.php?image_id={b.digits(4)}"><img src=".{best[31:]}" border="1" width="{b.number(90, 160)}" height="{b.number(80, 130)}" alt="{b.words()}" title="{b.words()}" /></a><br /><b>{b.words(1, 3)}</b> (<a href="./member.php?action=showprofile&amp;user_id={b.digits(2)}">{b.words(1, 1)}</a>)<br />{rating}<a href="./lightbox.php"><img src="{template}/lightbox_no.gif" border="0" alt="" /></a></td></tr></table></td>'

    def row(_):
        return f"<tr>{cell(0)}{cell(0)}{cell(0)}</tr>"

    title = b.title()
    spacer = f'<img src="{template}/spacer.gif" width="1" height="6" alt="" />'
    random = f'<table width="150" class="tablehead"><tr><td align="center" class="row1"><b>Random image</b><br /><a href="./details.php?image_id=12"><img src="./data/thumbnails/{b.digits(2)}/{b.slug()}_random.jpg" border="1" width="120" height="90" alt="" /></a></td></tr></table>' if b.chance(0.7) else ""
    text = f'<html dir="ltr"><head><title>{title} - Pictures</title><meta http-equiv="content-type" content="text/html; charset=iso-8859-1" /></head><body bgcolor="#FFFFFF"><table width="720" align="center"><tr><td class="bordercolor"><table width="100%"><tr><td><a href="./index.php"><img src="{template}/header_top.gif" width="405" height="60" alt="Home" border="0" /></a></td></tr><tr><td class="navbar"><img src="{template}/header_top_right.gif" width="16" height="16" alt="" /><a href="./top.php">Top</a></td></tr></table><table width="100%"><tr><td width="150" valign="top" class="row2"><table><tr><td background="{template}/header_left.gif">{spacer}</td></tr></table><form action="./login.php"><input type="image" src="{template}/button_login.gif" /></form>{random}</td><td valign="top"><span class="clickstream"><a href="./index.php">Home</a> / {title}</span><br />{spacer}<table width="100%" border="0" cellpadding="3">{b.many(2, 7, row)}</table><a href="./categories.php?page=2">»</a></td></tr></table></td></tr></table><p align="center">{b.choice("", advertisement(b))}<a href="http://script.example/"><img src="{template}/powered.gif" width="88" height="31" border="0" alt="powered" /></a></p></body></html>'
    return text.encode("iso-8859-1", "replace")


def bare_folder(b, url):
    """The bare list of the files in a folder of a server, with icons and links to photographs."""
    folder = "http://people.college.example/~ann/pictures/"

    def line(icon, alt, name, size):
        return f'<tr><td valign="top"><img src="/icons/{icon}.gif" alt="[{alt}]"></td><td><a href="{name}">{name}</a></td><td align="right">2007-0{b.number(1, 9)}-1{b.number(0, 9)} 12:{b.number(10, 59)}  </td><td align="right">{size}</td><td>&nbsp;</td></tr>'

    def photo(index):
        name = b.choice(f"DSC_{b.digits(4)}-{index}.JPG", f"{b.slug()}.jpg", f"IMG_{b.digits(4)}_{index}.jpeg")
        b.want(folder + name)
        return line("image2", "IMG", name, f"{b.number(1, 9)}.{b.number(0, 9)}M")

    others = line("text", "TXT", "readme.txt", "1.2K") + line("compressed", "&nbsp;&nbsp;&nbsp;", "all.zip", "88M") + line("movie", "VID", "boat.avi", "12M")
    heads = "".join(f'<th><a href="?C={key};O=A">{name}</a></th>' for key, name in (("N", "Name"), ("M", "Last modified"), ("S", "Size"), ("D", "Description")))
    photos = b.many(1, 25, photo)
    folders = b.many(0, 3, lambda _: line("folder", "DIR", b.words(1, 1) + "/", "  - "))
    return f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<html>\n <head>\n  <title>Index of /~ann/pictures</title>\n </head>\n <body>\n<h1>Index of /~ann/pictures</h1>\n<table><tr><th><img src="/icons/blank.gif" alt="[ICO]"></th>{heads}</tr><tr><th colspan="5"><hr></th></tr>\n<tr><td valign="top"><img src="/icons/back.gif" alt="[DIR]"></td><td><a href="/~ann/">Parent Directory</a></td><td>&nbsp;</td></tr>\n{folders}{photos}{others}\n<tr><th colspan="5"><hr></th></tr>\n</table>\n<address>Apache/2.2.3 (Debian) Server at people.college.example Port 80</address>\n</body></html>\n'


def service_image(b, url):
    """One photograph of an armed service in its library, with a link to the full file and newer pictures."""
    host = "https://media.service.example"
    file = f"19010{b.number(1, 9)}-F-{b.hexadecimal(2).upper()}{b.digits(3)}-{b.digits(4)}.JPG"
    day = f"20{b.number(10, 24)}/Jan/{b.number(10, 28)}/20{b.digits(8)}"
    best = b.want(f"{host}/{day}/-1/-1/0/{file}")
    shown = f"{host}/{day}/{b.choice('1088/820', '825/780')}/0/{file}"

    def newer(_):
        other = f"{host}/20{b.number(10, 24)}/Feb/{b.number(10, 28)}/20{b.digits(8)}"
        return f'<div class="item"><a href="/News/Photos/igphoto/20{b.digits(8)}/"><img src="{other}/125/125/0/{b.digits(6)}-F-{b.hexadecimal(2).upper()}{b.digits(3)}-{b.digits(4)}.JPG" width="125" height="125" alt="{b.words()}" /></a></div>'

    seals = b.many(2, 5, lambda _: f'<a href="https://www.{b.words(1, 1)}.service.example/"><img src="/Portals/1/Page-Assets/seals/{b.slug()}.png" alt="Seal" width="60" /></a>')
    title = b.title()
    image = f'<div class="image-wrapper"><img id="dnn_ctr{b.digits(3)}_ViewImage_imgImage" class="img-responsive" src="{shown}" alt="{b.words(6, 15)}" /></div>'
    linked = f'<a href="{best}" class="download" target="_blank" {b.choice("", "download")}><span class="fa fa-download"></span> Download Image</a>'
    inner = f'<div class="AFImageDetail"><h1>{title}</h1>{image}<div class="details"><p class="caption">{b.words(10, 30)}</p>{linked}<div>Photo by: <a href="#">Airman {b.words(1, 1)}</a></div></div></div><div class="more-photos"><h2>More</h2>{b.many(3, 10, newer)}</div>'
    body = f'<form method="post" action="/News/Photos/igphoto/2002345678/" id="Form"><div id="skip-target-holder"></div><header class="header-main"><a href="/" class="logo"><img src="/Portals/_default/Skins/Service/Assets/images/logo.png" alt="Service Logo" title="Service" /></a><img src="/Portals/_default/Skins/Service/Assets/images/flag.png" width="16" height="11" alt="flag" /></header><div id="content" role="main">{inner}</div>{social(b)}<footer class="footer-main"><div class="seals">{seals}</div><a href="https://hotline.example/"><img src="/Portals/1/Page-Assets/hotline.png" alt="Crisis line" width="150" /></a></footer></form>{tracker(b)}'
    return document(head(b, title, url, shown), body, "en-US")


def live_camera(b, url):
    """The page of one camera that shows the present view, with cameras nearby and the weather."""
    number = b.digits(10)
    base = f"https://images-webcams.cameras.example/{number[-2:]}/{number}"
    stamp = b.digits(10)
    style = b.number(0, 2)
    if style == 0:
        best = b.want(f"{base}/current/full/{number}.jpg?{stamp}")
        view = f'<a href="{best}" class="webcam-full"><img src="{base}/current/preview/{number}.jpg?{stamp}" id="webcam-image" width="400" height="224" alt="{b.words()}"></a>'
    elif style == 1:
        best = b.want(f"{base}/current/original/{number}.jpg?{stamp}")
        view = f'<figure class="cam"><img src="{base}/current/small/{number}.jpg?{stamp}" srcset="{base}/current/small/{number}.jpg?{stamp} 480w, {best} 1280w" sizes="100vw" alt="{b.words()}"><figcaption>{b.words()}</figcaption></figure>'
    else:
        best = b.want(f"{base}/current.jpg?{stamp}")
        view = f'<div id="camera"><img src="{best}" name="refresh" onerror="this.src=\'/img/offline.png\'" alt="{b.words()}"></div><script>setInterval(function(){{document.images["refresh"].src="/x/"+Date.now()}}, 60000);</script>'

    def nearby(_):
        other = b.digits(10)
        return f'<div class="webcam-list-item"><a href="/webcam/{other}"><img src="https://images-webcams.cameras.example/{other[-2:]}/{other}/current/thumbnail/{other}.jpg" width="200" height="112" alt="{b.words()}"></a><p>{b.words()}</p></div>'

    weather = b.many(3, 6, lambda _: f'<td><img src="/img/weather/{b.number(1, 30)}.png" width="48" height="48" alt="cloudy"><br>{b.number(-5, 30)}°</td>')
    title = b.title() + " - " + b.choice("Webcam", "Kamera", "Telecamera")
    wrap = b.choice("main", "div")
    body = f'<div class="top"><a href="/"><img src="/img/logo.png" alt="cameras" width="200" height="40"></a><img src="/img/flags/{b.choice("de", "it", "en")}.gif" width="20" height="14" alt=""></div><{wrap}><h1>{title}</h1>{view}{b.paragraph()}<table class="weather"><tr>{weather}</tr></table><a href="https://hotel.example/"><img src="/img/partners/{b.slug()}.jpg" alt="Hotel partner" width="180" height="60"></a></{wrap}><div class="nearby">{b.many(3, 9, nearby)}</div>{advertisement(b)}<a href="/"><img src="/img/button_webcam_{b.digits(2)}.gif" width="88" height="31" alt=""></a>{tracker(b)}'
    return document(head(b, title, url), body, b.choice("de", "it", "en"))


def card_search(b, url):
    """The results of a search for playing cards of a collectable game as a grid of the cards."""

    def card(index):
        key = f"{b.hexadecimal(8)}-{b.hexadecimal(4)}-4{b.hexadecimal(3)}-{b.hexadecimal(12)}"
        best = b.want(f"https://cards.deck.example/normal/front/{key[0]}/{key[1]}/{key}.jpg?1562{b.digits(6)}")
        source = f'src="{best}"' if index < 6 or b.chance(0.5) else f'src="/assets/card-back-{b.hexadecimal(8)}.svg" data-src="{best}" loading="lazy"'
        return f'<div class="card-grid-item" data-card-id="{key}"><a class="card-grid-item-card" href="/card/{b.hexadecimal(3)}/{b.digits(3)}/{b.slug()}"><span class="card-grid-item-invisible-label">{b.words()}</span><div class="card-grid-item-card-faces"><div class="card-grid-item-card-front"><img class="card {b.hexadecimal(3)} border-black" alt="" title="{b.words()}" {source}></div></div></a></div>'

    symbols = b.many(3, 8, lambda _: f'<li><a href="/sets/{b.hexadecimal(3)}"><img src="https://svgs.deck.example/sets/{b.hexadecimal(4)}.svg?17{b.digits(8)}" alt="" width="20" height="20" class="card-set-symbol"></a></li>')
    title = b.title()
    sponsors = b.many(1, 3, lambda _: f'<a href="https://shop.example/{b.words(1, 1)}"><img src="/assets/sponsors/{b.slug()}.svg" alt="sponsor" class="sponsor-logo"></a>')
    body = f'<div id="header" class="header"><a id="header-logo" href="/"><img src="/assets/logo-{b.hexadecimal(8)}.svg" alt="deck"></a></div><div id="{b.choice("main", "content")}" class="main"><div class="search-info"><h1>{title}</h1></div><div class="card-grid"><div class="card-grid-inner">{b.many(6, 40, card)}</div></div></div><ul class="set-list">{symbols}</ul><div class="footer"><div class="sponsors">{sponsors}</div><img src="/assets/footer-mark.png" alt="" width="32" height="32"></div>{tracker(b)}'
    return document(head(b, title, url, "https://deck.example/assets/social-share.png"), body)


def red_note(b, url):
    """A note of pictures in a Chinese service for shopping and travel, with slides, their copies and comments."""
    host = "http://sns-webpic-qc.rednote.example"
    links = [f"{host}/2024{b.digits(8)}/{b.hexadecimal(32)}/1040g{b.hexadecimal(24)}!nd_dft_wlteh_webp_3" for _ in range(b.number(1, 9))]

    def slide(index, link, state=""):
        return f'<div class="swiper-slide {state}" data-swiper-slide-index="{index}" style="width: 440px;"><div class="img-container"><img class="note-slider-img" src="{link}" {"" if index == 0 else "loading=lazy"} decoding="sync"></div></div>'

    def comment(_):
        return f'<div class="comment-item"><div class="avatar"><a href="/user/profile/{b.hexadecimal(24)}"><img class="avatar-item" src="https://sns-avatar-qc.rednote.example/avatar/{b.hexadecimal(24)}.jpg?imageView2/2/w/120/format/jpg" crossorigin="anonymous"></a></div><div class="content"><span class="note-text">{b.words()}<img class="note-content-emoji" crossorigin="anonymous" src="https://picasso-static.rednote.example/fe-platform/{b.hexadecimal(40)}.png"></span></div></div>'

    slides = "".join(slide(index, b.want(link)) for index, link in enumerate(links))
    if len(links) > 1:
        slides = slide(len(links) - 1, links[-1], "swiper-slide-duplicate") + slides + slide(0, links[0], "swiper-slide-duplicate")
    metas = "\n".join(f'<meta name="og:image" content="{link}">' for link in links)
    state = ",".join(f'{{"fileId":"","height":{b.number(900, 2560)},"width":{b.number(900, 1920)},"urlDefault":"{link.replace("/", chr(92) + "u002F")}"}}' for link in links)
    title = b.title()
    script = f'<script>window.__INITIAL_STATE__={{"note":{{"noteDetailMap":{{"{b.hexadecimal(24)}":{{"note":{{"title":"{title}","imageList":[{state}]}}}}}}}},"user":undefined}}</script>' if b.chance(0.7) else ""
    body = f'<div id="app"><div class="layout"><div class="header-container"><a id="link-guide"><img class="header-logo" src="//fe-static.rednote.example/formula-static/assets/img/logo.{b.hexadecimal(7)}.png" crossorigin="anonymous"></a></div><div class="main-container"><div class="side-bar"><img class="qr" src="https://picasso-static.rednote.example/fe-platform/{b.hexadecimal(40)}.png" alt="QR"></div><div id="noteContainer" class="note-container" data-type="normal"><div class="media-container"><div class="slider-container"><div class="swiper note-slider"><div class="swiper-wrapper">{slides}</div></div></div></div><div class="interaction-container"><div class="author-container"><div class="author-wrapper"><a href="/user/profile/x"><img class="avatar-item" src="https://sns-avatar-qc.rednote.example/avatar/{b.hexadecimal(24)}.jpg?imageView2/2/w/60/format/jpg" crossorigin="anonymous"></a></div></div><div class="note-scroller"><div id="detail-title" class="title">{title}</div><div id="detail-desc" class="desc">{b.words(5, 20)}</div><div class="comments-container">{b.many(2, 6, comment)}</div></div></div></div></div></div></div>{script}'
    return document(head(b, title, url, extra=metas), body, "zh-CN")


FAMILIES = {
    "stencil-product": (stencil_product, "https://www.lamps.example/harbour-lamp/"),
    "repair-guide": (repair_guide, "https://www.repairs.example/Guide/Harbour+Radio+Battery+Replacement/12345"),
    "mod-page": (mod_page, "https://www.mods.example/game/mods/1234?tab=images"),
    "phone-pictures": (phone_pictures, "https://www.phones.example/acme_one-pictures-12345.php"),
    "project-screenshots": (project_screenshots, "https://projects.example/projects/harbour/"),
    "coin-sheet": (coin_sheet, "https://coins.example/catalogue/pieces1234.html"),
    "plane-results": (plane_results, "https://www.planes.example/showphotos.php?keywords=harbour"),
    "insect-node": (insect_node, "https://bugs.example/node/view/123456"),
    "pet-adoption": (pet_adoption, "https://www.pets.example/dog/harbour-12345678/"),
    "trail-page": (trail_page, "https://www.trails.example/hiking-trails/around-the-harbour-1234567"),
    "php-picture-base": (php_picture_base, "http://pics.old.example/gallery/categories.php?cat_id=12"),
    "bare-folder": (bare_folder, "http://people.college.example/~ann/pictures/"),
    "service-image": (service_image, "https://www.service.example/News/Photos/igphoto/2002345678/"),
    "live-camera": (live_camera, "https://www.cameras.example/webcam/1234567890"),
    "card-search": (card_search, "https://deck.example/search?q=harbour"),
    "red-note": (red_note, "https://www.rednote.example/explore/65f0a1b2000000001203abcd"),
}
