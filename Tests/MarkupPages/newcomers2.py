"""More pages of kinds that came later: albums, archives, comics, magazines and portals in several languages."""

from html import escape

from builder import advertisement, document, head, social, tracker

BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
LOCAL = {
    "de": "Hafen Morgen Licht Brücke Garten Winter Markt Turm Fest Berg See Wald Straße Zeitung Sommer".split(),
    "ja": "港 朝 光 橋 庭 冬 市場 塔 祭り 山 湖 森 通り 物語 夏 舟".split(),
    "zh": "港口 早晨 光线 桥梁 花园 冬天 市场 高塔 节日 山峰 湖泊 森林 街道 博物馆 夏天".split(),
    "ko": "항구 아침 빛 다리 정원 겨울 시장 탑 축제 산 호수 숲 거리 박물관 여름".split(),
    "ru": "гавань утро свет мост сад зима рынок башня праздник гора озеро лес улица музей лето лодка".split(),
    "ar": "ميناء صباح ضوء جسر نهر حديقة شتاء سوق برج مهرجان جبل بحيرة غابة شارع متحف صيف".split(),
    "pt": "porto manhã luz ponte rio jardim inverno mercado torre festa montanha lago floresta rua museu verão".split(),
}


def say(b, language, low=2, high=5):
    """Some words of a language."""
    return ("" if language in ("ja", "zh") else " ").join(b.choice(*LOCAL[language]) for _ in range(b.number(low, high)))


def uuid(b):
    """A random identifier in the usual form."""
    return f"{b.hexadecimal(8)}-{b.hexadecimal(4)}-4{b.hexadecimal(3)}-a{b.hexadecimal(3)}-{b.hexadecimal(12)}"


def tumbling_post(b, url):
    """One post of a social network of blogs, with pictures in several sizes, notes and recommended blogs."""
    host = "https://64.media.tumbling.example"
    def picture(_):
        folder, post, wide, high = b.hexadecimal(32), f"{b.hexadecimal(16)}-{b.hexadecimal(2)}", b.choice(2048, 1280), b.number(900, 3000)
        names = [f"{host}/{folder}/{post}/s{w}x{w * 3 // 2}/{b.hexadecimal(40)}.jpg {w}w" for w in (100, 250, 400, 540, 640, 1280, 2048) if w <= wide]
        b.want(names[-1].split()[0])
        return f'<figure class="tmblr-full" data-orig-height="{high}" data-orig-width="{wide}"><div class="Y6YJ2"><img src="{names[4].split()[0]}" srcset="{", ".join(names)}" sizes="(max-width: 540px) 100vw, 540px" alt="{b.choice("image", b.words())}" loading="{b.choice("eager", "lazy")}" class="RoN4R xhGbM" style="width: 540px"></div></figure>'
    def avatar(size=64):
        folder = f"{host}/{b.hexadecimal(32)}/{b.hexadecimal(16)}-{b.hexadecimal(2)}"
        return f'<img class="RkANE avatar" alt="Avatar" loading="lazy" src="{folder}/s{size}x{size}u_c1/{b.hexadecimal(40)}.pnj" srcset="{folder}/s{size}x{size}u_c1/{b.hexadecimal(40)}.pnj {size}w, {folder}/s128x128u_c1/{b.hexadecimal(40)}.pnj 128w" style="width: {size}px; height: {size}px">'
    notes = b.many(3, 9, lambda _: f'<li class="note reblog"><a href="https://{b.words(1, 1)}.tumbling.example/">{avatar(30)}</a><span class="action">{b.words(1, 1)} reblogged this</span></li>')
    blogs = b.many(2, 4, lambda _: f'<li class="blog-recommendation"><a href="/x">{avatar()}<h3>{b.words(1, 1)}</h3></a></li>')
    body = f'<div id="root"><header class="Vw55Z"><a href="/" aria-label="Home"><svg><use href="#managed-icon__logo"></use></svg></a></header><main><article class="c79Av" data-id="{b.digits(18)}"><header><a href="/ann">{avatar()}</a><a class="BSUG4">ann</a></header><div class="LaNUG"><div class="GzjsW">{b.many(1, 8, picture)}</div><p>{b.words(4, 12)}</p><div class="tags"><a href="/tagged/x">#{b.words(1, 1)}</a></div></div><footer><span>{b.digits(3)} notes</span></footer></article><ol class="notes">{notes}</ol></main><aside><h2>Check out these blogs</h2><ul>{blogs}</ul></aside></div>'
    return document(head(b, f"ann - {b.title()}", url, extra='<meta property="og:type" content="tumbling-feed:entry">'), body)


def static_gallery(b, url):
    """An album of a theme of a generator of static sites, whose thumbnails open in a viewer."""
    album = url.rsplit("/", 2)[1]
    def item(_):
        name, mark, wide, high = b.slug(), b.digits(16), b.choice(1600, 1200), b.choice(1067, 1600)
        path = f"/{album}/{name}_hu{b.hexadecimal(16)}_{mark}_1600x1600_fit_q75_box.jpg"
        b.want("https://photos.ann.example" + path)
        small = f"/{album}/{name}_hu{b.hexadecimal(16)}_{mark}_600x600_fit_q75_box.jpg"
        return f'<a class="gallery-item" href="{path}" itemscope itemtype="https://schema.org/ImageObject" data-pswp-src="{path}" data-pswp-width="{wide}" data-pswp-height="{high}" title="{b.words()}" style="aspect-ratio: {wide} / {high}"><figure style="background-color: #{b.hexadecimal(6)}"><img class="lazyload" width="600" height="400" data-src="{small}" alt="{b.words()}"></figure><meta itemprop="contentUrl" content="{path}"></a>'
    related = b.many(2, 3, lambda _: f'<a class="card" href="/{b.slug()}/" title="x"><figure><img class="lazyload" width="600" height="400" data-src="/{b.slug()}/feature_hu{b.hexadecimal(16)}_{b.digits(7)}_600x400_fill_q75_box_smart1.jpg" alt=""></figure><div><h2>{b.title()}</h2></div></a>')
    body = f'<header><a class="btn" href="/" aria-label="Ann Photos"><img src="/images/logo.svg" alt="" width="24"> Ann Photos</a></header><main><section class="gallery"><hgroup><h1>{b.title()}</h1><p>{b.words()}</p></hgroup><div id="gallery" style="visibility: hidden; height: 1px; overflow: hidden;">{b.many(5, 30, item)}</div></section>{f"<section class={chr(34)}galleries related{chr(34)}><h2>Related albums</h2>{related}</section>" if b.chance(0.6) else ""}</main><footer><section><p>© Ann</p></section></footer><script src="/js/gallery.min.{b.hexadecimal(40)}.js" defer></script>'
    return document(head(b, b.title(), url, generator="Hugo 0.125.0"), body)


