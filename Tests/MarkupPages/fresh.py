"""Pages of further services, institutions and journals."""

from builder import document, head, tracker


def converted_paper(b, url):
    """A paper that was converted from LaTeX to HTML, with figures of several panels."""

    def panel(_):
        name = f"x{b.digits(3)}.png"
        b.want(f"https://ar5.example/html/2301.01234/assets/{name}")
        return f'<img src="/html/2301.01234/assets/{name}" id="S1.F1.g1" class="ltx_graphics ltx_centering ltx_img_landscape" width="{b.number(300, 600)}" height="{b.number(200, 400)}" alt="Refer to caption">'

    figures = b.many(1, 6, lambda n: f'<figure id="S{n}.F{n}" class="ltx_figure">{b.many(1, 3, panel)}<figcaption class="ltx_caption"><span class="ltx_tag">Figure {n}: </span>{b.words()}</figcaption></figure><p class="ltx_p">{b.words()} <math alttext="x"></math></p>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="ltx_page_main"><div class="ltx_page_content"><article class="ltx_document"><h1 class="ltx_title">{title}</h1>{figures}</article></div><footer class="ltx_page_footer"><a class="ar5iv-nav-button" href="/"><img height="40" alt="ar5iv homepage" src="/assets/ar5.png"></a><div class="ltx_page_logo"><img alt="[LOGO]" src="data:image/png;base64,iVBORw0K"></div></footer></div>',
    )


def wall_post(b, url):
    """A post on a wall of a Russian network, in its version for telephones."""
    host = "https://sun9-12.user.example/impg"

    def photo(_):
        best = b.want(f"{host}/{b.hexadecimal(40)}/{b.hexadecimal(11)}.jpg?size=1280x960&quality=95&sign={b.hexadecimal(32)}&type=album")
        return f'<a href="/photo-{b.digits(8)}_{b.digits(9)}?list=wall" class="thumbs_map_helper"><div class="thumb_map_wrap"><img class="PhotoPrimaryAttachment__imageElement" src="{best.replace("&", "&amp;")}" alt=""></div></a>'

    replies = b.many(1, 5, lambda _: f'<div class="reply"><a class="reply_image" href="/id{b.digits(7)}"><img class="reply_img" src="https://sun9-1.user.example/s/v1/{b.hexadecimal(30)}.jpg?quality=95&amp;crop=1,1,400,400&amp;as=32x32,48x48&amp;ava=1&amp;cs=50x50" width="34" height="34" alt=""></a><div class="reply_text">{b.words()}</div></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="page_header"><a href="/"></a></div><div id="page_body"><div class="wl_post"><div class="PostHeader"><a href="/club"><img class="AvatarRich__img" src="https://sun9-1.user.example/s/v1/{b.hexadecimal(30)}.jpg?cs=50x50" width="40" height="40" alt=""></a></div><div class="wall_post_text">{b.words(6, 12)}</div><div class="page_post_sized_thumbs">{b.many(2, 8, photo)}</div><div class="replies">{replies}</div></div></div>',
        language="ru",
    )


def german_shop(b, url):
    """A product in a German shop: a slider, accessories, and what customers bought also."""
    host = "https://www.laden.example/media/image"

    def folder():
        return f"{b.hexadecimal(2)}/{b.hexadecimal(2)}/{b.hexadecimal(2)}"

    def slide(_):
        path, name = folder(), b.slug()
        full = b.want(f"{host}/{path}/{name}.jpg")
        return f'<div class="image--box image-slider--item"><span class="image--element" data-img-large="{full}" data-img-small="{host}/{folder()}/{name}_200x200.jpg" data-img-original="{full}" data-alt="x"><span class="image--media"><img srcset="{host}/{folder()}/{name}_600x600.jpg, {host}/{folder()}/{name}_600x600@2x.jpg 2x" src="{host}/{folder()}/{name}_600x600.jpg" alt="{b.words()}" itemprop="image"></span></span></div>'

    def article(_):
        return f'<div class="product-slider--item"><div class="product--box box--slider"><div class="product--info"><a href="https://www.laden.example/{b.slug()}" class="product--image"><span class="image--element"><span class="image--media"><img srcset="{host}/{folder()}/{b.slug()}_200x200.jpg" alt=""></span></span></a></div></div></div>'

    title = b.title()
    return document(
        head(b, title, url, extra=f'<meta property="og:type" content="product">'),
        f'<div class="page-wrap"><header class="header-main"><div class="logo--shop"><a href="https://www.laden.example/"><picture><img srcset="{host}/{folder()}/laden.png" alt="Laden"></picture></a></div></header><section class="content-main"><div class="product--detail-upper"><div class="image-slider--container">{b.many(2, 6, slide)}</div></div><h1>{title}</h1><div class="tab-menu--cross-selling"><a>Kunden kauften auch</a><div class="product-slider--container">{b.many(3, 6, article)}</div></div></section><footer><img src="{host}/{folder()}/zahlarten.png" alt="Zahlungsarten"></footer></div>',
        language="de",
    )


