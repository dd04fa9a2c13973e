"""Pages of newspapers, diaries and small sites, by an author who did not know the rules."""

from builder import advertisement, document, head, social, tracker

BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def large_photo_blog(b, url):
    """An entry of a newspaper's blog of large photographs from 2009, one below the other."""
    folder = f"http://cache.large.example/universal/site_graphics/blogs/bigpicture/{b.words(1, 1)}_{b.digits(2)}_{b.digits(2)}"

    def photo(index):
        best = b.want(f"{folder}/{b.choice('h', 't')}{index + 1:02}_{b.digits(8)}.jpg")
        return f'<div class="bpBoth"><a name="photo{index + 1}"></a><img src="{best}" class="bpImage" style="height:{b.number(500, 700)}px;width:990px"/><br/><div onclick="this.style.display=\'none\'" class="noimghide" style="margin-top:-600px;height:600px"></div><div class="bpCaption"><div class="photoNum"><a href="#photo{index + 1}">{index + 1}</a></div>{b.words(10, 25)} (Caf\u00e9/\u00a9 Agency) <a href="#photo{index + 1}">#</a><div class="cf"></div></div></div>'

    def recent(_):
        return f'<div class="entryThumb"><a href="/bigpicture/2009/0{b.number(1, 9)}/{b.slug()}.html"><img src="http://cache.large.example/universal/site_graphics/blogs/bigpicture/thumbs/{b.slug()}.jpg" width="98" height="66" border="0"></a></div>'

    def service(_):
        return f'<a href="http://{b.words(1, 1)}.share.example/submit"><img src="http://cache.large.example/bonzai-fba/File-Based_Image_Resource/share_{b.words(1, 1)}.gif" width="16" height="16" border="0" alt=""></a>'

    title = b.title()
    body = f'<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><title>{title} - The Large Photographs</title></head><body bgcolor="#ffffff"><div id="headTools"><a href="/"><img src="http://cache.large.example/images/bostonlogo.gif" alt="" width="180" height="30" border="0"></a><img src="http://cache.large.example/images/spacer.gif" width="1" height="12"></div><div id="adBanner"><a href="http://ads.example/RealMedia/click_lx.ads/{b.digits(6)}"><img src="http://ads.example/RealMedia/ads/Creatives/{b.hexadecimal(8)}_728x90.gif" width="728" height="90" border="0"></a></div><table width="990"><tr><td><div class="headDiv2"><h2><a href="#">{title}</a></h2></div><div class="bpBody">{b.words(20, 40)}</div>{b.many(6, 38, photo)}<div class="bpMore">{b.many(3, 6, service)}</div></td></tr></table><div id="bpRecent">{b.many(4, 8, recent)}</div><img src="http://counter.example/b/ss/nytbglobe/1/H.17--NS/0?ch={b.digits(3)}" height="1" width="1" border="0" alt=""></body></html>'
    return body.encode("iso-8859-1")


def agency_report(b, url):
    """An article of a Russian news agency, with photographs that open in a viewer and a ribbon of other news."""
    host = "https://cdnn21.agency.example/img"

    def crop(number):
        return f"{host}/07e{number[0]}/0{int(number[1]) % 9 + 1}/1{number[2]}/{number}_0:{b.number(0, 300)}:{b.number(2500, 3600)}:{b.number(1600, 2200)}"

    def photo(_):
        number = b.digits(10)
        best = b.want(f"{crop(number)}_{b.choice('1440x900', '1920x0')}_80_0_1_{b.hexadecimal(32)}.jpg")
        small = f"{crop(number)}_768x0_80_0_0_{b.hexadecimal(32)}.jpg"
        source = f'src="{small}"' if b.chance(0.5) else f'src="{BLANK}" data-src="{small}" class="lazyload"'
        return f'<div class="article__block" data-type="media" data-position="{b.digits(4)}"><div class="article__media"><div class="media" data-media-tipe="ar16x9"><div class="media__size"><div class="photoview__open" data-photoview-group="{b.digits(8)}" data-photoview-src="{best}" data-photoview-image-id="{number}" data-photoview-sharelink="{url}?share-img={number}"><noindex><div class="photoview__open-info"><span class="photoview__copyright">© AGENCY / {b.words(2, 2)}</span></div></noindex><img media-type="ar16x9" data-source-sid="photo" alt="{b.words()}" title="{b.words()}" {source} itemprop="image"></div></div></div></div></div><div class="article__block" data-type="text"><div class="article__text">{b.words(10, 30)}</div></div>'

    def cell(_):
        number = b.digits(10)
        return f'<div class="cell-list__item m-no-image"><a class="cell-list__item-link" href="/2024/{b.digits(10)}.html"><span class="cell-list__item-img"><picture><source media="(min-width: 480px)" media-type="ar16x9" srcset="{crop(number)}_436x0_80_0_0_{b.hexadecimal(32)}.jpg.webp"><img media-type="ar16x9" alt="" class="responsive_img m-list-img" src="{crop(number)}_436x0_80_0_0_{b.hexadecimal(32)}.jpg"></picture></span><span class="cell-list__item-title">{b.title()}</span></a></div>'

    title = b.title()
    ld = f'<script type="application/ld+json">{{"@context":"https://schema.org","@type":"NewsArticle","headline":"{title}","publisher":{{"@type":"Organization","logo":{{"@type":"ImageObject","url":"{host}/logo/600x60.png"}}}}}}</script>'
    body = f'<div class="page" id="page"><div class="header"><a class="header__logo-link" href="/"><img src="{host}/i/logo/logo.svg" title="agency" alt="agency"></a></div><div class="banner m-before-header" data-position="top">{advertisement(b)}</div><div class="layout-article"><div class="layout-article__main"><div class="article m-article" data-article-type="article"><div class="article__header"><h1 class="article__title">{title}</h1></div><div class="article__body js-mediator-article">{b.many(1, 7, photo)}</div><div class="article__userbar"><a class="article__author" href="/authors/"><img src="{host}/07e5/avatar/{b.digits(9)}_120x120.jpg" alt="автор"></a></div></div></div><div class="layout-article__right"><div class="cell cell-list">{b.many(3, 6, cell)}</div></div></div><div class="footer"><img src="{host}/i/age/18.svg" alt="18+"></div></div>{tracker(b)}'
    return document(head(b, title, url, f"https://agency.example/images/sharing/article/{b.digits(10)}.jpg", ld), body, "ru", 'class="m-ria"')


