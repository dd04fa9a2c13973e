"""Pages of newspapers, magazines and scientific journals."""

from builder import document, head, tracker


def hashed_daily(b, url):
    """An article whose classes are digests, with a column of other articles after it."""
    base = "https://static.daily.example/images/2024/03/02"

    def figure(_):
        name = b.slug()
        best = b.want(f"{base}/{name}/{name}-superJumbo.jpg?quality=75&auto=webp")
        return f'<div class="css-1l7p8r2"><figure class="css-jcw7oy e1g7ppur0" role="group" aria-label="media"><div class="css-nwd8t8"><picture class="css-hdqqnp"><img alt="{b.title()}" class="css-1m50asq" src="{base}/{name}/{name}-articleLarge.jpg?quality=75&amp;auto=webp" srcset="{base}/{name}/{name}-articleLarge.jpg?quality=75&amp;auto=webp 600w,{base}/{name}/{name}-jumbo.jpg?quality=75&amp;auto=webp 1024w,{best.replace("&", "&amp;")} 2048w" sizes="50vw" decoding="async" width="600" height="400"></picture></div><figcaption class="css-1g9ic6e">{b.words()}</figcaption></figure></div>{b.paragraph()}'

    others = b.many(3, 6, lambda _: f'<li class="css-1d19l5p"><a href="/2024/03/0{b.number(1, 9)}/world/{b.slug()}.html"><div class="css-ulbw2x"><p class="css-1m0lo0t">{b.title()}</p></div><div class="css-oq9ry1"><img class="css-1ji8qh6" alt="" src="{base}/{b.slug()}/{b.slug()}-threeByTwoSmallAt2X.jpg?format=pjpg&amp;quality=75" loading="lazy"></div></a></li>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="app"><div class="css-1j2s"><header class="css-x0b"><a href="/"><svg></svg></a></header><div id="top-wrapper" class="css-ad"><div id="top" class="place-ad"></div></div><main id="site-content"><article id="story" class="css-1vxca1d"><header class="css-kc"><h1>{title}</h1>{figure(0)}<div class="css-1e2jphy"><img alt="{b.words(2, 2)}" title="{b.words(2, 2)}" src="https://static.daily.example/images/2018/06/14/multimedia/author-{b.slug()}/author-thumbLarge.png" class="css-dc6zx6" width="60" height="60"></div></header><section name="articleBody">{b.paragraph()}{b.many(1, 4, figure)}</section></article><section class="css-yo2nqo"><h2 class="css-y8aj3r">More in World</h2><ol class="css-a8d9oz">{others}</ol></section></main></div></div>{tracker(b)}',
    )


def paper(b, url):
    """An article by an own system, with widgets of read and recommended articles without class names in English."""
    base = "https://i.paper.example/img/media"

    def source(_=0):
        return f"{base}/{b.hexadecimal(40)}/0_100_3500_2100/master/3500.jpg"

    def figure(index):
        path = source()
        key = b.hexadecimal(32)
        b.want(f"{path}?width=1240&dpr=1&s=none")
        sets = "".join(f'<source srcset="{path}?width={w}&amp;dpr=1&amp;s=none" media="(min-width: {m}px)">' for w, m in ((1240, 1300), (620, 740), (445, 320)))
        return f'<figure id="{key}" data-spacefinder-role="{"immersive" if index == 0 else "inline"}" class="dcr-173mewl"><div class="dcr-1t8m8f2"><picture class="dcr-evn1e9">{sets}<img alt="{b.title()}" src="{path}?width=445&amp;dpr=1&amp;s=none" width="445" height="267" loading="lazy" class="dcr-evn1e9"></picture></div></figure>{b.paragraph()}'

    def card(_):
        return f'<li class="dcr-1hb5s7"><div class="dcr-f9aim1"><a href="/world/2024/mar/0{b.number(1, 9)}/{b.slug()}" aria-label="{b.title()}" class="dcr-lv2v9o"></a><div class="dcr-4z6ajs"><picture class="dcr-evn1e9"><source srcset="{source()}?width=460&amp;dpr=1&amp;s=none" media="(min-width: 1300px)"><img alt="" src="{source()}?width=300" class="dcr-evn1e9"></picture></div><h4>{b.title()}</h4></div></li>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<header><div id="top-banner-ad"></div><nav></nav></header><main data-layout="StandardLayout"><article><div class="dcr-1djovmt">{figure(0)}<h1>{title}</h1></div><aside data-gu-name="meta"><img src="https://i.paper.example/img/uploads/2017/10/06/{b.slug()},_L.png?width=180" alt="{b.words(2, 2)}"></aside><div id="maincontent">{b.many(1, 4, figure)}</div></article></main><section data-component="onward"><h2>Explore more on these topics</h2><ul>{b.many(4, 8, card)}</ul></section><section data-link-name="most-viewed"><h2>Most viewed</h2><ol>{b.many(2, 4, card)}</ol></section><footer><img src="/static/frontend/icons/homescreen.png" alt=""></footer>{tracker(b)}',
    )


