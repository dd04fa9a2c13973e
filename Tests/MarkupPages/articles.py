"""Pages of newsletters, wikis, questions, scientific articles and small galleries: the second set of kinds, which was
written after the first comparison with the pages that were held back."""

from builder import advertisement, document, head, tracker


def substack(b, url):
    from urllib.parse import quote

    def picture(_):
        inner = f"https://bucket.s3.example/public/images/{b.hexadecimal(8)}-{b.hexadecimal(4)}-{b.hexadecimal(12)}_1456x971.jpeg"

        def at(width):
            return f"https://cdn.letters.example/image/fetch/w_{width},c_limit,f_auto,q_auto:good,fl_progressive:steep/{quote(inner, safe='')}"

        full = f"https://cdn.letters.example/image/fetch/f_auto,q_auto:good,fl_progressive:steep/{quote(inner, safe='')}"
        linked = b.chance(0.7)
        best = b.want(full if linked else at(1456))
        candidates = ", ".join(f"{at(w)} {w}w" for w in (424, 848, 1272, 1456))
        image = f'<picture><source type="image/webp" srcset="{candidates}" sizes="100vw"><img src="{at(1456)}" width="1456" height="971" data-attrs="{{&quot;src&quot;:&quot;{inner}&quot;,&quot;height&quot;:971}}" class="sizing-normal" alt="" srcset="{candidates}" sizes="100vw"></picture>'
        if linked:
            image = f'<a class="image-link image2" target="_blank" href="{best}"><div class="image2-inset">{image}</div></a>'
        return f'<div class="captioned-image-container"><figure>{image}<figcaption class="image-caption">{b.words()}</figcaption></figure></div>{b.paragraph()}'

    title = b.title()
    comments = b.many(1, 3, lambda _: f'<div class="comment"><div class="profile-img-wrap"><img src="https://cdn.letters.example/image/fetch/w_66,h_66,c_fill/https%3A%2F%2Fb%2F{b.hexadecimal(8)}.png" sizes="100vw" alt="Avatar" class="profile-img"></div>{b.paragraph()}</div>')
    pictures = b.many(1, 6, picture)
    return document(
        head(b, title, url),
        f'<div class="main-menu"><div class="topbar"><a href="/"><img class="logo" src="https://cdn.letters.example/image/fetch/w_80,h_80,c_fill/logo.png" alt="Letter"></a></div></div><div class="single-post"><article class="newsletter-post post"><div class="post-header"><h1 class="post-title">{title}</h1><div class="profile-hover-card-target"><img src="https://cdn.letters.example/image/fetch/w_36,h_36,c_fill/https%3A%2F%2Fx%2Fauthor.jpeg" alt="{b.words()}\'s avatar" width="36" height="36"></div></div><div class="body markup">{pictures}</div></article>{comments}</div>',
    )


def wix(b, url):
    base = "https://static.site.example/media"

    def picture(_):
        key = f"{b.hexadecimal(6)}_{b.hexadecimal(32)}~mv2.jpg"
        best = b.want(f"{base}/{key}/v1/fill/w_1960,h_1306,al_c,q_90,enc_auto/{key}")
        small = f"{base}/{key}/v1/fill/w_49,h_33,al_c,q_80,blur_2,enc_auto/{key}"
        shown = f"{base}/{key}/v1/fill/w_980,h_653,al_c,q_85,enc_auto/{key}"
        if b.chance(0.5):
            image = f'<wow-image id="img_{b.hexadecimal(6)}" class="HlRz5e" data-image-info="{{&quot;imageData&quot;:{{&quot;uri&quot;:&quot;{key}&quot;}}}}"><img src="{shown}" srcset="{shown} 1x, {best} 2x" alt="{b.words()}" style="width:980px;height:653px;object-fit:cover" width="980" height="653"/></wow-image>'
        else:
            image = f'<div data-hook="gallery-item-image-img-container"><img src="{small}" data-src="{shown}" srcset="{shown} 1x, {best} 2x" alt=""></div>'
        return f'<div class="comp-{b.hexadecimal(6)}">{image}</div>'

    title = b.title()
    return document(
        head(b, title, url, generator="Site Website Builder"),
        f'<header id="SITE_HEADER" tabindex="-1"><img src="{base}/{b.hexadecimal(20)}~mv2.png/v1/fill/w_160,h_60/brand.png" alt="Studio" style="width:160px;height:60px"></header><main id="PAGES_CONTAINER"><h1>{title}</h1>{b.many(2, 9, picture)}</main><footer id="SITE_FOOTER"><ul aria-label="Social Bar"><li><a href="https://facebook.example"><img src="{base}/0fdef751204647a3bbd7eaa2827ed4f9.png/v1/fill/w_39,h_39/fb.png" alt="Facebook" style="width:39px;height:39px"></a></li></ul></footer>',
    )