def tropical_daily(b, url):
    """An article of a Vietnamese newspaper, with lazy pictures in several densities."""

    def variants(width, height="0"):
        base = f"https://i{b.number(1, 4)}-daily.tropic.example/2024/0{b.number(1, 9)}/1{b.number(0, 9)}/{b.slug()}-17{b.digits(8)}"
        return [f"{base}.jpg?w={width}&h={height}&q=100&dpr={dpr}&fit=crop&s={b.hexadecimal(22)}" for dpr in ("1", "1.5", "2")]

    def figure(_):
        one, half, two = variants(680)
        b.want(two)
        sources = f"{one} 1x, {half} 1.5x, {two} 2x".replace("&", "&amp;")
        frame = f'<picture><!--[if IE 9]><video style="display: none;"><![endif]--><source data-srcset="{sources}"><!--[if IE 9]></video><![endif]--><img itemprop="contentUrl" {b.choice("", "loading=lazy")} intrinsicsize="680x0" alt="{b.words()}" class="lazy" src="{BLANK}" data-src="{one.replace("&", "&amp;")}"></picture>'
        return f'<figure data-size="true" itemprop="associatedMedia image" itemscope="" itemtype="http://schema.org/ImageObject" class="tplCaption action_thumb_added"><meta itemprop="width" content="680"><div class="fig-picture" style="padding-bottom: 66.6%;position: relative;">{frame}</div><figcaption itemprop="description"><p class="Image">{b.words()}</p></figcaption></figure><p class="Normal">{b.words(15, 40)}</p>'

    def item(_):
        one, half, two = variants(180, "108")
        return f'<article class="item-news"><div class="thumb-art"><a class="thumb thumb-5x3" href="/{b.slug()}-{b.digits(7)}.html"><picture><source data-srcset="{one} 1x, {half} 1.5x, {two} 2x"><img class="lazy" alt="" src="{BLANK}" data-src="{one}"></picture></a></div><h4 class="title-news"><a href="#">{b.title()}</a></h4></article>'

    def comment(_):
        return f'<div class="comment_item width_common"><a class="avata_coment" href="#"><img src="https://s1.tropic.example/myvne/i/avatar/{b.digits(8)}.jpg" alt="{b.words(1, 1)}"></a><p class="full_content">{b.words()}</p></div>'

    title = b.title()
    inner = f'<h1 class="title-detail">{title}</h1><p class="description">{b.words(10, 20)}</p><article class="fck_detail">{b.many(1, 9, figure)}</article>'
    body = f'<section class="section top-header"><div class="container"><a href="/" class="logo"><img src="https://s1.tropic.example/v{b.digits(3)}/pc/graphics/logo.svg" alt="logo"></a></div></section><div id="banner_top">{advertisement(b)}</div><section class="section page-detail top-detail"><div class="container"><div class="sidebar-1">{inner}<div class="width_common box_author_detail"><div class="thumb-author"><img src="https://s1.tropic.example/author/{b.slug()}.png" width="60" height="60" alt=""></div></div></div><div class="sidebar-2">{b.many(3, 6, item)}</div></div></section><section class="section box-comment">{b.many(0, 4, comment)}</section><div class="box-category">{b.many(3, 8, item)}</div>{tracker(b)}'
    return document(head(b, title, url, "https://s1.tropic.example/share/default_1200x630.png"), body, "vi", 'data-source="Detail"')


