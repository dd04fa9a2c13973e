"""Pages of kinds that came later: museums, recipes, houses, cars, journals, clubs, schools, towns and others."""

from html import escape

from builder import advertisement, document, head, social, tracker

BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
SVG = "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%201200%20800'%3E%3C/svg%3E"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def uuid(b):
    """A random identifier in the usual form."""
    return f"{b.hexadecimal(8)}-{b.hexadecimal(4)}-4{b.hexadecimal(3)}-a{b.hexadecimal(3)}-{b.hexadecimal(12)}"


def key(b, count, letters="ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"):
    """A random key of some letters."""
    return "".join(b.choice(*letters) for _ in range(count))


def museum_object(b, url):
    """An object of an art museum's collection, with views from an image service and a download of each."""
    host = "https://iiif.artmuseum.example/iiif/2"
    slides, thumbs, first = [], [], None
    for index in range(b.number(1, 6)):
        base = f"{host}/{uuid(b)}"
        best = b.want(f"{base}/full/full/0/default.jpg")
        first = first or base
        sizes = ", ".join(f"{base}/full/{w},/0/default.jpg {w}w" for w in (200, 400, 600, 843, 1686))
        slides.append(f'<li class="m-media__contents{"" if index else " is-active"}" data-gallery-item><picture class="m-media__img"><img alt="{b.words()}" src="{base}/full/843,/0/default.jpg" srcset="{sizes}" sizes="(min-width: 1200px) 843px, 100vw" data-iiif-id="{base}" {"loading=lazy" if index else ""}></picture><ul class="m-media__controls"><li><button type="button" data-gallery-zoom aria-label="Zoom"><svg class="icon--zoom"><use xlink:href="#icon--zoom"></use></svg></button></li><li><a class="m-media__download" href="{best}" download="{b.slug()}.jpg" data-gtm-event="download">Download image</a></li></ul></li>')
        thumbs.append(f'<li><button class="m-gallery-header__thumb" aria-label="View {index + 1}"><img src="{base}/square/80,/0/default.jpg" alt="" width="80" height="80"></button></li>')
    title, related = b.title(), b.many(4, 8, lambda _: f'<li class="m-listing m-listing--artwork"><a href="/artworks/{b.digits(5)}/{b.slug()}" class="m-listing__link"><span class="m-listing__img"><img alt="{b.words()}" class="img-hero-mobile" data-srcset="{host}/{uuid(b)}/full/200,/0/default.jpg 200w, {host}/{uuid(b)}/full/400,/0/default.jpg 400w" src="{BLANK}"></span><span class="m-listing__meta"><strong class="title f-list-7">{b.title()}</strong></span></a></li>')
    body = f'<header class="g-header"><a class="g-header__logo" href="/"><svg class="icon--logo"><use xlink:href="#logo"></use></svg></a><div class="g-header__visit"><img src="/assets/images/visit-{b.digits(2)}.jpg" alt="Visit us" width="160"></div></header><main id="content"><div class="m-article-header m-article-header--gallery"><div class="m-gallery-header"><ul class="m-gallery-header__images">{"".join(slides)}</ul><ul class="m-gallery-header__thumbs">{"".join(thumbs) if len(thumbs) > 1 else ""}</ul></div></div><article class="o-article"><h1 class="f-headline-editorial">{title}</h1><div class="o-blocks" itemprop="description">{b.paragraph()}{b.paragraph()}</div><dl class="deflist"><dt>Medium</dt><dd>{b.words()}</dd></dl></article><section class="o-recently-viewed" id="related"><h2 class="title f-module-title-2">Explore further</h2><ul class="o-grid-listing">{related}</ul></section></main><footer class="g-footer"><a href="/app"><img src="/assets/images/app-store-badge.svg" alt="App"></a></footer>{tracker(b)}'
    return document(head(b, title, url, f"{first}/full/843,/0/default.jpg", extra=f'<meta property="og:type" content="website"><script type="application/ld+json">{{"@context":"https://schema.org","@type":"VisualArtwork","name":"{title}","artform":"Painting"}}</script>'), body)


def recipe_card(b, url):
    """A recipe of a food blog with a card of a recipe plugin, pictures of the steps and many comments."""
    uploads = f"https://www.plates.example/wp-content/uploads/20{b.number(15, 24)}/0{b.number(1, 9)}"
    lazy, first = b.chance(0.5), None
    def picture(index, kind="wp-image"):
        nonlocal first
        name, high = b.slug(), b.choice(800, 1800, 1500)
        best = b.want(f"{uploads}/{name}.jpg")
        first = first or name
        sizes = f"{best} 1200w, {uploads}/{name}-200x300.jpg 200w, {uploads}/{name}-683x1024.jpg 683w, {uploads}/{name}-768x1152.jpg 768w"
        if kind == "step":
            return f'<div class="wprm-recipe-instruction-media wprm-recipe-instruction-image" style="text-align: left;"><img width="500" height="750" src="{uploads}/{name}-500x750.jpg" class="attachment-medium_large size-medium_large" alt="" decoding="async" loading="lazy" srcset="{uploads}/{name}-500x750.jpg 500w, {sizes}" sizes="(max-width: 500px) 100vw, 500px"></div>'
        image = f'<img decoding="async" width="1200" height="{high}" {"data-" * lazy}src="{best}" alt="{b.words()}" class="wp-image-{b.digits(5)}{" lazyload" * lazy}" {"data-" * lazy}srcset="{sizes}" {"data-" * lazy}sizes="(max-width: 1200px) 100vw, 1200px" data-pin-description="{b.words()}"{f" src={chr(34)}{SVG}{chr(34)}" * lazy}>'
        back = f'<noscript><img decoding="async" width="1200" height="{high}" src="{best}" alt="" srcset="{sizes}"></noscript>' if lazy else ""
        return f'<figure class="wp-block-image size-full">{back}{image}</figure>'
    body = "".join(picture(n) + b.paragraph() for n in range(b.number(2, 6)))
    steps = "".join(f'<li class="wprm-recipe-instruction"><div class="wprm-recipe-instruction-text">{b.words(5, 9)}</div>{picture(0, "step") if b.chance(0.4) else ""}</li>' for _ in range(b.number(3, 6)))
    title, ldjson = b.title(), ",".join(f'"{uploads}/{first}{size}.jpg"' for size in ("", "-500x500", "-500x375", "-480x270"))
    card = f'<div id="recipe" class="wprm-recipe-container"><div class="wprm-recipe wprm-recipe-template-chic"><div class="wprm-recipe-image wprm-block-image-rounded"><img width="250" height="250" src="{uploads}/{first}-500x500.jpg" class="attachment-250x250 size-250x250" alt="{title}" srcset="{uploads}/{first}-500x500.jpg 500w, {uploads}/{first}-150x150.jpg 150w" sizes="(max-width: 250px) 100vw, 250px" data-pin-nopin="true"></div><h2 class="wprm-recipe-name">{title}</h2><ul class="wprm-recipe-ingredients"><li class="wprm-recipe-ingredient">{b.words()}</li></ul><ol class="wprm-recipe-instructions">{steps}</ol></div></div>'
    comments = b.many(3, 9, lambda _: f'<li class="comment"><article class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><img alt="" src="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=48&#038;d=mm&#038;r=g" class="avatar avatar-48 photo" height="48" width="48" loading="lazy"><b class="fn">Ann</b></div></footer><div class="comment-content">{b.paragraph()}<img class="wprm-comment-rating" src="https://www.plates.example/wp-content/plugins/wp-recipe-maker/assets/icons/rating/stars-5.svg" alt="5 stars" width="80" height="16"></div></article></li>')
    more = b.many(3, 4, lambda _: f'<article class="post-summary"><a href="/{b.slug()}/"><img width="300" height="300" src="{uploads}/{b.slug()}-300x300.jpg" class="post-summary__image wp-post-image" alt="" data-pin-nopin="1"></a><h3 class="post-summary__title">{b.title()}</h3></article>')
    body = f'<div class="site-container"><header class="site-header"><a href="/" class="site-header__logo"><img src="https://www.plates.example/wp-content/themes/plates/assets/images/logo.svg" alt="Plates"></a></header><div class="content-sidebar-wrap"><main class="content"><article class="post type-post entry"><header class="entry-header"><h1 class="entry-title">{title}</h1><a class="wprm-recipe-jump" href="#recipe">Jump to Recipe</a></header><div class="entry-content">{body}{advertisement(b)}{card}</div><footer class="entry-footer">{social(b)}</footer></article><div class="entry-comments" id="comments"><h3>Comments</h3><ol class="comment-list">{comments}</ol></div></main><aside class="sidebar sidebar-primary"><section class="widget about"><img src="{uploads}/ann-kitchen-{b.digits(3)}-300x300.jpg" alt="Ann, the cook" width="300" height="300" class="about__photo"><p>Hi, I am Ann!</p></section><section class="widget"><h3>Reader favourites</h3>{more}</section></aside></div></div>{tracker(b)}'
    return document(head(b, title, url, f"{uploads}/{first}.jpg", extra=f'<script type="application/ld+json" class="yoast-schema-graph">{{"@context":"https://schema.org","@graph":[{{"@type":"Person","name":"Ann","image":{{"@type":"ImageObject","url":"https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=96"}}}},{{"@type":"Recipe","name":"{title}","image":[{ldjson}]}}]}}</script>', generator="WordPress 6.5"), body)