def exported_web_gallery(b, url):
    """An album that a photo program exported for the web, with a page of thumbnails and a folder of photos."""
    def item(index):
        name = f"{b.choice('DSC', 'IMG', 'P')}{b.choice('_', '')}{b.slug()}"
        path = f"photos/{name}.jpg"
        b.want("https://www.annphoto.example/galleries/harbour/" + path)
        small = f"thumbnails/{name}.jpg"
        image = f'<img class="lazyload" src="{BLANK}" data-src="{small}" width="300" height="200" alt="{b.words()}">' if lazy else f'<img src="{small}" width="300" height="200" alt="{b.words()}">'
        return f'<li class="thumbnail photo" id="photo-{index}"><figure><a class="link-image" href="{path}" data-index="{index}" data-width="2048" data-height="1365" title="{b.words()}">{image}</a><figcaption><span class="title">{name}</span></figcaption></figure></li>'
    lazy = b.chance(0.5)
    body = f'<div class="page album-page theme-default"><header class="masthead"><a href="/"><img src="/backlight/identity/identity-plate.png" alt="Ann Photography" class="identity-plate"></a><nav class="main-menu"><ul><li><a href="/galleries/">Galleries</a></li></ul></nav></header><main><h1 class="album-title">{b.title()}</h1><div class="the-copy">{b.paragraph()}</div><ul class="album-thumbnails thumbnail-grid">{b.many(6, 40, item)}</ul></main><footer><a href="https://social.example/ann"><img src="/backlight/publisher/icons/instagram.png" alt="Follow" width="32" height="32"></a></footer></div>'
    return document(head(b, b.title(), url, generator="Adobe Lightroom"), body)


def home_server_album(b, url):
    """An album of a photo gallery that runs on a home server, with some thumbnails that are still to be made."""
    def item(index):
        year = b.number(2009, 2024)
        path = f"{year}/{b.number(10, 12)}/{b.number(10, 28)}/{year}1{b.digits(9)}-{b.hexadecimal(8)}"
        ready = b.chance(0.7)
        small = f"_data/i/upload/{path}-2s.jpg" if ready else f"i.php?/upload/{path}-2s.jpg"
        b.want("https://photos.family.example/piwigo/" + small)
        image = f'<img class="thumbnail" src="{small}" alt="{b.words()}" title="{b.words()} ({b.number(1, 90)} visits)">' if ready else f'<img class="thumbnail" src="themes/default/icon/img_small.png" data-src="{small}" alt="{b.words()}" title="{b.words()}">'
        return f'<li><span class="wrap1"><span class="wrap2"><a href="picture.php?/{1200 + index}/category/17">{image}</a></span><span class="thumbLegend"><span class="thumbName">{b.words(1, 3)}</span></span></span></li>'
    body = f'<div id="the_page"><div id="theHeader"><h1>Family Photos</h1></div><div id="menubar"><dl id="mbCategories"><dt><a href="index.php?/categories">Albums</a></dt><dd><ul><li><a href="index.php?/category/16">{b.words()}</a> <span class="menuInfoCatByChild badge">{b.number(1, 99)}</span><img title="images posted during the last 7 days" src="themes/default/icon/recent.png" alt="(!)"></li></ul></dd></dl></div><div id="content" class="content contentWithMenu"><div class="titrePage"><ul class="categoryActions"><li><a href="#" title="Sort order" class="pwg-state-default pwg-button"><span class="pwg-icon pwg-icon-sort"></span></a></li></ul><h2><a href="./">Home</a> / {b.title()} <span class="badge nb_items">40</span></h2></div><ul class="thumbnails" id="thumbnails">{b.many(6, 40, item)}</ul></div><div id="copyright">Powered by <a href="https://gallery.example" class="Piwigo">Gallery</a></div></div>'
    return document(head(b, b.title(), url, generator="Piwigo (aka PWG), see piwigo.org"), body, attributes='id="theCategoryPage" class="section-categories category-17"')


def digitised_page(b, url):
    """A page of a digitised volume in the viewer of a German library, one or two pages at once."""
    number = b.digits(9)
    folder = f"https://digital.landesbibliothek.example/data/kitodo/hafe_{number}/hafe_{number}_tif/jpegs"
    first = b.number(1, 300)
    pages = [b.want(f"{folder}/{first + n:08}.tif.large.jpg") for n in range(b.choice(1, 1, 2))]
    images = ",".join(f'{{"url":"{b.json(page)}","mimetype":"image\\/jpeg"}}' for page in pages)
    title, links = say(b, "de"), "".join(f'<li><a href="{page}" class="download-{side}" title="Einzelseite als Bild herunterladen (JPG)" target="_blank">{text} Seite (JPG)</a></li>' for page, side, text in zip(pages, ("left", "right"), ("Linke", "Rechte")))
    body = f'<div class="document-page"><header><nav class="nav"><a href="https://www.landesbibliothek.example"><img src="/typo3conf/ext/dfgviewer/Resources/Public/Images/owner-logo-{b.digits(3)}.png" alt="Landesbibliothek" class="provider-logo"></a></nav></header><div class="control-bar"><div class="metadata-wrapper"><dl class="tx-dlf-metadata-titledata"><dt>Titel</dt><dd><h1>{title}</h1></dd><dt>Signatur</dt><dd>Hist. {b.digits(3)}</dd></dl></div><div class="toc"><ul><li><a href="?tx_dlf%5Bpage%5D={b.number(1, 200)}">{say(b, "de")}</a></li></ul></div><div class="download"><ul>{links}<li><a href="https://digital.landesbibliothek.example/data/kitodo/hafe_{number}/hafe_{number}.pdf">Ganzes Werk (PDF)</a></li></ul></div></div><div class="document-view"><div id="tx-dlf-map" class="tx-dlf-map"></div><div class="page-control"><a class="page-backward" href="?page={first - 1}"><span class="prev"></span></a><select name="tx_dlf[page]"><option selected>[{first}]</option></select></div></div><footer><a href="https://creativecommons.example/publicdomain/mark/1.0/"><img src="https://licensebuttons.example/p/mark/1.0/88x31.png" alt="Public Domain Mark"></a><img src="/fileadmin/logos/foerderer-dfg.png" alt="Gefördert"></footer></div><script>$(document).ready(function(){{tx_dlf_viewer=new dlfViewer({{controls:["OverviewMap","ZoomPanel"],div:"tx-dlf-map",progressElementId:"tx-dlf-page-progress",images:[{images}],fulltexts:[{{"url":"","mimetype":""}}],useInternalProxy:0}})}});</script>'
    return document(head(b, title, url, generator="TYPO3 CMS"), body, "de")


def grid_square_photo(b, url):
    """A photo of a project that collects pictures of every square of a map, with the map and photos nearby."""
    number, mark = b.digits(7), b.hexadecimal(8)
    base = f"https://s{b.number(0, 2)}.squares.example/geophotos/0{number[0]}/{number[1:3]}/{number[3:5]}/{number}_{mark}"
    best, sizes = f"{base}.jpg", ""
    if b.chance(0.6):
        best = f"{base}_1024x1024.jpg"
        sizes = f' srcset="{base}.jpg 1x, {base}_800x800.jpg 1.25x, {best} 1.6x"'
    b.want(best)
    near = b.many(3, 8, lambda _: f'<div class="photo33"><a title="{b.words()}" href="/photo/{b.digits(7)}"><img loading="lazy" alt="{b.words()}" src="https://s{b.number(0, 2)}.squares.example/geophotos/0{b.digits(1)}/{b.digits(2)}/{b.digits(2)}/{b.digits(7)}_{b.hexadecimal(8)}_120x120.jpg" width="120" height="90"></a></div>')
    title, tiles = b.title(), "".join(f'<img src="https://t0.squares.example/tile/os/{b.digits(4)}/{b.digits(4)}.png" alt="" style="position:absolute;left:{n * 125}px" width="125" height="125">' for n in range(2))
    body = f'<div id="header_block"><div id="header"><h1><a title="home page" href="/"><img src="https://s1.squares.example/templates/basic/img/logo.gif" height="74" width="257" alt="Squares"></a></h1></div></div><div id="maincontent_block"><div id="maincontent"><h2><a title="Grid Reference" href="/gridref/TQ{b.digits(4)}">TQ{b.digits(4)}</a> : {title}</h2><div class="photoguide"><div class="shadow" id="mainphoto"><div class="img-responsive" style="max-width:640px"><a href="/more.php?id={number}" title="View larger sizes"><img alt="TQ{b.digits(4)} : {title}" src="{base}.jpg"{sizes} width="640" height="480" itemprop="contentURL"></a></div></div><div class="caption640" itemprop="description">{b.words(6, 12)}</div></div><div class="ccmessage"><a rel="license" href="http://creativecommons.example/licenses/by-sa/2.0/"><img alt="Licence" src="https://s1.squares.example/img/somerights20.gif"></a> © Copyright <a href="/profile/{b.digits(5)}">Ann</a></div><table id="maptable"><tr><td><div class="rastermap" style="width:250px;position:relative">{tiles}<img src="/img/icons/viewc--1.png" alt="" style="position:absolute;top:120px;left:120px" width="29" height="29"></div></td></tr></table><h3>Other photos near this one</h3><div class="nearby">{near}</div></div></div>{social(b)}'
    return document(head(b, title, url, f"{base}.jpg", extra='<meta name="geo.position" content="51.5;-0.1">'), body)