def numbered_list(b, url):
    """A numbered list for amusement, each number with a picture and a line, among quizzes and trending posts."""
    host = "https://img.numbered.example/buzzfeed-static/static"

    def item(index):
        file = f"{host}/2022-0{b.number(1, 9)}/{b.number(1, 28)}/{b.number(0, 23)}/asset/{b.hexadecimal(12)}/sub-buzz-{b.digits(4)}-{b.digits(10)}-{b.number(1, 20)}.{b.choice('jpg', 'png')}"
        best = b.want(f"{file}?downsize=900:*&output-format=auto&output-quality=auto")
        small = f"{file}?downsize=600:*&output-format=auto&output-quality=auto"
        if index < 2:
            image = f'<img class="subbuzz-picture" src="{best}" width="625" height="{b.number(300, 900)}" alt="{b.words()}">'
        else:
            image = f'<img class="subbuzz-picture js-progressive-image img-blurry js-subbuzz__media" src="{file}?downsize=60:*&output-format=jpg&output-quality=20" data-src="{best}" data-mobile-src="{small}" data-crop="" alt="{b.words()}">'
        return f'<div id="mod-subbuzz-photo-{index}" class="subbuzz subbuzz-image xs-mb4 xs-relative"><h2 class="subbuzz__title"><span class="subbuzz__number">{index + 1}.</span><span class="js-subbuzz__title-text">{b.words(5, 12)}</span></h2><figure class="subbuzz__media"><div class="subbuzz__media-container progressive-image-container"><picture><source media="(max-width: 40rem)" srcset="{small}">{image}</picture></div><figcaption><span class="subbuzz__attribution">{b.words(1, 2)} / numbered.example</span></figcaption></figure></div>'

    def trending(_):
        return f'<li class="feed-card"><a href="/ann/{b.slug()}"><img src="{host}/2022-05/{b.number(1, 28)}/13/campaign_images/{b.hexadecimal(12)}/{b.slug()}-dblbig.jpg?resize=300:200" alt="" class="card__image"></a></li>'

    title = f"{b.number(11, 40)} {b.title()}"
    byline = f'<div class="headline-byline"><a href="/ann"><img class="headline-byline__avatar" src="{host}/user_images/{b.hexadecimal(9)}_large.jpg?downsize=120:*&output-format=jpg" alt="" width="48" height="48"></a></div>'
    badges = "".join(f'<a href="/badge/{name}"><img src="{host}/images/public/rounded/{name}.svg" alt="{name}" class="badge-img" width="50"></a>' for name in ("lol", "win", "trending")[: b.number(0, 3)])
    wrap = b.choice("main", "div")
    body = f'<div class="bf-header"><a href="/"><img src="{host}/images/logo.svg" alt="numbered" width="160"></a></div><{wrap} id="buzz-content"><div class="badge-list">{badges}</div><h1 class="headline__title">{title}</h1>{byline}<div class="js-subbuzz-wrapper">{b.many(6, 30, item)}</div>{advertisement(b)}</{wrap}>{social(b)}<aside class="trending-feed"><ol>{b.many(4, 9, trending)}</ol></aside>{tracker(b)}'
    return document(head(b, title, url, f"{host}/2022-05/12/13/enhanced/{b.hexadecimal(12)}/social-card-{b.digits(9)}.jpg?crop=1200:630"), body)


def french_sections(b, url):
    """An entry of a French service for diaries, built of sections with texts and rows of pictures."""
    service = "https://image.sections.example"

    def cell(_):
        file = f"image%2F{b.digits(7)}%2F201{b.number(2, 9)}{b.digits(4)}%2Fob_{b.hexadecimal(6)}_{b.slug()}.jpg"
        small = f"{service}/{b.hexadecimal(27)}=/{b.choice('fit-in/650x600', '300x300/smart')}/filters:no_upscale()/{file}"
        if b.chance(0.6):
            best = b.want(f"{service}/{b.hexadecimal(27)}=/filters:no_upscale()/{file}")
            return f'<a href="{best}" class="ob-link-img"><img class="ob-cell ob-img ob-media" src="{small}" alt="{b.words()}" /></a>'
        b.want(small)
        return f'<img class="ob-cell ob-img ob-media" src="{small}" alt="" />'

    def section(_):
        columns = b.number(1, 3)
        row = "".join(cell(0) for _ in range(columns))
        return f'<div class="ob-section ob-section-images ob-default"><div class="ob-row-{columns}-col">{row}</div></div><div class="ob-section ob-section-html">{b.paragraph()}</div>'

    def related(_):
        return f'<a href="/2016/0{b.number(1, 9)}/{b.slug()}.html" class="ob-RelatedPost"><div class="ob-RelatedPost-image" style="background-image: url({service}/{b.hexadecimal(27)}=/170x170/smart/filters:no_upscale()/image%2F{b.digits(7)}%2F{b.slug()}.jpg)"></div><p>{b.title()}</p></a>'

    def comment(_):
        return f'<div class="ob-comment"><div class="ob-avatar"><img src="https://avatar.sections.example/{b.hexadecimal(20)}/50x50.png" alt="" class="ob-avatar-img"></div><span class="ob-text">{b.words()}</span></div>'

    title = b.title()
    tag = b.choice("article", "div")
    body = f'<div class="ob-ShareBar ob-ShareBar--dark"><a class="ob-ShareBar-brand" href="/"><img src="https://assets.sections.example/images/logo-ob.svg" alt=""></a></div><div id="container"><header id="top"><a href="/"><img id="blog-banner" src="https://assets.sections.example/t/themes/paris/header-{b.digits(3)}.jpg" alt="{b.words(1, 2)}"></a></header><{tag} class="post article" id="article_{b.digits(6)}"><h2 class="post-title"><a href="#">{title}</a></h2><div class="ob-sections">{b.many(1, 8, section)}</div><div class="share">{social(b)}</div></{tag}><div class="ob-RelatedPosts">{b.many(2, 5, related)}</div><div class="ob-comments">{b.many(0, 5, comment)}</div><div class="sidebar"><div class="box profile"><img src="{service}/{b.hexadecimal(27)}=/150x150/smart/image%2Favatar-{b.digits(5)}.jpg" alt="Profil" class="profile-avatar"></div>{advertisement(b)}</div></div>{tracker(b)}'
    return document(head(b, title, url), body, "fr")