def coppermine(b, url):
    def thumb(_):
        name = b.slug()
        b.want(f"https://pics.example/albums/userpics/10001/thumb_{name}.jpg")
        return f'<td valign="top" class="thumbnails" width="25%"><table width="100%"><tr><td align="center"><a href="displayimage.php?album=7&amp;pid={b.digits(4)}#top_display_media"><img src="albums/userpics/10001/thumb_{name}.jpg" class="image thumbnail" width="150" height="100" border="0" alt="{name}.jpg" title="Filename={name}.jpg Filesize=201KiB" /><br /></a><span class="thumb_title">{b.words()}</span></td></tr></table></td>'

    title = b.title()
    rows = b.many(2, 4, lambda _: "<tr>" + b.many(3, 4, thumb) + "</tr>")
    return document(
        f'<head><meta charset="utf-8"><title>{title}</title><link rel="shortcut icon" href="favicon.ico"></head>',
        f'<table width="100%"><tr><td valign="top"><a href="index.php"><img src="themes/curve/images/coppermine-logo.png" border="0" alt=""></a></td></tr></table><div id="gallery_admin_menu"><a href="#"><img src="images/icons/home.png" width="16" height="16" class="icon" alt=""></a></div><table class="maintable">{rows}<tr><td class="tableh1_compact"><a href="?page=2"><img src="images/navbar/next.png" class="navmenu_pic" alt="Next"></a></td></tr></table><div class="footer"><a href="https://cpg.example"><img src="images/powered-by.gif" alt="Powered by"></a></div>',
    )


def omeka(b, url):
    base = "https://archive.example/files"

    def scan(_):
        key = b.hexadecimal(32)
        b.want(f"{base}/original/{key}.jpg")
        return f'<div class="item-file image-jpeg"><a class="download-file" href="{base}/original/{key}.jpg"><img class="full" src="{base}/fullsize/{key}.jpg" alt="{b.words()}" title=""></a></div>'

    title = b.title()
    scans = b.many(1, 8, scan)
    nav = b.many(1, 2, lambda _: f'<div class="collection-thumb"><a href="/collections/show/{b.digits(2)}"><img src="{base}/square_thumbnails/{b.hexadecimal(32)}.jpg" width="80" height="80" alt=""></a></div>')
    return document(
        head(b, title, url, b.wanted[0].replace("/original/", "/fullsize/")),
        f'<header role="banner"><div id="site-title"><a href="/"><img src="{base}/theme_uploads/{b.hexadecimal(32)}.png" alt="Archive" /></a></div></header><div id="content" role="main"><h1>{title}</h1><div id="itemfiles">{scans}</div><div id="item-metadata">{b.paragraph()}</div></div><aside id="sidebar">{nav}</aside><footer role="contentinfo"><img src="/themes/x/images/funder.jpg" alt="Funder"></footer>',
    )


