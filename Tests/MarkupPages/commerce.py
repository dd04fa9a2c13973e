"""Pages of shops, of markets, and of what people buy, rent, eat and listen to."""

from builder import document, head, tracker


def magento(b, url):
    """A product of a Magento, with a gallery, related products and products that others bought."""
    media = "https://goods.example/media/catalog/product"

    def path(cache, slug):
        return f"{media}/cache/{cache}/{slug[0]}/{slug[1]}/{slug}.jpg"

    large, small = b.hexadecimal(32), b.hexadecimal(32)

    def thumb(_):
        slug = b.slug().replace("-", "_")
        best = b.want(path(large, slug))
        return f'<div class="fotorama__nav__frame"><a href="{best}" data-fancybox="product" class="fotorama-item"><img src="{path(small, slug)}" alt="{b.words()}" width="88" height="110"></a></div>'

    def product(_):
        return f'<li class="item product product-item"><div class="product-item-info"><a href="https://goods.example/{b.slug()}.html" class="product photo product-item-photo"><span class="product-image-container"><span class="product-image-wrapper"><img class="product-image-photo" src="{path(b.hexadecimal(32), b.slug().replace("-", "_"))}" loading="lazy" width="152" height="190" alt="{b.words()}"/></span></span></a></div></li>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="page-wrapper"><header class="page-header"><a class="logo" href="/"><img src="https://goods.example/static/version1/frontend/Luma/images/logo.svg" width="148" height="43" alt=""></a></header><main id="maincontent" class="page-main"><div class="columns"><div class="column main"><div class="product-info-main"><h1 class="page-title">{title}</h1></div><div class="product media"><div class="gallery-placeholder"><div class="fotorama">{b.many(2, 6, thumb)}</div></div></div><div class="block upsell" data-mage-init="x"><div class="block-title title"><strong>We found other products you might like!</strong></div><ol class="products list items product-items">{b.many(2, 5, product)}</ol></div></div></div></main><div class="block widget viewed"><ol class="product-items">{b.many(1, 3, product)}</ol></div><footer class="page-footer"><img src="https://goods.example/media/wysiwyg/payments.png"></footer></div>',
    )


def everything_store(b, url):
    """A product in a shop for everything: large versions in an attribute with JSON, rows of other products."""
    host = "https://m.media.everything.example/images/I"

    def alternative(n):
        key = f"{b.digits(2)}{b.hexadecimal(6)}XL"
        best = b.want(f"{host}/{key}._AC_SL1500_.jpg")
        return f'<li class="a-spacing-small item imageThumbnail a-declarative"><span class="a-list-item"><span class="a-button"><img alt="" src="{host}/{key}._AC_US40_.jpg" data-old-hires="{best}"></span></span></li>'

    main = f"{b.digits(2)}{b.hexadecimal(6)}ML"
    best = b.want(f"{host}/{main}._AC_SL1500_.jpg")
    card = lambda _: f'<li class="a-carousel-card"><div class="a-section sp_offerVertical"><a class="a-link-normal" href="/{b.slug()}/dp/B0{b.hexadecimal(8).upper()}/ref=sims_dp_d_dex_{b.digits(2)}?psc=1"><div class="a-section"><img alt="{b.title()}" src="{host}/{b.digits(2)}{b.hexadecimal(6)}L._AC_UL160_SR160,160_.jpg" height="160" width="160" class="a-dynamic-image"></div></a></div></li>'
    reviews = b.many(1, 4, lambda _: f'<div class="a-section review"><div class="a-profile"><div class="a-profile-avatar"><img src="https://everything.example/avatars/default/a.png" data-src="https://images.everything.example/profile/{b.hexadecimal(10)}._CR0,0,333,333_SX48_.jpg"></div></div>{b.paragraph()}</div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<header><div id="navbar"><a href="/"><span class="nav-sprite"></span></a><img src="https://images.everything.example/images/G/01/gno/sprites/nav-sprite-global.png" style="display:none" alt=""></div></header><div id="dp" role="main"><div id="dp-container"><div id="leftCol"><div id="imageBlock"><div id="altImages"><ul>{b.many(2, 6, alternative)}</ul></div><div id="main-image-container"><ul><li class="image item itemNo0"><span><div class="imgTagWrapper"><img alt="{title}" src="{host}/{main}._AC_SX466_.jpg" data-old-hires="{best}" class="a-dynamic-image" id="landingImage"></div></span></li></ul></div></div></div><div id="centerCol"><h1>{title}</h1></div><div id="sims-consolidated-1_feature_div"><h2>Products related to this item</h2><ol class="a-carousel">{b.many(4, 8, card)}</ol></div><div id="similarities_feature_div"><h2>Customers frequently viewed</h2><ol class="a-carousel">{b.many(3, 6, card)}</ol></div><div id="cm_cr">{reviews}</div></div></div><img src="https://fls.everything.example/1/batch/1/OP/A2:0" style="display:none" alt="">',
    )