def skin_entry(b, url):
    """An entry of a Korean blog service with skins, whose pictures name their originals."""
    original = "https://blog.kdn.example/dn"

    def file():
        return f"{original}/{b.hexadecimal(6)}/btr{b.hexadecimal(8)}/{b.hexadecimal(22)}/img.{b.choice('jpg', 'png')}"

    def escape(text):
        return text.replace(":", "%3A").replace("/", "%2F")

    def thumb(link, size="R1280x0"):
        return f"https://img1.kdn.example/thumb/{size}/?scode=mtistory2&amp;fname={escape(link)}"

    def span(_):
        best = b.want(file())
        width, height = b.number(800, 4000), b.number(600, 3000)
        return f'<span data-url="{best}" data-lightbox="lightbox" data-alt="{b.words(1, 2)}"><img src="{best}" srcset="{thumb(best)}" data-origin-width="{width}" data-origin-height="{height}" {b.choice("", f"width={width} height={height}")} onerror="this.onerror=null; this.src=\'//t1.kdn.example/tistory_admin/static/images/no-image-v1.png\'; this.srcset=\'//t1.kdn.example/tistory_admin/static/images/no-image-v1.png\';"/></span>'

    def figure(_):
        if b.chance(0.2):
            return f'<figure class="imagegridblock"><div class="image-container">{span(0)}{span(0)}</div></figure>'
        return f'<p data-ke-size="size16">{b.words(5, 20)}</p><figure class="imageblock alignCenter" data-ke-mobileStyle="widthOrigin">{span(0)}<figcaption>{b.words()}</figcaption></figure>'

    def other(_):
        return f'<li><a href="/{b.digits(3)}"><span class="thum"><img src="{thumb(file(), "R750x0")}" width="100%" alt="{b.words()}"></span>{b.words()}</a></li>'

    def comment(_):
        return f'<li><div class="author-meta"><img src="https://t1.kdn.example/tistory_admin/blog/defaultUserImage{b.number(1, 4)}.png" class="avatar" alt="" width="40"></div><p>{b.words()}</p></li>'

    title = b.title()
    tag = b.choice("article", "div")
    body = f'<div id="wrap"><header id="header"><h1><a href="/"><img src="https://tistory{b.number(1, 4)}.kdn.example/tistory/{b.digits(7)}/attach/{b.hexadecimal(32)}" alt="logo"></a></h1></header><section class="container"><{tag} id="content"><div class="hgroup"><h1>{title}</h1></div><div class="entry-content" id="article-view"><div class="tt_article_useless_p_margin contents_style">{b.many(1, 12, figure)}</div><div class="container_postbtn #post_button_group"><img src="https://t1.kdn.example/tistory_admin/static/mobile/ico_like.png" width="20" alt="공감"></div></div><div class="another_category"><h4>다른 글</h4></div><ul class="related-articles">{b.many(3, 6, other)}</ul><div class="communicate"><ol>{b.many(0, 5, comment)}</ol></div></{tag}><aside id="aside"><div class="sidebar-1"><div class="widget_profile"><img src="https://tistory{b.number(1, 4)}.kdn.example/tistory/{b.digits(7)}/profile_{b.hexadecimal(6)}.jpg" width="80" height="80" alt="profile"></div>{advertisement(b)}</div></aside></section></div>{tracker(b)}'
    return document(head(b, title, url, f"https://img1.kdn.example/thumb/R800x0/?scode=mtistory2&amp;fname={escape(b.wanted[0])}"), body, "ko")