def auction_lot(b, url):
    """A lot of an auction house, with a viewer of several views and other lots of the sale."""
    sale = f"20{b.number(18, 25)}_NYR_{b.digits(5)}"
    host = f"https://www.lots.example/img/LotImages/{sale[:4]}/NYR/{sale}"
    slides, thumbs, number = [], [], b.digits(4)
    for index in range(b.number(2, 9)):
        base = f"{host}_{number}_{index:03}({b.slug().replace('-', '_')}).jpg"
        best = b.want(f"{base}?w=3200&mode=max")
        slides.append(f'<div class="swiper-slide chr-lot-header__slide" role="group" aria-label="{index + 1}"><button class="chr-lot-image" data-action="open-viewer" data-zoom-src="{escape(best)}"><img class="chr-img{" lazyload" if index else ""}" alt="{b.words()}" {"data-" if index else ""}src="{base}?w=780&amp;mode=max" {"data-" if index else ""}srcset="{base}?w=390&amp;mode=max 390w, {base}?w=780&amp;mode=max 780w, {base}?w=1560&amp;mode=max 1560w"></button></div>')
        thumbs.append(f'<div class="swiper-slide"><img src="{base}?w=100&amp;mode=max" alt="" class="chr-thumb" width="100"></div>')
    title, other = b.title(), b.many(4, 8, lambda _: f'<li class="chr-lot-tile"><a href="/lot/lot-{b.digits(7)}"><div class="chr-lot-tile__image"><img alt="{b.words()}" loading="lazy" src="{host}_{b.digits(4)}_000({b.slug().replace("-", "_")}).jpg?w=360&amp;mode=max"></div><p class="chr-lot-tile__title">{b.title()}</p></a></li>')
    specialist = f'<div class="chr-specialist"><img class="chr-specialist__portrait" src="https://www.lots.example/media-library/images/specialists/{b.slug()}.jpg?w=200&amp;h=200" alt="Specialist" width="100" height="100"><p>Ann Expert</p></div>' if b.chance(0.6) else ""
    body = f'<chr-header><a href="/" class="chr-logo"><img src="/static/logo-{b.digits(3)}.svg" alt="Lots"></a></chr-header><main class="chr-page"><section class="chr-lot-header" data-lot-id="{b.digits(7)}"><div class="chr-lot-header__media swiper">{"".join(slides)}</div><div class="chr-lot-header__thumbs swiper">{"".join(thumbs)}</div><div class="chr-lot-header__info"><span class="chr-lot-header__lot-number">Lot {number}</span><h1 class="chr-lot-header__title">{title}</h1><p>Estimate USD {b.digits(5)}</p></div></section><section class="chr-lot-section"><h2>Details</h2>{b.paragraph()}</section>{specialist}<section class="chr-other-lots"><h2>More from this sale</h2><ul>{other}</ul></section></main><footer><img src="/static/app-badge.svg" alt="App store"></footer>{tracker(b)}'
    return document(head(b, title, url), body)


def house_for_sale(b, url):
    """A house on a British portal, whose photos are all named in a script and only some of them in the page."""
    number = b.digits(9)
    folder = f"https://media.homes.example/{b.digits(2)}k/{b.digits(5)}/{number}/{b.digits(5)}_{b.digits(8)}"
    crop = folder.replace("https://media.homes.example/", "https://media.homes.example/dir/crop/10:9-16:9/")
    images, shown, plans, plan = [], [], "", ""
    for index in range(b.number(5, 20)):
        best = b.want(f"{folder}_IMG_{index:02}_0000.jpeg")
        small = f"{crop}_IMG_{index:02}_0000_max_"
        images.append(f'{{"url":"{best}","caption":"{b.words(1, 2)}","resizedImageUrls":{{"size135x100":"{small}135x100.jpeg","size476x317":"{small}476x317.jpeg","size656x437":"{small}656x437.jpeg"}}}}')
        if index < 3:
            shown.append(f'<a href="/properties/{number}#/media?activePlan=media{index}" class="_2uGNfP4v5SSYyfx3rZngKM" itemprop="photo" itemscope itemtype="https://schema.org/ImageObject"><meta itemprop="contentUrl" content="{best}"><img src="{small}{"656x437" if not index else "476x317"}.jpeg" alt="Property image {index + 1}" loading="lazy"></a>')
    if b.chance(0.7):
        best = b.want(f"{folder}_FLP_00_0000.jpeg")
        small = best.replace("_0000.jpeg", "_0000_max_296x197.jpeg").replace("homes.example/", "homes.example/dir/")
        plans = f'{{"url":"{best}","caption":"Floorplan","type":"IMAGE","resizedFloorplanUrls":{{"size296x197":"{small}"}}}}'
        plan = f'<a href="/properties/{number}#/floorplan?activePlan=1" class="_1EKvilxkEc0XS32Gwbn-iU"><img src="{small}" alt="Floorplan 1" loading="lazy"></a>'
    logo, title = f"/company/clogo_rmchoice_{b.digits(5)}_0000.png", f"{b.number(2, 6)} bedroom detached house for sale in {b.words(2, 2).title()}"
    body = f'<script>window.PAGE_MODEL = {{"propertyData":{{"id":"{number}","status":{{"published":true}},"text":{{"pageTitle":"{title}"}},"customer":{{"branchName":"Harbour","logoPath":"https://media.homes.example{logo}"}},"images":[{",".join(images)}],"floorplans":[{plans}],"virtualTours":[],"nearestStations":[{{"name":"Harbour","types":["NATIONAL_TRAIN"]}}]}}}}</script><div id="root"><header><a href="/"><img src="https://static.homes.example/ps-packages/assets/logo.svg" alt="Homes"></a></header><main><div class="_3JYG1Qq70"><article data-testid="photo-collage">{"".join(shown)}<button>1/{len(images)}</button></article><div class="_1gfnqJ3Vtd1z40MlC0MzXu"><h1 itemprop="streetAddress">{b.title()}</h1><span>£{b.digits(3)},000</span></div><article data-testid="primary-layout"><h2>Property description</h2><div class="STw8udCxUaBUMfOOZu0iL">{b.paragraph()}</div>{plan}<a href="/properties/{number}#/map"><img src="https://media.homes.example/map/_generate?width=768&amp;height=347&amp;zoomLevel=15&amp;latitude=51.{b.digits(4)}" alt="Property map"></a><h2>Stations</h2><ul><li><svg class="train"></svg>Harbour</li></ul></article><aside><a href="/estate-agents/agent/{b.slug()}.html"><img src="https://media.homes.example/dir{logo.replace("_0000.", "_0000_max_100x65.")}" alt="Agent logo"></a></aside></div></main><footer><img src="https://static.homes.example/images/badge-apple.svg" alt="Download"></footer></div>{tracker(b)}'
    return document(head(b, title, url, f"{crop}_IMG_00_0000_max_656x437.jpeg"), body)


