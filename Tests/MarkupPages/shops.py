"""Pages of shops, listings and recipes."""

from builder import advertisement, document, head, social, tracker


def shopify(b, url):
    base = "//cdn.shop.example/s/files/1/0123/4567/products"

    def picture(index):
        slug, version = b.slug(), b.digits(10)
        widths = [180, 360, 540, 720, 900, 1080, 1296, 1512, 1728, 2048][: b.number(6, 10)]

        def at(size):
            return f"{base}/{slug}{size}.jpg?v={version}"

        style = b.choice("widths", "srcset", "noscript")
        if style == "srcset":
            best = b.want("https:" + at(f"_{widths[-1]}x"))
            candidates = ", ".join(f"{at(f'_{w}x')} {w}w" for w in widths)
            image = f'<img src="{at("_540x")}" srcset="{candidates}" sizes="50vw" alt="{b.words()}" width="2048" height="2048" class="product__media-image">'
        elif style == "widths":
            best = b.want("https:" + at("_2048x"))
            listed = ",".join(map(str, [180, 540, 1080, 2048]))
            image = f'<img class="photoswipe__image lazyload" data-photoswipe-src="{at("_1800x1800")}" src="{at("_300x")}" data-src="{at("_{width}x")}" data-widths="[{listed}]" data-aspectratio="1.0" data-sizes="auto" alt="{b.words()}">'
        else:
            best = b.want("https:" + at("_1024x1024"))
            image = f'<img class="lazyload" src="{at("_32x32_crop_center")}" data-srcset="{at("_540x")} 540w, {at("_1024x1024")} 1024w" data-sizes="auto" alt=""><noscript><img src="{at("_1024x1024")}" alt=""></noscript>'
        return f'<div class="product__media media" data-media-id="{b.digits(11)}">{image}</div>' if best else ""

    pictures = b.many(2, 7, picture)
    related = b.many(2, 4, lambda _: f'<div class="grid__item card-wrapper"><a href="/products/{b.slug()}"><img srcset="{base}/{b.slug()}_165x.jpg 165w, {base}/{b.slug()}_360x.jpg 360w" src="{base}/{b.slug()}_533x.jpg" alt="x" loading="lazy"></a></div>')
    payments = "".join(f'<li class="list-payment__item"><svg class="icon"></svg></li><img src="//cdn.shop.example/s/assets/payment_icons/{n}.svg" alt="{n}" width="38" height="24">' for n in ("visa", "master", "paypal"))
    title = b.title()
    first = b.wanted[0].replace("https:", "http:")
    return document(
        head(b, title, url, f"{first[:first.rfind('_')]}_1200x1200.jpg?v=1" if b.chance(0.3) else None),
        f'<header class="section-header"><h1 class="header__heading"><a href="/"><img src="//cdn.shop.example/s/files/1/0123/files/wordmark_220x.png?v=1" alt="Shop" class="header__heading-logo"></a></h1></header>'
        f'<main id="MainContent"><section class="product"><div class="product__media-wrapper">{pictures}</div><div class="product__info"><h1>{title}</h1>{b.paragraph()}</div></section>'
        f'<section class="related-products"><h2>You may also like</h2><div class="grid">{related}</div></section></main><footer class="footer"><ul class="payment-icons">{payments}</ul></footer>{tracker(b)}',
    )


