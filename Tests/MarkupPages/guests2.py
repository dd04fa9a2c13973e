"""Pages of kinds whose author did not know the rules."""

from builder import advertisement, document, head, social, tracker
from guests import BLANK, say


def astro_photo(b, url):
    """A page of one picture of the night sky in a community of astronomers."""
    base = "https://cdn.stars.example"
    key = f"{b.digits(5)}/20{b.number(15, 25)}/{b.hexadecimal(8)}-{b.hexadecimal(12)}"
    best = b.want(f"{base}/thumbs/{key}_16536x0_{b.hexadecimal(8)}.jpg") if b.chance(0.5) else b.want(f"{base}/images/{key}.jpg")
    shown = f"{base}/thumbs/{key}_620x0_{b.hexadecimal(8)}.jpg"
    others = b.many(3, 8, lambda _: f'<div class="astrobin-image-container"><a href="/{b.hexadecimal(6)}/"><img class="astrobin-image" data-id="{b.digits(6)}" src="{base}/thumbs/{b.hexadecimal(16)}_130x130_{b.hexadecimal(8)}.jpg" width="130" height="130" alt=""></a></div>')
    comments = b.many(0, 5, lambda _: f'<div class="comment"><img class="avatar" src="{base}/images/avatars/{b.digits(5)}/resized/64/{b.hexadecimal(8)}.png" width="64" height="64" alt=""><p>{b.words()}</p></div>')
    title = b.title()
    return document(
        head(b, title, url, shown if b.chance(0.6) else None),
        f'<header><div class="navbar"><a class="brand" href="/"><img src="/static/images/logo.{b.hexadecimal(12)}.png" alt="Stars"></a></div></header><div id="image-detail"><div id="image"><a href="{best}" class="fancybox" rel="group"><img class="main-image astrobin-image" src="{shown}" width="620" height="{b.number(400, 700)}" alt="{title}"></a></div><div class="sidebar"><h1>{title}</h1><img class="user-avatar" src="{base}/images/avatars/{b.digits(5)}/resized/80/{b.hexadecimal(8)}.jpg" width="80" height="80" alt="Ann"><div class="subtle-container skyplot"><img class="skyplot-zoom" src="{base}/skyplots/{b.hexadecimal(16)}.png" width="180" height="180" alt="Sky plot"></div><div class="user-gallery-slider">{others}</div></div><div class="comments">{comments}</div></div><footer><a href="https://sponsor.example"><img src="/static/images/sponsors/optics.png" alt="Sponsor"></a></footer>{tracker(b)}',
    )


def open_paper(b, url):
    """A paper of an open journal with figures that link to files in several sizes."""
    base = "https://journals.open.example"
    number = f"10.1371/journal.pone.0{b.digits(6)}"

    def figure(index):
        name = f"{number}.g{index + 1:03}"
        best = b.want(f"{base}/one/article/figure/image?size=large&id={name}")
        return f'<div class="figure" id="g{index + 1:03}" data-doi="{name}"><div class="img-box"><a title="Click for larger image" href="article/figure/image?size=large&amp;id={name}" data-doi="{number}" data-uri="{name}"><img src="article/figure/image?size=inline&amp;id={name}" alt="thumbnail" class="thumbnail" loading="lazy"></a><div class="expand"></div></div><div class="figure-inline-download">Download: <ul><li><a href="article/figure/image?size=large&amp;id={name}">PNG larger image</a></li></ul></div><div class="figcaption"><span>Fig {index + 1}.</span> {b.words(3, 6)}.</div></div>{b.paragraph()}'

    title = b.title()
    return document(
        head(b, title, url, f"{base}/resource/img/one/journal-share.png", extra=f'<meta name="citation_doi" content="{number}"><meta name="citation_journal_title" content="Open">'),
        f'<header id="pagehdr-wrap"><div id="pagehdr"><h1 class="logo"><a href="/one/"><img src="/resource/img/one/logo.png" alt="Open journal"></a></h1></div></header><div id="article-block" class="cf"><div class="title-block"><h1 id="artTitle">{title}</h1><div class="article-type"><img src="/resource/img/logo.oa.png" width="24" alt="Open access"></div></div><section class="article-body content"><div class="article-text" id="artText"><div class="abstract toc-section">{b.paragraph()}</div>{b.many(1, 8, figure)}</div></section><aside class="article-aside"><div class="dload-menu"><img src="/resource/img/icon.crossmark.svg" alt="Check for updates"></div><div class="skyscraper-container"><a href="/x"><img src="/resource/img/ads/{b.slug()}.png" alt="Advertisement"></a></div></aside></div><footer id="pageftr"><img src="/resource/img/logo-footer.png" alt="logo"></footer>{tracker(b)}',
    )