def grave_photos(b, url):
    """The photos of a memorial in a collection of graves, with flowers of visitors and family members."""
    host, number = "https://images.graves.example", b.digits(8)
    def photo(_):
        path = f"photos/20{b.number(10, 24)}/{b.number(1, 365)}/{number}_{uuid(b)}.jpeg"
        best = b.want(f"{host}/{path}")
        return f'<div class="col-md-3 photo-item" itemscope itemtype="https://schema.org/ImageObject"><a class="viewer-item" href="{best}" data-photo-id="{b.digits(9)}" data-caption="{b.words()}" itemprop="contentUrl"><img class="lozad img-fluid" src="{BLANK}" data-src="{host}/photos250/{path}" alt="{b.words()}" itemprop="thumbnail"></a><p class="added-by"><img class="profile-img lozad" data-src="{host}/photoThumbnails/profiles/{b.digits(3)}/{b.digits(8)}.jpg" alt="" width="24" height="24"> Added by Ann</p></div>'
    family = b.many(2, 5, lambda _: f'<li itemscope itemtype="https://schema.org/Person"><a href="/memorial/{b.digits(8)}/{b.slug()}"><img class="lozad" data-src="{host}/photoThumbnails/photos/20{b.number(10, 24)}/{b.number(1, 365)}/{b.digits(8)}_{b.digits(10)}.jpg" alt="" width="60" height="60"><span itemprop="name">{b.words(2, 2).title()}</span></a></li>')
    flowers = b.many(2, 8, lambda _: f'<div class="flower-item"><img class="lozad" data-src="https://www.graves.example/assets/flowers/flower{b.number(1, 400):03}.jpg" alt="Flower" width="80" height="80"><p>Left by Ann</p></div>')
    name = b.words(2, 2).title()
    body = f'<header class="site-header"><a class="navbar-brand" href="/"><img src="https://www.graves.example/assets/images/logo.svg" alt="Graves"></a></header><main><section class="memorial-header"><h1 id="bio-name" itemprop="name">{name}</h1><p>Birth 1{b.digits(3)}</p><ul class="nav nav-tabs"><li><a href="/memorial/{number}/x">Memorial</a></li><li class="active"><a href="{url}">Photos</a></li><li><a href="/memorial/{number}/x/flower">Flowers</a></li></ul></section><section id="photo-tab"><div class="row photo-grid">{b.many(2, 12, photo)}</div></section>{advertisement(b)}<aside><h2>Family Members</h2><ul class="member-family">{family}</ul><h2>Flowers</h2><div class="flowers">{flowers}</div></aside></main><footer><img src="https://www.graves.example/assets/images/app-store.png" alt="App"></footer>{tracker(b)}'
    return document(head(b, f"Photos of {name}", url, "https://www.graves.example/assets/images/og-default.png"), body)


def plant_family(b, url):
    """The species of a family in a database of plants, with a preview of those that have a picture."""
    def species(_):
        picture = '<img src="/img/placeholder-leaf.svg" alt="No image" class="placeholder">'
        if b.chance(0.8):
            path = f"//d2plants.cdn.example/{b.hexadecimal(32)}_thumb.jpg"
            b.want("https:" + path)
            picture = f'<img class="c-gallery__img lazyload" alt="{b.words()}" src="{BLANK}" data-src="{path}">' if lazy else f'<img class="c-gallery__img" alt="{b.words()}" loading="lazy" src="{path}">'
        return f'<li class="result"><a href="/taxon/urn:lsid:names.example:names:{b.digits(6)}-1"><div class="result__image">{picture}</div><div class="result__name"><i lang="la">{b.words(2, 2).capitalize()}</i> L.</div><span class="badge badge--accepted"><img src="/img/icons/accepted.svg" alt="Accepted"></span></a></li>'
    lazy = b.chance(0.5)
    body = f'<div id="s-page"><header class="c-header"><a class="c-header__logo" href="/"><img src="/img/plants-logo.svg" alt="Plants"></a><div class="c-search"><input type="search"></div></header><main><div class="c-summary"><h1 class="c-summary__heading">{b.words(1, 1).capitalize()}aceae</h1><p>{b.words(6, 12)}</p></div><ol class="c-results">{b.many(8, 30, species)}</ol><nav class="pagination"><a href="?page=2"><img src="/img/icons/arrow-right.png" alt="Next"></a></nav></main><footer class="c-footer"><a href="https://garden.example"><img src="/img/garden-crest.png" alt="Botanic garden" width="120"></a><img src="/img/funder-logo.png" alt="Funder"></footer></div>{tracker(b)}'
    return document(head(b, "Species", url), body)


def house_plans(b, url):
    """The list of plans in a shop of house plans, with a view of each house and badges."""
    host = "https://cdn.blueprints.example/uploads/plans"
    def plan(index):
        number, mark = b.digits(5), b.slug()
        base = f"{host}/{number}/{number}-{mark}"
        best = b.want(f"{base}-1200.jpg")
        sizes = f"{base}-300.jpg 300w, {base}-600.jpg 600w, {best} 1200w"
        image = f'<img class="img-fluid b-lazy" src="/assets/img/loading-house.svg" data-src="{base}-600.jpg" data-srcset="{sizes}" alt="Plan {number}">' if index > 2 else f'<img class="img-fluid" src="{base}-600.jpg" srcset="{sizes}" sizes="(max-width: 767px) 100vw, 33vw" alt="Plan {number}">'
        badge = f'<span class="plan-badge"><img src="/assets/img/badges/{b.choice("exclusive", "photos", "new")}.png" alt="Badge" width="48"></span>' if b.chance(0.4) else ""
        return f'<div class="col-md-4 plan-card" data-plan="{number}"><div class="plan-card__image"><a href="/plan/{mark}-{number}">{image}</a>{badge}<button class="btn-favorite" aria-label="Save"><i class="far fa-heart"></i></button></div><div class="plan-card__body"><h3>Plan #{number}</h3><ul><li>{b.number(800, 4000)} sq ft</li><li>{b.number(1, 6)} beds</li></ul></div></div>'
    cards = [plan(n) for n in range(b.number(6, 18))]
    cards.insert(4, '<div class="col-md-4 promo-card"><a href="/cost-to-build"><img class="img-fluid" src="/assets/img/promos/cost-to-build-report.jpg" alt="Cost to build"></a></div>')
    styles = b.many(4, 8, lambda _: f'<li class="dropdown-item"><a href="/style/{b.slug()}"><img src="/assets/img/styles/{b.slug()}.png" alt="" width="60" height="40"> {b.words(1, 1)}</a></li>')
    body = f'<header class="navbar"><a class="navbar-brand" href="/"><img src="/assets/img/logo-blueprints.png" alt="Blueprints"></a><ul class="dropdown-menu">{styles}</ul></header><main class="container"><h1>{b.title()} house plans</h1><div class="row plan-results">{"".join(cards)}</div></main><section class="newsletter"><img src="/assets/img/ebook-cover.png" alt="Free e-book" width="150"></section><footer><img src="/assets/img/bbb-seal.png" alt="Accredited"><img src="/assets/img/cards/visa.svg" alt="Visa"><img src="/assets/img/cards/mastercard.svg" alt="Mastercard"></footer>{tracker(b)}'
    return document(head(b, "House plans", url, "https://www.blueprints.example/assets/img/og-default.jpg"), body)