def woocommerce(b, url):
    base = "https://store.example/wp-content/uploads/2022/09"

    def picture(_):
        slug = b.slug()
        full = b.want(f"{base}/{slug}.jpg")
        candidates = f"{base}/{slug}-600x600.jpg 600w, {base}/{slug}-300x300.jpg 300w, {base}/{slug}-150x150.jpg 150w, {full} 1200w"
        return f'<div data-thumb="{base}/{slug}-100x100.jpg" data-thumb-alt="" class="woocommerce-product-gallery__image"><a href="{full}"><img width="600" height="600" src="{base}/{slug}-600x600.jpg" class="wp-post-image" alt="" title="{slug}" data-caption="" data-src="{full}" data-large_image="{full}" data-large_image_width="1200" data-large_image_height="1200" decoding="async" srcset="{candidates}" sizes="(max-width: 600px) 100vw, 600px" /></a></div>'

    pictures = b.many(1, 6, picture)
    related = b.many(2, 4, lambda _: f'<li class="product type-product"><a href="/product/{b.slug()}/" class="woocommerce-LoopProduct-link"><img width="300" height="300" src="{base}/{b.slug()}-300x300.jpg" class="attachment-woocommerce_thumbnail size-woocommerce_thumbnail" alt="" loading="lazy" /></a></li>')
    reviews = b.many(0, 3, lambda _: f'<li class="review"><img alt="" src="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=60" class="avatar avatar-60 photo" height="60" width="60">{b.paragraph()}</li>')
    title = b.title()
    return document(
        head(b, title, url, b.wanted[0], generator="WooCommerce 8.1"),
        f'<header id="masthead" class="site-header"><img class="custom-logo" src="{base}/brand-mark.png" alt="Store"></header><div id="content"><main><div class="product"><div class="woocommerce-product-gallery woocommerce-product-gallery--with-images images"><figure class="woocommerce-product-gallery__wrapper">{pictures}</figure></div>'
        f'<div class="summary entry-summary"><h1 class="product_title entry-title">{title}</h1><img class="trust-badge" src="{base}/guaranteed-safe-checkout.png" alt="Guaranteed safe checkout"></div><div class="woocommerce-tabs"><ol class="commentlist">{reviews}</ol></div>'
        f'<section class="related products"><h2>Related products</h2><ul class="products columns-4">{related}</ul></section></div></main></div><footer class="site-footer"></footer>',
    )


def squarespace(b, url):
    base = "https://images.square.example/content/v1/5abc"

    def picture(_):
        source = f"{base}/{b.digits(13)}-{b.hexadecimal(20).upper()}/{b.slug()}.jpg"
        sizes = [100, 300, 500, 750, 1000, 1500, 2500]
        style = b.choice("old", "new")
        if style == "old":
            b.want(source)
            return f'<div class="sqs-block image-block"><div class="image-block-wrapper"><noscript><img src="{source}" alt="" /></noscript><img class="thumb-image" data-src="{source}" data-image="{source}" data-image-dimensions="2500x1667" data-image-focal-point="0.5,0.5" data-load="false" data-type="image" /></div></div>'
        b.want(f"{source}?format=2500w")
        candidates = ", ".join(f"{source}?format={w}w {w}w" for w in sizes)
        return f'<div class="sqs-block image-block"><img data-stretch="false" data-image="{source}" data-image-dimensions="2500x1667" elementtiming="x" src="{source}" width="2500" height="1667" alt="" sizes="100vw" style="object-fit: cover" srcset="{candidates}" loading="lazy" decoding="async"></div>'

    title = b.title()
    return document(
        head(b, title, url, f"http://static.square.example/t/logo-{b.hexadecimal(4)}.png?format=1500w"),
        f'<header class="header"><div class="header-title-logo"><a href="/"><img elementtiming="nbf" src="//images.square.example/content/v1/5abc/site-title.png?format=1500w" alt="Studio"></a></div></header><main id="page"><article>{b.many(2, 9, picture)}{b.paragraph()}</article></main><footer class="sections"><div class="sqs-block socialaccountlinks-v2-block"></div></footer>',
    )


def classified(b, url):
    base = "https://img.homes.example"

    def slide(index):
        key = b.slug()
        best = b.want(f"{base}/{key}/1536x1024.webp")
        picture = f'<picture><source type="image/webp" data-srcset="{base}/{key}/768x512.webp 1x, {best} 2x" media="(min-width: 600px)"><source type="image/webp" data-srcset="{base}/{key}/480x320.webp"><img class="lazyload" src="/img/placeholder-house.png" data-src="{base}/{key}/768x512.jpg" alt="{b.words()}"></picture>'
        return f'<div class="slick-slide" data-slick-index="{index}">{picture}</div>'

    slides = [slide(index) for index in range(b.number(3, 9))]
    # The carousel repeats the last slide before the first one.
    carousel = slides[-1].replace("slick-slide", "slick-slide slick-cloned") + "".join(slides)
    similar = b.many(2, 3, lambda _: f'<article class="card"><a href="/homes/{b.digits(6)}"><img src="{base}/{b.slug()}/240x160.jpg" alt="Similar home"></a></article>')
    title = b.title()
    return document(
        head(b, title, url, b.wanted[0].replace("1536x1024.webp", "1200x630.jpg") if b.chance(0.5) else None),
        f'<header><img src="/img/homes-logo.svg" alt="Homes"></header><main><h1>{title}</h1><div class="gallery slick-slider">{carousel}</div><div class="description">{b.paragraph()}</div>'
        f'<div class="agent-card"><img class="agent-photo" src="{base}/agents/{b.digits(5)}.jpg" width="80" height="80" alt="Agent"><img src="/img/energy-label-c.svg" width="60" height="20" alt="Energy label"></div>'
        f'<div class="map"><img src="https://maps.example/staticmap?center=1,2&zoom=14&size=600x300" alt="Map"></div><section class="similar-listings"><h2>Similar homes</h2>{similar}</section></main><footer><img src="/img/app-store.svg" alt="App Store"><img src="/img/google-play.svg" alt="Google Play"></footer>',
    )