def step_recipe(b, url):
    """A recipe of a Japanese community of cooks: the dish, photos of steps, and reports of others."""
    host = "https://img.cook.example"

    def step(index):
        picture = ""
        if b.chance(0.6):
            key = b.hexadecimal(32)
            best = b.want(f"{host}/global/steps/{key}/640x450cq50/photo.webp")
            picture = f'<div class="flex-none"><a href="/jp/step_attachment/images/{key}?image_region_id=8"><picture><source type="image/webp" srcset="{host}/global/steps/{key}/320x225cq50/photo.webp 1x, {best} 2x"><img alt="手順{index + 1}の写真" loading="lazy" class="rounded" src="{host}/global/steps/{key}/320x225cq50/photo.jpg" width="160" height="112"></picture></a></div>'
        return f'<li id="step_{b.digits(8)}" class="step mb-rg"><p>{say(b, "ja", 4, 12)}。</p>{picture}</li>'

    key = b.hexadecimal(32)
    best = b.want(f"{host}/global/recipes/{key}/1360x964cq70/{b.digits(4)}.webp")
    reports = b.many(2, 6, lambda _: f'<li class="cooksnap"><a href="/jp/tsukurepos/{b.digits(8)}"><img src="{host}/global/cooksnaps/{b.hexadecimal(32)}/200x200cq50/photo.webp" width="100" height="100" alt="つくれぽ"></a><img src="{host}/global/users/{b.hexadecimal(32)}/40x40cq50/photo.webp" class="rounded-full" width="40" height="40" alt=""></li>')
    related = b.many(2, 6, lambda _: f'<li class="recipe-card"><a href="/jp/recipes/{b.digits(8)}"><img src="{host}/global/recipes/{b.hexadecimal(32)}/240x300cq50/photo.webp" width="120" height="150" alt=""></a></li>')
    title = say(b, "ja")
    return document(
        head(b, title, url),
        f'<header id="global_header"><a href="/"><img src="/assets/logo-{b.hexadecimal(16)}.svg" alt="Cook" height="32"></a></header><main id="main_contents"><div id="recipe"><div id="recipe_image"><a class="tofu_image"><picture><source srcset="{best.replace("1360x964cq70", "680x482cq70")} 1x, {best} 2x" type="image/webp"><img alt="{title}" src="{best.replace("1360x964cq70", "680x482cq70")}" width="680" height="482" fetchpriority="high"></picture></a></div><h1>{title}</h1><a class="author" href="/jp/users/{b.digits(7)}"><img class="rounded-full" src="{host}/global/users/{b.hexadecimal(32)}/60x60cq50/photo.webp" width="48" height="48" alt=""></a><div id="steps"><ol>{b.many(3, 7, step)}</ol></div></div><section id="cooksnaps"><h2>つくれぽ</h2><ul>{reports}</ul></section><section id="related"><h2>似たレシピ</h2><ul>{related}</ul></section></main><footer><img src="/assets/appstore.svg" alt="App"></footer>{tracker(b)}',
        "ja",
    )


def site_for_schools(b, url):
    """A page of a school on a system for schools, with photos whose sizes stand in a JSON attribute."""
    root = "https://resources.schoolsite.example/images/f_auto,q_auto"
    tail = f"/v17{b.digits(8)}/harbourorg"

    def photo(_):
        name = f"{b.hexadecimal(20)}/{b.slug()}.jpg"
        sizes = [256, 512, 1024, b.choice(1600, 1800, 2400)]
        links = [f"{root},t_image_size_{index + 1}{tail}/{name}" for index in range(3)] + [f"{root}{tail}/{name}"]
        best = b.want(links[3])
        listed = ",".join(f'{{"url":"{link}","width":{width}}}' for link, width in zip(links, sizes)).replace('"', "&quot;")
        return f'<div class="fsMediaCustomAspectRatio" data-aspect-ratio="3:2"><picture class="fsCroppedImage"><img alt="{b.words()}" src="{BLANK}" class="fsCroppedImage" data-image-sizes="[{listed}]" data-image-id="{b.digits(4)}"></picture></div><div class="fsCaption">{b.words()}</div>'

    def element(index):
        return f'<section class="fsElement fsContent" id="fsEl_{b.digits(5)}" data-use-new="true"><div class="fsElementContent">{photo(index)}{b.paragraph()}</div></section>'

    def post(_):
        link = f"{root},t_image_size_1{tail}/{b.hexadecimal(20)}/{b.slug()}.jpg"
        return f'<article class="fsBoard-{b.digits(2)}" data-post-id="{b.digits(4)}"><div class="fsThumbnail"><a class="fsPostLink" href="#"><img src="{link}" alt="" width="256"></a></div><div class="fsTitle"><a href="#">{b.title()}</a></div></article>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="fsPageWrapper"><div id="fsHeader" class="fsBanner"><div class="fsLogo"><a href="/"><img src="/uploaded/themes/default_20/images/logo.svg" alt="School"></a></div><div class="fsNavMega"><img src="{root},t_image_size_2{tail}/{b.hexadecimal(20)}/nav-{b.slug()}.jpg" alt="Admissions"></div></div><div id="fsPageBodyWrapper"><main id="fsPageContent"><h1 class="fsPageTitle">{title}</h1>{b.many(1, 7, element)}</main><aside id="fsPageRight"><section class="fsElement fsPostElement"><h2>More news</h2>{b.many(2, 5, post)}</section></aside></div><footer id="fsFooter"><img src="/uploaded/themes/default_20/images/nais.png" alt="Accredited"><img src="/uploaded/themes/default_20/images/blue-ribbon.png" alt="Award"></footer></div>',
    )


