"""Pages of kinds that no rule was changed for: the set that shows how far the rules reach. A change of a rule because of
one of these pages moves its kind to another set, and new kinds take its place."""

from builder import document, head, tracker


def board_catalog(b, url):
    """The threads of an image board, each with the preview of its first picture."""

    def thread(_):
        best = b.want(f"https://i.board.example/g/{b.digits(16)}s.jpg")
        number = b.digits(8)
        return f'<div id="thread-{number}" class="thread"><a href="//boards.board.example/g/thread/{number}/x"><img alt="" id="thumb-{number}" class="thumb" width="150" height="112" src="{best.replace("https:", "")}" data-id="{number}"></a><div class="meta">R: <b>12</b></div><div class="teaser">{b.words()}</div></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="boardBanner"><div id="bannerCnt" class="title" data-src="12.jpg"></div><div class="boardTitle">{title}</div></div><div id="threads" class="extended-small">{b.many(8, 20, thread)}</div><div id="absbot"></div>{tracker(b)}',
    )


def commons_category(b, url):
    """A category of a collection of free files."""

    def box(_):
        name = b.slug().capitalize().replace("-", "_") + ".jpg"
        base = f"https://upload.commons.example/wikipedia/commons/thumb/{b.hexadecimal(1)}/{b.hexadecimal(2)}/{name}"
        best = b.want(f"{base}/360px-{name}")
        return f'<li class="gallerybox" style="width: 215px"><div class="thumb" style="width: 210px; height: 150px;"><span typeof="mw:File"><a href="/wiki/File:{name}" title="File:{name}"><img alt="" src="{base}/180px-{name}" decoding="async" width="180" height="120" srcset="{base}/270px-{name} 1.5x, {best} 2x"></a></span></div><div class="gallerytext"><a href="/wiki/File:{name}" class="galleryfilename">{name}</a></div></li>'

    title = b.title()
    return document(
        head(b, title, url, generator="MediaWiki 1.43"),
        f'<div id="mw-page-base"></div><div id="content" class="mw-body" role="main"><h1>{title}</h1><div id="mw-content-text"><div class="mw-category-generated"><div id="mw-category-media"><ul class="gallery mw-gallery-traditional">{b.many(6, 20, box)}</ul></div></div></div></div><div id="mw-navigation"><div id="p-logo" role="banner"><a class="mw-wiki-logo" href="/wiki/Main_Page"></a></div></div><footer id="footer"><a href="https://foundation.example/"><img src="/static/images/footer/wikimedia-button.png" width="88" height="31" alt="x"></a></footer>',
    )


def wiki_page(b, url):
    """A page of a wiki for teams, with pictures in paragraphs and a card of its author."""

    def picture(_):
        best = b.want(f"https://wiki.team.example/uploads/{b.slug()}.png")
        return f'<p><img src="{best.split("example")[1]}" alt="{b.words()}" class="{b.choice("", "align-center", "decor-shadow")}"></p>{b.paragraph()}'

    title = b.title()
    return document(
        head(b, title, url, "https://wiki.team.example/_assets/img/wikijs-og.png"),
        f'<div id="root"><div class="v-app-bar"><a href="/"><img src="/_assets/svg/team.svg" height="34"></a></div><main class="v-main"><div class="page-col-sd"><div class="page-author-card"><div class="v-avatar"><img src="/_userav/{b.digits(3)}" alt="x"></div></div></div><div class="page-col-content"><h1>{title}</h1><div class="contents">{b.many(1, 7, picture)}</div></div></main></div>',
    )