def glossy(b, url):
    """A magazine with a slideshow, an inset of another story in the text, and a grid at the end."""
    base = "https://media.glossy.example/photos"

    def path(ratio, width, key, name):
        return f"{base}/{key}/{ratio}/w_{width},c_limit/{name}.jpg"

    def picture(_):
        key, name = b.hexadecimal(24), b.slug()
        b.want(path("master", 1600, key, name))
        widths = ", ".join(f'{path("master", w, key, name)} {w}w' for w in (120, 640, 1600))
        return f'<figure class="AssetEmbedWrapper-eVDQiB asset-embed"><div class="AssetEmbedAssetContainer-eJxoAx"><span class="SpanWrapper-umhxW responsive-asset"><picture class="ResponsiveImagePicture-cWuUZO"><noscript><img alt="{b.words()}" src="{path("master", 1600, key, name)}" srcset="{widths}"></noscript><img alt="{b.words()}" class="ResponsiveImageContainer-eybHBd" src="{path("master", 1600, key, name)}" srcset="{widths}" sizes="100vw"></picture></span></div></figure>{b.paragraph()}'

    def other(_):
        key, name = b.hexadecimal(24), b.slug()
        return f'<div class="SummaryItemWrapper-iwvBff summary-item"><a class="SummaryItemImageLink-dshqxb" href="/story/{b.slug()}"><picture><img alt="" src="{path("1:1", 350, key, name)}" srcset="{path("1:1", 120, key, name)} 120w, {path("1:1", 350, key, name)} 350w"></picture></a><div><a href="/story/x"><h3>{b.title()}</h3></a></div></div>'

    title, lead, name = b.title(), b.hexadecimal(24), b.slug()
    b.want(path("master", 2560, lead, name))
    return document(
        head(b, title, url, path("16:9", 1280, lead, name)),
        f'<div class="page"><div class="StickyHeroAdWrapper"><div class="ad__slot"></div></div><nav><a href="/"><img src="/verso/static/glossy/assets/logo.svg" alt="Glossy"></a></nav><main id="main-content"><article class="article main-content"><header><h1>{title}</h1><div class="ContentHeaderLeadAsset"><picture><img alt="" src="{path("master", 2560, lead, name)}" srcset="{path("master", 320, lead, name)} 320w, {path("master", 2560, lead, name)} 2560w"></picture></div></header><div class="body__inner-container">{picture(0)}<div class="callout callout--group"><h3>Keep reading</h3>{other(0)}{other(1)}</div>{b.many(1, 4, picture)}</div></article><div class="RecircMostPopularContainer"><h2>Popular</h2>{b.many(2, 4, other)}</div></main></div>{tracker(b)}',
    )


def research(b, url):
    """A scientific article: figures with links to their own pages, and other articles."""
    base = "//media.research.example"

    def figure(index):
        path = f"art%3A10.1038%2Fs41586-024-01234-5/MediaObjects/41586_2024_1234_Fig{index + 1}_HTML.png"
        b.want(f"https://media.research.example/lw1200/research-static/image/{path}")
        small, large = (f"{base}/{size}/research-static/image/{path}" for size in ("lw685", "lw1200"))
        return f'<div class="c-article-section__figure js-c-reading-companion-figures-item" id="figure-{index + 1}" data-title="{b.words()}"><figure><figcaption><b>Fig. {index + 1}: {b.words()}.</b></figcaption><div class="c-article-section__figure-content"><div class="c-article-section__figure-item"><a class="c-article-section__figure-link" href="{url.split("example")[1]}/figures/{index + 1}" rel="nofollow"><picture><img aria-describedby="Fig{index + 1}" src="{small}" srcset="{large} 1200w" alt="figure {index + 1}" loading="lazy" width="685" height="464"></picture></a></div></div></figure></div>{b.paragraph()}'

    similar = b.many(2, 4, lambda _: f'<article class="c-article-recommendations-card"><div class="c-article-recommendations-card__img"><img src="{base}/w92h120/research-static/cover-hires/journal/{b.digits(5)}/{b.digits(3)}?as=webp" loading="lazy" alt=""></div><h3><a href="https://research.example/articles/s{b.digits(5)}">{b.title()}</a></h3></article>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<header class="c-header"><a href="/"><picture class="c-header__logo"><source srcset="https://media.research.example/full/research-cms/uploads/product/header.svg" media="(min-width: 875px)"><img src="https://media.research.example/full/research-cms/uploads/product/header-small.svg" height="32" alt="Research"></picture></a></header><div class="u-container"><main class="c-article-main-column"><article lang="en"><h1 class="c-article-title">{title}</h1><div class="c-article-body">{b.paragraph()}{b.many(1, 6, figure)}<section><h2>Similar content being viewed by others</h2>{similar}</section></div></article></main></div><img src="/track/article/s41586" width="1" height="1" alt="">',
    )