def estate_sale(b, url):
    """A sale of a household's things, with a gallery of many photos and the logo of the seller."""
    host = "https://pictures.sales.example"
    sale = b.digits(7)

    def photo(index):
        name = f"{b.hexadecimal(8)}-{b.hexadecimal(4)}-{b.hexadecimal(12)}"
        best = b.want(f"{host}/{sale}/{name}.jpg")
        return f'<app-sale-picture><div class="sale-picture"><a href="{best}" data-index="{index}"><img src="{host}/{sale}/{b.choice("thumb", "small")}_{name}.jpg" alt="Picture {index + 1}" width="200" height="150" loading="lazy"></a></div></app-sale-picture>'

    near = b.many(2, 5, lambda _: f'<div class="sale-row"><a href="/NY/Harbour/{b.digits(5)}/{b.digits(7)}"><img src="{host}/{b.digits(7)}/thumb_{b.hexadecimal(12)}.jpg" alt="" width="120" height="90"></a><span>{b.title()}</span></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<app-root><app-header><a href="/"><img src="/assets/images/logo.svg" alt="Sales"></a></app-header><main><h1>{title}</h1><div class="org"><a href="/companies/{b.digits(5)}"><img src="{host}/organizations/{b.digits(5)}/logo_{b.hexadecimal(8)}.png" alt="Company logo" width="150" height="100"></a></div><div class="description">{b.paragraph()}</div><div class="map"><img src="https://maps.example/staticmap?center={b.digits(2)}.{b.digits(4)}&amp;size=300x200" alt="map"></div><div class="pictures">{b.many(4, 30, photo)}</div><section class="nearby"><h2>Nearby sales</h2>{near}</section></main><footer>{social(b)}</footer></app-root>{tracker(b)}',
    )


def dealer_inventory(b, url):
    """The cars of a dealer as cards with one picture each."""
    host = "https://pictures.dealer.example/h/harbourmotors"

    def card(index):
        key = b.hexadecimal(32)
        widths = (320, 640, 800)
        best = b.want(f"{host}/{b.digits(4)}/{key}x.jpg?impolicy=downsize_bkpt&imdensity=1&w=800")
        sizes = ", ".join(f"{best.replace('w=800', f'w={width}')} {width}w" for width in widths).replace("&", "&amp;")
        small = best.replace("w=800", "w=320").replace("&", "&amp;")
        source = f'src="{small}" srcset="{sizes}"' if index < 3 else f'src="{BLANK}" data-src="{small}" data-srcset="{sizes}" class="lazyload"'
        return f'<li class="box box-border vehicle-card vehicle-card-detailed" data-uuid="{b.hexadecimal(32)}"><div class="vehicle-card-media-container"><a href="/used/{b.slug()}.htm"><img {source} sizes="(min-width: 992px) 33vw, 100vw" alt="Used {b.words(2, 3)}" width="640" height="480"></a></div><div class="vehicle-card-body"><h2 class="vehicle-card-title">{b.title()}</h2><span class="price">${b.digits(5)}</span><a href="https://history.example/report"><img src="https://partnerstatic.history.example/img/valuebadge/{b.choice("1own_good", "good", "fair")}.svg" alt="History report"></a></div></li>'

    return document(
        head(b, "Used cars for sale", url, "https://pictures.dealer.example/h/harbourmotors/logo.png"),
        f'<div id="page-container"><header class="ddc-site-header"><a href="/"><img src="https://pictures.dealer.example/h/harbourmotors/1/logo-{b.hexadecimal(8)}.png" alt="Harbour Motors"></a><img src="https://static.dealer.example/v8/global/images/franchise/white/logo-{b.digits(3)}.png" alt="brand"></header><div class="ddc-content hero"><a href="/specials/"><img src="{host}/{b.digits(4)}/{b.slug()}-1600x400.jpg" alt="Spring specials" width="1600" height="400"></a></div><main><div class="inventory-listing"><ul class="vehicle-card-list list-unstyled">{b.many(6, 18, card)}</ul></div></main><footer><img src="https://static.dealer.example/v8/adchoices.png" alt="AdChoices" width="77" height="15"></footer></div>{tracker(b)}',
    )


def mosaic_home(b, url):
    """A house for sale with a mosaic of photos, an agent's portrait and similar homes."""
    host = "https://photos.homes.example/fp"

    def name():
        return b.hexadecimal(32)

    def tile(index):
        key = name()
        widths = (384, 576, 768, 960, 1344, 1536)
        kinds = f'<source sizes="(min-width: 1280px) 988px, 768px" srcset="{", ".join(f"{host}/{key}-cc_ft_{w}.jpg {w}w" for w in widths)}" type="image/jpeg">'
        best = b.want(f"{host}/{key}-cc_ft_1536.jpg")
        assert best in kinds
        return f'<li class="media-stream-tile media-stream-tile--{"prominent" if not index else "small"}"><figure role="presentation"><button class="photo-button"><picture class="media-stream-photo">{kinds}<img alt="{b.words(1, 2)}" src="{host}/{key}-cc_ft_960.jpg" {"" if index < 3 else "loading=lazy"}></picture></button></figure></li>'

    similar = b.many(3, 8, lambda _: f'<article class="property-card"><a href="/homedetails/{b.slug()}/{b.digits(8)}_zpid/"><img src="{host}/{name()}-p_e.jpg" alt="{b.words()}"></a><address>{b.words()}</address></article>')
    title = f"{b.number(10, 999)} {b.title()}"
    return document(
        head(b, title, url),
        f'<header><a href="/"><img src="https://s.homes.example/pfs/static/z-logo-default.svg" alt="Homes"></a></header><div class="layout-wrapper"><div class="media-column-container"><ul class="media-stream">{b.many(2, 14, tile)}</ul></div><div class="data-column-container"><h1>{title}</h1>{b.paragraph()}<div class="ds-listing-agent"><img src="{host}/{name()}-h_n.jpg" width="64" height="64" alt="Agent"><img src="https://photos.homes.example/mls/{b.digits(3)}/idx-logo.png" alt="Listing service" class="mls-logo"></div><div class="street-map"><img src="https://maps.example/api/staticmap?size=500x200&amp;zoom=15" alt="map"></div><section class="similar-homes"><h2>Similar homes</h2>{similar}</section></div></div>{tracker(b)}',
    )