def recipe(b, url):
    base = "https://cook.example/wp-content/uploads"

    def step(index):
        slug = b.slug()
        best = b.want(f"{base}/2021/{slug}-1200x800.jpg")
        return f'<div class="step"><h3>Step {index + 1}</h3><img decoding="async" width="720" height="480" data-pin-nopin="true" src="{base}/2021/{slug}-720x480.jpg" data-srcset="{base}/2021/{slug}-360x240.jpg 360w, {best} 1200w, {base}/2021/{slug}-720x480.jpg 720w" alt="{b.words()}">{b.paragraph()}</div>'

    steps = b.many(2, 7, step)
    hero = b.wanted[0]
    card = f'<div class="tasty-recipes"><button class="print"><img src="/icons/print.svg" alt="Print"></button><div class="tasty-recipes-image"><img width="183" height="183" src="{hero.replace("1200x800", "225x225")}" class="attachment-thumbnail size-thumbnail" alt=""></div></div>' if b.chance(0.5) else ""
    related = b.many(2, 4, lambda _: f'<a class="related-recipe" href="/{b.slug()}/"><img src="{base}/2020/{b.slug()}-360x361.jpg" width="360" height="361" alt="{b.words()}"></a>')
    title = b.title()
    extra = f'<script type="application/ld+json">{{"@context":"https://schema.org/","@type":"Recipe","name":"{title}","image":["{b.json(hero)}"],"author":{{"@type":"Person","name":"A","image":"{base}/author-face.jpg"}},"recipeInstructions":[{{"@type":"HowToStep","text":"Mix","image":"{b.json(b.wanted[-1])}"}}]}}</script>'
    return document(
        head(b, title, url, hero, extra=extra),
        f'<header><a class="site-title"><img class="logo" src="{base}/cook-wordmark.png" alt="Cook" width="300" height="90"></a></header><main><article><h1>{title}</h1><div class="post-author"><img src="{base}/author-face.jpg" width="40" height="40" alt="Author"></div>{steps}{card}</article>'
        f'<div class="related-recipes"><h2>More recipes</h2>{related}</div></main><aside class="sidebar"><img src="{base}/about-me.jpg" alt="Hi, I am A">{advertisement(b)}</aside><footer>{social(b)}</footer>{tracker(b)}',
    )


def pinterest(b, url):
    base = "https://i.pin.example"

    def pin(_):
        tail = f"{b.hexadecimal(2)}/{b.hexadecimal(2)}/{b.hexadecimal(2)}/{b.hexadecimal(32)}.jpg"
        best = b.want(f"{base}/originals/{tail}")
        candidates = f"{base}/236x/{tail} 1x, {base}/474x/{tail} 2x, {base}/736x/{tail} 3x, {best} 4x"
        avatar = f'<div data-test-id="user-avatar"><img class="avatar" alt="name" src="{base}/30x30_RS/{b.hexadecimal(2)}/{b.hexadecimal(32)}.jpg"></div>'
        return f'<div data-test-id="pin" data-grid-item="true"><a href="/pin/{b.digits(15)}/"><img alt="This contains: {b.words()}" class="hCL kVc" loading="auto" src="{base}/236x/{tail}" srcset="{candidates}"></a>{avatar}</div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div role="banner" class="HeaderContent"><img src="https://s.pin.example/webapp/logo_transparent_144x144.png" alt="Home" width="24" height="24"></div><div role="list" class="vbI">{b.many(6, 20, pin)}</div>',
    )


FAMILIES = {
    "shopify": (shopify, "https://shop.example/products/thing"),
    "woocommerce": (woocommerce, "https://store.example/product/thing/"),
    "squarespace": (squarespace, "https://studio.example/work"),
    "classified": (classified, "https://homes.example/homes/1234"),
    "recipe": (recipe, "https://cook.example/cake/"),
    "pinterest": (pinterest, "https://www.pin.example/name/board/"),
}
