"""Pages of further kinds of blogs, shops, boards and catalogues. They showed that rules made of lists of words let many
unwanted images of other sites through."""

from builder import document, head, social, tracker


def designer(b, url):
    """A site by Webflow, whose files have variants named by widths."""
    base = "https://assets.designer.example/" + b.hexadecimal(24)

    def name():
        return f"{base}/{b.hexadecimal(24)}_{b.slug()}"

    def picture(_):
        full = name()
        b.want(f"{full}.jpg")
        small = ", ".join(f"{full}-p-{width}.jpg {width}w" for width in (500, 800, 1080, 1600))
        return f'<div class="w-dyn-item"><div class="project-image-wrap"><img src="{full}.jpg" loading="lazy" alt="{b.words()}" sizes="(max-width: 767px) 100vw, 728px" srcset="{small}, {full}.jpg 2400w" class="project-image"></div></div>'

    title = b.title()
    return document(
        head(b, title, url, generator="Webflow"),
        f'<div data-collapse="medium" role="banner" class="navbar w-nav"><a href="/" class="brand w-nav-brand"><img src="{name()}-logo.svg" loading="lazy" alt=""></a></div><div class="section"><div class="container"><h1>{title}</h1><div class="w-dyn-list"><div class="w-dyn-items">{b.many(3, 9, picture)}</div></div></div></div><div class="footer"><a href="#" class="w-inline-block"><img src="{name()}-ig.svg" width="20" alt=""></a></div>',
    )


def presta(b, url):
    """A product of a PrestaShop."""
    origin = "https://boutique.example"
    slug = b.slug()

    def at(number, kind):
        return f"{origin}/{number}-{kind}/{slug}.jpg"

    numbers = [b.number(100, 999) * 10 + index for index in range(b.number(2, 5))]
    for number in numbers:
        b.want(at(number, "large_default"))
    cover = numbers[0]
    thumbs = "".join(
        f'<li class="thumb-container js-thumb-container"><img class="thumb js-thumb" data-image-medium-src="{at(n, "medium_default")}" data-image-large-src="{at(n, "large_default")}" src="{at(n, "small_default")}" alt="" width="98" height="98" loading="lazy"></li>'
        for n in numbers
    )
    others = b.many(2, 5, lambda _: f'<article class="product-miniature js-product-miniature"><a href="{origin}/x-{b.digits(3)}.html" class="thumbnail product-thumbnail"><img src="{origin}/{b.digits(4)}-home_default/{b.slug()}.jpg" alt="" loading="lazy" data-full-size-image-url="{origin}/{b.digits(4)}-large_default/x.jpg" width="250" height="250"></a></article>')
    title = b.title()
    return document(
        head(b, title, url, at(cover, "large_default")),
        f'<header id="header"><div id="_desktop_logo"><a href="/"><img class="logo img-fluid" src="/img/my-shop-logo-1600.jpg" alt="Shop" width="150" height="47"></a></div></header><section id="main"><div class="row product-container"><div class="images-container js-images-container"><div class="product-cover"><picture><img class="js-qv-product-cover img-fluid" src="{at(cover, "large_default")}" alt="{title}" loading="lazy" width="800" height="800"></picture></div><div class="js-qv-mask mask"><ul class="product-images js-qv-product-images">{thumbs}</ul></div></div><h1 class="h1">{title}</h1><div class="blockreassurance_product"><div><span class="item-product"><img class="svg invisible" src="/modules/blockreassurance/views/img/reassurance/pack2/security.svg"></span></div></div></div><section class="product-accessories clearfix"><p class="h5">You might also like</p>{others}</section></section><footer id="footer"></footer>',
    )