def backdrop_page(b, url):
    """The backdrops of a film in a database made by its users; each preview links to the original file."""
    host = "https://media.films.example/t/p"

    def card(_):
        name = b.hexadecimal(27) + ".jpg"
        best = b.want(f"{host}/original/{name}")
        return f'<li class="card compact"><div class="image_content backdrop glyphicons_v2 picture grey no_image_holder"><a href="{best}" class="image" data-id="{b.hexadecimal(24)}" data-type="image" title="View Original" target="_blank"><img loading="lazy" class="backdrop" src="{host}/w500_and_h282_face/{name}" srcset="{host}/w500_and_h282_face/{name} 1x, {host}/w1000_and_h563_face/{name} 2x" alt=""></a></div><div class="meta hide"><label>Primary?</label><span>1920x1080</span></div></li>'

    title = b.title()
    poster = f"{b.hexadecimal(27)}.jpg"
    return document(
        head(b, title, url),
        f'<div class="page_wrap movie_wrap"><header class="normal"><a class="logo" href="/"><img src="/assets/2/v4/logos/short-{b.hexadecimal(40)}.svg" alt="Films" width="154" height="20"></a><a href="/u/ann"><img class="avatar" src="https://www.gravatar.example/avatar/{b.hexadecimal(32)}.jpg?s=64" width="32" height="32" alt=""></a></header><main id="main" class="smaller subtle"><section class="header_mini"><a href="/movie/{b.digits(4)}"><img class="poster" src="{host}/w58_and_h87_face/{poster}" srcset="{host}/w58_and_h87_face/{poster} 1x, {host}/w116_and_h174_face/{poster} 2x" width="58" height="87" alt="{title}"></a><h2>{title}</h2></section><section class="panel user_images"><ul class="images backdrops">{b.many(4, 24, card)}</ul></section></main><footer><img src="/assets/2/v4/logos/stacked.svg" alt="logo" width="130" height="94"></footer></div>{tracker(b)}',
    )


def ship_photo(b, url):
    """A page of one photograph of a ship, in tables, with thumbnails of others and banners."""
    base = "http://www.shipfotos.example"
    number = b.digits(7)
    big = b.chance(0.6)
    best = b.want(f"{base}/photos/big/{number[0]}/{number[1]}/{number}.jpg" if big else f"{base}/photos/middle/{number[0]}/{number[1]}/{number}.jpg")
    shown = f"/photos/middle/{number[0]}/{number[1]}/{number}.jpg"
    image = f'<img src="{shown}" border="0" alt="{b.words()}">'
    if big:
        image = f'<a href="{best.removeprefix(base)}" target="_blank">{image}</a>'
    others = b.many(4, 9, lambda _: f'<td align="center"><a href="/photos/{b.digits(7)}/"><img src="/photos/small/{b.digits(1)}/{b.digits(1)}/{b.digits(7)}.jpg" border="0" width="130" alt=""></a></td>')
    comments = b.many(0, 4, lambda _: f'<tr><td class="comment"><img src="/images/flags/{b.choice("de", "nl", "no")}.gif" width="16" height="11" alt=""> <b>{b.words(1, 2)}</b>: {b.words()}</td></tr>')
    title = b.title().upper()
    return (
        f'<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><title>{title} - IMO {b.digits(7)}</title><link rel="stylesheet" href="/style.css"></head><body bgcolor="#ffffff"><table width="1000" align="center" cellpadding="0" cellspacing="0"><tr><td><a href="/"><img src="/images/header_{b.number(1, 9)}.jpg" width="1000" height="120" border="0" alt="Ship photos"></a></td></tr><tr><td bgcolor="#003366"><img src="/images/spacer.gif" width="1" height="5"><a href="/new"><img src="/images/btn_new.gif" border="0"></a><a href="/search"><img src="/images/btn_search.gif" border="0"></a></td></tr><tr><td align="center">{advertisement(b)}</td></tr><tr><td align="center"><h2>{title}</h2>{image}<br><b>Photographer:</b> Ann <img src="/images/star.gif" width="12" height="12"><br>{b.words(5, 9)}</td></tr>{comments}<tr><td><b>More photos of this ship</b><table><tr>{others}</tr></table></td></tr><tr><td align="center"><img src="http://counter.example/cnt.gif?id={b.digits(4)}" width="88" height="31"></td></tr></table></body></html>'
    ).encode("cp1252")


def grid_square_photo(b, url):
    """A page of one photo of a square of the map of a country, with the map and photos nearby."""
    number = b.digits(7)
    host = f"https://s{b.number(0, 3)}.squares.example/geophotos/0{number[0]}/{number[1:3]}/{number[3:5]}"
    best = b.want(f"{host}/{number}_{b.hexadecimal(8)}.jpg")
    near = b.many(3, 8, lambda _: f'<div class="photo33"><a title="{b.words()}" href="/photo/{b.digits(7)}"><img alt="{b.words()}" src="https://s0.squares.example/geophotos/0{b.digits(1)}/{b.digits(2)}/{b.digits(2)}/{b.digits(7)}_{b.hexadecimal(8)}_120x120.jpg" width="120" height="{b.number(80, 120)}" loading="lazy"></a></div>')
    title = b.title()
    shown = b.choice("div", "figure")
    return document(
        head(b, title, url, best if b.chance(0.7) else None),
        f'<div id="header_block"><div id="header"><h1><a title="home" href="/"><img src="https://s1.squares.example/templates/basic/img/logo.gif" height="74" width="257" alt="Squares"></a></h1></div></div><div id="maincontent_block"><div id="maincontent"><h2><a href="/help/symbol"><img src="https://s1.squares.example/templates/basic/img/squares.png" width="16" height="16" alt=""></a> <a href="/gridref/TQ3080">TQ3080</a> : {title}</h2><{shown} class="img-shadow" id="mainphoto"><img alt="{b.words()}" src="{best}" width="640" height="{b.number(420, 640)}"></{shown}><div class="caption">{b.words(5, 9)}</div><div class="ccmessage"><a rel="license" href="https://licenses.example/by-sa/2.0/"><img alt="Licence" src="https://licenses.example/img/some_rights_20.gif"></a> Copyright Ann</div><div class="rastermap"><img src="https://t0.squares.example/tile/os50k/{b.digits(6)}.png" width="250" height="250" alt="map"><img src="https://s1.squares.example/img/circle.png" width="29" height="29" alt=""></div><div class="nearby">{near}</div></div></div><div id="footer_block">{social(b, "/img")}</div>',
        "en",
    )