def car_results(b, url):
    """Search results of a German marketplace of used cars, with a preview of each car."""
    host = "https://img.autos.example/api/v1/mo-prod/images"
    def car(index):
        name = uuid(b)
        base = f"{host}/{name[:2]}/{name}?rule=mo"
        best = b.want(f"{base}-640.jpg")
        sizes = f"{base}-160.jpg 160w, {base}-240.jpg 240w, {base}-360.jpg 360w, {best} 640w"
        dealer = f'<img class="dealer-logo" alt="Autohaus Hafen" src="https://img.autos.example/api/v1/mo-prod/images/{b.hexadecimal(2)}/{uuid(b)}?rule=mo-80.jpg" width="80" height="27" loading="lazy">' if b.chance(0.4) else ""
        return f'<article class="A3G6X" data-testid="{"top-" if index == 0 else ""}result-listing-{index}"><a class="BaJEW" href="/fahrzeuge/details.html?id={b.digits(9)}&amp;pageNumber=1" target="_blank"><div class="pbsuG"><img class="JAnxK" alt="{b.title()}" {"loading=lazy" if index > 3 else "fetchpriority=high"} src="{base}-240.jpg" srcset="{sizes}" sizes="(min-width: 900px) 240px, 100vw"></div><div class="QeGRL"><h2 class="eO9eB">{b.title()}</h2><p data-testid="price-label">{b.digits(2)}.990 €</p><img class="rating" src="/consumer/static/img/price-rating-{b.number(1, 5)}.svg" alt="Guter Preis"></div></a><div class="dealer">{dealer}<span>Autohaus</span></div></article>'
    articles = [car(n) for n in range(b.number(6, 20))]
    articles.insert(3, f'<div class="ad-container" id="native-ad">{advertisement(b)}</div>')
    brands = b.many(4, 8, lambda _: f'<a href="/marke/{b.slug()}"><img src="/static/img/brands/{b.words(1, 1)}-{b.digits(2)}.svg" alt="Marke" width="40" height="40"></a>')
    body = f'<div id="root"><header class="hnav"><a href="/" aria-label="Startseite"><img src="/static/img/logo.svg" alt="Autos" width="120"></a></header><div class="leaderboard">{advertisement(b)}</div><main><aside class="filters">{brands}</aside><section class="results"><h1>{b.number(20, 900)} Angebote</h1>{"".join(articles)}</section></main><footer><img src="/static/img/siegel-testsieger.png" alt="Testsieger"><div class="consent" role="dialog"><p>Wir verwenden Cookies.</p></div></footer></div>{tracker(b)}'
    return document(head(b, "Gebrauchtwagen kaufen", url, "https://www.autos.example/static/img/share-card.jpg"), body, "de")


def guide_story(b, url):
    """A story of a travel guide whose pictures come from the image service of a headless content system."""
    host = f"https://cdn.contentlake.example/images/{b.hexadecimal(8)}/production"
    def figure(index):
        wide, high = b.choice((3000, 2000), (2400, 1600), (4000, 2667))
        base = f"{host}/{b.hexadecimal(40)}-{wide}x{high}.jpg"
        tail = "fit=max&auto=format&q=75"
        best = b.want(f"{base}?w=1920&{tail}")
        sizes = ", ".join(f"{base}?w={w}&amp;{escape(tail)} {w}w" for w in (320, 640, 1024, 1280, 1920))
        return f'<figure class="relative my-8 {"-mx-4 lg:mx-0" if index else "w-full"}"><img alt="{b.words()}" {"loading=lazy" if index else "fetchpriority=high"} decoding="async" class="object-cover rounded-sm" style="color:transparent" sizes="(max-width: 1024px) 100vw, 1024px" srcset="{sizes}" src="{base}?w=1280&amp;{escape(tail)}"><figcaption class="text-xs text-black-400">{b.words(5, 9)} <span>© {b.words(2, 2).title()}</span></figcaption></figure>'
    first, text = figure(0), "".join(f'<h2 class="heading-04">{b.title()}</h2>{b.paragraph()}{figure(n + 1) if b.chance(0.7) else ""}' for n in range(b.number(3, 8)))
    cards = b.many(3, 6, lambda _: f'<article class="card group relative"><a href="/articles/{b.slug()}" class="card-link"><div class="aspect-w-16 aspect-h-9"><img alt="" loading="lazy" class="object-cover" src="{host}/{b.hexadecimal(40)}-2000x1333.jpg?w=640&amp;h=360&amp;fit=crop&amp;auto=format"></div><p class="heading-05">{b.title()}</p></a></article>')
    title, books = b.title(), b.many(1, 3, lambda _: f'<li><a href="https://shop.guide.example/products/{b.slug()}"><img src="https://shop.guide.example/cdn/shop/products/{b.slug()}_240x.jpg" alt="Guidebook" width="120" height="180"></a></li>')
    body = f'<div id="__next"><header class="sticky top-0"><a href="/" aria-label="Home"><svg class="h-8"><path d="M0 0h9"></path></svg></a></header><main><article><header class="container"><h1 class="display-01">{title}</h1><div class="flex items-center"><img src="{host}/{b.hexadecimal(40)}-400x400.jpg?w=96&amp;h=96&amp;fit=crop&amp;auto=format" alt="Ann Writer" class="rounded-full w-12 h-12" width="48" height="48"><p>Ann Writer</p></div></header>{first}<div class="content-block">{b.paragraph()}{text}</div></article><section class="bg-sand"><h2>Buy the guidebook</h2><ul>{books}</ul></section><section class="related"><h2 class="heading-03">Explore related stories</h2>{cards}</section></main><footer><form class="newsletter"><img src="/images/newsletter-bg.png" alt=""></form></footer></div><script id="__NEXT_DATA__" type="application/json">{{"props":{{"pageProps":{{"locale":"en"}}}},"page":"/articles/[slug]"}}</script>{tracker(b)}'
    return document(head(b, title, url, extra='<meta name="next-head-count" content="24">'), body)


def resizer_newspaper(b, url):
    """An article of a newspaper on a publishing platform whose pictures come from a signed resizer."""
    host = "https://www.courier.example/resizer/v2"
    def signed(widths):
        name, auth = key(b, 26), b.hexadecimal(64)
        return [f"{host}/{name}.jpg?auth={auth}&width={w}&height={w * 2 // 3}&smart=true" if w < 500 else f"{host}/{name}.jpg?auth={auth}&width={w}" for w in widths]
    def figure(index):
        urls = signed((420, 768, 1024, 1440))
        b.want(urls[-1])
        sizes = ", ".join(f"{escape(u)} {w}w" for u, w in zip(urls, (420, 768, 1024, 1440)))
        return f'<figure class="c-media-item article-body-image" data-chain-name="{b.words(1, 1)}"><img data-chromatic="ignore" alt="{b.words()}" class="c-image" {"loading=lazy" if index else "loading=eager"} src="{escape(urls[2])}" srcset="{sizes}" width="1024" height="683"><figcaption class="c-media-item__caption">{b.words(5, 9)} <span class="c-media-item__credit">({b.words(2, 2)})</span></figcaption></figure>'
    def promo(_):
        urls = signed((105, 377))
        return f'<article class="b-results-list__item"><a href="/news/{b.slug()}/"><img data-chromatic="ignore" alt="" class="c-image" loading="lazy" src="{escape(urls[1])}" srcset="{escape(urls[0])} 105w, {escape(urls[1])} 377w" width="377" height="251"></a><h2 class="c-heading">{b.title()}</h2></article>'
    first, text = figure(0), "".join(b.paragraph().replace("<p>", '<p class="c-paragraph">') + (figure(n + 1) if b.chance(0.35) else "") + (advertisement(b) if b.chance(0.3) else "") for n in range(b.number(4, 9)))
    title, author = b.title(), escape(signed((84,))[0])
    body = f'<div id="fusion-app" class="b-application"><div class="c-stack b-right-rail" data-style-direction="vertical"><header class="page-header"><nav class="c-nav b-header-nav-chain"><a href="/"><img src="/pf/resources/images/courier-logo.svg?d={b.digits(3)}" alt="Courier" class="c-image"></a></nav></header><section role="main" class="b-right-rail__main"><h1 class="b-headline c-heading">{title}</h1>{first}<div class="b-byline c-byline"><img class="c-image author-photo" src="{author}" alt="Ann Writer" width="42" height="42"><span>By Ann Writer</span></div><article class="b-article-body">{text}</article><div class="b-author-bio"><img class="c-image" src="{author}" alt="Ann Writer" width="84" height="84"><p>{b.words(5, 9)}</p></div></section><aside class="b-right-rail__rail"><h2>Latest news</h2>{b.many(3, 8, promo)}</aside><footer class="b-footer"><img src="/pf/resources/images/footer-logo.svg?d=1" alt="Courier"></footer></div></div><script id="fusion-metadata">window.Fusion=window.Fusion||{{}};Fusion.arcSite="courier";Fusion.contextPath="/pf";</script>{tracker(b)}'
    return document(head(b, title, url, "https://www.courier.example/pf/resources/images/share-default.png?d=123"), body)