def style_magazine(b, url):
    """A gallery story of a fashion magazine, whose lazy pictures stand in parts for browsers without scripts."""
    host = "https://media.mode.example/photos"
    def sources(crop, top):
        name = f"{host}/{b.hexadecimal(24)}/{crop}/w_{{}}%2Cc_limit/{b.slug()}.jpg"
        return name, [w for w in (120, 240, 320, 640, 960, 1280, 1600, 1920, 2240, 2560) if w <= top]
    def image(name, widths, css, eager=False):
        tag = f'<img alt="{b.words()}" class="ResponsiveImageContainer-eybHBd fptoWY responsive-image__image" src="{name.format(widths[-1])}" srcset="{", ".join(f"{name.format(w)} {w}w" for w in widths)}" sizes="100vw">'
        return f'<span class="SpanWrapper-umhxW kGxnNB responsive-asset {css}"><picture class="ResponsiveImagePicture-cWuUZO dUOtEa {css} responsive-image">{tag if eager else f"<noscript>{tag}</noscript>"}</picture></span>'
    def slide(index):
        name, widths = sources(b.choice("master", "2:3", "3:4"), b.choice(1600, 2560))
        b.want(name.format(widths[-1]))
        return f'<figure class="GallerySlideFigure-x figure" data-testid="GallerySlide" id="slide-{index}">{image(name, widths, "GallerySlideImage-a", index == 0)}<figcaption class="GallerySlideCaption"><span class="CaptionCredit">Photo: {b.words(2, 2).title()}</span></figcaption></figure>'
    def teaser(_):
        return f'<div class="SummaryItemWrapper-iwvBff summary-item" data-item="x"><a class="SummaryItemImageLink" href="/article/{b.slug()}">{image(*sources("4:3", 640), "SummaryItemResponsiveAsset")}</a><h3 class="SummaryItemHedBase">{b.title()}</h3></div>'
    title, person = b.title(), sources("1:1", 320)
    body = f'<div id="app-root"><header class="StandardNavigationWrapper"><a class="StandardNavigationLogoLink" href="/"><picture class="responsive-image"><img alt="Mode" class="responsive-image__image" src="/verso/static/mode/assets/logo.svg"></picture></a></header><main id="main-content"><article class="article main-content"><header class="GalleryPageHeader"><h1 data-testid="ContentHeaderHed">{title}</h1><div class="ContributorBio">{image(*person, "ContributorImage-avatar", True)}<p>By Ann</p></div></header><div class="body__container">{b.paragraph()}{"".join(slide(n) + (advertisement(b) if n % 3 == 2 else "") for n in range(b.number(3, 16)))}</div></article><section class="RecircMostPopularContiner"><h2>Most Popular</h2>{b.many(3, 6, teaser)}</section><section class="read-more"><h2>Read more</h2>{b.many(2, 4, teaser)}</section></main><footer><div class="newsletter-subscribe"></div></footer></div>{tracker(b)}'
    return document(head(b, title, url), body)


def ink_portfolio(b, url):
    """A project of a tattooist on a portfolio builder, with a grid of lazy pictures and the other projects."""
    host = f"https://cdn.folio.example/{uuid(b)}"
    def sizes():
        name, kind = uuid(b), b.choice("jpg", "jpeg", "png")
        return [f"{host}/{name}_rw_{w}.{kind}?h={b.hexadecimal(32)}" for w in (600, 1200, 1920)]
    def lazy(css, names):
        every = ",".join(f"{u} {w}w" for u, w in zip(names, (600, 1200, 1920)))
        return f'<img class="{css} js-lazy" src="{BLANK}" data-src="{names[-1]}" data-srcset="{every}," data-sizes="(max-width: 1920px) 100vw, 1920px">', every
    def grid(_):
        names = sizes()
        b.want(names[-1])
        tag, every = lazy("grid__item-image js-grid__item-image grid__item-image-lazy", names)
        return f'<div class="grid__item-container js-grid-item-container" data-flex-grow="390" style="width:390px; flex-grow:390;" data-width="1920" data-height="{b.number(1200, 2600)}"><script type="text/html" class="js-lightbox-slide-content"><div class="grid__image-wrapper"><img src="{names[-1]}" srcset="{every},"  sizes="(max-width: 1920px) 100vw, 1920px"><div></script>{tag}<span class="grid__item-filler" style="padding-bottom:133%;"></span></div>'
    def module(_):
        names = sizes()
        b.want(names[-1])
        tag, _every = lazy("e2e-site-project-module-image", names)
        return f'<div class="project-module module image project-module-image js-js-project-module"><div class="js-lightbox" data-src="{names[-1]}">{tag}</div></div>'
    others = b.many(2, 6, lambda _: f'<a class="project-cover js-project-cover-touch hold-space" href="/{b.slug()}"><div class="cover-image-wrap"><div class="cover-image"><div class="cover cover-normal"><img class="cover__img js-lazy" src="{BLANK}" data-src="{host}/{uuid(b)}_car_3x4.jpg?h={b.hexadecimal(32)}"></div></div></div><div class="title preserve-whitespace">{b.words(1, 2)}</div></a>')
    body = f'<div class="site-wrap cfix js-site-wrap"><div class="site-container"><div class="site-content"><div class="sidebar-content"><header class="site-header"><div class="logo-wrap"><div class="logo logo-image"><a href="/work"><img src="{host}/{uuid(b)}_rwc_0x0x300x120x300.png?h={b.hexadecimal(32)}" class="has-image" alt="Ann Ink"></a></div></div></header></div><main><div class="page-container" data-context="page.page.container"><section class="page standard-modules"><header class="page-header content"><h1 class="title preserve-whitespace">{b.words(1, 3)}</h1></header><div class="page-content js-page-content"><div id="project-canvas" class="js-project-modules modules content"><div id="project-modules">{b.many(0, 3, module)}<div class="project-module module media_collection project-module-media_collection"><div class="grid--main js-grid-main" data-grid-max-images="2">{b.many(3, 14, grid)}</div></div></div></div></div></section><section class="other-projects"><h2>You may also like</h2><div class="project-covers">{others}</div></section></div></main></div></div></div>'
    return document(head(b, "Ann Ink", url), body, attributes='class="transition-enabled"')