def hike_report(b, url):
    """The report of a tour in a community of hikers, with thumbnails that link to pages and large previews in the text."""
    host = "https://f.tourenbuch.example/files"

    def picture(_):
        best = b.want(f"{host}/{b.digits(7)}l.jpg")
        return f'<div class="post_photo"><a class="photo_link" href="/gallery/photo{b.digits(7)}.html?post_id={b.digits(5)}"><img src="{best.replace("l.jpg", "k.jpg")}" data-large="{best}" alt="{say(b, "de")}" title="{say(b, "de")}" class="photo"></a></div><p>{say(b, "de", 5, 12)}.</p>'

    latest = b.many(3, 6, lambda _: f'<div class="tour_teaser"><a href="/tour/post{b.digits(6)}.html"><img src="{host}/{b.digits(7)}s.jpg" width="96" height="72" alt=""></a> {say(b, "de")}</div>')
    title = say(b, "de")
    return document(
        head(b, title, url),
        f'<div id="wrapper"><div id="top"><a href="/"><img src="/img/logo.gif" alt="Tourenbuch"></a></div><div id="main"><div class="content_left"><h1 class="title">{title}</h1><table id="post_head"><tr><td>Schwierigkeit</td><td><img src="/img/t{b.number(1, 6)}.gif" width="20" height="12" alt="T"></td></tr><tr><td>Region</td><td><img src="/img/flags/ch.png" width="16" height="11" alt="Schweiz"></td></tr></table><div id="post_content">{b.many(2, 14, picture)}</div><div class="profile"><img src="{host}/profile/{b.digits(4)}.jpg" width="60" height="80" alt="Autor"></div><div class="map"><img src="/img/map_{b.digits(4)}.png" width="300" height="200" alt="Karte"></div></div><div class="content_right">{advertisement(b)}<h3>Neue Touren</h3>{latest}</div></div></div>{tracker(b)}',
        "de",
    )


def exported_web_album(b, url):
    """A page of a photo album as a program of the years after 2006 exported it, with frames around the previews."""
    folder = url.rsplit("/", 1)[0] + "/Photos_files/"

    def photo(index):
        name = f"IMG_{index}{b.digits(4)}"
        best = b.want(f"{folder}{name}.jpg")
        return f'<div style="height: 220px; left: {index % 3 * 230}px; position: absolute; top: {index // 3 * 240}px; width: 216px;" class="tinyText style_SkipStroke_{b.number(1, 4)} stroke_0"><a href="Photos_files/{name}.jpg" title="{b.words(1, 2)}"><img src="Photos_files/{name}-thumb.jpg" alt="" style="border: none; height: 162px; width: 216px;"/></a><div class="caption">{b.words(1, 3)}</div><img src="Photos_files/{b.choice("tl", "tr", "shadow")}_{index}.png" alt="" class="frame" style="width: 12px; height: 12px;"/></div>'

    title = b.title()
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>{title}</title><meta name="Generator" content="Web 3.0.{b.number(1, 4)}" /><link rel="stylesheet" type="text/css" media="screen,print" href="Photos_files/Photos.css" /></head><body style="background: rgb(0, 0, 0) url(Photos_files/paper_bg.jpg) repeat scroll top left; margin: 0pt;" onload="onPageLoad();"><div style="text-align: center;"><div style="margin: 0 auto;" id="body_content"><div id="nav_layer"><div class="com-apple-iweb-widget-navbar"><a href="Welcome.html"><img src="Photos_files/nav_home.png" alt="Home" /></a></div></div><div id="header_layer"><img src="Photos_files/shapeimage_{b.number(1, 9)}.png" alt="{title}" style="height: 60px; width: 500px;" /></div><div id="body_layer"><div class="photogrid">{b.many(3, 24, photo)}</div></div><div id="footer_layer"><a href="http://www.apfel.example/"><img src="Photos_files/mwmac_white.png" alt="Made on a computer" style="width: 139px; height: 50px;" /></a><img src="http://hits.example/counter.png?n={b.digits(5)}" alt="hit counter" /></div></div></div></body></html>'
    )