def cart(b, url):
    """A product of an OpenCart, whose images link to larger ones."""
    cache = "https://cart.example/image/cache/catalog"

    def picture(index):
        name = b.slug()
        full = b.want(f"{cache}/products/{name}-800x800.jpg")
        size = "500x500" if index == 0 else "74x74"
        return f'<li class="{"" if index == 0 else "image-additional"}"><a class="thumbnail" href="{full}" title="{name}"><img src="{cache}/products/{name}-{size}.jpg" title="{name}" alt="{name}"></a></li>'

    related = b.many(1, 4, lambda _: f'<div class="product-thumb transition"><div class="image"><a href="/index.php?route=product/product&amp;product_id={b.digits(2)}"><img src="{cache}/products/{b.slug()}-200x200.jpg" alt="" class="img-responsive"></a></div></div>')
    title = b.title()
    return document(
        f"<head><title>{title}</title><meta charset=utf-8><base href='https://cart.example/'></head>",
        f'<nav id="top"></nav><header><div id="logo"><a href="/"><img src="https://cart.example/image/catalog/opencart-logo.png" class="img-responsive"></a></div></header><div id="product-product" class="container"><div id="content"><ul class="thumbnails">{b.many(2, 6, picture)}</ul><h1>{title}</h1>{b.paragraph()}<h3>Related Products</h3><div class="row">{related}</div></div></div><footer></footer>',
    )


def board_post(b, url):
    """A post of a Danbooru: a sample, with a link to the original."""
    digest = b.hexadecimal(32)
    folder = f"{digest[:2]}/{digest[2:4]}"
    full = b.want(f"https://cdn.booru.example/original/{folder}/__{b.slug().replace('-', '_')}__{digest}.jpg")
    sample = f"https://cdn.booru.example/sample/{folder}/__x__sample-{digest}.jpg"
    other = b.many(2, 6, lambda _: f'<article class="post-preview"><a class="post-preview-link" href="/posts/{b.digits(6)}"><picture><source type="image/jpeg" srcset="https://cdn.booru.example/180x180/{b.hexadecimal(2)}/{b.hexadecimal(2)}/{b.hexadecimal(32)}.jpg 1x"><img src="https://cdn.booru.example/180x180/{b.hexadecimal(2)}/{b.hexadecimal(2)}/{b.hexadecimal(32)}.jpg" width="180" height="120" class="post-preview-image"></picture></a></article>')
    title = b.title()
    return document(
        head(b, title, url, sample),
        f'<header id="top"><a id="app-name-header" href="/"><img src="/images/danbooru-logo-128.png" width="32" height="32"></a></header><div id="page"><aside id="sidebar"></aside><section id="content"><div class="notice post-notice post-notice-child"><div class="similar-posts">{other}</div></div><section class="image-container note-container" data-file-url="{full}" data-width="3000" data-height="2000"><a class="image-view-original-link" href="{full}"><picture><source media="(max-width: 660px)" srcset="https://cdn.booru.example/720x720/{folder}/{digest}.webp"><img id="image" class="fit-width" width="850" height="566" alt="{title}" src="{sample}"></picture></a></section></section></div>',
    )


def flarum(b, url):
    """A discussion of a Flarum with uploads."""

    def post(_):
        images = b.many(0, 3, lambda _: f'<p><img src="{b.want(f"https://forum.talk.example/assets/files/2023-05-04/{b.digits(10)}-{b.digits(6)}-{b.slug()}.jpeg")}" title="" alt="Image description" loading="lazy"></p>')
        return f'<div class="PostStream-item"><article class="CommentPost Post"><div class="Post-container"><header class="Post-header"><ul><li class="item-user"><div class="PostUser"><h3 class="PostUser-name"><a href="/u/x"><img class="Avatar PostUser-avatar" src="https://forum.talk.example/assets/avatars/{b.slug()}.png"></a></h3></div></li></ul></header><div class="Post-body">{b.paragraph()}{images}<p>Nice <img alt="😄" class="emoji" draggable="false" loading="lazy" src="https://cdn.emoji.example/gh/twitter/twemoji@14/assets/72x72/1f604.png"></p></div></div></article></div>'

    first = f'<p><img src="{b.want(f"https://forum.talk.example/assets/files/2023-05-04/{b.digits(10)}-{b.slug()}.png")}" alt=""></p>'
    title = b.title()
    return document(
        head(b, title, url, "https://forum.talk.example/assets/site-image-abcdefgh.png"),
        f'<div id="app" class="App"><header id="header" class="App-header"><h1 class="Header-title"><a href="/" id="home-link"><img src="https://forum.talk.example/assets/logo-zl9qk2xv.png" alt="Talk" class="Header-logo"></a></h1></header><main class="App-content"><div id="content"><h1>{title}</h1><div class="PostStream">{first}{b.many(2, 6, post)}</div></div></main></div>',
    )