def open_journal_paper(b, url):
    """A paper of an open access publisher, with figures that open in pop-ups and profiles of the authors."""
    name = f"waters-{b.number(10, 17)}-{b.digits(5)}"
    folder = f"/waters/{name}/article_deploy/html/images"
    def figure(index):
        number, kind = f"g{index + 1:03}", b.choice("png", "png", "jpg")
        b.want(f"https://www.openpub.example{folder}/{name}-{number}.{kind}")
        tag = f'<img alt="Waters {b.digits(2)} {b.digits(5)} {number}" data-large="{folder}/{name}-{number}.{kind}" data-original="{folder}/{name}-{number}.{kind}" data-lsrc="{folder}/{name}-{number}-550.jpg"'
        label = name + "-f" + number[1:]
        return f'<div class="html-fig-wrap" id="{label}"><div class="html-fig_img"><div class="html-figpopup html-figpopup-link" href="#fig_body_display_{label}">{tag} /><a class="html-expand html-figpopup" href="#fig_body_display_{label}"></a></div></div><div class="html-fig_description"><b>Figure {index + 1}.</b> {b.words(5, 10)}.</div></div><div class="html-fig_show mfp-hide" id="fig_body_display_{label}"><div class="html-fig_caption"><b>Figure {index + 1}.</b></div><div class="html-fig_img">{tag} /></div></div>'
    def author(_):
        orcid = f'<a target="_blank" class="author-orcid" href="https://orcid.example/{b.digits(8)}"><img src="https://pub.openpub-res.example/img/design/orcid.png?{b.hexadecimal(16)}" title="ORCID" alt=""></a>'
        return f'<span class="inlineblock"><div class="profile-card-drop">{b.words(2, 2).title()}</div><div class="dropdown-content profile-card-content"><div class="sciprofiles-link"><div class="sciprofiles-link__link"><img class="sciprofiles-link__image" src="/profiles/{b.digits(6)}/thumb/{b.slug()}.png" style="width: auto; height: 16px; border-radius: 50%;" alt=""></div></div></div>{orcid}</span>'
    title, text = b.title(), "".join(f'<section id="sec{n}" type="intro"><h2 data-nested="1">{n}. {b.title()}</h2><div class="html-p">{b.paragraph()}</div>' + figure(n) + "</section>" for n in range(b.number(2, 8)))
    body = f'<div class="top-bar"><a href="/"><img src="https://pub.openpub-res.example/img/design/pub-logo.svg?{b.hexadecimal(16)}" title="Open Journals"></a></div><div class="main-content"><div class="row"><div class="column" id="left-column"><a href="/journal/waters"><img src="https://pub.openpub-res.example/img/journals/waters-logo.png?{b.hexadecimal(16)}" alt="waters-logo" title="Waters"></a><div class="generic-item"><a href="https://publons.example/x"><img src="/img/design/publons.png" alt="Review"></a></div><div class="banner"><a href="https://www.openpub.example/special"><img src="https://pub.openpub-res.example/files/banners/{b.slug()}.png" alt="Special issue"></a></div></div><div id="middle-column"><div class="article-content"><article><div class="html-article-content"><h1 class="title hypothesis_container">{title}</h1><div class="art-authors">by {b.many(2, 5, author)}</div><section class="html-abstract"><h2>Abstract</h2>{b.paragraph()}</section><div class="html-body">{text}</div><section id="html-references_list"><ol class="html-xx"><li>{b.words()}. <a href="https://doi.example/x">CrossRef</a></li></ol></section></div></article></div></div></div></div><footer><img src="/img/design/openpub-pub-logo-white-small1.png?{b.hexadecimal(16)}" alt="Logo"></footer>{tracker(b)}'
    return document(head(b, title, url, "https://pub.openpub-res.example/waters/cover-og.jpg", extra=f'<meta name="citation_title" content="{title}"><meta name="citation_pdf_url" content="{url}/pdf"><meta name="dc.identifier" content="10.9999/{name}">'), body)


def simple_forum_topic(b, url):
    """A topic of a free forum software, with attachments below the posts that open in full size."""
    base = "https://forum.workshop.example/index.php"
    topic, theme, used = 4321, "https://forum.workshop.example/Themes/default/images", iter(range(b.number(1000, 8000), 90000, 2))
    def attachment(_):
        number = next(used)
        best = b.want(f"{base}?action=dlattach;topic={topic}.0;attach={number};image")
        return f'<div class="attached"><div class="attachments_top"><a href="{best}" id="link_{number}" onclick="return expandThumb({number});"><img src="{base}?action=dlattach;topic={topic}.0;attach={number + 1};image" alt="" id="thumb_{number}" class="atc_img"></a></div><div class="attachments_bot"><span class="main_icons attachment"></span> {b.slug()}.jpg<br>({b.number(80, 900)}.{b.digits(2)} KB, 1600x1200 - viewed {b.number(1, 400)} times.)</div></div>'
    def embedded(_):
        return f'<img src="{b.want(f"https://i.picpost.example/{key(b, 8)}/{b.slug()}.jpg")}" alt="" class="bbc_img" loading="lazy"><br>'
    def post(index):
        number = b.digits(6)
        avatar = f'<li class="avatar"><a href="{base}?action=profile;u={b.digits(3)}"><img class="avatar" src="https://forum.workshop.example/{b.choice(f"avatars/{b.words(1, 1)}.png", f"custom_avatar/avatar_{b.digits(3)}_{b.digits(10)}.jpeg")}" alt=""></a></li>' if b.chance(0.7) else ""
        smiley = b.choice("", f'<img src="https://forum.workshop.example/Smileys/fugue/{b.choice("smiley", "wink", "cheesy")}.png" alt=":)" title="Smiley" class="smiley">')
        files = f'<div id="msg_{number}_footer" class="attachments">{b.many(1, 4, attachment)}</div>' if not index or b.chance(0.4) else ""
        signature = f'<div class="signature" id="msg_{number}_signature"><img src="https://stats.userbar.example/{b.slug()}.png" alt="" class="bbc_img"></div>' if b.chance(0.3) else ""
        return f'<div class="windowbg" id="msg{number}"><div class="post_wrapper"><div class="poster"><h4><span class="off" title="Offline"></span>Ann</h4><ul class="user_info">{avatar}<li class="icons"><img src="{theme}/membericons/icon.png" alt="*"><img src="{theme}/membericons/icon.png" alt="*"></li></ul></div><div class="postarea"><div class="keyinfo"><span class="messageicon"><img src="{theme}/post/xx.png" alt=""></span></div><div class="post"><div class="inner" data-msgid="{number}" id="msg_{number}">{b.words(6, 12)} {smiley}<br>{b.many(0, 2, embedded) if b.chance(0.4) else ""}</div></div>{files}</div><div class="moderatorbar">{signature}</div></div></div>'
    body = f'<div id="footerfix"><div id="header"><h1 class="forumtitle"><a id="top" href="{base}"><img src="https://forum.workshop.example/logo.png" alt="Workshop"></a></h1></div><div id="wrapper"><div id="main_content_section"><div id="forumposts"><form>{"".join(post(n) for n in range(b.number(2, 8)))}</form></div></div></div></div><div id="footer"><img src="https://forum.workshop.example/paypal_donate.gif" alt="Donate"></div>{tracker(b)}'
    return document(head(b, b.title(), url, "https://forum.workshop.example/Themes/default/images/og_image.png"), body)