def sequence_project(b, url):
    """A project of a designer on a portfolio system whose pictures carry their sizes in data attributes."""
    host = "https://freight.portfolio.example"
    lazy = b.chance(0.5)

    def picture(_):
        key, name, width = b.hexadecimal(64), b.slug() + b.choice(".jpg", ".png", ".gif"), b.number(1400, 3000)
        best = b.want(f"{host}/t/original/i/{key}/{name}")
        preview = f"{host}/w/1000/i/{key}/{name}"
        return f'<div class="image-gallery-item"><img class="image-zoom" width="{width}" height="{width * 2 // 3}" width_o="{width}" height_o="{width * 2 // 3}" data-src="{best}" {"" if lazy else f"src={chr(34)}{preview}{chr(34)}"} data-mid="{b.digits(8)}" border="0" data-scale="{b.number(30, 100)}" /></div>'

    thumbs = b.many(3, 9, lambda _: f'<div class="thumbnail has_title" data-id="{b.digits(7)}"><a href="{b.slug()}" rel="history"><div class="thumb_image"><img src="{host}/t/crop/w/400/i/{b.hexadecimal(64)}/{b.slug()}.jpg" width="400" height="300" alt=""></div><div class="title">{b.words(1, 3)}</div></a></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="layout_container" class="container_width"><div class="page pinned pinned_top fixed" id="top"><div class="page_content"><a href="/"><img src="{host}/t/original/i/{b.hexadecimal(64)}/signet.png" width="80" height="80" alt="studio"></a><img src="/_gfx/icons/bag.svg" alt="bag" width="20"></div></div><div class="content_container"><div class="page" local-style="{b.digits(7)}"><div class="page_content clearfix"><div class="page_container"><bodycopy class="bodycopy">{title}<br>{b.paragraph()}<div class="image-gallery" gid="1">{b.many(1, 10, picture)}</div></bodycopy></div></div></div></div><div class="page pinned_bottom"><div class="thumbnails grid"><h3>More work</h3>{thumbs}</div></div></div><img src="https://static.portfolio.example/badge.gif" width="90" alt="badge">{tracker(b)}',
    )


def block_constructor(b, url):
    """A Russian page of a hotel or cafe made of blocks, with pictures in data-original and backgrounds."""
    host = "https://static.blocksite.example"

    def link(name):
        return f"{host}/tild{b.hexadecimal(4)}-{b.hexadecimal(4)}-4{b.hexadecimal(3)}-{b.hexadecimal(12)}/{name}"

    def slide(index):
        best = b.want(link(f"{b.slug()}.jpg"))
        small = best.replace(host, "https://thb.blocksite.example").rsplit("/", 1)
        style = b.choice("slide", "slide", "zoom")
        if style == "slide":
            inner = f'<div class="t-slds__bgimg t-bgimg" data-original="{best}" bgimgfield="gi_img__{index}" style="background-image: url(\'{small[0]}/-/resizeb/20x/{small[1]}\')"></div><meta itemprop="image" content="{best}">'
        else:
            inner = f'<img class="t-img t-width" src="{small[0]}/-/empty/{small[1]}" data-original="{best}" imgfield="gi_img__{index}" data-zoom-target="{index}" data-img-zoom-url="{best}" alt="{say(b, "ru")}">'
        return f'<div class="t-slds__item" data-slide-index="{index + 1}"><div class="t-slds__wrapper" itemscope itemtype="http://schema.org/ImageObject"><div class="t-slds__imgwrapper" data-zoom-target="{index}">{inner}</div></div></div>'

    icons = b.many(3, 6, lambda _: f'<div class="t-col t-col_4"><img class="t-img t490__img" src="{link("icon_" + b.digits(3) + ".svg")}" width="60" height="60" alt=""><div class="t-descr">{say(b, "ru")}</div></div>')
    reviews = b.many(1, 3, lambda _: f'<div class="t605__content"><img class="t605__imgwrapper-author t-author__avatar" src="{link("avatar_" + b.digits(3) + ".jpg")}" width="70" height="70" alt="Анна"><div class="t-text">{say(b, "ru", 6, 12)}</div></div>')
    title = say(b, "ru")
    return document(
        head(b, title, url),
        f'<div id="allrecords" class="t-records" data-project-id="{b.digits(7)}" data-page-id="{b.digits(8)}"><div id="rec{b.digits(9)}" class="r t-rec" data-record-type="456"><div class="t456__leftwrapper"><a href="/"><img class="t456__imglogo" src="{link("logo.png")}" imgfield="img" style="max-width: 120px" alt="лого"></a></div></div><div id="rec{b.digits(9)}" class="r t-rec" data-record-type="603"><h1>{title}</h1><div class="t-slds__container"><div class="t-slds__items-wrapper">{b.many(2, 12, slide)}</div></div></div><div class="r t-rec" data-record-type="490">{icons}</div><div class="r t-rec" data-record-type="605">{reviews}</div><div class="t-tildalabel"><a href="https://blocksite.example"><img src="{host}/img/madeon.png" alt="made on" width="90"></a></div></div>{tracker(b)}',
        "ru",
    )