def template_diary(b, url):
    """The newest entries of a Japanese diary with a table of plugins and many ranking banners, in an old encoding."""
    host = f"http://blog-imgs-{b.number(10, 99)}.tempdiary.example/{'/'.join(b.hexadecimal(3))}/harbour"

    def picture(_):
        name = f"20{b.number(10, 17)}{b.digits(4)}{b.hexadecimal(6)}"
        best = b.want(f"{host}/{name}.jpg")
        if b.chance(0.5):
            return f'<a href="{best}" target="_blank"><img src="{host}/{name}s.jpg" alt="{b.words(1, 2)}" border="0" width="400" height="{b.number(200, 500)}" /></a><br />{b.words()}<img src="http://static.tempdiary.example/image/e/{b.number(1, 400)}.gif" alt="" border="0" style="border:0;" class="emoji" /><br />'
        return f'<img src="{best}" alt="{b.words(1, 2)}" border="0" width="{b.number(320, 800)}" /><br />今日の写真です。{b.words()}<br />'

    def banner(_):
        return f'<a href="http://{b.words(1, 1)}.ranking.example/rank/{b.digits(6)}"><img src="http://{b.words(1, 1)}.ranking.example/img/{b.slug()}88_31.gif" width="88" height="31" border="0" alt="ランキングへ" /></a>'

    def entry(index):
        return f'<div class="entry"><h2 class="entry_title"><a href="/blog-entry-{b.digits(3)}.html">{b.title()}</a></h2><div class="entry_body">{b.words(5, 20)}<br />{b.many(1 if index == 0 else 0, 7, picture)}<br />{b.many(1, 3, banner)}</div><p class="entry_state">trackback(0) | <img src="http://templates.tempdiary.example/tpl/icon_comment.gif" alt="comment" />(3)</p></div>'

    title = b.title()
    body = f'<html lang="ja"><head><meta http-equiv="Content-Type" content="text/html; charset=euc-jp" /><title>{title} 日記</title><link rel="alternate" type="application/rss+xml" href="/?xml" /></head><body><div id="header"><a href="/"><img src="http://templates.tempdiary.example/tpl/{b.words(1, 1)}/top.jpg" alt="{title}" class="top_banner" /></a></div><div id="container"><div id="main">{b.many(1, 4, entry)}</div><div id="sidemenu"><dl class="plugin"><dt>プロフィール</dt><dd><img src="{host}/profile{b.digits(2)}.jpg" alt="管理人" width="120" /></dd></dl><dl class="plugin"><dt>カウンター</dt><dd><img src="http://counter1.tempdiary.example/counter_img.php?id={b.digits(8)}" alt="counter" /></dd></dl><dl class="plugin"><dt>リンク</dt><dd>{b.many(2, 7, banner)}</dd></dl>{advertisement(b)}</div></div><img src="http://media.tempdiary.example/counter.php?uid={b.digits(6)}" width="1" height="1" /></body></html>'
    return body.encode("euc-jp")


def asset_diary(b, url):
    """A weblog of 2008 on a hosted service with asset images, whose links open a window and not a file."""
    host = "http://harbour.asset.example"

    def picture(_):
        key = f"6a00{b.hexadecimal(14)}970{b.hexadecimal(1)}"
        best = b.want(f"{host}/.a/{key}-{b.choice('500wi', '800wi', '450wi')}")
        image = f'<img alt="{b.words()}" class="asset asset-image at-xid-{key}" src="{best}" {b.choice("", "border=0")} title="{b.words()}" />'
        if b.chance(0.5):
            return f'<p>{b.words(6, 20)}</p><p><a href="{host}/.a/{key}-popup" onclick="window.open( this.href, \'_blank\', \'width=640,height=480,scrollbars=no,resizable=no,toolbar=no\' ); return false" style="display: inline;">{image}</a></p>'
        return f'<p>{b.words(6, 20)}</p><p>{image}</p>'

    def entry(index):
        return f'<div class="entry-category-travel entry-type-post entry" id="entry-6a00{b.hexadecimal(14)}"><div class="entry-inner"><h3 class="entry-header">{b.title()}</h3><div class="entry-content"><div class="entry-body">{b.many(1 if index == 0 else 0, 4, picture)}</div></div><div class="entry-footer"><span class="separator">|</span><a href="http://digg.example/submit"><img src="http://static.asset.example/.shared/images/digg.gif" width="16" height="16" alt="digg" /></a></div></div></div>'

    def cover(_):
        return f'<div class="module-list-item"><div class="typelist-thumbnail"><a href="http://books.shop.example/dp/{b.digits(10)}?tag=harbour-20"><img alt="{b.title()}" src="http://ecx.shop.example/images/I/{b.hexadecimal(11)}._SL75_.jpg" /></a></div></div>'

    def badge(_):
        return f'<li><a href="http://{b.words(1, 1)}.ring.example/"><img src="{host}/photos/uncategorized/2008/badges/{b.slug()}.gif" alt="badge" border="0"></a></li>'

    comments = b.many(0, 4, lambda _: f'<div class="comment"><div class="comment-avatar"><img src="http://up{b.number(1, 6)}.asset.example/6p00{b.hexadecimal(14)}-50si" width="50" height="50" alt="" /></div><div class="comment-content">{b.words()}</div></div>')
    title = b.title()
    body = f'<div id="container"><div id="container-inner"><div id="banner"><div id="banner-inner"><h1 id="banner-header"><a href="/"><img src="{host}/.a/6a00{b.hexadecimal(14)}-pi" alt="{title}" id="banner-img" width="900" height="120" /></a></h1></div></div><div id="pagebody"><div id="alpha"><div class="module-photo module"><img class="photo" src="http://up{b.number(1, 6)}.asset.example/6a00{b.hexadecimal(14)}-150wi" alt="My Photo" width="150" /></div><div class="module-typelist module"><h2>Reading</h2>{b.many(2, 5, cover)}</div><ul>{b.many(1, 4, badge)}</ul></div><div id="beta"><div id="beta-inner">{b.many(1, 4, entry)}<div class="comments-content">{comments}</div></div></div></div></div></div>{tracker(b)}'
    return document(head(b, title, url), body)