def fan_wiki_article(b, url):
    """An article of a farm of fan wikis, with an infobox, lazy thumbnails, a gallery and a rail of popular pages."""
    host = "https://static.fanwiki.example/harbour/images"
    def file():
        name = b.slug().replace("-", "_").capitalize() + b.choice(".png", ".jpg")
        stamp = "20" + b.digits(12)
        one = b.hexadecimal(1)
        base = f"{host}/{one}/{one}{b.hexadecimal(1)}/{name}/revision/latest"
        return name, base, stamp
    def wanted():
        name, base, stamp = file()
        return name, base, stamp, b.want(f"{base}?cb={stamp}")
    def thumb(_):
        name, base, stamp, best = wanted()
        small = f"{base}/scale-to-width-down/{b.choice(180, 220, 300)}?cb={stamp}"
        return f'<figure class="thumb tright show-info-icon" style="width: 250px"><a href="{best}" class="image"><noscript><img alt="{b.words()}" src="{small}" decoding="async" width="250" height="180" class="thumbimage" data-image-name="{name}" data-image-key="{name}"></noscript><img alt="{b.words()}" src="{BLANK}" decoding="async" width="250" height="180" class="thumbimage lazyload" data-image-name="{name}" data-image-key="{name}" data-src="{small}"></a><figcaption class="thumbcaption"><a href="/wiki/File:{name}" class="info-icon"><svg></svg></a><p class="caption">{b.words()}</p></figcaption></figure>'
    def item(_):
        name, base, stamp, best = wanted()
        return f'<div class="wikia-gallery-item" style="width:185px"><div class="thumb"><div class="gallery-image-wrapper"><a href="{best}" class="image lightbox" title="{name}"><img src="{BLANK}" class="thumbimage lazyload" data-image-key="{name}" data-src="{base}/smart/width/185/height/185?cb={stamp}" alt=""></a></div></div><div class="lightbox-caption">{b.words()}</div></div>'
    def icon(_):
        name, base, stamp = file()
        return f'<td><a href="/wiki/{b.words(1, 1).capitalize()}" title="x"><img alt="" src="{base}/scale-to-width-down/25?cb={stamp}" width="25" height="25" class="lazyload" data-image-name="{name}"></a></td>'
    name, base, stamp, best = wanted()
    box = f'<aside role="region" class="portable-infobox pi-background pi-theme-wikia"><h2 class="pi-item pi-title">{b.title()}</h2><figure class="pi-item pi-image" data-source="image"><a href="{best}" class="image image-thumbnail" title=""><img src="{base}/scale-to-width-down/268?cb={stamp}" srcset="{base}/scale-to-width-down/268?cb={stamp} 1x, {base}/scale-to-width-down/536?cb={stamp} 2x" class="pi-image-thumbnail" alt="" width="268" height="300" data-image-name="{name}" data-image-key="{name}"></a></figure></aside>'
    popular = b.many(3, 6, lambda _: (lambda f: f'<li class="popular-pages__item"><a href="/wiki/{b.slug()}"><img src="{f[1]}/smart/width/60/height/60?cb={f[2]}" width="60" height="60" alt=""><span>{b.words()}</span></a></li>')(file()))
    gallery = f'<h2><span class="mw-headline">Gallery</span></h2><div class="wikia-gallery wikia-gallery-caption-below">{b.many(2, 10, item)}</div>' if b.chance(0.7) else ""
    title = b.title()
    body = f'<div class="global-navigation"><a href="/"><img src="https://static.fanwiki.example/global/logo-{b.digits(2)}.svg" alt="Wiki"></a></div><div class="main-container"><header class="community-header-wrapper"><a class="community-header__logo"><img src="{host}/e/e6/Site-logo.png/revision/latest?cb={b.digits(14)}" alt="Harbour Wiki" height="65"></a></header><div class="page has-right-rail"><main class="page__main"><h1 class="page-header__title" id="firstHeading">{title}</h1><div id="content" class="page-content"><div id="mw-content-text"><div class="mw-parser-output">{box}{b.paragraph()}{"".join(b.paragraph() + thumb(0) for _ in range(b.number(1, 5)))}{gallery}<table class="navbox"><tr>{b.many(3, 8, icon)}</tr></table></div></div></div></main><aside class="page__right-rail">{advertisement(b)}<section class="popular-pages"><h2>Popular pages</h2><ul>{popular}</ul></section></aside></div></div>{tracker(b)}'
    return document(head(b, title, url, f"{base}?cb={stamp}", generator="MediaWiki 1.39.7"), body)


def booru_post(b, url):
    """One picture of a tagged image board, shown as a sample with a link to the original."""
    digest = b.hexadecimal(32)
    folder = f"{digest[:2]}/{digest[2:4]}"
    tags, kind = "_".join(b.words(2, 4).split()), b.choice("jpg", "png")
    best = b.want(f"https://cdn.booru.example/original/{folder}/__{tags}__{digest}.{kind}")
    sample = f"https://cdn.booru.example/sample/{folder}/__{tags}__sample-{digest}.jpg"
    wide, high = b.number(1800, 4000), b.number(1800, 5000)
    def preview(_):
        other = b.hexadecimal(32)
        path = f"{other[:2]}/{other[2:4]}/{other}"
        return f'<article id="post_{b.digits(7)}" class="post-preview post-status-has-parent" data-tags="{b.words()}" data-rating="g"><div class="post-preview-container"><a class="post-preview-link" draggable="false" href="/posts/{b.digits(7)}"><picture><source type="image/webp" srcset="https://cdn.booru.example/180x180/{path}.webp 1x, https://cdn.booru.example/360x360/{path}.webp 2x"><img src="https://cdn.booru.example/180x180/{path}.jpg" width="127" height="180" class="post-preview-image" title="{b.words()}" alt="post" draggable="false"></picture></a></div></article>'
    family = f'<div id="has-parent-relationship-preview" class="post-preview-grid"><p>This post has {b.number(1, 4)} children</p>{b.many(1, 4, preview)}</div>' if b.chance(0.6) else ""
    comments = b.many(0, 4, lambda _: f'<article class="comment" data-id="{b.digits(6)}"><div class="author"><a class="user">Ann</a></div><div class="body prose">{b.paragraph()}</div></article>')
    body = f'<header id="top"><div id="app-name-header"><a id="app-logo" href="/"><img src="/packs/static/images/booru-logo-{b.hexadecimal(12)}.png" alt="Booru"></a></div></header><div id="page"><div id="c-posts"><div id="a-show"><div class="sidebar-container"><aside id="sidebar"><section id="tag-list"><ul class="general-tag-list"><li><a href="/posts?tags=x">{b.words(1, 2)}</a></li></ul></section><section id="post-information"><ul><li id="post-info-size">Size: <a href="{best}">{b.number(1, 9)} MB .{kind}</a> ({wide}x{high})</li></ul></section></aside><section id="content">{family}<div class="notice notice-small" id="image-resize-notice">Resized to {b.number(20, 80)}% of original (<a class="image-view-original-link" href="{best}">view original</a>)</div><section class="image-container note-container" data-id="{b.digits(7)}" data-width="{wide}" data-height="{high}" data-large-width="850" data-file-ext="{kind}" data-has-large="true"><picture><source media="(max-width: 660px)" srcset="https://cdn.booru.example/720x720/{folder}/{digest}.webp" type="image/webp"><img width="850" height="1200" id="image" class="fit-width" alt="{b.words()}" src="{sample}"></picture></section><div id="artist-commentary"><p>{b.words()}</p></div><section id="comments"><div class="comments-for-post">{comments}</div></section></section></div></div></div></div><footer id="page-footer">{advertisement(b)}</footer>{tracker(b)}'
    return document(head(b, f"{b.words()} | Booru", url, sample), body)