def handmade_shop(b, url):
    """The shop of a maker in a market: things for sale, its head, and members."""

    def listing(_):
        number, key = b.digits(10), b.hexadecimal(6)
        best = b.want(f"https://i.craft.example/{b.digits(8)}/c/2000/1588/0/0/{key}/{number}/il_680x540.{number}_{b.hexadecimal(4)}.jpg")
        return f'<div class="js-merch-stash-check-listing v2-listing-card"><a class="listing-link" href="https://www.craft.example/listing/{b.digits(9)}/{b.slug()}"><div class="v2-listing-card__img"><div class="height-placeholder"><img data-listing-card-listing-image src="{best.replace("680x540", "340x270")}" srcset="{best.replace("680x540", "340x270")} 340w, {best} 680w" class="wt-width-full" alt=""></div></div><h3>{b.words()}</h3></a></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<header id="gnav-header"><a href="/"><span>x</span></a></header><div class="content-wrap"><div class="shop-home"><div class="shop-icon-external"><img class="shop-icon" src="https://i.craft.example/isla/{b.hexadecimal(6)}/{b.digits(8)}/isla_180x180.{b.digits(8)}.jpg" width="90" height="90" alt=""></div><h1>{title}</h1><div class="listing-cards">{b.many(6, 18, listing)}</div><div class="shop-members"><img src="https://i.craft.example/iusa/{b.hexadecimal(6)}/{b.digits(8)}/iusa_75x75.{b.digits(8)}.jpg" width="75" height="75" alt=""></div></div></div>{tracker(b)}',
    )


def travel_diary(b, url):
    """A day of a journey in a service for travellers, with other days and other journeys."""
    host = "https://photos.trips.example"

    def picture(_):
        best = b.want(f"{host}/steps/{b.hexadecimal(8)}-{b.hexadecimal(12)}/{b.hexadecimal(16)}_large.jpg")
        return f'<div class="step-photo"><button class="photo"><img src="{best.replace("_large", "_medium")}" srcset="{best.replace("_large", "_medium")} 600w, {best} 1600w" alt=""></button></div>'

    days = b.many(2, 5, lambda _: f'<li class="timeline-step"><a href="/ann/{b.digits(7)}-north/{b.digits(8)}-{b.slug()}"><img src="{host}/steps/{b.hexadecimal(8)}-{b.hexadecimal(12)}/{b.hexadecimal(16)}_small.jpg" alt=""></a></li>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="app"><header><a href="/"><img src="/img/trips.svg" alt="Trips" height="24"></a></header><main><div class="user"><a href="/ann"><img src="{host}/users/{b.hexadecimal(12)}_thumb.jpg" width="48" height="48" alt="Ann"></a></div><h1>{title}</h1>{b.paragraph()}<div class="photos">{b.many(2, 9, picture)}</div><ul class="timeline">{days}</ul></main></div>',
    )


def magazine_feature(b, url):
    """A feature of a magazine by a system for news, with a list of newest articles."""
    folder = "https://cdn.feature.example/s3fs-public"

    def image(_):
        best = b.want(f"{folder}/inline/{b.slug()}.jpg?width=1400")
        return f'<div class="media media--image" data-embed><picture><source srcset="{best}" media="(min-width: 900px)"><img src="{best.replace("1400", "700")}" alt="" loading="lazy"></picture><div class="caption">{b.words()}</div></div>{b.paragraph()}'

    newest = b.many(3, 6, lambda _: f'<div class="latest__item"><a href="/culture/{b.slug()}-{b.digits(5)}"><img src="{folder}/teaser/{b.slug()}.jpg?width=240" alt="" width="240" height="160"></a><a href="/culture/x">{b.title()}</a></div>')
    title = b.title()
    return document(
        head(b, title, url, extra='<meta property="og:type" content="article">'),
        f'<div class="site"><div class="masthead"><a href="/"><img src="/themes/feature/title.png" width="400" height="80" alt=""></a></div><div class="story"><h1>{title}</h1><p class="by"><img src="{folder}/people/{b.slug()}.jpg?width=80" width="80" height="80" alt=""></p>{b.many(1, 6, image)}</div><div class="latest"><h3>The latest</h3>{newest}</div></div>{tracker(b)}',
    )


FAMILIES = {
    "board-catalog": (board_catalog, "https://boards.board.example/g/catalog"),
    "commons-category": (commons_category, "https://commons.example/wiki/Category:Harbours"),
    "wiki-page": (wiki_page, "https://wiki.team.example/en/harbour"),
    "handmade-shop": (handmade_shop, "https://www.craft.example/shop/HarbourLamps"),
    "travel-diary": (travel_diary, "https://www.trips.example/ann/1234567-north/12345678-the-harbour"),
    "magazine-feature": (magazine_feature, "https://www.feature.example/culture/at-the-harbour-12345"),
}