def drag_builder(b, url):
    """A page of a site built by dragging of boxes: loose pictures and a gallery with lightbox."""
    folder = f"/uploads/{b.digits(1)}/{b.digits(1)}/{b.digits(2)}/{b.digits(2)}/{b.digits(8)}"

    def loose(_):
        name = b.slug()
        if b.chance(0.5):
            best = b.want(f"https://harbour.dragged.example{folder}/{name}_orig.jpg")
            image = f'<a href="{best[31:]}" rel="lightbox" onclick="if (!lightboxLoaded) return false"><img src="{folder}/{b.choice("published/", "editor/")}{name}.jpg?1500{b.digits(6)}" alt="Picture" style="width:auto;max-width:100%" /></a>'
        else:
            best = b.want(f"https://harbour.dragged.example{folder}/published/{name}.jpg?1500{b.digits(6)}")
            image = f'<a><img src="{best[31:]}" alt="Picture" style="width:{b.number(300, 900)}px;max-width:100%" /></a>'
        return f'<div><div class="wsite-image wsite-image-border-none " style="padding-top:10px;padding-bottom:10px;margin-left:0;margin-right:0;text-align:center">{image}<div style="display:block;font-size:90%">{b.words()}</div></div></div><div class="paragraph" style="text-align:left;">{b.words(8, 30)}</div>'

    def tile(index):
        name = b.slug()
        best = b.want(f"https://harbour.dragged.example{folder}/{name}_orig.jpg")
        return f"<div id='{b.digits(18)}-imageContainer{index}' style='float:left;width:24.95%;margin:0;'><div id='{b.digits(18)}-insideImageContainer{index}' style='position:relative;margin:5px;'><div class='galleryImageHolder' style='position:relative; width:100%; padding:0 0 75%;overflow:hidden;'><div class='galleryInnerImageHolder'><a href='{best[31:]}' rel='lightbox[gallery{b.digits(5)}]'><img src='{folder}/{name}.jpg' class='galleryImage' _width='800' _height='600' style='position:absolute;border:0;width:100%;top:0%;left:0%' /></a></div></div></div></div>"

    gallery = f"<div><div style='height:20px;overflow:hidden'></div><div id='{b.digits(18)}-gallery' class='imageGallery' style='line-height: 0px; padding: 0; margin: 0'>{b.many(4, 16, tile)}<span style='display: block; clear: both;'></span></div></div>" if b.chance(0.6) else ""
    title = b.title()
    badges = b.many(0, 4, lambda _: f'<td class="wsite-multicol-col"><a href="https://{b.words(1, 1)}.member.example/" target="_blank"><img src="{folder}/badge-{b.slug()}.png" width="80" height="80" alt="member of association badge"></a></td>')
    body = f'<div class="wrapper"><div class="birdseye-header"><div class="logo"><span class="wsite-logo"><a href="/"><img src="{folder}/published/logo-{b.digits(4)}.png" style="height:60px" alt="logo" /></a></span></div><div class="nav desktop-nav"><ul class="wsite-menu-default"><li><a href="/index.html">Home</a></li></ul></div></div><div id="wsite-content" class="wsite-elements wsite-not-footer"><h2 class="wsite-content-title">{title}</h2>{b.many(1, 5, loose)}{gallery}</div><div class="footer-wrap"><div class="wsite-elements wsite-footer"><table class="wsite-multicol-table"><tr>{badges}<td><img src="//cdn2.dragged.example/images/weebly-footer/footer-toast-published-image-1.png" alt="powered" width="140"></td></tr></table><span class="wsite-social"><a href="#"><img src="/files/theme/images/icon-fb.png" width="24" height="24" alt="f"></a><a href="#"><img src="/files/theme/images/icon-mail.png" width="24" height="24" alt="m"></a></span></div></div></div>'
    return document(head(b, title, url), body)