def free_stock_results(b, url):
    """Search results of an agency of free photos, in columns, with the photographers' portraits."""
    host, plus = "https://images.freestock.example", "https://plus.freestock.example"
    def figure(index):
        name = f"photo-1{b.digits(12)}-{b.hexadecimal(12)}"
        base = f"{host}/{name}?fm=jpg&q=60&w="
        tail = "&auto=format&fit=crop&ixlib=rb-4.1.0&ixid=M3wxMjA3fDB8MHxzZWFyY2h8" + key(b, 4)
        best = b.want(f"{base}3000{tail}")
        sizes = ", ".join(f"{escape(base + str(w) + tail)} {w}w" for w in (100, 200, 500, 1000, 2000))
        person = f"{host}/profile-1{b.digits(12)}-{b.hexadecimal(12)}image?w=32&amp;dpr=1&amp;crop=faces&amp;bg=%23fff&amp;h=32&amp;auto=format"
        return f'<figure itemprop="image" itemscope itemtype="https://schema.org/ImageObject" data-testid="photo-grid-masonry-figure"><meta itemprop="license" content="/license"><div class="zmDAx"><a itemprop="contentUrl" href="/photos/{b.slug()}"><div style="aspect-ratio: 3000 / 2000"><img alt="{b.words()}" class="I7OuT DVW3V L1BOa" data-perf="lazy-loaded-img" itemprop="thumbnailUrl" srcset="{sizes}, {escape(best)} 3000w" src="{escape(base + "1000" + tail)}" sizes="(min-width: 1335px) 416px, 100vw" {"loading=lazy" if index > 5 else ""}></div></a></div><div class="d95fI"><a href="/@ann"><img role="presentation" alt="Avatar of user Ann" class="vb6s4" src="{person}" srcset="{person} 1x, {person.replace("dpr=1", "dpr=2")} 2x" width="32" height="32"></a><button>Download</button></div></figure>'
    def sponsored(_):
        return f'<div class="affiliate"><a href="https://paidstock.example/{b.digits(8)}" rel="nofollow"><img src="{plus}/premium-{b.digits(10)}?w=300&amp;h=200&amp;fit=crop" alt="Sponsored" width="150" height="100"></a></div>'
    columns = "".join(f'<div class="ripi6">{b.many(3, 7, figure)}</div>' for _ in range(3))
    body = f'<div id="app"><header><a href="/" title="Home"><svg width="32" height="32"><path d="M10 9V0h12v9"></path></svg></a></header><div class="promo"><h3>Browse premium images | 20% off</h3>{b.many(2, 5, sponsored)}</div><h1>{b.words(1, 2)}</h1><div data-testid="search-topics"><a href="/s/photos/{b.slug()}">{b.words(1, 2)}</a></div><div class="mItv1" data-testid="masonry-grid">{columns}</div><footer><p>Make something</p></footer></div>{tracker(b)}'
    return document(head(b, "Harbour pictures", url, "https://freestock.example/og/search-card.png"), body)


def college_roster(b, url):
    """The roster of a college team: a portrait of each player, scores of the last games and sponsors."""
    site, year = "https://goharbour.example", b.number(2018, 2025)
    def player(_):
        name = f"{b.words(1, 1).title()}_{b.slug()}"
        missing = b.chance(0.08)
        path = "/images/logos/nophoto.png" if missing else f"/images/{year}/{b.number(1, 12)}/{b.number(1, 28)}/{name}.jpg?width=300"
        if not missing:
            b.want(site + path)
        return f'<li class="sidearm-roster-player" data-player-id="{b.digits(5)}" data-player-url="/sports/football/roster/{name}/{b.digits(4)}"><div class="sidearm-roster-player-container"><div class="sidearm-roster-player-pertinents flex-item-1"><div class="sidearm-roster-player-image column"><a href="/sports/football/roster/{name}/{b.digits(4)}"><img class="lazyload" data-src="{path}" alt="{name.replace("_", " ")}"></a></div><div class="sidearm-roster-player-name"><span class="sidearm-roster-player-jersey-number">{b.number(1, 99)}</span><h3><a href="#">{b.words(2, 2).title()}</a></h3></div></div><div class="sidearm-roster-player-other"><span class="sidearm-roster-player-academic-year">Jr.</span><span class="sidearm-roster-player-hometown">{b.words(1, 2)}</span></div></div></li>'
    games = b.many(3, 6, lambda _: f'<li class="component-scoreboard-item"><div class="opponent"><img class="lazyload" data-src="/images/logos/{b.slug()}.png?width=50" alt="Opponent logo" width="25" height="25"></div><span>W, {b.number(10, 50)}-{b.number(0, 9)}</span></li>')
    sponsors = b.many(3, 7, lambda _: f'<a href="https://sponsor{b.digits(2)}.example" class="sidearm-sponsor" target="_blank"><img class="lazyload" data-src="/images/{year}/1/1/{b.slug()}.png?width=200" alt="Sponsor ad"></a>')
    body = f'<div class="main-header"><a class="main-header__logo" href="/"><img src="/images/logos/site/site.png" alt="Harbour Athletics"></a><ul class="scoreboard">{games}</ul></div><main id="main-content"><h1 class="sidearm-roster-title">{year} Football Roster</h1><section class="sidearm-roster-players-container"><ul class="sidearm-roster-players">{b.many(8, 24, player)}</ul></section><h2>Coaching Staff</h2><table class="sidearm-roster-coaches"><tr><td>{b.words(2, 2).title()}</td><td>Head coach</td></tr></table></main><footer class="main-footer"><div class="main-footer__sponsors">{sponsors}</div><img src="/images/logos/conference.svg" alt="Conference"></footer>{tracker(b)}'
    return document(head(b, f"{year} Football Roster", url, f"{site}/images/logos/site/site.png"), body)


def school_post(b, url):
    """A report on the pages of a school, whose system puts all sizes of a picture into one attribute."""
    account, quote = "https://resources.schoolsite.example/images", b.choice("%22", "&quot;")
    def sizes(name, top=6):
        place = f"v17{b.digits(8)}/harbourschool/{name}"
        names = [f"{account}/f_auto,q_auto,t_image_size_{n}/{place}" for n in range(1, top + 1)] + [f"{account}/f_auto,q_auto/{place}"]
        widths = (256, 512, 768, 1024, 1280, 1600)[:top] + (2048 if top == 6 else 1400,)
        parts = ",".join(f'{{"url":"{u}","width":{w}}}' for u, w in zip(names, widths))
        return names[-1], parts.replace('"', quote)
    def image(_):
        best, value = sizes(f"{key(b, 20).lower()}/{b.slug()}.jpg")
        b.want(best)
        return f'<img alt="{b.words()}" data-aspect-ratio="1.5" data-image-sizes="[{value}]">'
    def card(_):
        _best, value = sizes(f"{key(b, 20).lower()}/{b.slug()}.jpg", 3)
        return f'<article data-post-id="{b.digits(4)}"><div class="fsThumbnail"><a class="fsPostLink fsThumbnailLink" href="/news/post/{b.slug()}"><img alt="" data-aspect-ratio="1.5" data-image-sizes="[{value}]"></a></div><div class="fsTitle"><a class="fsPostLink" href="#">{b.title()}</a></div></article>'
    _best, logo = sizes(f"{key(b, 20).lower()}/header-logo.png", 1)
    title, gallery = b.title(), (f'<section class="fsElement fsMediaElement fsGallery" id="fsEl_{b.digits(4)}"><div class="fsMediaContainer"><div class="fsMediaItems">{b.many(2, 8, lambda n: f"<figure class={chr(34)}fsMediaItem{chr(34)}>{image(n)}</figure>")}</div></div></section>' if b.chance(0.6) else "")
    body = f'<div id="fsPageWrapper"><header id="fsHeader" class="fsHeader"><section class="fsElement fsLocationElement header-logo"><div class="fsThumbnail fsThumbnailLogo"><a class="fsLocationLink" href="/"><img alt="Harbour School" data-aspect-ratio="0.5" data-image-sizes="[{logo}]"></a></div></section></header><main id="fsPageContent"><div class="fsPageLayout fsLayout"><section class="fsElement fsPostElement fsSingleItem" data-use-new="true"><div class="fsElementContent"><article data-post-id="{b.digits(4)}"><h1 class="fsTitle">{title}</h1><div class="fsThumbnail">{image(0)}</div><div class="fsBody">{b.paragraph()}<p>{image(1) if b.chance(0.5) else ""}</p>{b.paragraph()}</div></article></div></section>{gallery}<section class="fsElement fsPostElement fsList related-posts"><header><h2 class="fsElementTitle">More School News</h2></header><div class="fsElementContent">{b.many(2, 4, card)}</div></section></div></main><footer id="fsFooter"><div class="fsElement fsContent"><img src="/fs/resource-manager/view/{uuid(b)}" alt="Accreditation seal" width="90"></div></footer></div>{tracker(b)}'
    return document(head(b, title, url, extra='<meta name="generator" content="Schoolsite">'), body)


