"""Pages of programs for galleries, of museums, and of libraries."""

from builder import document, head, tracker


def piwigo_picture(b, url):
    """One photograph in a Piwigo, with its neighbours."""
    base = "_data/i/upload/2020/05/17"
    key = f"{b.digits(14)}-{b.hexadecimal(8)}"
    b.want(f"https://photo.club.example/{base}/{key}-xx.jpg")

    def neighbour(kind, n):
        return f'<a class="navThumb" id="linkNav{kind}" href="picture.php?/{n}/category/7" title="{kind}: {b.words()}" rel="{kind.lower()}"><span class="thumbHover {kind.lower()}ThumbHover"></span><img src="{base}/{b.digits(14)}-{b.hexadecimal(8)}-sq.jpg" alt="{b.words()}"></a>'

    title = b.title()
    return document(
        head(b, title, url, generator="Piwigo (aka PWG), see piwigo.org"),
        f'<div id="the_page"><div id="theHeader"><h1><img src="local/club-title.jpg" width="800" height="120" alt="Club"></h1></div><div id="content"><div id="imageHeaderBar"></div><div id="imageToolBar"></div><div id="theImageAndInfos"><div id="theImage"><img class="file-ext-jpg path-ext-jpg" src="{base}/{key}-xx.jpg" width="1656" height="1242" alt="{b.slug()}.JPG" id="theMainImage" usemap="#mapxxlarge" title="{title}"></div><div id="infoSwitcher"></div><div id="imageInfos"><div class="navThumbs">{neighbour("Prev", 11)}{neighbour("Next", 13)}</div></div></div></div></div>',
    )


def jalbum(b, url):
    """An album that a program on a computer made."""

    def thumb(n):
        name = b.slug()
        b.want(f"http://home.photos.example/trip/slides/{name}.jpg")
        return f'<td class="thumb"><a href="slides/{name}.jpg" data-exif="x"><img class="image" src="thumbs/{name}.jpg" width="160" height="120" border="0" alt="{name}"/></a></td>'

    rows = b.many(2, 4, lambda _: "<tr>" + "".join(thumb(n) for n in range(4)) + "</tr>")
    title = b.title()
    return document(
        f'<head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /><meta name="Generator" content="jAlbum 13.9 &amp; Chameleon"><title>{title}</title></head>',
        f'<table class="menubar"><tr><td><a href="../index.html" title="Up"><img src="res/up.png" alt="Up"/></a></td><td><a href="index2.html"><img src="res/next.png" alt="Next page"/></a></td></tr></table><h1>{title}</h1><table class="index">{rows}</table><table class="infotable"><tr><td><small><a href="http://jalbum.example">jAlbum</a> <img src="res/jalbum88x31.png" alt=""></small></td></tr></table>',
    )


def lightroom(b, url):
    """A gallery that Lightroom exported, which links to a page of each photograph."""

    def cell(n):
        name = b.slug()
        b.want(f"https://me.example/gallery/content/bin/images/thumb/{name}.jpg")
        return f'<div class="thumbnail{" selectedThumbnail" if n == 0 else ""}" onclick="window.location.href=\'content/{name}_large.html\'"><div class="itemNumber">{n + 1}</div><a href="content/{name}_large.html" onclick="return needThumbImgLink"><div style="margin-left:11px; margin-top:31px;"><div class="dropShadow"><div class="inner"><img src="content/bin/images/thumb/{name}.jpg" id="ID{b.digits(5)}" alt="" class="thumb" /></div></div></div></a></div>'

    title = b.title()
    return document(
        f'<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" /><meta name="generator" content="Adobe Lightroom" /><title>{title}</title></head>',
        f'<div id="wrapper_thumb"><div id="sitetitle"><h1 onclick="clickTarget( this, \'liveUpdateSiteTitle\' );" id="metadata.siteTitle.value" class="textColor">{title}</h1></div><div class="logo"><img src="content/bin/images/large/{b.slug()}.png" alt=""></div><div id="stage"><div id="index">{b.many(8, 20, cell)}</div></div><div id="contact"><a href="mailto:user@domain"><span>Contact</span></a></div></div>',
    )