def portal(b, url):
    """An AMP page with a carousel, advertisements and a list of other articles."""
    base = "https://img.portal.example/tenant/amp/entityid"

    def image(_=0):
        key = b.hexadecimal(7)
        return b.want(f"{base}/AA{key}.img?w=768&h=512&m=6")

    def slide(_):
        return f'<div class="slide"><amp-img src="{image()}" width="768" height="512" layout="responsive" alt="{b.words()}"><noscript><img src="{b.wanted[-1]}" width="768" height="512"></noscript></amp-img><div class="caption">{b.title()}</div></div>'

    def inline(_):
        return f'<amp-img src="{image()}" width="768" height="512" layout="responsive" alt="{b.title()}"></amp-img>{b.paragraph()}'

    others = b.many(3, 7, lambda _: f'<li><a href="https://www.portal.example/en-us/news/world/{b.slug()}/ar-AA{b.hexadecimal(6)}"><amp-img src="{base}/BB{b.hexadecimal(7)}.img?w=300&h=160&m=6" width="300" height="160"></amp-img><span>{b.title()}</span></a></li>')
    title = b.title()
    return document(
        head(b, title, url, extra='<script async src="https://cdn.ampproject.example/v0.js"></script>'),
        f'<amp-analytics></amp-analytics><amp-pixel src="https://c.portal.example/c.gif?x=1"></amp-pixel><div class="hdr"><a href="/"><amp-img src="https://static.portal.example/sc/{b.hexadecimal(6)}.png" width="96" height="40" alt="Portal"></amp-img></a></div><div class="provider"><a href="https://www.partner.example/"><amp-img src="{base}/AA{b.hexadecimal(6)}.img?h=16&w=80&m=6" width="80" height="16" alt="Partner"></amp-img></a></div><h1>{title}</h1><amp-carousel width="768" height="580" layout="responsive" type="slides">{b.many(2, 6, slide)}</amp-carousel>{b.paragraph()}<amp-ad width="300" height="250" type="doubleclick"><div placeholder></div></amp-ad>{b.many(0, 3, inline)}<h2>More from World</h2><ul class="lst">{others}</ul>',
        attributes='class="amp"',
    )


def newspaper_theme(b, url):
    """A WordPress with a theme for magazines whose class names are abbreviations."""
    folder = "https://mag.example/wp-content/uploads/2022/11"

    def picture(_):
        slug = b.slug()
        full = b.want(f"{folder}/{slug}.jpg")
        return f'<div class="td-post-content-img"><a href="{full}" data-caption=""><img loading="lazy" width="1024" height="683" class="size-large wp-image-{b.digits(4)}" src="{folder}/{slug}-1024x683.jpg" srcset="{folder}/{slug}-1024x683.jpg 1024w, {full} 1600w" alt=""></a></div>{b.paragraph()}'

    def module(_):
        return f'<div class="td_module_mob_1 td_module_wrap td-animation-stack"><div class="td-module-thumb"><a href="https://mag.example/{b.slug()}/" rel="bookmark" class="td-image-wrap"><img class="entry-thumb" src="{folder}/{b.slug()}-218x150.jpg" alt="" width="218" height="150"></a></div><h3 class="entry-title td-module-title"><a href="https://mag.example/x/">{b.title()}</a></h3></div>'

    title, slug = b.title(), b.slug()
    lead = b.want(f"{folder}/{slug}.jpg")
    return document(
        head(b, title, url, lead, generator="WordPress 6.1"),
        f'<div class="td-header-wrap"><div class="td-header-sp-logo"><a class="td-main-logo" href="/"><img class="td-retina-data" src="{folder}/magazine.png" width="272" height="90" alt="Magazine"></a></div><div class="td-header-sp-recs"><div class="td-a-rec td-a-rec-id-header"><a href="https://themes.example/buy?ref=1"><img src="{folder}/rec-header.jpg" width="728" height="90" alt=""></a></div></div></div><div class="td-main-content-wrap"><div class="td-container"><div class="td-pb-row"><div class="td-pb-span8 td-main-content"><article class="post"><div class="td-post-featured-image"><a href="{lead}" data-caption=""><img width="696" height="464" class="entry-thumb td-modal-image" src="{folder}/{slug}-696x464.jpg" alt="" title="{b.words()}"></a></div><div class="td-post-content">{b.paragraph()}{b.many(1, 4, picture)}</div><footer><div class="author-box-wrap"><a href="/author/x/"><img alt="" src="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=96" width="96" height="96"></a></div></footer></article><div class="td_block_wrap td_block_related_posts"><h4>RELATED ARTICLES</h4>{b.many(3, 6, module)}</div></div><div class="td-pb-span4 td-main-sidebar"><div class="td-ss-main-sidebar">{b.many(2, 5, module)}</div></div></div></div></div>',
    )