def town_alert(b, url):
    """A news item of an American town's system, whose pictures and buttons all come from one script."""
    site, numbers = "https://www.harbourtown.example", iter(sorted(b.random.sample(range(1000, 9000), 40)))
    def picture(_):
        path = f"/ImageRepository/Document?documentId={next(numbers)}"
        b.want(site + path)
        style = b.choice("", f' style="width: {b.number(400, 800)}px;"')
        return b.choice(f'<p><img src="{path}" class="fr-dib fr-fil" alt="{b.words()}"{style}></p>', f'<div class="fr-img-caption fr-fic fr-dii"><span class="fr-img-wrap"><img src="{path}" alt="{b.words()}"{style}><span class="fr-inner">{b.words()}</span></span></div>')
    title, buttons = b.title(), b.many(4, 7, lambda _: f'<a href="/{b.digits(3)}/{b.words(1, 1).title()}" class="fancyButton fancyButton1" data-image="/ImageRepository/Document?documentID={b.digits(3)}"><span><img src="/ImageRepository/Document?documentID={b.digits(3)}" alt="" class="graphicButtonIcon"></span>{b.words(1, 2).title()}</a>')
    body = f'<div id="bodyWrapper"><div id="siteSkin"><header class="siteHeader"><div class="bannerLogo"><a href="/"><img alt="Homepage" src="/ImageRepository/Document?documentID={b.digits(2)}"></a></div><nav class="megaMenu" id="mainNav"></nav></header><div class="siteSlideshow" style="background-image: url(/ImageRepository/Document?documentID={b.digits(3)});"></div><main id="moduleContent"><div class="moduleContentNew" id="CivicAlerts"><h1 class="headline">News Flash</h1><div class="item intro"><h2>{title}</h2><time>Posted on May {b.number(1, 28)}</time></div><div class="fr-view">{picture(0)}{b.paragraph()}{"".join(picture(0) + b.paragraph() for _ in range(b.number(0, 4)))}</div><ul class="prevnext"><li><a href="?AID={b.digits(3)}">Next: {b.title()}</a></li></ul></div></main><aside class="sidebar"><div class="widgetGraphicLinks">{buttons}</div></aside><footer class="siteFooter"><div class="widgetImage"><img src="/ImageRepository/Document?documentID={b.digits(2)}" alt="Town seal" class="imageLink"></div><a href="https://civic.example"><img src="/Areas/Layout/Assets/Images/cp-logo.svg" alt="Government websites"></a></footer></div></div>{tracker(b)}'
    return document(head(b, title, url, extra='<meta name="application-name" content="Harbour Town">'), body)


def event_list(b, url):
    """The coming events of a club on a calendar plugin, with a poster of most of them."""
    uploads = f"https://club.events.example/wp-content/uploads/20{b.number(20, 25)}/0{b.number(1, 9)}"
    def event(_):
        picture = ""
        if b.chance(0.85):
            name = b.slug()
            best = b.want(f"{uploads}/{name}.jpg")
            picture = f'<div class="tribe-events-calendar-list__event-featured-image-wrapper tribe-common-g-col"><a href="/event/{name}/" title="{b.words()}" rel="bookmark" class="tribe-events-calendar-list__event-featured-image-link" tabindex="-1"><img class="tribe-events-calendar-list__event-featured-image" src="{best}" srcset="{uploads}/{name}-300x200.jpg 300w, {uploads}/{name}-768x512.jpg 768w, {uploads}/{name}-1024x683.jpg 1024w, {best} 1500w" alt="" title="{name}" width="1500" height="1000"/></a></div>'
        return f'<li class="tribe-common-g-row tribe-events-calendar-list__event-row"><div class="tribe-events-calendar-list__event-date-tag tribe-common-g-col"><time class="tribe-events-calendar-list__event-date-tag-datetime"><span class="tribe-events-calendar-list__event-date-tag-daynum">{b.number(1, 28)}</span></time></div><div class="tribe-events-calendar-list__event-wrapper tribe-common-g-col"><article class="tribe-events-calendar-list__event tribe-common-g-row post-{b.digits(4)} tribe_events type-tribe_events">{picture}<div class="tribe-events-calendar-list__event-details tribe-common-g-col"><h4 class="tribe-events-calendar-list__event-title"><a href="/event/x/">{b.title()}</a></h4><address class="tribe-events-calendar-list__event-venue">{b.words()}</address><div class="tribe-events-calendar-list__event-description">{b.paragraph()}</div></div></article></div></li>'
    sponsors = b.many(2, 6, lambda _: f'<div class="sponsor-logo"><a href="https://partner{b.digits(2)}.example"><img width="150" height="60" src="{uploads}/logo-{b.slug()}-150x60.png" alt="Partner logo" loading="lazy"></a></div>')
    body = f'<div id="page"><header id="masthead"><a href="/" class="custom-logo-link" rel="home"><img width="240" height="80" src="{uploads}/cropped-logo.png" class="custom-logo" alt="Club"></a></header><main id="tribe-events"><div class="tribe-common tribe-events tribe-events-view tribe-events-view--list"><header class="tribe-events-header"><h1>Upcoming Events</h1></header><ul class="tribe-events-calendar-list">{b.many(4, 12, event)}</ul><div class="tribe-events-c-subscribe-dropdown"><img class="tribe-common-c-svgicon" src="/wp-content/plugins/the-events-calendar/src/resources/icons/cal-export.svg" alt="">Subscribe to calendar</div></div></main><footer><h3>Our partners</h3><div class="sponsors">{sponsors}</div></footer></div>{tracker(b)}'
    return document(head(b, "Events", url, extra='<script type="application/ld+json">[{"@context":"http://schema.org","@type":"Event","name":"Evening","startDate":"2025-05-01"}]</script>', generator="WordPress 6.6"), body)


def kitchen_menu(b, url):
    """The menu of a restaurant on an ordering system, with photos of many dishes."""
    host, place = f"https://d1k{b.hexadecimal(6)}.cdn.ordering.example", f"restaurant-{b.digits(17)}"
    def scaled(size, path):
        return f"{host}/{key(b, 32)}/resize:fit:{size}:{size}/plain/s3://kitchen/restaurants/{place}/{path}"
    def dish(_):
        picture = ""
        if b.chance(0.75):
            path = f"menu/items/{b.number(0, 9)}/item-{b.digits(18)}_{b.digits(10)}.{b.choice('jpg', 'png')}"
            best = b.want(scaled(720, path))
            picture = f'<div class="imageWrapper"><img class="image" alt="{b.words()}" loading="lazy" src="{(small := scaled(240, path))}" srcset="{small} 240w, {scaled(480, path)} 480w, {best} 720w" sizes="120px"></div>'
        return f'<li class="item" data-testid="menu-item-{b.digits(4)}"><a class="itemCard" href="{url}/item-{b.slug()}_{uuid(b)}"><div class="itemInfo"><span class="headerText">{b.words(2, 3).title()}</span><p class="itemDescription">{b.words(5, 9)}</p><span class="price">${b.number(5, 30)}.00</span></div>{picture}</a></li>'
    groups = "".join(f'<div class="menuGroup" id="group-{n}"><div class="groupHeader"><h3>{b.words(1, 2).title()}</h3></div><ul class="items">{b.many(2, 6, dish)}</ul></div>' for n in range(b.number(2, 5)))
    body = f'<div id="root"><div class="rxHeader"><a href="/" class="restaurantLogo"><img src="{scaled(160, "logo/logo_" + b.digits(10) + ".png")}" alt="Harbour Kitchen logo"></a></div><div class="hours"><h1>Harbour Kitchen</h1><p>{b.words()}</p></div><nav class="menuNav"></nav><main class="menu">{groups}</main><div class="cart"><img src="/sites-web-client/assets/empty-cart.svg" alt="Your cart is empty"></div><footer><p>Powered by</p><img src="/sites-web-client/assets/ordering-logo-white.svg" alt="Ordering"><img src="/sites-web-client/assets/apple-pay.svg" alt="Pay"></footer></div>{tracker(b)}'
    return document(head(b, "Harbour Kitchen - order online", url, extra='<script type="application/ld+json">{"@context":"http://schema.org","@type":"Restaurant","name":"Harbour Kitchen","servesCuisine":"Fish"}</script>'), body)