def category(b, url):
    """A category of a shop: the products are what there is, and a banner."""

    def product(_):
        slug = b.slug()
        best = b.want(f"https://cdn11.things.example/s-abc/images/stencil/640w/products/{b.digits(3)}/{b.digits(4)}/{slug}__{b.digits(5)}.1650000000.jpg?c=2")
        small = best.replace("640w", "320w")
        return f'<li class="product"><article class="card" data-test="card-{b.digits(3)}"><figure class="card-figure"><a href="https://www.things.example/{slug}/" class="card-figure__link"><div class="card-img-container"><img src="{small}" alt="{slug}" data-sizes="auto" srcset="{small} 320w, {best} 640w" class="card-image lazyautosizes"></div></a></figure><h3 class="card-title"><a href="https://www.things.example/{slug}/">{b.words()}</a></h3></article></li>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<header class="header" role="banner"><h1 class="header-logo"><a href="/"><img class="header-logo-image" src="https://cdn11.things.example/s-abc/images/stencil/250x100/things_{b.digits(10)}__1.original.png" alt="Things"></a></h1></header><div class="body" id="main-content" role="main"><div class="container"><h1 class="page-heading">{title}</h1><div class="page"><aside class="page-sidebar"><img src="https://cdn11.things.example/promo.jpg"></aside><main class="page-content"><ul class="productGrid">{b.many(6, 16, product)}</ul></main></div></div></div><footer class="footer"><img src="https://cdn11.things.example/cards.png" width="200" height="30" alt="cards"></footer>',
    )


def bazaar(b, url):
    """A product of a large bazaar: hashed names, pictures by buyers, and more by the seller."""
    host = "https://ae01.bazaar.example/kf"

    def view(n):
        key = f"S{b.hexadecimal(32)}"
        best = b.want(f"{host}/{key}.jpg")
        return f'<div class="slider--img--kD4mIg7"><img src="{host}/{key}.jpg_220x220q75.jpg_.avif" data-zoom-image="{best}" alt="{b.words()}"></div>'

    def review(_):
        images = b.many(1, 3, lambda _: f'<div class="list--itemImg--x"><img src="{b.want(f"{host}/A{b.hexadecimal(32)}.jpg")}" alt="review"></div>')
        return f'<div class="list--itemBox--x"><div class="list--itemAvatar--x"><img src="https://ae01.bazaar.example/kf/U{b.hexadecimal(32)}.jpg_50x50.jpg" alt="a***b" width="36" height="36"></div><div>{b.paragraph()}</div>{images}</div>'

    def other(_):
        return f'<div class="recommend--item--x"><a href="//www.bazaar.example/item/{b.digits(16)}.html?gps-id=pcDetailBottomMoreThisSeller" target="_blank"><img class="images--item--3XZa6xf" src="{host}/S{b.hexadecimal(32)}.jpg_350x350.jpg" alt=""></a><div class="price">$ {b.digits(2)}</div></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="_global_header"><a href="/"><img src="https://ae01.bazaar.example/kf/S{b.hexadecimal(32)}/600x132.png" width="250" height="55" alt="Bazaar"></a></div><div id="root"><div class="pdp-body"><div class="image-view--wrap--x">{b.many(2, 6, view)}</div><h1 data-pl="product-title">{title}</h1><div id="nav-review">{b.many(1, 4, review)}</div><div id="nav-moretolove"><h2>More to love</h2><div class="list">{b.many(4, 10, other)}</div></div></div></div>',
    )