def daily_strip(b, url):
    """A strip of a webcomic on a comic plugin, with buttons, a bar of friendly comics and the author's notes."""
    site = "https://www.lighthousecomic.example"
    path = f"/comics/1{b.digits(9)}-{b.slug()}.{b.choice('png', 'jpg', 'webp')}"
    b.want(site + path)
    buttons = "".join(f'<a class="cc-{name}" rel="{name}" href="/comic/{b.slug()}"><img src="/images/nav-{name}.png" alt="{name}" width="80" height="40"></a>' for name in ("first", "prev", "next", "last"))
    friends = b.many(2, 5, lambda _: f'<a href="https://comic{b.digits(3)}.example"><img src="https://cdn.hive.example/jumpbar/{b.slug()}.jpg" alt="" width="120" height="60"></a>')
    comments = b.many(0, 6, lambda _: f'<div class="cc-commentrow"><img class="cc-commentavatar" src="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=50" alt=""><div class="cc-commentbody">{b.paragraph()}</div></div>')
    title, image = b.title(), f'<img title="{b.words(4, 9)}" src="{b.choice(site, "")}{path}" id="cc-comic" border="0" />'
    body = f'<div id="jumpbar" class="hiveworks">{friends}</div><div id="wrapper"><div id="header"><a href="/"><img src="/images/header-{b.digits(2)}.png" alt="Lighthouse comic" width="960" height="180"></a></div><div id="leaderboard">{advertisement(b)}</div><div class="cc-nav">{buttons}</div><div id="cc-comicbody">{f"<a href={chr(34)}/comic/{b.slug()}{chr(34)}>{image}</a>" if b.chance(0.6) else image}</div><div class="cc-nav">{buttons}</div><div id="news"><div class="cc-newsheader">{title}</div><div class="cc-publishtime">May {b.number(1, 28)}</div><div class="cc-newsbody"><img class="author-face" src="/images/author.png" alt="" width="64" height="64">{b.paragraph()}</div></div><div id="comments">{comments}</div><div id="sidebar"><a href="https://support.example/lighthouse"><img src="/images/support-banner.png" alt="Support"></a><a href="https://topcomics.example/vote"><img src="/images/vote.gif" alt="Vote"></a></div></div>{tracker(b)}'
    return document(head(b, title, url), body)


def japanese_reader(b, url):
    """An episode of a Japanese comic in a viewer that reads the pages from an attribute."""
    host, base = "https://cdn-img.mangahafen.example", b.number(10**17, 9 * 10**17)
    pages = ['{"type":"other"}'] if b.chance(0.5) else []
    for index in range(b.number(6, 30)):
        best = b.want(f"{host}/public/page/2/{base}{index:03}-{b.hexadecimal(32)}")
        pages.append(f'{{"type":"main","src":"{best}","width":{b.choice(764, 822, 1115)},"height":1200}}')
    data = f'{{"readableProduct":{{"id":"{base}","typeName":"episode","title":"第{b.number(1, 90)}話","isPublic":true,"pageStructure":{{"choJuGiga":"usagi","readingDirection":"rtl","startPosition":"left","pages":[{",".join(pages)},{{"type":"backMatter"}}]}},"series":{{"id":"{b.digits(18)}","title":"{say(b, "ja")}","thumbnailUri":"{host}/public/series-thumbnail/{b.digits(18)}-{b.hexadecimal(32)}?1700000000"}}}}}}'
    areas = "".join('<p class="page-area js-page-area"></p>' for _ in pages)
    episodes = b.many(3, 8, lambda _: f'<li class="episode"><a href="/episode/{b.digits(18)}"><img class="series-episode-list-thumb lazyload" data-src="{host}/public/episode-thumbnail/{b.digits(18)}-{b.hexadecimal(32)}" alt="" width="120" height="60"><h4>第{b.number(1, 90)}話 {say(b, "ja")}</h4></a></li>')
    title, works = say(b, "ja"), b.many(3, 6, lambda _: f'<li><a href="/episode/{b.digits(18)}"><img loading="lazy" src="{host}/public/series-thumbnail/{b.digits(18)}-{b.hexadecimal(32)}" alt="{say(b, "ja")}" width="160" height="160"></a></li>')
    body = f'<header class="gh-header"><h1 class="logo"><a href="/"><img src="https://cdn.mangahafen.example/images/mangahafen/logo.svg?1" alt="漫画"></a></h1></header><script id="episode-json" type="text/json" data-value="{escape(data)}"></script><div class="viewer-body js-viewer-body"><section class="viewer js-viewer"><div class="image-container js-viewer-content">{areas}</div></section></div><section class="episode-header"><h1 class="episode-header-title">{title}</h1><h2 class="series-header-author">{say(b, "ja", 1, 2)}</h2></section><section class="series-episode"><ul class="series-episode-list">{episodes}</ul></section><section class="recommend"><h3>おすすめ作品</h3><ul>{works}</ul></section><footer><img src="https://cdn.mangahafen.example/images/abj-mark.png" alt="ABJ" width="60"></footer>{tracker(b)}'
    return document(head(b, title, url, f"{host}/public/episode-ogp/{b.digits(18)}-{b.hexadecimal(32)}"), body, "ja", 'class="page-viewer"')


def chinese_essays(b, url):
    """An article on a Chinese platform of essays, whose pictures name their originals in an attribute."""
    rendered = b.chance(0.4)
    def picture(index):
        wide, high, kind = b.number(500, 1900), b.number(400, 1600), b.choice("jpg", "png", "jpg")
        path = f"//upload-images.essays.example/upload_images/{b.digits(7)}-{b.hexadecimal(16)}.{kind}"
        b.want("https:" + path)
        src = f' src="{path}?imageMogr2/auto-orient/strip|imageView2/2/w/{min(wide, 1200)}/format/webp"' if rendered else ""
        return f'<div class="image-package"><div class="image-container" style="max-width: {min(wide, 700)}px; max-height: {high}px;"><div class="image-container-fill" style="padding-bottom: {high * 100 // wide}%;"></div><div class="image-view" data-width="{wide}" data-height="{high}"><img data-original-src="{path}" data-original-width="{wide}" data-original-height="{high}" data-original-format="image/{kind}" data-original-filesize="{b.digits(6)}" data-image-index="{index}" style="cursor: zoom-in;"{src}></div></div><div class="image-caption">{say(b, "zh", 1, 3)}</div></div>'
    def avatar():
        return f'<img class="_1_jhXc" src="https://upload.essays.example/users/upload_avatars/{b.digits(7)}/{uuid(b)}.jpg?imageMogr2/auto-orient/strip|imageView2/1/w/96/h/96/format/webp" alt="">'
    comments = b.many(1, 6, lambda _: f'<div class="_2IUqvs"><a href="/u/{b.hexadecimal(12)}">{avatar()}</a><div class="_2bDGm4">{say(b, "zh", 4, 9)}</div></div>')
    more = b.many(3, 8, lambda _: f'<li class="_11jppn"><div class="JB6qEE"><h3>{say(b, "zh")}</h3></div><a href="/p/{b.hexadecimal(12)}"><img class="_3zGDUI" src="https://upload-images.essays.example/upload_images/{b.digits(7)}-{b.hexadecimal(16)}.jpg?imageMogr2/auto-orient/strip|imageView2/1/w/300/h/240/format/webp" alt="{say(b, "zh")}"></a></li>')
    text = "".join(f'<p>{say(b, "zh", 9, 20)}。</p>' + (picture(n) if n == 0 or b.chance(0.6) else "") for n in range(b.number(3, 9)))
    title = say(b, "zh")
    body = f'<div id="__next"><header class="_2zeTMs"><a href="/"><img class="_1-nXpv" src="https://cdn2.essays.example/assets/web/nav-logo-{b.hexadecimal(8)}.png" alt="Logo"></a></header><div class="_21bLU4 _3kbg6I"><div class="_3VRLsv" role="main"><div class="_gp-ck"><section class="ouvJEz"><h1 class="_1RuRku">{title}</h1><div class="rEsl9f"><div class="_2mYfmT"><a href="/u/{b.hexadecimal(12)}">{avatar()}</a></div></div><article class="_2rhmJa">{text}</article><div class="_1kCBjS"><img src="https://cdn2.essays.example/assets/web/reward-button.png" alt="赞赏"></div></section><section class="ouvJEz" id="comments">{comments}</section><section class="ouvJEz"><h3>推荐阅读</h3><ul class="_1iTR78">{more}</ul></section></div><aside class="_2OwGUo">{avatar()}{advertisement(b)}</aside></div></div></div>'
    return document(head(b, title, url), body, "zh-CN")