def fandom(b, url):
    base = "https://static.fan.example/show/images"

    def thumb(_):
        one, name = b.hexadecimal(1), b.slug().replace("-", "_").capitalize() + ".png"
        full = b.want(f"{base}/{one}/{one}{b.hexadecimal(1)}/{name}/revision/latest?cb=20{b.digits(12)}")
        scaled = full.replace("?cb=", "/scale-to-width-down/250?cb=")
        return f'<figure class="thumb tright show-info-icon" style="width: 250px"><a href="{full}" class="image"><img src="data:image/gif;base64,R0lGODlhAQABAIABAAAAAP///yH5BAEAAAEALAAAAAABAAEAQAICTAEAOw==" alt="" class="thumbimage lazyload" decoding="async" width="250" height="141" data-image-name="{name}" data-image-key="{name}" data-src="{scaled}"></a><noscript><a href="{full}" class="image"><img src="{scaled}" class="thumbimage" width="250" height="141"></a></noscript><figcaption class="thumbcaption">{b.words()}</figcaption></figure>{b.paragraph()}'

    title = b.title()
    popular = b.many(2, 4, lambda _: f'<li class="popular-pages__item"><a href="/wiki/X"><img src="{base}/a/aa/{b.slug()}.png/revision/latest/window-crop/width/188/x-offset/0?cb=1" width="94" height="53" alt=""></a></li>')
    thumbs = b.many(2, 7, thumb)
    return document(
        head(b, title, url),
        f'<div class="global-navigation"><img src="/logo.svg" width="118" height="40" alt="Fan"></div><div class="community-header-wrapper"><header class="fandom-community-header"><a href="/" class="fandom-community-header__image"><img src="{base}/e/e6/Site-logo.png/revision/latest?cb=1" height="65" width="250" alt="Show Wiki"></a></header></div><main class="page__main"><h1 class="page-header__title">{title}</h1><div id="content"><div class="mw-parser-output">{thumbs}</div></div></main><aside class="page__right-rail"><section class="rail-module popular-pages-module">{popular}</section></aside>',
    )


def auction(b, url):
    base = "https://i.auction.example/images/g"

    def picture(index):
        key = b.hexadecimal(20)
        best = b.want(f"{base}/{key}/s-l1600.webp")
        attributes = f'src="{base}/{key}/s-l500.webp"' if index < 2 else f'data-src="{base}/{key}/s-l500.webp"'
        sets = ", ".join(f"{base}/{key}/s-l{w}.webp {w}w" for w in (140, 300, 500, 960, 1600))
        name = "srcset" if index < 2 else "data-srcset"
        return key, f'<div class="ux-image-carousel-item image-treatment image" data-idx="{index}"><img {attributes} {name}="{sets}" sizes="500px" data-zoom-src="{best}" alt="{b.words()} - Picture {index + 1}" class="img-scale-down"></div>'

    items = [picture(index) for index in range(b.number(2, 9))]
    grid = "".join(f'<button class="ux-image-grid-item image-treatment" data-idx="{i}"><img src="{base}/{key}/s-l140.webp" alt="" loading="lazy"></button>' for i, (key, _) in enumerate(items))
    carousel = "".join(item for _, item in items)
    title = b.title()
    similar = b.many(3, 6, lambda _: f'<div class="recs-module item"><a href="/itm/{b.digits(12)}"><img src="{base}/{b.hexadecimal(20)}/s-l225.webp" alt="x"></a></div>')
    return document(
        head(b, title, url, f"{base}/{items[0][0]}/s-l400.jpg" if b.chance(0.5) else None),
        f'<header id="gh"><a id="gh-la"><img src="https://p.auction.example/logo.png" width="117" height="48" alt="Auction"></a></header><main><div class="ux-image-grid-container">{grid}</div><div class="ux-image-carousel-container">{carousel}</div><h1 class="x-item-title">{title}</h1><div class="x-sellercard-atf"><img class="ux-action-avatar" src="https://i.auction.example/thumbs/{b.hexadecimal(8)}/s-l64.png" alt="seller" width="48" height="48"></div><div class="ux-payments"><span class="payment-icon"></span><img src="https://p.auction.example/pay/visa.svg" alt="Visa" width="40" height="24"></div><div class="similar-items">{similar}</div></main><footer id="glbfooter"></footer>',
    )