def cpg_display(b, url):
    """One photograph in a Coppermine, with a strip of others."""
    folder = "albums/userpics/10001"
    name = b.slug()
    b.want(f"https://cpg.example/{folder}/normal_{name}.jpg")
    strip = b.many(3, 5, lambda n: f'<td class="thumb strip_image"><a href="displayimage.php?album=7&amp;pid={b.digits(4)}#top_display_media" class="thumbLink"><img src="{folder}/thumb_{b.slug()}.jpg" class="strip_image" border="0" alt="x.jpg" title="" /></a></td>')
    stars = "".join('<img style="cursor:pointer" src="images/rating/rate_empty.png" alt="Poor">' for _ in range(5))
    title = b.title()
    return document(
        f'<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" /><title>{title}</title></head>',
        f'<table class="maintable"><tr><td><img src="themes/curve/images/logo_{b.hexadecimal(4)}.png" border="0" alt="" /><br /></td></tr></table><table align="center" class="maintable"><tr><td class="navmenu"><a href="thumbnails.php?album=7"><img src="images/navbar/thumbnails.png" align="middle" border="0" alt="" /></a><a href="displayimage.php?album=7&amp;pid=1"><img src="images/navbar/prev.png" border="0" alt="" /></a></td></tr></table><a id="top_display_media"></a><table align="center" class="maintable"><tr><td align="center" class="display_media"><table><tr><td align="center"><a href="javascript:;" onclick="MM_openBrWindow(\'displayimage.php?pid=1&amp;fullsize=1\')"><img src="{folder}/normal_{name}.jpg" width="400" height="300" class="image" border="0" alt="{name}.jpg" /><br /></a></td></tr></table></td></tr></table><table align="center" class="maintable"><tr>{strip}</tr></table><table class="maintable"><tr><td>{stars}</td></tr></table>',
    )


def zen_album(b, url):
    """An album of a Zenphoto, with albums in it."""

    def image(_):
        name = b.slug()
        best = b.want(f"https://zen.example/cache/trip/{name}_180_w180_h120_cw180_ch120_thumb.jpg")
        return f'<div class="image"><div class="imagethumb"><a href="/trip/{name}.html" title="{name}"><img src="{best.split("example")[1]}" alt="{name}" class="" width="180" height="120"/></a></div></div>'

    albums = b.many(1, 3, lambda _: f'<div class="album"><div class="thumb"><a href="/trip/{b.slug()}/" title="View album"><img src="{b.want(f"https://zen.example/cache/trip/sub/{b.slug()}_180_w180_h120_cw180_ch120_thumb.jpg").split("example")[1]}" alt="x" width="180" height="120"/></a></div><div class="albumdesc"><h3>x</h3></div></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="main"><div id="gallerytitle"><h2><a href="/">Gallery</a> | {title}</h2></div><div id="padbox"><div id="albums">{albums}</div><div id="images">{b.many(5, 12, image)}</div></div></div><div id="credit"><a href="https://www.zenphoto.example"><img src="/zp-core/images/zen-badge.png" alt="Zenphoto"></a></div>',
    )


def collection_object(b, url):
    """An object of a museum: views of it, and objects that resemble it."""
    iiif = "https://iiif.museum.example/iiif/2"

    def view(n):
        number = b.digits(6)
        best = b.want(f"{iiif}/{number}/full/1680,/0/default.jpg")
        return f'<li><button data-gallery-slide="{n}" aria-label="View {n}"><img alt="View {n}" data-iiifid="{number}" src="{iiif}/{number}/full/200,/0/default.jpg" srcset="{iiif}/{number}/full/200,/0/default.jpg 200w, {iiif}/{number}/full/843,/0/default.jpg 843w, {best} 1680w" sizes="10vw"></button></li>'

    other = b.many(3, 6, lambda _: f'<li class="m-listing"><a href="https://www.museum.example/artworks/{b.digits(5)}/{b.slug()}" class="m-listing__link"><span class="m-listing__img"><img alt="" class="img-hero-desktop" src="{iiif}/{b.digits(6)}/full/200,/0/default.jpg" srcset="{iiif}/{b.digits(6)}/full/200,/0/default.jpg 200w, {iiif}/{b.digits(6)}/full/843,/0/default.jpg 843w"></span><strong>{b.title()}</strong></a></li>')
    exhibitions = b.many(1, 3, lambda _: f'<li class="m-listing"><a href="/exhibitions/{b.digits(4)}/{b.slug()}"><img src="https://museum-imgix.example/{b.hexadecimal(32)}.jpg?rect=0,1,2,3&amp;w=600&amp;h=338" alt=""></a></li>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="a17"><header class="g-header"><a href="/"><svg></svg></a></header><main id="content"><article class="o-article"><div class="m-article-header__img"><ul class="m-article-header__gallery">{b.many(2, 6, view)}</ul></div><h1>{title}</h1><div class="o-blocks">{b.paragraph()}</div></article><div class="m-title-bar"><h2>Explore further</h2></div><ul class="o-grid-listing">{other}</ul><div class="m-title-bar"><h2>Exhibitions</h2></div><ul>{exhibitions}</ul></main></div>',
    )