def meme_photos(b, url):
    """The images of an entry of an encyclopedia of jokes, loaded lazily in columns."""
    host = "https://i.jokes.example/photos/images"

    def item(_):
        number = b.digits(9)
        best = b.want(f"{host}/masonry/{number[:3]}/{number[3:6]}/{number[6:]}{b.hexadecimal(3)}.{b.choice('jpg', 'png')}")
        return f'<div class="item" style="height: {b.number(150, 400)}px"><a class="photo" rel="shadowbox" href="/photos/{number}-{b.slug()}" data-width="236"><img data-src="{best}" src="https://a.jokes.example/assets/blank-{b.hexadecimal(16)}.gif" title="{b.words()}" alt="{b.words()}" width="236"></a></div>'

    trending = b.many(3, 6, lambda _: f'<div class="trending"><a href="/memes/{b.slug()}"><img src="https://i.jokes.example/entries/icons/small/000/0{b.digits(2)}/{b.digits(3)}/{b.slug()}.jpg" width="80" height="80" alt=""></a></div>')
    title = b.title()
    return document(
        head(b, title, url, f"https://i.jokes.example/entries/icons/facebook/000/0{b.digits(2)}/{b.digits(3)}/{b.slug()}.jpg"),
        f'<div id="wrapper"><header id="header"><a href="/"><img src="https://a.jokes.example/assets/logo-{b.hexadecimal(16)}.png" alt="Jokes"></a></header><div id="content"><div id="maru"><header class="rel c"><a class="photo left wide" href="/memes/x"><img src="https://i.jokes.example/entries/icons/medium/000/0{b.digits(2)}/{b.digits(3)}/{b.slug()}.jpg" width="96" height="54" alt="entry"></a><h1>{title}</h1></header><div id="photo_gallery" class="masonry">{b.many(8, 30, item)}</div></div><aside id="sidebar">{advertisement(b)}<h6>Trending</h6>{trending}</aside></div></div>{tracker(b)}',
    )


def hatched_entry(b, url):
    """An entry of a Japanese journal with pictures of a photo service, hidden keywords and reading tips."""
    user = b.choice("minato", "asahi", "hikari")
    folder = f"https://cdn-ak.f.photolife.example/images/fotolife/{user[0]}/{user}"

    def picture(_):
        stamp = f"20{b.number(12, 25)}0{b.number(1, 9)}1{b.digits(1)}/20{b.digits(12)}"
        best = b.want(f"{folder}/{stamp}.{b.choice('jpg', 'png')}")
        return f'<p><span itemscope itemtype="http://schema.org/Photograph"><img src="{best}" alt="f:id:{user}:plain" width="1200" height="800" loading="lazy" title="" class="hatena-fotolife" itemprop="image"></span></p><p>{say(b, "ja", 5, 15)}。</p>'

    popular = b.many(3, 5, lambda _: f'<li class="urllist-item entries-access-ranking-item"><a class="urllist-image-link" href="/entry/{b.digits(4)}"><img class="urllist-image" src="https://cdn.image.st.example/image/square/{b.hexadecimal(40)}/backend=imagemagick;height=100;version=1;width=100/{b.digits(6)}.jpg" width="100" height="100" alt="{say(b, "ja")}"></a></li>')
    title = say(b, "ja")
    return document(
        head(b, title, url, f"https://cdn.image.st.example/image/scale/{b.hexadecimal(40)}/backend=imagemagick;version=1;width=1300/x.png"),
        f'<div id="globalheader-container"><iframe id="globalheader"></iframe></div><div id="container"><div id="container-inner"><header id="blog-title"><h1 id="title"><a href="/"><img src="https://cdn.blog.st.example/header/{b.hexadecimal(20)}.png" alt="港の日記"></a></h1></header><div id="content"><div id="wrapper"><main id="main"><article class="entry hentry test-hentry js-entry-article"><header class="entry-header"><h1 class="title entry-title">{title}</h1></header><div class="entry-content hatenablog-entry">{b.many(1, 10, picture)}<p><a href="https://shop.example/dp/{b.digits(10)}?tag=x-22"><img src="https://m.media-shop.example/images/I/{b.hexadecimal(11)}._SL160_.jpg" class="hatena-asin-detail-image" alt="本" title="本"></a></p></div><footer class="entry-footer"><a href="http://blog.village.example/ranking.html"><img src="//b.blog.village.example/camera/img/camera88_31.gif" width="88" height="31" alt="ブログ村"></a></footer></article></main></div><aside id="box1"><div class="hatena-module-profile"><img src="https://cdn.profile-image.st.example/users/{user}/profile.png?{b.digits(10)}" class="profile-icon" width="60" height="60" alt="id"></div><ul class="entries-access-ranking">{popular}</ul></aside></div></div></div>{tracker(b)}',
        "ja",
    )


def yen_auction(b, url):
    """A thing in a Japanese auction: slides in full size, small previews of the same, and other things."""
    host = "https://auctions.imgs.example/image/dr000/auc0405/users"

    def name():
        return f"{host}/{b.hexadecimal(40)}/i-img1200x900-{b.digits(16)}.jpg"

    pictures = [b.want(name()) for _ in range(b.number(1, 9))]
    slides = "".join(f'<div class="slick-slide" data-index="{index}"><div class="sc-{b.hexadecimal(6)}"><img src="{picture}" alt="{say(b, "ja")}_画像{index + 1}" {"" if not index else "loading=lazy"}></div></div>' for index, picture in enumerate(pictures))
    small = "".join(f'<li class="sc-thumb"><button><img src="{picture}?pri=l&amp;w=120&amp;h=120&amp;up=0&amp;nf_src=sy" width="60" height="60" alt=""></button></li>' for picture in pictures)
    others = b.many(4, 10, lambda _: f'<li class="Recommend__item"><a href="/jp/auction/{b.hexadecimal(1)}{b.digits(10)}"><img src="{name()}?pri=l&amp;w=300&amp;h=300&amp;up=0" width="150" height="150" alt="" loading="lazy"></a></li>')
    title = say(b, "ja")
    listed = ",".join(f'{{"image":"{picture}","thumbnail":"{picture}?pri=l&w=120"}}' for picture in pictures)
    return document(
        head(b, title, url, pictures[0] if b.chance(0.6) else None),
        f'<div id="__next"><header id="masthead"><a href="/"><img src="https://s.imgs.example/c/logo/f/auctions_r_34_2x.png" alt="オークション" width="180" height="34"></a><a href="https://promo.example/?c={b.digits(5)}"><img src="https://s.imgs.example/images/promo/{b.digits(6)}_emg.png" alt="キャンペーン"></a></header><main id="itemPage"><div class="slick-slider"><div class="slick-list"><div class="slick-track">{slides}</div></div></div><ul class="thumbs">{small}</ul><h1>{title}</h1><section id="description">{say(b, "ja", 9, 30)}</section><section class="seller"><img src="https://s.imgs.example/profile/{b.hexadecimal(12)}.jpg" width="48" height="48" alt="出品者"><img src="https://s.imgs.example/images/store/bestseller.png" width="80" alt=""></section></main><section><h2>おすすめ</h2><ul>{others}</ul></section></div><script id="__NEXT_DATA__" type="application/json">{{"props":{{"pageProps":{{"item":{{"title":"{title}","img":[{listed}]}}}}}}}}</script>{tracker(b)}',
        "ja",
    )