def town_news(b, url):
    """News of a town in a Drupal, with blocks of views beside and below."""
    folder = "https://town.gov.example/sites/default/files"

    def item(_):
        name = f"{b.slug()}.jpg"
        best = b.want(f"{folder}/2024-02/{name}")
        return f'<div class="field__item"><a href="{best}" class="photoswipe" data-size="2000x1333"><img src="{folder}/styles/gallery/public/2024-02/{name}?itok={b.hexadecimal(8)}" width="400" height="267" alt="{b.words()}" loading="lazy"></a></div>'

    teasers = b.many(2, 4, lambda _: f'<div class="views-row"><article class="node--view-mode-teaser"><a href="/news/{b.slug()}"><img src="{folder}/styles/teaser/public/2024-01/{b.slug()}.jpg?itok={b.hexadecimal(8)}" width="320" height="180" alt=""></a></article></div>')
    partners = b.many(1, 3, lambda _: f'<div class="views-col"><a href="https://{b.words(1, 1)}.partner.example/"><img src="{folder}/styles/medium/public/partner/{b.slug()}.png?itok={b.hexadecimal(8)}" width="220" height="90" alt=""></a></div>')
    title = b.title()
    return document(
        head(b, title, url, generator="Drupal 10"),
        f'<div class="dialog-off-canvas-main-canvas"><header role="banner"><a href="/"><img src="/themes/custom/town/arms.svg" alt="Home"></a></header><main role="main"><div class="layout-content"><h1>{title}</h1><article class="node--type-news">{b.paragraph()}<div class="field--name-field-gallery">{b.many(2, 8, item)}</div></article><div class="views-element-container"><h2>Further news</h2>{teasers}</div><div class="block-partner-logos">{partners}</div></div></main><footer role="contentinfo"></footer></div>',
    )


def auction_lot(b, url):
    """A lot of an auction house, with lots around it."""
    host = "https://www.hammer.example/img/LotImages/2024"

    def view(n):
        name = f"2024_CKS_{b.digits(5)}_{b.digits(4)}_{n:03}({b.slug()})"
        best = b.want(f"{host}/{name}.jpg?mode=max&down=speed")
        return f'<div class="swiper-slide"><button aria-label="Open"><img src="{host}/{name}.jpg?w=1&amp;h=1" data-src="{best.replace("&", "&amp;")}" class="chr-img" alt="{b.words()}"></button></div>'

    lots = b.many(3, 6, lambda _: f'<div class="chr-lot-tile"><a class="chr-lot-tile__link" href="https://www.hammer.example/en/lot/lot-{b.digits(7)}"></a><div class="chr-lot-tile__image-container"><img class="chr-img" src="{host}/2024_CKS_{b.digits(5)}_{b.digits(4)}_000({b.slug()}).jpg?w=300" alt=""></div></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<chr-page-header><a href="/en"><img src="https://www.hammer.example/assets/mark.svg" width="150" height="20" alt=""></a></chr-page-header><main><section class="chr-lot-header"><div class="swiper">{b.many(2, 6, view)}</div><h1>{title}</h1></section><section>{b.paragraph()}<div class="specialist"><img src="https://www.hammer.example/media/specialists/{b.slug()}.jpg" width="96" height="96" alt=""></div></section><section class="more"><h2>More from this sale</h2><div class="swiper">{lots}</div></section></main>',
    )


def school_gallery(b, url):
    """A page of a school in a builder of sites, with a gallery of several columns."""

    def cell(_):
        number = b.digits(9)
        name = f"{b.slug()}_orig.jpg"
        best = b.want(f"https://school.example/uploads/1/2/3/4/12345678/{name}")
        return f'<div id="{number}-imageContainer0" style="float:left;width:33.28%;margin:0;"><div style="position:relative;margin:5px;"><div class="galleryImageHolder"><div class="galleryInnerImageHolder"><a href="/uploads/1/2/3/4/12345678/{name}" rel="lightbox[gallery{number}]"><img src="/uploads/1/2/3/4/12345678/{name.replace("_orig", "")}" class="galleryImage" _width="800" _height="600" style="position:absolute;border:0;width:100%;top:0%;left:0%" /></a></div></div></div></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="header-wrap"><div id="logo"><span class="wsite-logo"><a href="/"><img src="/uploads/1/2/3/4/12345678/crest.png" alt="School"></a></span></div></div><div id="banner-wrap"><div class="wsite-section"><div class="wsite-image"><img src="/uploads/1/2/3/4/12345678/published/{b.slug()}.jpg" alt="" width="1100" height="200" class="wsite-header-image"></div></div></div><div id="main-wrap"><div id="wsite-content"><h2 class="wsite-content-title">{title}</h2>{b.paragraph()}<div class="imageGallery">{b.many(4, 12, cell)}</div></div></div><div id="footer-wrap"><div class="wsite-footer"><img src="/uploads/1/2/3/4/12345678/eco.png" width="120" height="90"></div></div>',
    )