def quotidien(b, url):
    """A French newspaper: every name is French."""
    base = "https://img.quotidien.example/medias"

    def image(_):
        name = b.slug()
        best = b.want(f"{base}/2024/03/01/{b.digits(3)}/0/5000/3333/1440/960/60/0/{b.hexadecimal(7)}_{name}.jpg")
        return f'<figure class="article__media"><img class="image-article" src="{best}" alt="{b.title()}" width="1440" height="960"><figcaption class="article__legende">{b.words()}</figcaption></figure>{b.paragraph()}'

    def teaser(_):
        return f'<div class="bloc-article"><a href="https://www.quotidien.example/international/article/2024/03/0{b.number(1, 9)}/{b.slug()}_{b.digits(7)}_3210.html"><picture><img src="{base}/2024/02/{b.number(10, 29)}/0/0/3000/2000/180/120/60/0/{b.hexadecimal(7)}_{b.slug()}.jpg" alt=""></picture><h3>{b.title()}</h3></a></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="entete"><a href="/"><img src="https://www.quotidien.example/dist/assets/img/marque-quotidien.png" alt="Le Quotidien" width="220" height="44"></a></div><div class="colonne-principale"><section class="article"><h1>{title}</h1><div class="auteur"><img src="{base}/auteurs/{b.slug()}.jpg" width="56" height="56" alt=""></div>{b.many(1, 5, image)}</section><section class="lire-aussi"><h2>Lire aussi</h2>{b.many(2, 5, teaser)}</section><section class="services-partenaires"><h2>Les plus lus</h2>{b.many(2, 4, teaser)}</section></div><div class="pied"><a href="https://www.labels.example/"><img src="/dist/assets/img/label.png" width="90" height="50" alt="ACPM"></a></div>',
        language="fr",
    )


def gazette(b, url):
    """A German newspaper without `main` and `article`, with a gallery and boxes of other articles."""
    base = "https://cdn.gazette.example"

    def image(_):
        key = f"{b.hexadecimal(8)}-0001-0004-0000-{b.digits(12)}"
        best = b.want(f"{base}/images/{key}_w1280_r1.5_fpx50_fpy50.jpg")
        small = f"{base}/images/{key}_w488_r1.5_fpx50_fpy50.jpg"
        return f'<div data-area="image"><figure><span class="lightbox"><picture><img data-image-el="img" class="rounded" data-src="{best}" data-srcset="{small} 488w, {best} 1280w" src="{base}/public/leer.gif" width="718" height="479" alt="{b.title()}"></picture></span><figcaption>{b.words()} <span>Foto: {b.words(2, 2)}</span></figcaption></figure></div>{b.paragraph()}'

    def teaser(_):
        return f'<div data-block-el="articleTeaser"><div><figure><a href="https://www.gazette.example/ausland/{b.slug()}-a-{b.hexadecimal(8)}" title="{b.title()}"><img data-src="{base}/images/{b.hexadecimal(8)}-0001-0004-0000-{b.digits(12)}_w288_r1.778.jpg" src="{base}/public/leer.gif" width="288" height="162" alt=""></a></figure></div><h2>{b.title()}</h2></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div data-area="kopf"><a href="/"><img src="{base}/public/spon-schriftzug.svg" alt="Gazette"></a></div><div data-article-el="body"><h1>{title}</h1>{b.many(2, 5, image)}</div><div data-area="mehr-zum-thema"><h3>Mehr zum Thema</h3>{b.many(2, 4, teaser)}</div><div data-area="anzeigen"><a href="https://www.abo.example/?wt_mc=box"><img src="{base}/eigenwerbung/abo-1.jpg" width="300" height="250" alt=""></a></div>',
        language="de",
    )


FAMILIES = {
    "hashed-daily": (hashed_daily, "https://www.daily.example/2024/03/02/world/harbour-opens.html"),
    "paper": (paper, "https://www.paper.example/world/2024/mar/02/harbour-opens"),
    "glossy": (glossy, "https://www.glossy.example/story/the-harbour"),
    "research": (research, "https://www.research.example/articles/s41586-024-01234-5"),
    "portal": (portal, "https://www.portal.example/en-us/news/world/harbour-opens/ar-AA1234"),
    "newspaper-theme": (newspaper_theme, "https://mag.example/harbour-opens/"),
    "quotidien": (quotidien, "https://www.quotidien.example/international/article/2024/03/02/port-ouvert_6219000_3210.html"),
    "gazette": (gazette, "https://www.gazette.example/ausland/hafen-eroeffnet-a-0123abcd"),
}