def classic_gallery(b, url):
    base = "https://family.example/wp-content/uploads/2012/07"

    def item(_):
        name = b.slug()
        if b.chance(0.5):
            full = b.want(f"{base}/{name}.jpg")
            return f'<dl class="gallery-item"><dt class="gallery-icon landscape"><a href="{full}"><img width="150" height="150" src="{base}/{name}-150x150.jpg" class="attachment-thumbnail size-thumbnail" alt="" data-attachment-id="5" data-orig-file="{full}" data-orig-size="3000,2000" data-medium-file="{base}/{name}-300x200.jpg" data-large-file="{base}/{name}-1024x683.jpg" /></a></dt></dl>'
        full = b.want(f"{base}/{name}.jpg")
        return f'<dl class="gallery-item"><dt class="gallery-icon portrait"><a href="https://family.example/2012/07/trip/{name}/"><img width="150" height="150" src="{base}/{name}-150x150.jpg" data-orig-file="{full}" data-large-file="{base}/{name}-1024x683.jpg" data-medium-file="{base}/{name}-200x300.jpg" class="attachment-thumbnail" alt="" /></a></dt></dl>'

    title = b.title()
    items = b.many(4, 15, item)
    return document(
        head(b, title, url, generator="WordPress 3.9"),
        f'<div id="page" class="hfeed site"><header id="masthead" class="site-header" role="banner"><a href="/"><img src="{base}/cropped-mountains-header.jpg" class="header-image" width="1600" height="230" alt=""></a></header><div id="main" class="site-main"><div id="primary" class="content-area"><div id="content" class="site-content" role="main"><article class="post type-post category-icons tag-logo"><h1 class="entry-title">{title}</h1><div class="entry-content"><div id="gallery-1" class="gallery galleryid-5 gallery-columns-3 gallery-size-thumbnail">{items}</div></div></article></div></div><div id="tertiary" class="sidebar-container" role="complementary"><aside class="widget widget_text"><img src="{base}/us-two.jpg" alt=""></aside></div></div></div>{tracker(b)}',
    )


def article_figures(b, url):
    base = "https://journal.example/article/figure/image"

    def figure(index):
        identifier = f"10.1371/journal.{b.digits(7)}.g{index + 1:03}"
        best = b.want(f"{base}?size=large&id={identifier}")
        return f'<div class="figure" data-doi="{identifier}"><div class="img-box"><a title="Click for larger image" href="article/figure/image?size=large&amp;id={identifier}" data-doi="x" data-uri="{identifier}"><img src="article/figure/image?size=inline&amp;id={identifier}" alt="thumbnail" class="thumbnail" loading="lazy"></a><div class="expand"></div></div><div class="figcaption"><span>Fig {index + 1}.</span> {b.title()}.</div></div>{b.paragraph()}' if best else ""

    title = b.title()
    figures = b.many(2, 8, figure)
    return document(
        head(b, title, url).replace("<title>", '<base href="https://journal.example/"><title>'),
        f'<header><h1 class="logo"><a href="/"><img src="/resource/img/logo-plos.png" alt="Journal" width="200" height="60"></a></h1></header><main id="main-content"><div class="title-block"><img src="/resource/img/logo-open-access.svg" alt="Open Access"><h1 id="artTitle">{title}</h1></div><div class="article-text">{figures}<span class="equation"><img src="article/file?type=thumbnail&amp;id=e001" loading="lazy" class="inline-graphic" width="24" height="16"></span></div></main><aside class="article-aside"><img src="/resource/img/crossmark.svg" alt="Check for updates"></aside><footer id="pageftr"><img src="/resource/img/logo-footer.png" alt="Journal"></footer>',
    )