def french_slideshow(b, url):
    """The pictures of an event in a French paper, each a figure with its credit, between advertisements."""
    host = "https://media.ville-info.example/photos"

    def figure(index):
        key = f"20{b.number(18, 25)}/0{b.number(1, 9)}/1{b.digits(1)}/{b.slug()}"
        best = b.want(f"{host}/{key}/1600x1067.jpg")
        sizes = ", ".join(f"{host}/{key}/{width}x{width * 2 // 3}.jpg {width}w" for width in (375, 750, 1200)) + f", {best} 1600w"
        lazy = f'src="{BLANK}" data-src="{host}/{key}/750x500.jpg" data-srcset="{sizes}" class="lazy diapo__img"' if index else f'src="{host}/{key}/750x500.jpg" srcset="{sizes}" class="diapo__img"'
        pub = f'<div class="pub pub--inread" data-format="mpu">{advertisement(b)}</div>' if b.chance(0.25) else ""
        return f'<figure class="diapo__item" id="photo-{index + 1}"><img {lazy} sizes="(min-width: 1024px) 840px, 100vw" alt="{say(b, "fr")}" width="750" height="500"><figcaption class="diapo__legende">{index + 1}. {say(b, "fr", 4, 9)} <span class="credit">© {say(b, "fr", 2, 2)}</span></figcaption></figure>{pub}'

    read = b.many(3, 7, lambda _: f'<li class="a-lire__item"><a href="/culture/{b.slug()}-{b.digits(7)}"><img class="lazy" src="{BLANK}" data-src="{host}/2025/01/11/{b.slug()}/160x107.jpg" width="160" height="107" alt=""><span>{say(b, "fr")}</span></a></li>')
    title = say(b, "fr").capitalize()
    tag = b.choice("article", "div")
    return document(
        head(b, title, url, extra='<meta property="og:site_name" content="Ville Info">'),
        f'<header class="entete"><a href="/"><img src="/build/images/logo-ville.{b.hexadecimal(8)}.svg" alt="Ville Info" width="210" height="46"></a><a class="abo" href="/abonnement"><img src="/build/images/une-{b.digits(6)}.jpg" alt="La une du jour" width="60" height="80"></a></header><main><{tag} class="diapo"><h1>EN IMAGES. {title}</h1><div class="signature"><img class="signature__photo" src="{host}/auteurs/{b.slug()}.jpg" width="40" height="40" alt="Auteur">Par Anne</div>{b.many(3, 16, figure)}</{tag}><section class="a-lire"><h2>À lire aussi</h2><ul>{read}</ul></section></main><footer>{social(b, "/build/images")}<img src="/build/images/acpm.png" alt="Certifié" width="80"></footer>{tracker(b)}',
        "fr",
    )


FAMILIES = {
    "astro-photo": (astro_photo, "https://www.stars.example/a1b2c3/"),
    "open-paper": (open_paper, "https://journals.open.example/one/article?id=10.1371/journal.pone.0123456"),
    "step-recipe": (step_recipe, "https://cook.example/jp/recipes/12345678"),
    "site-for-schools": (site_for_schools, "https://www.harbourschool.example/about/campus"),
    "estate-sale": (estate_sale, "https://www.sales.example/NY/Harbour/12345/1234567"),
    "dealer-inventory": (dealer_inventory, "https://www.harbourmotors.example/used-inventory/index.htm"),
    "mosaic-home": (mosaic_home, "https://www.homes.example/homedetails/12-Harbour-St/12345678_zpid/"),
    "backdrop-page": (backdrop_page, "https://www.films.example/movie/1234-harbour/images/backdrops"),
    "ship-photo": (ship_photo, "http://www.shipfotos.example/photos/1234567/"),
    "grid-square-photo": (grid_square_photo, "https://www.squares.example/photo/1234567"),
    "hike-report": (hike_report, "https://www.tourenbuch.example/tour/post123456.html"),
    "exported-web-album": (exported_web_album, "http://web.apfel.example/ann/Site/Photos.html"),
    "sequence-project": (sequence_project, "https://studio.portfolio.example/harbour"),
    "block-constructor": (block_constructor, "https://gavan.blocksite.example/"),
    "meme-photos": (meme_photos, "https://jokes.example/memes/harbour/photos"),
    "hatched-entry": (hatched_entry, "https://minato.journal.example/entry/2024/05/03/070000"),
    "yen-auction": (yen_auction, "https://auctions.example/jp/auction/x1234567890"),
    "french-slideshow": (french_slideshow, "https://www.ville-info.example/culture/en-images-port-1234567"),
}