def independent_game(b, url):
    """A game of a shop of independent games, with screenshots in a column and pictures in the description."""
    def place(size, name, kind="png"):
        return f"https://img.indies.example/{name}/{size}/{key(b, 6, LETTERS)}.{kind}"
    def name():
        return f"aW1hZ2UyL{key(b, 22, LETTERS)}"
    def screenshot(_):
        one = name()
        best = b.want(place("original", one))
        small = place("347x500", one)
        return f'<a href="{best}" target="_blank" data-image_lightbox="true"><img class="screenshot" alt="" srcset="{small} 1x, {place("794x1000", one)} 2x" src="{small}"></a>'
    def inline(_):
        return f'<p><img src="{b.want(place("original", name(), b.choice("gif", "png")))}" alt=""></p>'
    comments = b.many(2, 7, lambda _: f'<div class="community_post" id="post-{b.digits(7)}"><div class="post_grid"><a class="avatar_container" href="/profile/ann"><div class="post_avatar" style="background-image: url({place("25x25%23", name())})"></div></a><div class="post_content"><div class="post_body user_formatted">{b.paragraph()}</div></div></div></div>')
    title, texts = b.title(), "".join(b.paragraph() + (inline(0) if b.chance(0.5) else "") for _ in range(b.number(2, 5)))
    body = f'<div class="main_layout"><ul id="user_tools" class="user_tools hidden"><li><a class="action_btn" href="https://ann.indies.example">View all by ann</a></li></ul><div id="wrapper" class="wrapper"><div class="inner_column size_large" id="inner_column"><div id="view_game_page" class="view_game_page page_widget"><div class="header no_image"><h1 class="game_title" itemprop="name">{title}</h1></div><div class="columns"><div class="left_col column"><div class="formatted_description user_formatted">{texts}</div><div class="more_information_toggle"><table><tr><td>Status</td><td>Released</td></tr></table></div><div class="uploads"><div class="upload"><span class="icon icon-windows8"></span><strong class="name">{b.slug()}.zip</strong></div></div><div class="game_comments_widget"><h2>Comments</h2>{comments}</div></div><div class="right_col column"><div class="video_embed"></div><div class="screenshot_list">{b.many(2, 8, screenshot)}</div></div></div></div></div></div><div class="footer"><a href="https://indies.example"><span class="icon icon-logo"></span></a></div></div>{tracker(b)}'
    return document(head(b, f"{title} by ann", url, extra='<meta name="twitter:card" content="summary_large_image"><meta property="og:site_name" content="indies">'), body)


def podcast_episode(b, url):
    """An episode on the site that a podcast host makes, with its artwork, notes, hosts and other episodes."""
    def proxied(size, name, kind="jpg"):
        return f"https://img.podhost.example/{key(b, 43, LETTERS)}/rs:fill:{size}:{size}:1/q:60/{name}.{kind}"
    def name():
        return f"aHR0cHM6Ly9pbWct{key(b, 24, LETTERS)}"
    art = name()
    best = b.want(proxied(800, art))
    notes = "".join(b.paragraph() + (f'<figure class="attachment attachment--preview attachment--jpg"><img src="{b.want(f"https://assets.podhost.example/uploads/{uuid(b)}/{b.slug()}.jpg")}" width="{b.number(600, 1600)}" height="900"><figcaption class="attachment__caption">{b.words()}</figcaption></figure>' if b.chance(0.4) else "") for _ in range(b.number(2, 5)))
    people = b.many(1, 3, lambda _: f'<div class="person"><a href="/people/{b.slug()}"><img class="site-person-image rounded-full" alt="Ann" src="{proxied(100, name())}" width="100" height="100"></a><h4>{b.words(2, 2).title()}</h4><span>Host</span></div>')
    others = b.many(3, 6, lambda _: f'<div class="site-episode"><a href="/{b.number(1, 99)}"><img class="episode-artwork-small" loading="lazy" alt="" src="{proxied(200, name())}"></a><h3>{b.title()}</h3></div>')
    title, badges = b.title(), "".join(f'<a class="subscribe-link" href="https://{n}.example/show/{b.digits(9)}"><img src="https://assets.podhost.example/images/site/platforms/{n}.svg" alt="{n}" width="24" height="24"></a>' for n in ("applepodcasts", "spotify", "overcast", "pocketcasts"))
    body = f'<header class="site-header"><h1><a href="/">Harbour Talk</a></h1><nav>{badges}</nav></header><main class="site-content"><article class="episode"><div class="episode-header"><img class="episode-artwork" alt="{title}" src="{(small := proxied(400, art))}" srcset="{small} 400w, {best} 800w" sizes="(max-width: 600px) 100vw, 400px" width="400" height="400"><h2 class="episode-title">{title}</h2><iframe src="https://share.podhost.example/e/{b.hexadecimal(8)}" height="180"></iframe></div><section class="show-notes"><h3>Show notes</h3><div class="trix-content">{notes}</div></section><section class="people"><h3>Creators and Guests</h3>{people}</section></article><section class="more-episodes"><h3>More episodes</h3>{others}</section></main><footer class="site-footer"><form class="email-signup"></form><a href="https://podhost.example"><img src="https://assets.podhost.example/images/logo-footer.svg" alt="Podcast hosting"></a></footer>{tracker(b)}'
    return document(head(b, title, url, best, extra=f'<meta name="twitter:player" content="https://share.podhost.example/e/{b.hexadecimal(8)}"><meta property="og:audio" content="https://media.podhost.example/{b.hexadecimal(8)}.mp3">'), body)


FAMILIES = {
    "museum-object": (museum_object, "https://www.artmuseum.example/artworks/12345/harbour-at-night"),
    "recipe-card": (recipe_card, "https://www.plates.example/harbour-soup/"),
    "auction-lot": (auction_lot, "https://www.lots.example/lot/lot-6412345"),
    "house-for-sale": (house_for_sale, "https://www.homes.example/properties/123456789"),
    "car-results": (car_results, "https://suchen.autos.example/fahrzeuge/search.html?isSearchRequest=true&s=Car"),
    "guide-story": (guide_story, "https://www.guide.example/articles/best-harbours"),
    "resizer-newspaper": (resizer_newspaper, "https://www.courier.example/news/2025/05/03/harbour-opens-again/"),
    "open-journal-paper": (open_journal_paper, "https://www.openpub.example/2073-4441/15/6/1234"),
    "simple-forum-topic": (simple_forum_topic, "https://forum.workshop.example/index.php?topic=4321.0"),
    "fan-wiki-article": (fan_wiki_article, "https://harbour.fanwiki.example/wiki/Lighthouse"),
    "booru-post": (booru_post, "https://booru.example/posts/1234567?q=harbour"),
    "free-stock-results": (free_stock_results, "https://freestock.example/s/photos/harbour"),
    "college-roster": (college_roster, "https://goharbour.example/sports/football/roster"),
    "school-post": (school_post, "https://www.harbourschool.example/news/post/science-fair"),
    "town-alert": (town_alert, "https://www.harbourtown.example/CivicAlerts.aspx?AID=321"),
    "event-list": (event_list, "https://club.events.example/events/"),
    "kitchen-menu": (kitchen_menu, "https://order.ordering.example/online/harbour-kitchen"),
    "independent-game": (independent_game, "https://ann.indies.example/harbour-quest"),
    "podcast-episode": (podcast_episode, "https://www.harbourtalk.example/42"),
}