def readme(b, url):
    def camo(width):
        return f"https://camo.code.example/{b.hexadecimal(64)}/{b.hexadecimal(60)}"

    def picture(_):
        name = b.slug()
        source = b.want(f"https://code.example/user/project/raw/main/docs/{name}.png") if b.chance(0.6) else b.want(camo(0))
        href = source if "camo" in source else source.replace("/raw/", "/blob/")
        return f'<p dir="auto"><a target="_blank" rel="noopener noreferrer" href="{href}"><img src="{source}" alt="{b.words(1, 3)}" style="max-width: 100%;"></a></p>'

    badges = b.many(2, 5, lambda _: f'<a href="https://ci.example/x" rel="nofollow"><img src="https://badges.example/badge/{b.hexadecimal(5)}-passing-green.svg" alt="Build Status" data-canonical-src="https://badges.example/x.svg" style="max-width: 100%;"></a>')
    contributors = b.many(3, 8, lambda _: f'<a href="/user{b.digits(2)}"><img src="https://avatars.code.example/u/{b.digits(6)}?s=64&amp;v=4" alt="@user" size="32" height="32" width="32" class="avatar circle"></a>')
    title = f"user/project: {b.title()}"
    return document(
        head(b, title, url, f"https://opengraph.code.example/{b.hexadecimal(64)}/user/project"),
        f'<div class="header-wrapper"><header class="AppHeader"><img class="avatar circle" src="https://avatars.code.example/u/1?v=4" width="32" height="32" alt=""></header></div><main><article class="markdown-body entry-content container-lg" itemprop="text"><h1>project</h1><p>{badges}</p>{b.many(1, 5, picture)}{b.paragraph()}<g-emoji alias="star"><img class="emoji" src="https://code.example/images/icons/emoji/unicode/2b50.png" width="20" height="20" align="absmiddle" alt=":star:"></g-emoji></article></main><div class="Layout-sidebar"><ul>{contributors}</ul></div><footer></footer>',
    )


def question(b, url):
    def post(_):
        images = ""
        for _ in range(b.number(0, 2)):
            key = b.hexadecimal(5)
            source = b.want(f"https://i.stack.example/{key}.{b.choice('png', 'jpg')}")
            images += f'<p><a href="{source}" rel="nofollow noreferrer"><img src="{source}" alt="enter image description here" /></a></p>' if b.chance(0.7) else f'<p><img src="{source}" alt="enter image description here"></p>'
        user = f'<div class="user-gravatar32"><a href="/users/{b.digits(4)}"><div class="gravatar-wrapper-32"><img src="https://www.gravatar.example/avatar/{b.hexadecimal(32)}?s=64&amp;d=identicon" alt="user avatar" width="32" height="32" class="bar-sm"></div></a></div>'
        return f'<div class="answer js-answer"><div class="post-layout"><div class="s-prose js-post-body" itemprop="text">{b.paragraph()}{images}</div><div class="user-info">{user}</div></div></div>'

    posts = b.many(2, 5, post)
    last = b.want("https://i.stack.example/zzzzz.png")
    title = b.title()
    return document(
        head(b, title, url, "https://cdn.stack.example/Sites/x/Img/apple-touch-icon@2.png?v=73d79a89bded"),
        f'<header class="s-topbar"><a class="s-topbar--logo"><span class="-img">Q</span></a></header><div class="container"><div id="left-sidebar" class="left-sidebar"></div><div id="content"><div id="question-header"><h1 itemprop="name">{title}</h1></div><div id="mainbar" role="main">{posts}<div class="s-prose"><img src="{last}" alt="enter image description here"></div></div><div id="sidebar" class="show-votes" role="complementary"><div class="s-sidebarwidget"><img src="https://cdn.stack.example/Img/developer-story/image.svg" alt=""></div>{advertisement(b)}</div></div></div><footer id="footer"></footer><noscript><div><img src="/posts/1/ivc/{b.hexadecimal(4)}?prg={b.hexadecimal(6)}" class="dno" alt="" width="0" height="0"></div></noscript>',
    )


FAMILIES = {
    "substack": (substack, "https://letter.example/p/title"),
    "wix": (wix, "https://www.studio.example/"),
    "coppermine": (coppermine, "https://pics.example/thumbnails.php?album=7"),
    "omeka": (omeka, "https://archive.example/items/show/12"),
    "fandom": (fandom, "https://show.fan.example/wiki/Title"),
    "auction": (auction, "https://www.auction.example/itm/1234"),
    "classic-gallery": (classic_gallery, "https://family.example/2012/07/trip/"),
    "article-figures": (article_figures, "https://journal.example/article?id=1"),
    "readme": (readme, "https://code.example/user/project"),
    "question": (question, "https://stack.example/questions/1/title"),
}