def headless(b, url):
    """A blog whose images are sized by the host of its contents."""
    base = "https://images.contents.example/" + b.hexadecimal(12)

    def picture(_):
        path = f"{base}/{b.hexadecimal(22)}/{b.hexadecimal(32)}/{b.slug()}.jpg"
        widths = (400, 800, 1600)
        candidates = ", ".join(f"{path}?w={w}&amp;q=80&amp;fm=webp {w}w" for w in widths)
        b.want(f"{path}?w=1600&q=80&fm=webp")
        return f'<figure><div data-gatsby-image-wrapper="" class="gatsby-image-wrapper"><img aria-hidden="true" data-placeholder-image="" alt="" src="data:image/jpeg;base64,/9j/4AAQ"><picture><source type="image/webp" srcset="{candidates}" sizes="100vw"><img width="1600" height="1067" data-main-image="" loading="lazy" src="{path}?w=1600&amp;q=80" alt="{b.words()}"></picture></div><figcaption>{b.words()}</figcaption></figure>{b.paragraph()}'

    title = b.title()
    author = f"{base}/{b.hexadecimal(22)}/{b.hexadecimal(32)}/headshot.jpg?w=96&amp;h=96&amp;fit=thumb"
    return document(
        head(b, title, url),
        f'<div id="___gatsby"><header class="css-1x2y3z"><a href="/"><img src="/static/logo-{b.hexadecimal(20)}.svg" alt="Home" width="120"></a></header><main><article><h1>{title}</h1><div class="byline"><img src="{author}" alt="{b.words(2, 2)}" width="48" height="48"></div>{b.many(2, 7, picture)}</article></main><footer></footer></div>{tracker(b)}',
    )


def journal(b, url):
    """A Japanese blog with links to larger images."""
    host = f"https://blog-imgs-{b.digits(3)}.journal.example/b/i/r/birds"

    def picture(_):
        name = b.slug().replace("-", "")
        full = b.want(f"{host}/{name}.jpg")
        return f'<a href="{full}" target="_blank"><img src="{host}/{name}s.jpg" alt="{name}.jpg" border="0" width="400" height="300" /></a><br />{b.words()}<br />'

    title = b.title()
    return document(
        f"<head><meta http-equiv='content-type' content='text/html; charset=utf-8'><title>{title}</title></head>",
        f'<div id="container"><div id="header"><h1><a href="/">Birds</a></h1></div><div id="main"><div class="content entry"><h2 class="entry_header">{title}</h2><div class="entry_body">{b.many(2, 10, picture)}<div class="blogranking"><a href="https://ranking.example/br_c_9"><img src="https://www.ranking.example/br_c_9_1.gif" width="110" height="31" border="0" alt="" /></a></div></div><ul class="entry_footer"><li><img src="https://static.journal.example/image/sns/hatena.gif" alt="" width="16" height="12"></li></ul></div></div><div id="sidemenu"><dl class="sidemenu_body"><dd class="plugin-freearea"><img src="{host}/{b.digits(8)}profile.jpg" width="160"></dd></dl></div></div>',
    )


def estate(b, url):
    """A house for sale."""

    def photo(index):
        key = b.hexadecimal(32)
        b.want(f"https://photos.homes.example/fp/{key}-uncropped_scaled_within_1536_1152.jpg")
        small, large = (f"https://photos.homes.example/fp/{key}-{kind}" for kind in ("cc_ft_384", "uncropped_scaled_within_1536_1152"))
        return f'<li class="media-stream-tile"><button><picture><source srcset="{small}.webp 384w, {large}.webp 1536w" type="image/webp"><img alt="{b.words()}" src="{small}.jpg" srcset="{small}.jpg 384w, {large}.jpg 1536w" sizes="50vw"></picture></button></li>'.replace(f'{small}.webp 384w, {large}.webp 1536w', f'{small}.webp 384w')

    similar = b.many(2, 5, lambda _: f'<li class="carousel-item"><article data-test="property-card"><a href="/homedetails/{b.digits(7)}/"><img src="https://photos.homes.example/fp/{b.hexadecimal(32)}-p_e.jpg" alt="" aria-hidden="true"></a></article></li>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<header class="page-header"><a href="/"><img src="https://www.homes.example/static/logos/homes.svg" alt="Homes Real Estate" width="120"></a></header><main><div class="media-column"><ul class="media-stream">{b.many(3, 9, photo)}</ul></div><div class="summary"><h1>{title}</h1><div class="agent-card"><img src="https://photos.homes.example/h_e/{b.hexadecimal(16)}-h_l.jpg" alt="Agent photo" width="80" height="80"></div><img src="https://maps.example/api/staticmap?center=1,2&amp;zoom=14&amp;size=500x200" alt="Map"></div><section class="similar-homes"><h2>Similar homes</h2><ul>{similar}</ul></section></main><footer></footer>',
    )