def press_library(b, url):
    """The results of a library of press photographs: a table with a preview and a link to the page of each."""

    def row(_):
        number = b.digits(6)
        best = b.want(f"https://photos.ministry.example/previews/{number}/{b.slug()}_large.jpg")
        return f'<tr><td class="c1"><a href="/detail.aspx?id={number}"><img src="{best}" width="260" border="0" alt=""></a></td><td class="c2"><b>{b.title()}</b><br>{b.words()}</td><td><a href="/basket.aspx?add={number}"><img src="/gfx/basket.gif" width="22" height="18" border="0" alt="Add"></a></td></tr>'

    title = b.title()
    return document(
        f"<head><title>{title}</title></head>",
        f'<form name="aspnetForm" method="post"><table class="outer"><tr><td colspan="2"><a href="/default.aspx"><img src="/gfx/head.jpg" width="900" height="110" border="0" alt=""></a></td></tr><tr><td class="menu"><a href="/start.aspx"><img src="/gfx/m1.gif" width="150" height="22"></a></td><td><h2>{title}</h2><table class="results">{b.many(6, 16, row)}</table></td></tr></table></form>',
    )


def journal_entry(b, url):
    """An entry of a hosted journal, with userpics and pictures from other hosts."""

    def picture(_):
        best = b.want(f"https://live.photos.example/{b.digits(4)}/{b.digits(11)}_{b.hexadecimal(10)}_b.jpg")
        return f'<a data-flickr-embed="true" href="https://www.photos.example/photos/ann/{b.digits(11)}/" title="x"><img src="{best}" width="1024" height="683" alt="{b.words()}"></a><br>{b.words()}<br>'

    comments = b.many(1, 5, lambda _: f'<div class="comment-thread"><div class="comment-wrapper"><div class="userpic"><a href="https://x.journals.example/icons"><img src="https://v.journals.example/{b.digits(8)}/{b.digits(6)}" width="100" height="100" alt="x"></a></div><span class="ljuser"><a href="https://x.journals.example/profile"><img src="https://www.journals.example/img/silk/identity/user.png" width="17" height="17" alt="[personal profile]"></a></span>{b.paragraph()}</div></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="canvas"><div id="content"><div id="primary"><div class="entry-wrapper"><div class="userpic"><a href="https://ann.journals.example/icons"><img src="https://v.journals.example/{b.digits(8)}/{b.digits(6)}" width="100" height="100" alt="ann: (Default)"></a></div><h3 class="entry-title">{title}</h3><div class="entry-content">{b.paragraph()}{b.many(1, 6, picture)}</div></div><div id="comments">{comments}</div></div><div id="secondary"><div class="module-userprofile"><img src="https://v.journals.example/{b.digits(8)}/{b.digits(6)}" width="100" height="100"></div></div></div></div>{tracker(b)}',
    )


def festival(b, url):
    """A film of a festival, with stills, its director, and other films."""
    host = "https://www.films.example/media/cache"

    def still(_):
        name = b.slug()
        best = b.want(f"{host}/still_large/{b.digits(4)}/{name}.jpg")
        return f'<div class="carousel-cell"><img data-flickity-lazyload="{best}" alt="{b.words()}"></div>'

    films = b.many(2, 6, lambda _: f'<a class="film-teaser" href="/en/programme/2024/{b.digits(4)}-{b.slug()}"><div class="ratio"><img src="{host}/teaser/{b.digits(4)}/{b.slug()}.jpg" alt="" loading="lazy"></div><h4>{b.title()}</h4></a>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="off-canvas"><nav><a href="/en"><img src="/build/images/bear.svg" alt=""></a></nav></div><div class="main"><h1>{title}</h1><div class="carousel">{b.many(2, 6, still)}</div>{b.paragraph()}<div class="person"><img src="{host}/portrait/{b.digits(4)}/{b.slug()}.jpg" width="140" height="175" alt="The director"><p>{b.words()}</p></div><div class="also"><h3>From the same section</h3>{films}</div><div class="partners"><a href="https://www.bank.example/"><img src="{host}/partner/{b.slug()}.png" width="160" height="60" alt=""></a></div></div>',
    )


FAMILIES = {
    "converted-paper": (converted_paper, "https://ar5.example/html/2301.01234"),
    "wall-post": (wall_post, "https://user.example/wall-12345678_1234"),
    "german-shop": (german_shop, "https://www.laden.example/lampe-hafen-nacht"),
    "town-news": (town_news, "https://town.gov.example/news/harbour-opened"),
    "auction-lot": (auction_lot, "https://www.hammer.example/en/lot/lot-6470123"),
    "school-gallery": (school_gallery, "https://school.example/trip.html"),
    "press-library": (press_library, "https://photos.ministry.example/search.aspx?q=harbour"),
    "journal-entry": (journal_entry, "https://ann.journals.example/12345.html"),
    "festival": (festival, "https://www.films.example/en/programme/2024/1234-the-harbour-at-night"),
}