def module_site(b, url):
    """A page of a German site made of modules: pictures with texts and a gallery that enlarges."""
    site = f"s{b.hexadecimal(12)}"

    def path(size, image):
        return f"https://image.modulesite.example/app/cms/image/transf/{size}/path/{site}/image/{image}/image.jpg"

    def single(_):
        image = f"i{b.hexadecimal(14)}/version/1{b.digits(9)}"
        widths = (320, 640, 960, 1280, 1920)[: b.number(3, 5)]
        links = [f"{path(f'dimension={width}x10000:format=jpg', image)}" for width in widths]
        b.want(links[-1])
        choices = ", ".join(f"{link} {width}w" for link, width in zip(links, widths))
        return f'<div id="cc-m-{b.digits(11)}" class="j-module n j-imageSubtitle"><figure class="cc-imagewrapper cc-m-image-align-1 cc-m-width-maxed"><img srcset="{choices}" sizes="(min-width: 960px) 960px, 100vw" id="cc-m-imagesubtitle-image-{b.digits(11)}" src="{links[0]}" alt="{b.words()}" class="" data-src-width="{b.number(1920, 5000)}" data-src-height="{b.number(1200, 4000)}" data-src="{links[0]}" data-image-id="{b.digits(10)}"/></figure></div><div class="j-module n j-text">{b.paragraph()}</div>'

    def tile(_):
        image = f"i{b.hexadecimal(14)}/version/1{b.digits(9)}"
        best = b.want(path("dimension=1920x1024:format=jpg", image))
        return f'<div class="cc-m-gallery-cool-item" id="gallery_thumb_{b.digits(10)}"><div><a rel="lightbox[{b.digits(11)}]" href="javascript:" data-href="{best}" data-title=""><img src="{path("dimension=400x10000:format=jpg", image)}" data-orig-width="{b.number(1200, 4000)}" data-orig-height="{b.number(900, 4000)}" alt="{b.words()}" data-subtitle=""/></a></div></div>'

    gallery = f'<div id="cc-m-{b.digits(11)}" class="j-module n j-gallery"><div class="cc-m-gallery-container cc-m-gallery-cool clearover" id="cc-m-gallery-{b.digits(11)}">{b.many(4, 15, tile)}</div></div>'
    singles = b.many(1, 4, single)
    content = b.choice(singles, gallery, singles + gallery)
    b.wanted[:] = [link for link in b.wanted if link in content]
    seals = b.many(2, 4, lambda _: f'<div class="j-module n j-imageSubtitle"><figure class="cc-imagewrapper"><a href="https://www.{b.words(1, 1)}-verband.example/" target="_blank"><img src="{path("dimension=120x120:format=png", "i" + b.hexadecimal(14))}" alt="Mitglied im Verband" width="120"/></a></figure></div>')
    title = b.title()
    body = f'<div class="jtpl-main cc-content-parent"><div class="jtpl-header"><div id="cc-website-logo" class="cc-single-module-element"><div class="j-module n j-imageSubtitle"><figure class="cc-imagewrapper"><a href="/"><img srcset="{path("dimension=320x10000:format=png", "ilogo")} 320w, {path("dimension=640x10000:format=png", "ilogo")} 640w" src="{path("dimension=320x10000:format=png", "ilogo")}" alt="{title}"></a></figure></div></div></div><div class="jtpl-content__gutter cc-content-parent"><div id="content_area"><div id="content_start"></div><div class="j-module n j-header"><h1>{title}</h1></div>{content}</div></div><div class="jtpl-sidebar"><div data-container="sidebar">{seals}{social(b)}</div></div><div class="jtpl-footer"><img src="https://assets.modulesite.example/images/badge-made-with.svg" alt="" width="110"></div></div>'
    return document(head(b, title, url), body, "de", f'class="body cc-page j-m-gallery-styles j-m-video-styles" id="page-{b.digits(10)}"')


def club_gallery(b, url):
    """A page of a German sports club in a system with a base address, thumbnails and sponsors."""

    def tile(index):
        file = f"IMG_{b.digits(4)}-{b.slug()}"
        best = b.want(f"https://www.club.example/files/verein/20{b.number(10, 24)}/fest/{file}.jpg")
        retina = f'srcset="assets/images/{b.hexadecimal(1)}/{file}-{b.hexadecimal(8)}.jpg 1x, assets/images/{b.hexadecimal(1)}/{file}-{b.hexadecimal(8)}.jpg 1.5x"' if b.chance(0.4) else ""
        return f'<li class="row_{index // 4} col_{index % 4} {"even" if index % 2 else "odd"}"><figure class="image_container" itemscope itemtype="http://schema.org/ImageObject" style="margin:5px;"><a href="{best[25:]}" data-lightbox="lb{b.digits(3)}" class="cboxElement" title=""><img src="assets/images/{b.hexadecimal(1)}/{file}-{b.hexadecimal(8)}.jpg" {retina} width="160" height="120" alt="" itemprop="image"></a></figure></li>'

    def sponsor(_):
        return f'<div class="banner_image"><a href="banner_clicks/{b.digits(3)}/" target="_blank"><img src="files/sponsoren/{b.slug()}.{b.choice("png", "gif", "jpg")}" width="180" height="90" alt="Sponsor"></a></div>'

    def teaser(_):
        return f'<div class="layout_latest block"><figure class="image_container float_left"><a href="aktuelles/{b.slug()}.html"><img src="assets/images/{b.hexadecimal(1)}/teaser-{b.slug()}-{b.hexadecimal(8)}.jpg" width="80" height="60" alt=""></a></figure><h2>{b.title()}</h2></div>'

    title = b.title()
    header = f'<header id="header"><div class="inside"><a href="./"><img src="files/theme/wappen.png" width="90" height="110" alt="Wappen"></a></div></header>'
    wrap = b.choice('<main id="main"><div class="inside">{}</div></main>', '<div id="main"><div class="inside">{}</div></div>')
    inner = f'<div class="mod_newsreader block"><div class="layout_full block"><h1>{title}</h1><p class="info"><time>12.06.2016</time></p><div class="ce_text block">{b.paragraph()}</div><div class="ce_gallery block"><ul class="cols_4" itemscope itemtype="http://schema.org/ImageGallery">{b.many(3, 24, tile)}</ul></div><p class="back"><a href="javascript:history.go(-1)">Zurück</a></p></div></div>'
    return f'<!DOCTYPE html>\n<html lang="de">\n<head>\n<meta charset="utf-8">\n<title>{title} - Verein</title>\n<base href="https://www.club.example/">\n<meta name="generator" content="Contao Open Source CMS">\n</head>\n<body id="top" class="mac chrome"><div id="wrapper">{header}<div id="container">{wrap.format(inner)}<aside id="left"><div class="inside">{b.many(2, 5, sponsor)}</div></aside><aside id="right"><div class="inside">{b.many(1, 4, teaser)}</div></aside></div><footer id="footer"><img src="files/theme/landesverband.png" alt="Verband" width="60" height="60"></footer></div>{tracker(b) if b.chance(0.5) else ""}</body></html>'