def korean_board(b, url):
    """A post of a Korean community's board, with attached pictures, pictures as names of members and comments."""
    host = "https://edge.board.example/F01"
    def picture(_):
        best = b.want(f"{host}/{b.digits(8)}/{b.hexadecimal(14)}.{b.choice('jpg', 'png', 'gif')}?scale=width:740")
        return f'<p><img class="fr-dib fr-fil" src="{best}" data-role="attach-image" data-file-sn="{b.digits(8)}" data-img-width="{b.number(740, 2000)}" alt="{b.slug()}.jpg" loading="lazy"></p>'
    def member():
        return b.choice(f'<span class="nickname"><span>{say(b, "ko", 1, 2)}</span></span>', f'<span class="nickimg"><img src="{host}/{b.digits(7)}/{b.hexadecimal(14)}.gif" alt="{say(b, "ko", 1, 2)}" title="{say(b, "ko", 1, 2)}"></span>')
    comments = b.many(2, 12, lambda _: f'<div class="comment_row" data-role="comment-row"><div class="comment_info"><a class="comment_nickname">{member()}</a></div><div class="comment_content"><div class="comment_view">{say(b, "ko", 3, 9)}</div></div></div>')
    rows = b.many(4, 10, lambda _: f'<div class="list_item symph_row"><div class="list_title"><a class="list_subject" href="/service/board/park/{b.digits(8)}"><span class="subject_fixed">{say(b, "ko")}</span></a><span class="fa fa-picture-o"></span></div><div class="list_author">{member()}</div></div>')
    text = "".join(f'<p>{say(b, "ko", 5, 12)}</p>' + (picture(0) if b.chance(0.6) else "") for _ in range(b.number(2, 8))) + picture(0)
    title = say(b, "ko")
    body = f'<div class="nav_top"><a class="logo" href="/service"><img src="/service/image/logo-{b.digits(2)}.svg" alt="로고"></a></div><div class="content_view"><div class="ad_banner">{advertisement(b)}</div><div class="post_title symph_row"><h3 class="post_subject"><span>{title}</span></h3></div><div class="post_info"><div class="post_contact">{member()}</div></div><div class="post_view"><div class="post_content"><article><div class="post_article">{text}</div></article></div><div class="post_button"><button class="symph_count"><img src="/service/image/icon_symph.png" alt="공감"></button></div></div><div class="post_comment"><div class="comment">{comments}</div></div><div class="list_content">{rows}</div></div><aside class="side"><a href="https://shop.example/deal"><img src="https://edge.board.example/banner/{b.slug()}.jpg" alt="광고"></a></aside>{tracker(b)}'
    return document(head(b, title, url, "https://edge.board.example/og_default.png"), body, "ko")


def russian_journal(b, url):
    """An entry of a Russian host of journals, with pictures on its own storage, userpics and a row of top entries."""
    host = "https://ic.pics.journal.example/ann"
    def picture(_):
        number = f"{b.digits(8)}/{b.digits(6)}"
        small = f"{host}/{number}/{number.split('/')[1]}_{b.choice(800, 900, 1000)}.jpg"
        image = f'<img alt="{b.slug()}.jpg" title="{b.slug()}.jpg" src="{small}" loading="lazy" fetchpriority="low">'
        if not linked:
            b.want(small)
            return f"<p>{image}</p>"
        best = b.want(f"{host}/{number}/{number.split('/')[1]}_original.jpg")
        return f'<p><a href="{best}" target="_blank">{image}</a></p>'
    def userpic():
        return f'<img class="b-userpic" alt="userpic" src="https://l-userpic.journal.example/{b.digits(9)}/{b.digits(8)}" width="100" height="100">'
    linked = b.chance(0.5)
    comments = b.many(2, 9, lambda _: f'<div class="b-leaf b-tree-twig"><div class="b-leaf-header"><div class="b-leaf-userpic"><a href="/allpics.bml">{userpic()}</a></div><span class="ljuser"><a href="https://reader.journal.example/profile"><img class="i-ljuser-userhead" src="https://l-stat.journal.example/img/userinfo_v8.png?v=17080&amp;v={b.digits(3)}" width="17" height="17" alt=""></a><b>reader</b></span></div><div class="b-leaf-article">{say(b, "ru", 4, 9)}</div></div>')
    text = b.many(1, 6, lambda _: f'<p>{say(b, "ru", 6, 14)}</p>{b.many(1, 3, picture)}')
    title, top = say(b, "ru"), b.many(3, 8, lambda _: f'<div class="rating-entry"><a href="https://other.journal.example/{b.digits(6)}.html"><img src="https://imgprx.journal.example/{b.hexadecimal(64)}/{b.hexadecimal(20)}?w=300" alt="" class="rating-entry__image" loading="lazy"></a><p>{say(b, "ru")}</p></div>')
    body = f'<header class="s-header"><a href="https://www.journal.example"><img src="https://l-stat.journal.example/img/schemius/logo.svg?v={b.digits(5)}" alt="Журнал" class="s-header-logo"></a></header><div class="b-singlepost"><div class="b-singlepost-about"><dl class="b-singlepost-author"><dt>{userpic()}</dt><dd><a href="/profile"><img class="i-ljuser-userhead" src="https://l-stat.journal.example/img/userinfo_v8.png?v=17080" width="17" height="17" alt=""></a> <b>ann</b></dd></dl></div><article class="b-singlepost-wrapper"><h1 class="b-singlepost-title">{title}</h1><article class="b-singlepost-body entry-content e-content">{text}</article></article><div class="b-singlepost-tags">{social(b, "https://l-stat.journal.example/img/share")}</div></div><div class="rating-block"><h3>Популярное</h3>{top}</div><div id="comments" class="b-grove">{comments}</div>{tracker(b)}'
    return document(head(b, title, url, "https://l-stat.journal.example/img/og-fallback.png"), body, "ru")