def lettings(b, url):
    """A flat to let, with a plan, an agent and flats nearby."""
    host = "https://media.lettings.example/dir/crop/10:9-16:9"

    def photo(n):
        name = f"{b.digits(3)}k/{b.digits(6)}/{b.digits(9)}/{b.digits(6)}_{b.digits(5)}_IMG_{n:02}_0000"
        best = b.want(f"https://media.lettings.example/{name}.jpeg")
        return f'<a class="_1o9q" href="{best}" itemprop="contentUrl"><meta itemprop="contentUrl" content="{best}"><img src="https://media.lettings.example/dir/crop/10:9-16:9/{name}_max_476x317.jpeg" alt="Picture No. {n + 1}"></a>'

    plan = b.want(f"https://media.lettings.example/{b.digits(3)}k/{b.digits(6)}/FLP_00_0000.jpeg")
    nearby = b.many(2, 5, lambda _: f'<div class="_2uGN"><a href="/properties/{b.digits(9)}#/?channel=RES_LET"><img src="{host}/{b.digits(3)}k/{b.digits(6)}/IMG_00_0000_max_296x197.jpeg" alt=""></a><div>£{b.digits(4)} pcm</div></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="root"><header><a href="/"><img src="https://www.lettings.example/assets/lettings.svg" alt="Lettings"></a></header><main><div><article data-test="photo-collage">{b.many(4, 10, photo)}</article><article><h1>{title}</h1>{b.paragraph()}</article><article><div><a href="{url.split("example")[1]}#/floorplan"><img src="{plan}" alt="Floorplan" class="_39pp"></a></div></article><article><div class="_3x"><a href="/estate-agents/agent/Agents/City-{b.digits(4)}.html"><img src="https://media.lettings.example/company/clogo_rmchoice_{b.digits(4)}_0002.jpeg" alt="Agents, City" class="_2w"></a></div></article><article><h2>Nearby homes to rent</h2>{nearby}</article></main></div>',
    )


def kitchen(b, url):
    """A recipe with pictures of its steps, pictures by cooks and other recipes."""
    host = "https://www.kitchen.example/thmb"

    def path(key, width, slug, suffix=""):
        return f"{host}/{key}/{width}x0/filters:no_upscale():max_bytes(150000):strip_icc()/{slug}{suffix}.jpg"

    def step(_):
        key, slug = b.hexadecimal(22), b.slug()
        b.want(path(key, 1500, slug))
        return f'<li class="comp mntl-sc-block mntl-sc-block-startgroup"><p class="mntl-sc-block-html">{b.title()}</p><figure class="mntl-sc-block-universal-image figure-landscape"><div class="figure-media"><div class="img-placeholder" style="padding-bottom:66.6%;"><img data-src="{path(key, 1500, slug)}" data-srcset="{path(key, 750, slug)} 750w, {path(key, 1500, slug)} 1500w" class="lazyload figure-article__image mntl-lazyload" alt="" width="3000" height="2000"></div></div></figure></li>'

    def card(_):
        return f'<a class="comp mntl-card-list-items mntl-document-card mntl-card card card--no-image-grid" data-doc-id="{b.digits(7)}" href="https://www.kitchen.example/recipe/{b.digits(6)}/{b.slug()}/"><div class="card__media"><div class="img-placeholder" style="padding-bottom:66.6%;"><img data-src="{host}/{b.hexadecimal(22)}/282x188/filters:no_upscale():max_bytes(150000)/{b.slug()}-4x3.jpg" class="card__img universal-image__image lazyload" alt="" width="282" height="188"></div></div><span class="card__title">{b.title()}</span></a>'

    cooks = b.many(1, 4, lambda _: f'<div class="photo-dialog__item"><img data-src="{b.want(path(b.hexadecimal(22), 750, b.slug(), "_user"))}" alt="by a cook" class="lazyload" width="750" height="750"></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<header class="header"><a class="header__logo-anchor" href="/"><svg></svg></a></header><main id="main" class="main" role="main"><article id="allrecipes-article_1-0" class="comp article"><h1 class="article-heading">{title}</h1><div class="mntl-bylines"><img data-src="{host}/{b.hexadecimal(22)}/76x76/filters:no_upscale()/{b.slug()}-headshot.jpg" class="mntl-attribution__image lazyload" width="76" height="76" alt=""></div><div class="article-content"><div class="photos">{cooks}</div><ol>{b.many(2, 6, step)}</ol></div></article><div class="comp mntl-three-post"><span>You\'ll Also Love</span><div class="card-list">{b.many(3, 8, card)}</div></div></main><footer></footer>{tracker(b)}',
    )