def tap_story(b, url):
    """A story for telephones that shows one full picture on each of its pages."""

    def slide(index):
        base = f"https://stories.tapped.example/wp-content/uploads/202{b.number(0, 5)}/0{b.number(1, 9)}/{b.slug()}"
        widths = (150, 480, 640, 853)
        links = [f"{base}-{width}x{width * 4 // 3}.jpeg" for width in widths] + [base + ".jpeg"]
        if b.chance(0.7):
            b.want(links[-1])
            choices = ", ".join(f"{link} {width}w" for link, width in zip(reversed(links), (1080, 853, 640, 480, 150)))
            image = f'<amp-img layout="fill" src="{links[-1]}" alt="{b.words()}" srcset="{choices}" sizes="(min-width: 1024px) 45vh, 100vw" disable-inline-width="true"></amp-img>'
        else:
            b.want(links[-1])
            image = f'<amp-img src="{links[-1]}" width="720" height="1280" layout="responsive" alt=""></amp-img>'
        logo = '<div class="brand"><amp-img src="https://stories.tapped.example/wp-content/themes/tapped/logo-white.png" width="96" height="24" layout="fixed" alt="logo"></amp-img></div>' if b.chance(0.5) else ""
        return f'<amp-story-page id="page-{index}" auto-advance-after="7s"><amp-story-grid-layer template="fill" class="grid-layer"><div class="_c19e533 page-fullbleed-area"><div class="wrap"><div class="mask" id="el-{b.hexadecimal(8)}">{image}</div></div></div></amp-story-grid-layer><amp-story-grid-layer template="vertical"><h2>{b.title()}</h2><p>{b.words(6, 15)}</p>{logo}</amp-story-grid-layer></amp-story-page>'

    folder = "https://stories.tapped.example/wp-content/uploads"
    more = ",".join(f'{{"type":"small","title":"{b.title()}","image":"{folder}/more/{b.slug()}-150x150.jpeg","url":"https://stories.tapped.example/{b.slug()}/"}}' for _ in range(b.number(2, 4)))
    slides = b.many(3, 12, slide)
    title = b.title()
    return f'<!DOCTYPE html>\n<html amp="" lang="{b.choice("en", "hi", "es")}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,minimum-scale=1"><script async src="https://cdn.ampproject.example/v0.js"></script><script async custom-element="amp-story" src="https://cdn.ampproject.example/v0/amp-story-1.0.js"></script><title>{title}</title><link rel="icon" href="{folder}/icon-32x32.png" sizes="32x32"><script type="application/ld+json">{{"@context":"http://schema.org","publisher":{{"@type":"Organization","logo":{{"@type":"ImageObject","url":"{folder}/logo-96x96.png"}}}}}}</script></head><body><amp-story standalone="" publisher="Tapped" publisher-logo-src="{folder}/logo-96x96.png" title="{title}" poster-portrait-src="{folder}/poster-{b.slug()}-640x853.jpeg">{slides}<amp-story-page id="end"><amp-story-grid-layer template="vertical"><amp-img src="{folder}/icons/whatsapp.png" width="40" height="40" layout="fixed"></amp-img><amp-img src="{folder}/icons/telegram.png" width="40" height="40" layout="fixed"></amp-img></amp-story-grid-layer></amp-story-page><amp-story-bookend layout="nodisplay"><script type="application/json">{{"bookendVersion":"v1.0","components":[{more}]}}</script></amp-story-bookend><amp-pixel src="https://stats.example/pixel?r={b.digits(6)}" layout="nodisplay"></amp-pixel></amp-story></body></html>'


FAMILIES = {
    "large-photo-blog": (large_photo_blog, "http://www.large.example/bigpicture/2009/03/harbours_of_the_world.html"),
    "agency-report": (agency_report, "https://agency.example/20240215/gavan-1927412345.html"),
    "tropical-daily": (tropical_daily, "https://tropic.example/ben-cang-cu-4712345.html"),
    "numbered-list": (numbered_list, "https://www.numbered.example/ann/harbours-that-will-amaze-you"),
    "french-sections": (french_sections, "http://port.sections.example/2015/06/le-vieux-port.html"),
    "skin-entry": (skin_entry, "https://harbour.skins.example/123"),
    "template-diary": (template_diary, "http://harbour.blog12.tempdiary.example/"),
    "asset-diary": (asset_diary, "http://harbour.asset.example/weblog/2008/06/the-harbour.html"),
    "drag-builder": (drag_builder, "https://harbour.dragged.example/our-boats.html"),
    "module-site": (module_site, "https://www.hafenhaus.modulesite.example/galerie/"),
    "club-gallery": (club_gallery, "https://www.club.example/aktuelles/sommerfest.html"),
    "tap-story": (tap_story, "https://stories.tapped.example/harbours/"),
}