def arabic_news(b, url):
    """A report of an Arabic broadcaster, written from right to left, with a lead picture and others in the text."""
    uploads = f"/wp-content/uploads/20{b.number(20, 25)}/0{b.number(1, 9)}"
    def sources(widths):
        base = f"{uploads}/{b.slug()}-17{b.digits(8)}.jpg"
        return [f"{base}?w={w}&#038;resize={w}%2C{w * 3 // 4}" for w in widths]
    def figure(css):
        widths = (170, 270, 375, 570, 770, 1170, 1920)
        names = sources(widths)
        b.want("https://www.akhbar.example" + names[-1].replace("&#038;", "&"))
        return f'<figure class="{css}"><div class="responsive-image"><img class="wp-image-{b.digits(7)}" loading="{"eager" if css == "article-featured-image" else "lazy"}" src="{names[4]}" srcset="{", ".join(f"{n} {w}w" for n, w in zip(names, widths))}" sizes="(max-width: 770px) 100vw, 770px" alt="{say(b, "ar")}"></div><figcaption>{say(b, "ar", 3, 8)}</figcaption></figure>'
    def card(_):
        names = sources((170, 270))
        return f'<article class="gc u-clickable-card gc--type-post"><div class="gc__image-wrap"><div class="article-card__image-wrap"><img class="article-card__image gc__image" loading="lazy" src="{names[1]}" srcset="{names[0]} 170w, {names[1]} 270w" alt=""></div></div><h3 class="gc__title"><a href="/news/2025/5/3/{b.slug()}"><span>{say(b, "ar")}</span></a></h3></article>'
    title = say(b, "ar", 4, 8)
    text = "".join(f'<p>{say(b, "ar", 9, 20)}.</p>' + (figure("wp-caption aligncenter") if b.chance(0.35) else "") for _ in range(b.number(4, 9)))
    inline = f'<div class="more-on"><h2 class="more-on__heading">اقرأ أيضا</h2><ul>{b.many(2, 3, card)}</ul></div>'
    body = f'<div id="root"><header class="site-header container"><div class="site-header__logo"><a href="/"><svg class="icon icon--logo"><title>أخبار</title></svg></a></div></header><main id="main-content-area"><header class="article-header"><h1>{title}</h1><p class="article__subhead">{say(b, "ar", 5, 9)}</p></header>{figure("article-featured-image")}<div class="article-info-block"><div class="article-author"><img class="author-image" src="{uploads}/{b.slug()}.png?resize=84%2C84" alt="" width="42" height="42"><span>{say(b, "ar", 2, 2)}</span></div></div><div class="wysiwyg wysiwyg--all-content">{text}{inline}<p>{say(b, "ar", 9, 15)}</p></div><div class="article-source">المصدر: وكالات</div></main><aside class="trending-articles"><h2>الأكثر قراءة</h2>{b.many(3, 6, card)}</aside><footer><img src="/static/media/app-store-ar.svg" alt="App"></footer></div>{tracker(b)}'
    return document(head(b, title, url), body, "ar", 'dir="rtl" class="rtl"')


def brazilian_portal(b, url):
    """A report on a Brazilian portal, with pictures in several widths from a signed image service."""
    def service(n):
        return f"https://s2-p1.fotosbr.example/{b.hexadecimal(10)}_{b.hexadecimal(8)}=/{n}/smart/filters:strip_icc()/i.s3.fotosbr.example/v1/AUTH_{auth}/internal_photos/bs/20{year}/"
    def place():
        return f"{b.hexadecimal(1)}/{b.hexadecimal(1)}/{b.hexadecimal(22)}/{b.slug()}.jpg"
    def photo(_):
        path = place()
        names = [service(f"0x0:1700x1065/{w}x0") + path for w in (600, 640, 1000)]
        best = b.want(names[-1])
        return f'<div class="mc-column content-media content-photo" data-block-type="backstage-photo"><figure class="content-media-figure" itemscope itemtype="http://schema.org/ImageObject"><img class="image content-media__image" itemprop="contentUrl" alt="{say(b, "pt")}" width="984" height="616" src="{names[0]}" srcset="{names[0]} 600w, {names[1]} 640w, {best} 1000w" sizes="(min-width: 1000px) 1000px, 100vw" loading="lazy"><figcaption class="content-media__description"><span class="content-media__description__caption">{say(b, "pt", 4, 8)} — Foto: Ana</span></figcaption></figure></div>'
    def feed(css):
        return f'<li class="{css}__item"><a href="https://p1.fotosbr.example/noticia/{b.slug()}.ghtml"><figure><img src="{service("0x0:1700x1065/335x199") + place()}" alt="" class="bstn-fd-picture-image" loading="lazy"></figure><span>{say(b, "pt")}</span></a></li>'
    auth, year = b.hexadecimal(32), b.number(18, 25)
    text = "".join(f'<div class="mc-column content-text active-extra-styles"><p class="content-text__container">{say(b, "pt", 9, 20)}.</p></div>' + (photo(0) if b.chance(0.4) else "") for _ in range(b.number(3, 9)))
    title = say(b, "pt", 4, 8)
    body = f'<div class="header-editoria"><a class="header-editoria--link" href="/"><img src="https://s.fotosbr.example/media/header-logo.svg" alt="Portal"></a></div><main class="mc-body theme"><div class="title"><h1 class="content-head__title" itemprop="headline">{title}</h1></div><div class="content__signa-share">{social(b, "https://s.fotosbr.example/media/icons")}</div><article itemprop="articleBody">{photo(0)}{text}<div class="tag-manager-publicidade-container">{advertisement(b)}</div></article><div class="entities__list"><a href="/cidade/porto">{say(b, "pt", 1, 2)}</a></div><section class="post-mais-lidas"><h2>Mais lidas</h2><ul>{"".join(feed("mais-lidas") for _ in range(b.number(3, 6)))}</ul></section><section class="bastian-feed-item"><h2>Veja também</h2><ul>{"".join(feed("next-articles") for _ in range(b.number(3, 8)))}</ul></section></main><footer class="footer-p1"><img src="https://s.fotosbr.example/media/footer-logo.png" alt="Grupo"></footer>{tracker(b)}'
    return document(head(b, title, url), body, "pt-BR")


def indian_shop_product(b, url):
    """A product of an Indian department store, with zoom images in an attribute and similar products."""
    host = f"https://n{b.number(1, 4)}.stcdn.example/imgs"
    def name():
        letters = "/".join(b.choice(*"abcdefghijk") for _ in range(3))
        return letters, f"{'-'.join(b.words(2, 4).title().split())}-SHP{b.digits(9)}"
    def slide(index):
        folder, title = name()
        title = f"{title}-{index + 1}-{b.hexadecimal(5)}.jpeg"
        best = b.want(f"{host}/{folder}/{title}")
        big, small = f"{host}/{folder}/850x995_sharpened/{title}", f"{host}/{folder}/64x75_sharpened/{title}"
        tag = f'<img class="cloudzoom" bigsrc="{best}" {"src" if index == 0 else "lazySrc"}="{big}" itemprop="image" slidenum="{index + 1}" width="430" height="503" alt="{b.words()}">'
        return f'<li class="slider-item">{tag}</li>', f'<li><a class="bx-pager-item" data-slide-index="{index}"><img src="{small}" alt="" width="64" height="75"></a></li>'
    def similar(_):
        folder, title = name()
        return f'<div class="product-tuple-listing" data-js-pos="1"><a href="/product/{b.slug()}/{b.digits(12)}"><picture class="picture-elem"><source srcset="{host}/{folder}/230X258_sharpened/{title}-1-{b.hexadecimal(5)}.jpeg"><img class="product-image" src="{host}/{folder}/230X258_sharpened/{title}-1-{b.hexadecimal(5)}.jpeg" alt="" title="{b.words()}"></picture></a><p class="product-title">{b.title()}</p><span class="product-price">Rs. {b.digits(3)}</span></div>'
    slides = [slide(n) for n in range(b.number(1, 7))]
    title, reviews = b.title(), b.many(0, 4, lambda _: f'<div class="commentreview"><div class="rating"><i class="sd-icon active"></i></div><p>{b.words(4, 9)}</p></div>')
    body = f'<div class="reset-padding" id="sdHeader"><a class="notIeLogoHeader sdHomepage" href="/"><img src="https://i{b.number(1, 4)}.stcdn.example/img/logo/storeLogo.svg" alt="Store"></a><div class="topBar"><img src="https://i1.stcdn.example/img/marketing-mailers/strip-{b.digits(3)}.png" alt="Offer" width="1350" height="45"></div></div><div class="comp comp-product-specs" itemscope itemtype="http://schema.org/Product"><div class="pdp-comp comp-pdp-gallery"><div class="left-panel-carousel"><ul id="bx-pager-left-image-panel">{"".join(s[1] for s in slides)}</ul></div><div class="product-carousel"><ul id="bx-slider-left-image-panel">{"".join(s[0] for s in slides)}</ul></div></div><div class="pdp-comp comp-product-description"><h1 class="pdp-e-i-head" itemprop="name">{title}</h1><span class="payBlkBig" itemprop="price">{b.digits(3)}</span><div class="offers"><img src="https://i2.stcdn.example/img/pdp/bank-offer.png" alt="Bank offer" width="24"></div></div><div class="tab-content"><h3>Highlights</h3><ul><li>{b.words()}</li></ul>{reviews}</div></div><div class="similar-products"><h3>Similar Products</h3>{b.many(4, 10, similar)}</div><footer><div class="payment"><img src="https://i3.stcdn.example/img/footer/visa.png" alt="Visa"><img src="https://i3.stcdn.example/img/footer/rupay.png" alt="RuPay"></div></footer>{tracker(b)}'
    return document(head(b, title, url), body)