def item_page(b, url):
    """An item of a digital library, with pages and items by the same people."""
    item = f"bim_{b.digits(4)}"

    def page(n):
        best = b.want(f"https://ia80.library.example/BookReader/BookReaderPreview.php?id={item}&page=leaf{n}&scale=1")
        return f'<div class="BRpagecontainer"><img class="BRpageimage" src="{best.replace("&", "&amp;")}" alt="Page {n}"></div>'

    others = b.many(3, 6, lambda _: f'<div class="item-ia hov"><div class="item-ttl"><a href="/details/{b.slug()}"><div class="item-img-ttl"><img class="item-img" source="/services/img/{b.slug()}" src="https://www.library.example/services/img/{b.slug()}" alt=""></div></a></div><div class="statbar"><img src="/images/mediatype-texts.svg" width="16" alt=""></div></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<ia-topnav></ia-topnav><main id="maincontent"><div class="container"><div id="theatre-ia"><div id="BookReader" class="BookReader">{b.many(4, 9, page)}</div></div><div class="relative-row"><h1>{title}</h1><div class="boxy"><div class="collection-list"><a href="/details/texts"><img class="collection-img" src="https://www.library.example/services/img/texts" width="60" height="60" alt=""></a></div></div></div><div class="related-rail" id="also-found"><h5>SIMILAR ITEMS (based on metadata)</h5>{others}</div></div></main>{tracker(b)}',
    )


def photo_stream(b, url):
    """The photographs of a person, which are backgrounds with links to their own pages."""

    def photo(_):
        number = b.digits(11)
        best = b.want(f"https://live.static.example/65535/{number}_{b.hexadecimal(10)}_n.jpg")
        return f'<div class="view photo-list-photo-view requiredToShowOnServer awake" style="transform: translate(0px, 4px); width: 311px; height: 207px; background-image: url({best.replace("https:", "")})"><div class="interaction-view"><div class="photo-list-photo-interaction"><a class="overlay" href="/photos/name/{number}/" aria-label="{b.words()}"></a></div></div></div>'

    title = b.title()
    return document(
        head(b, title, url, extra=f'<meta name="description" content="x">'),
        f'<div class="global-nav"><a class="main-logo" href="/"></a></div><div class="view coverphoto-view"><div class="coverphoto-content" style="background-image: url(//live.static.example/65535/coverphoto/{b.digits(10)}_h.jpg?{b.digits(10)})"></div><div class="avatar person large" style="background-image: url(//farm66.staticflickr.example/buddyicons/{b.digits(8)}@N08_r.jpg)"></div></div><main id="content"><div class="view photo-list-view">{b.many(6, 16, photo)}</div></main>',
    )


FAMILIES = {
    "piwigo-picture": (piwigo_picture, "https://photo.club.example/picture.php?/12/category/7"),
    "jalbum": (jalbum, "http://home.photos.example/trip/index.html"),
    "lightroom": (lightroom, "https://me.example/gallery/index.html"),
    "cpg-display": (cpg_display, "https://cpg.example/displayimage.php?album=7&pid=1234"),
    "zen-album": (zen_album, "https://zen.example/trip/"),
    "collection-object": (collection_object, "https://www.museum.example/artworks/12345/the-harbour"),
    "item-page": (item_page, "https://www.library.example/details/bim_harbour"),
    "photo-stream": (photo_stream, "https://www.stream.example/photos/name/"),
}