def islands(b, url):
    """A static site by Astro."""

    def picture(_):
        name, digest = b.slug(), b.choice("D3kd_Z1", "Bx9fQ2a", "CkT0-1z")
        widths = (640, 1280)
        files = {w: f"/_astro/{name}.{digest}_{b.hexadecimal(5)}.webp" for w in widths}
        b.want("https://islands.example" + files[1280])
        return f'<p><img src="{files[1280]}" srcset="{files[640]} 640w, {files[1280]} 1280w" alt="{b.words()}" width="1280" height="853" loading="lazy" decoding="async"></p>{b.paragraph()}'

    title = b.title()
    hero = f"/_astro/hero.{b.hexadecimal(8)}.jpg"
    b.want("https://islands.example" + hero)
    return document(
        head(b, title, url, "https://islands.example" + hero, generator="Astro v4.5"),
        f'<header><nav><a href="/"><img src="/logo.svg" alt="Islands" width="40" height="40"></a></nav></header><main><article><div class="hero-image"><img width="1020" height="510" src="{hero}" alt=""></div><div class="prose"><h1>{title}</h1>{b.many(2, 6, picture)}</div></article></main><footer>{social(b, "/icons")}</footer>',
    )


def smug(b, url):
    """A gallery of a photographer."""

    def tile(_):
        key, name = "i-" + b.hexadecimal(7), b.slug()
        base = f"https://photos.lens.example/Travel/n-{b.hexadecimal(5)}/{key}/0/{b.hexadecimal(8)}"
        b.want(f"{base}/X3/{name}-X3.jpg")
        return f'<div class="sm-tile-wrapper"><a class="sm-tile-content" href="{url}{key}/A" data-clientid="{key}"><img class="sm-tile-image" alt="{b.words()}" src="{base}/S/{name}-S.jpg" data-src="{base}/M/{name}-M.jpg" srcset="{base}/M/{name}-M.jpg 600w, {base}/L/{name}-L.jpg 800w, {base}/X3/{name}-X3.jpg 1600w"></a></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="sm-page-layout-region-topbar"><div class="sm-logo"><a href="/"><img class="sm-logo-image" src="https://photos.lens.example/photos/i-{b.hexadecimal(7)}/0/M/i-{b.hexadecimal(7)}-M.png" width="240" height="80" alt="Lens Photography"></a></div></div><div class="sm-page-content"><h1 class="sm-gallery-title">{title}</h1><div class="sm-gallery-tiles">{b.many(4, 14, tile)}</div></div><div class="sm-page-footer"><img src="/img/powered-by.png" alt="Powered by"></div>',
    )


FAMILIES = {
    "designer": (designer, "https://www.designer.example/work/project"),
    "presta": (presta, "https://boutique.example/home/12-thing.html"),
    "cart": (cart, "https://cart.example/thing"),
    "board-post": (board_post, "https://booru.example/posts/123456"),
    "flarum": (flarum, "https://forum.talk.example/d/12-title"),
    "headless": (headless, "https://blog.headless.example/post/"),
    "journal": (journal, "https://birds.blog.journal.example/blog-entry-12.html"),
    "estate": (estate, "https://www.homes.example/homedetails/1234567/"),
    "islands": (islands, "https://islands.example/blog/trip/"),
    "smug": (smug, "https://www.lens.example/Travel/Harbour/"),
}