def record_grid(b, url):
    """The records of a musician on a shop for music, with lazy covers."""
    count = b.number(5, 24)
    def record(index):
        best = b.want(f"https://f4.records.example/img/a{b.digits(10)}_2.jpg")
        image = f'<img src="{best}" alt="" />' if index < 8 else f'<img class="lazy" src="/img/0.gif" data-original="{best}" alt="" />'
        return f'<li data-item-id="{b.choice("album", "track")}-{b.digits(9)}" data-band-id="{b.digits(9)}" class="music-grid-item square {"first-four" if index < 4 else ""}" data-bind="css: {{}}"><a href="/album/{b.slug()}"><div class="art">{image}</div><p class="title">{b.words(1, 4).title()}</p></a></li>'
    body = f'<div id="menubar-wrapper"><a href="https://records.example/" class="logo"><img src="https://s4.records.example/img/logo-{b.hexadecimal(12)}.svg" alt="records" width="90"></a></div><div id="centerWrapper"><div id="pgBd" class="yui-skin-sam"><div class="leftMiddleColumns"><ol id="music-grid" class="editable-grid music-grid columns-4 public" data-edit-callback="/music_reorder">{"".join(record(n) for n in range(count))}</ol></div><div id="rightColumn" class="rightColumn"><div id="bio-container"><p id="band-name-location"><span class="title">Ann</span> <span class="location">{b.words(1, 1)}</span></p><ol id="band-links"><li><a href="https://ann.example">ann.example</a></li></ol></div></div></div></div><div id="pgFt"><a href="https://records.example"><img src="https://s4.records.example/img/footer-icon.png" alt="" width="16" height="16"></a></div>'
    return document(head(b, "Music | Ann", url), body)


def proxied_channel(b, url):
    """The videos of a channel in a light front end of a video platform, with a preview of each."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
    def video(_):
        name = "".join(b.choice(*letters) for _ in range(11))
        b.want(f"https://videos.light.example/vi/{name}/mqdefault.jpg")
        watched = '<div class="watched-indicator"></div>' if b.chance(0.1) else ""
        return f'<div class="pure-u-1 pure-u-md-1-4"><div class="h-box"><div class="thumbnail"><a tabindex="-1" href="/watch?v={name}"><img loading="lazy" class="thumbnail" src="/vi/{name}/mqdefault.jpg" alt=""/></a>{watched}<div class="top-left-overlay"></div><div class="bottom-right-overlay"><p class="length">{b.number(1, 59)}:{b.number(10, 59)}</p></div></div><div class="video-card-row"><a href="/watch?v={name}"><p dir="auto">{b.title()}</p></a></div><div class="video-card-row flexible"><div class="flex-left"><p class="video-data" dir="auto">Shared {b.number(1, 9)} months ago</p></div></div></div></div>'
    body = f'<div class="pure-g"><div class="pure-u-1 pure-u-md-20-24" id="contents"><div class="pure-g navbar h-box"><a href="/" class="index-link pure-menu-heading">Light</a></div><div class="pure-g h-box flexible title"><div class="pure-u-1-2 flex-left flexible"><div class="channel-profile"><img src="/ggpht/{b.hexadecimal(40)}=s176-c-k-c0x00ffffff-no-rj" alt="" loading="lazy"/><span>Ann</span></div></div></div><div class="h-box"><p>{b.words(5, 9)}</p></div><div class="pure-g">{b.many(6, 24, video)}</div></div></div><footer><div class="pure-g"><div class="pure-u-1"><a href="https://code.example/light">Source code</a></div></div></footer>'
    return document(head(b, "Ann - Videos", url, extra='<link rel="alternate" type="application/rss+xml" title="RSS" href="/feed/channel/UC1">'), body, attributes='class="no-theme"')


FAMILIES = {
    "tumbling-post": (tumbling_post, "https://www.tumbling.example/ann/712345678901234567/harbour"),
    "static-gallery": (static_gallery, "https://photos.ann.example/harbour/"),
    "exported-web-gallery": (exported_web_gallery, "https://www.annphoto.example/galleries/harbour/"),
    "home-server-album": (home_server_album, "https://photos.family.example/piwigo/index.php?/category/17"),
    "digitised-page": (digitised_page, "https://digital.landesbibliothek.example/werkansicht/dlf/12345/12"),
    "grid-square-photo": (grid_square_photo, "https://www.squares.example/photo/5123456"),
    "grave-photos": (grave_photos, "https://www.graves.example/memorial/12345678/ann-harbour/photo"),
    "plant-family": (plant_family, "https://plants.example/results?q=Portaceae&page.size=30"),
    "house-plans": (house_plans, "https://www.blueprints.example/style/coastal-house-plans"),
    "style-magazine": (style_magazine, "https://www.mode.example/slideshow/harbour-street-style"),
    "ink-portfolio": (ink_portfolio, "https://annink.folio.example/flowers"),
    "daily-strip": (daily_strip, "https://www.lighthousecomic.example/comic/the-storm"),
    "japanese-reader": (japanese_reader, "https://mangahafen.example/episode/316190246123456789"),
    "chinese-essays": (chinese_essays, "https://www.essays.example/p/0a1b2c3d4e5f"),
    "korean-board": (korean_board, "https://www.board.example/service/board/park/18123456"),
    "russian-journal": (russian_journal, "https://ann.journal.example/123456.html"),
    "arabic-news": (arabic_news, "https://www.akhbar.example/news/2025/5/3/harbour"),
    "brazilian-portal": (brazilian_portal, "https://p1.fotosbr.example/sp/noticia/2025/05/03/porto.ghtml"),
    "indian-shop-product": (indian_shop_product, "https://www.harbourbazaar.example/product/harbour-lamp/612345678901"),
    "proxied-channel": (proxied_channel, "https://videos.light.example/channel/UC123456789"),
    "record-grid": (record_grid, "https://ann.records.example/music"),
}