def release(b, url):
    """A release of an album of music: its pictures behind links to a page with all, and other releases."""
    host = "https://i.records.example"

    def proxied(size):
        return f"{host}/{b.hexadecimal(43)}/rs:fit/g:sm/q:90/h:{size}/w:{size}/czM6Ly9kaXNjb2dz.jpeg"

    best = b.want(proxied(600))
    other = b.many(2, 5, lambda _: f'<li class="card_sleAr"><a href="/release/{b.digits(7)}-{b.slug()}"><picture><img src="{proxied(150)}" srcset="{proxied(150)} 1x" alt="" width="150" height="150"></picture></a></li>')
    shops = b.many(1, 3, lambda _: f'<tr><td><a href="/release/{b.digits(7)}-{b.slug()}"><img class="thumbnail_x" src="{proxied(38)}" width="38" height="38" alt=""></a></td></tr>')
    title = b.title()
    return document(
        head(b, title, url, best),
        f'<div id="app"><header id="site_header"><a href="/"><img src="https://st.records.example/w/images/records-white.png" width="120" height="28"></a></header><div id="page"><div class="header_x"><div class="image_gallery"><a href="{url.split("example")[1]}/image/SW1hZ2U6{b.digits(8)}"><picture><img src="{best}" alt="{title}" width="600" height="600" fetchpriority="high"></picture></a></div><h1>{title}</h1></div><section id="release-other-versions"><h2>Other Versions</h2><table>{shops}</table></section><section id="release-recommendations"><h2>Recommendations</h2><ul class="cards_x">{other}</ul></section><section id="release-lists"></section></div></div>',
    )


def tavern(b, url):
    """A restaurant with pictures by guests, reviews and others nearby."""
    host = "https://s3.media.tavern.example/bphoto"

    def photo(_):
        key = b.hexadecimal(22)
        best = b.want(f"{host}/{key}/o.jpg")
        return f'<div class="photo-header-media__09f24__v3e9r"><a href="/biz_photos/the-harbour-tavern?select={key}" class="css-1tpf4q0"><img class="photo-header-media-image__09f24__A1WR_" src="{host}/{key}/l.jpg" srcset="{host}/{key}/l.jpg 600w, {best} 1800w" alt="Photo of Tavern" loading="lazy"></a></div>'

    def review(_):
        images = b.many(0, 2, lambda _: f'<div class="css-1h1j0y3"><a href="/biz_photos/the-harbour-tavern?select={(key := b.hexadecimal(22))}"><img src="{b.want(f"{host}/{key}/258s.jpg")}" width="258" height="258" alt="Photo by guest"></a></div>')
        return f'<li class="css-1q2nwpv"><div class="user-passport"><a href="/user_details?userid={b.hexadecimal(12)}"><img class="css-1pz4y59" src="https://s3.media.tavern.example/photo/{b.hexadecimal(22)}/60s.jpg" width="60" height="60" alt="Photo of Ann"></a></div><p class="comment">{b.words(5, 9)}</p>{images}</li>'

    def nearby(_):
        return f'<div class="css-174a15u"><a href="/biz/{b.slug()}?osq=x" class="css-1x"><img class="css-xlzvdl" src="{host}/{b.hexadecimal(22)}/258s.jpg" alt="" loading="lazy"></a><h3>{b.title()}</h3></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<yelp-react-root><div><header role="banner"><a href="/"><img src="https://s3.media.tavern.example/assets/srv0/design/logo.svg"></a></header><main id="main-content"><div class="photo-header"><div class="carousel">{b.many(3, 6, photo)}</div><h1>{title}</h1></div><section aria-label="Recommended Reviews"><ul>{b.many(2, 5, review)}</ul></section><section aria-label="You Might Also Consider"><div class="css-x">{b.many(2, 4, nearby)}</div></section><section><h2>People Also Viewed</h2>{b.many(2, 4, nearby)}</section></main></div></yelp-react-root>',
    )


FAMILIES = {
    "magento": (magento, "https://goods.example/the-thing.html"),
    "everything-store": (everything_store, "https://www.everything.example/Harbour-Lamp/dp/B0ABCDEF12"),
    "category": (category, "https://www.things.example/lamps/"),
    "bazaar": (bazaar, "https://www.bazaar.example/item/1005001234567890.html"),
    "lettings": (lettings, "https://www.lettings.example/properties/123456789"),
    "kitchen": (kitchen, "https://www.kitchen.example/recipe/123456/harbour-soup/"),
    "release": (release, "https://www.records.example/release/1234567-Band-Title"),
    "tavern": (tavern, "https://www.tavern.example/biz/the-harbour-tavern"),
}
