"""Pages of albums, collections and articles with many pictures, by an author who did not know the rules."""

import json

from builder import advertisement, document, head, social, tracker


def album_backgrounds(b, url):
    """An album of a service for photographs, whose previews are backgrounds of boxes."""

    def view(index):
        number = b.digits(11)
        best = b.want(f"https://live.photos.example/65535/{number}_{b.hexadecimal(10)}_{b.choice('c', 'z', 'b')}.jpg")
        return f'<div class="view photo-list-photo-view requiredToShowOnServer awake" id="yui_3_16_0_1_{b.digits(13)}_{index}" style="transform: translate({b.number(0, 900)}px, {b.number(0, 3000)}px); width: {b.number(300, 500)}px; height: 272px; background-image: url({best.replace("https:", "")})"><div class="interaction-view"><div class="photo-list-photo-interaction"><a class="overlay" href="/photos/ann/{number}/in/album-72157" role="heading" aria-label="{b.words()} by Ann"></a><div class="interaction-bar"><div class="text"><a class="title">{b.title()}</a></div></div></div></div></div>'

    title = b.title()
    comments = b.many(0, 4, lambda _: f'<div class="comment"><div class="comment-icon avatar" style="background-image: url(//farm{b.number(1, 9)}.photos.example/{b.digits(4)}/buddyicons/{b.digits(8)}@N0{b.number(1, 9)}.jpg?{b.digits(10)})"></div>{b.paragraph()}</div>')
    views = b.many(6, 26, view)
    return document(
        head(b, title, url, b.wanted[0]),
        f'<div class="global-nav"><a class="main-logo" href="/"><img src="https://combo.photos.example/pw/images/logo@2x.png" width="90" height="26" alt="photos"></a><a class="gn-signin"><img class="c-account-buddyicon" src="//farm{b.number(1, 9)}.photos.example/{b.digits(4)}/buddyicons/{b.digits(8)}@N02.jpg" width="48" height="48" alt=""></a></div><div class="main fluid-magic-tools"><div class="album-header-view"><div class="album-cover"><h1 class="album-title">{title}</h1><div class="album-attribution"><a class="avatar medium" href="/photos/ann/" style="background-image: url(//live.photos.example/{b.digits(4)}/buddyicons/{b.digits(8)}@N03.jpg)"></a></div></div></div><div class="view photo-list-view awake" style="height: 3200px">{views}</div><div class="comments">{comments}</div></div><footer class="foot"><a href="https://smug.example"><img src="https://combo.photos.example/pw/images/smug-footer.svg" width="100" alt="x"></a></footer>{tracker(b)}',
        attributes='class="album-page"',
    )


def stock_search(b, url):
    """The results of a search for free photographs, with the faces of the photographers and a sponsor."""
    host = "https://images.freepics.example"

    def figure(index):
        key = f"photo-{b.digits(13)}-{b.hexadecimal(12)}"
        query = f"ixlib=rb-4.0.3&ixid=M3w{b.hexadecimal(16)}&auto=format&fit=crop&q=60"
        best = b.want(f"{host}/{key}?{query}&w=3000")
        base = f"{host}/{key}?{query}".replace("&", "&amp;")
        srcset = ", ".join(f"{base}&amp;w={width} {width}w" for width in (200, 400, 800, 1200, 1600, 2000, 3000))
        face = f"https://images.freepics.example/profile-{b.digits(13)}-{b.hexadecimal(12)}?dpr=1&amp;auto=format&amp;fit=crop&amp;w=32&amp;h=32&amp;q=60&amp;crop=faces&amp;bg=fff"
        return f'<figure itemprop="image" itemscope itemtype="https://schema.org/ImageObject" data-test="photo-grid-masonry-figure"><meta itemprop="license" content="/license"><div class="MorZF"><a itemprop="contentUrl" href="/photos/{b.slug()}" class="zNNw1"><div class="vkrMA"><img alt="{b.words()}" class="I7OuT DVW3V L1BOa" itemprop="thumbnailUrl" {"fetchpriority=high" if index < 2 else "loading=lazy"} sizes="(min-width: 1335px) 416px, 100vw" src="{base}&amp;w=500" srcset="{srcset}" style="aspect-ratio:{b.number(3, 6)}/4"></div></a></div><div class="W5FRX"><a href="/@ben"><img class="TDoH7 vkrMA" src="{face}" srcset="{face} 1x, {face.replace("dpr=1", "dpr=2")} 2x" width="32" height="32" alt="Go to Ben\'s profile"></a></div></figure>'

    title = b.title()
    sponsor = f'<div class="sponsored-row"><a href="https://istock.example/?utm=x"><img src="https://media.istock.example/id/{b.digits(9)}/photo/{b.slug()}.jpg?b=1&amp;s=170x170" alt="istock" width="170" height="113"></a></div>' if b.chance(0.6) else ""
    return document(
        head(b, title, url, "https://freepics.example/apple-touch-og.png"),
        f'<div id="app"><div><header><nav><a href="/" title="Freepics"><svg width="32" height="32"></svg></a></nav></header><h1>{title}</h1><div class="mItv1"><div class="ripi6">{b.many(6, 20, figure)}</div></div>{sponsor}<footer><img src="/a/footer-badge-{b.hexadecimal(6)}.png" alt="Carbon neutral" width="60" height="60"></footer></div></div>{tracker(b)}',
    )


def photoswipe_page(b, url):
    """A photographer's page from a generator of static sites, with figures for a viewer of pictures."""
    folder = f"/galleries/{b.slug()}"

    def figure(index):
        name = b.slug()
        large = f"{folder}/{name}.jpg"
        b.want(f"https://ben.photo.example{large}")
        small = f"{folder}/{name}_hu_{b.hexadecimal(8)}_600x0_resize_q75_box.{b.choice('jpg', 'webp')}"
        size = b.choice(("2400x1600", "2400", "1600"), ("1600x2400", "1600", "2400"))
        attributes = f'data-size="{size[0]}"' if old else f'data-pswp-width="{size[1]}" data-pswp-height="{size[2]}" target="_blank"'
        return f'<figure itemprop="associatedMedia" itemscope itemtype="http://schema.org/ImageObject"><a href="{large}" itemprop="contentUrl" {attributes}><img src="{small}" itemprop="thumbnail" {b.choice("", "loading=lazy", "width=600 height=400")} alt="{b.words()}"></a><figcaption itemprop="caption description">{b.words()}</figcaption></figure>'

    old = b.chance(0.5)
    title = b.title()
    more = b.many(2, 5, lambda _: f'<a class="card" href="/galleries/{b.slug()}/"><img src="/galleries/{b.slug()}/cover_hu_{b.hexadecimal(8)}_300x200_fill_q75_box_smart1.jpg" width="300" height="200" alt=""><h3>{b.words()}</h3></a>')
    wrapper = "main" if b.chance(0.5) else "div"
    return document(
        head(b, title, url, "https://ben.photo.example/images/og.jpg", generator=f"Hugo 0.{b.number(60, 130)}.0"),
        f'<header class="site-header"><a href="/"><img class="logo" src="/images/signature.png" alt="Ben" width="180"></a><nav><a href="/about/">About</a></nav></header><{wrapper} class="content"><h1>{title}</h1>{b.paragraph()}<div class="{"my-gallery" if old else "pswp-gallery"}" id="gallery" itemscope itemtype="http://schema.org/ImageGallery">{b.many(3, 30, figure)}</div></{wrapper}><section class="more"><h2>More galleries</h2>{more}</section><footer><div class="bio"><img src="/images/ben-portrait.jpg" class="rounded" width="96" height="96" alt="Ben"><p>{b.words(6, 12)}</p></div><a rel="license" href="https://cc.example/by-nc/4.0/"><img alt="License" src="https://i.cc.example/l/by-nc/4.0/88x31.png"></a></footer><div class="pswp" tabindex="-1" role="dialog"><div class="pswp__bg"></div></div>',
    )


def university_news(b, url):
    """A report of a department in Germany about a day with guests, with pictures in its content system."""

    def image(_):
        name = f"{b.slug()}_{b.hexadecimal(6)}"
        folder = b.choice("_processed_", "user_upload")
        linked = b.chance(0.6)
        small = f"/fileadmin/_processed_/{b.hexadecimal(1)}/{b.hexadecimal(1)}/csm_{name}_{b.hexadecimal(10)}.jpg"
        large = f"/fileadmin/{folder}/institut/{name}.jpg"
        tag = f'<img class="image-embed-item" title="{b.words()}" alt="" src="{small}" width="600" height="400" loading="lazy" />'
        b.want("https://www.physik.uni.example" + (large if linked else small))
        if linked:
            tag = f'<a href="{large}" title="" class="lightbox" rel="lightbox[{number}]">{tag}</a>'
        return f'<div class="ce-column"><figure class="image">{tag}<figcaption class="image-caption">Foto: {b.words(1, 2)}</figcaption></figure></div>'

    number = b.digits(5)
    title = b.title()
    news = b.many(2, 4, lambda _: f'<div class="article articletype-0"><div class="news-img-wrap"><a href="/aktuelles/{b.slug()}"><img src="/fileadmin/_processed_/{b.hexadecimal(1)}/{b.hexadecimal(1)}/csm_{b.slug()}_{b.hexadecimal(10)}.jpg" width="160" height="107" alt=""></a></div><h3>{b.title()}</h3></div>')
    logos = b.many(2, 6, lambda _: f'<a href="https://partner.example/"><img src="/fileadmin/user_upload/logos/{b.slug()}.{b.choice("png", "svg")}" height="50" alt="Partner"></a>')
    contact = f'<div class="contact-card"><img src="/fileadmin/_processed_/{b.hexadecimal(1)}/{b.hexadecimal(1)}/csm_portrait_{b.words(1, 1)}_{b.hexadecimal(10)}.jpg" width="120" height="160" alt="Prof. Dr. Eva Muster"><p>Prof. Dr. Eva Muster</p></div>' if b.chance(0.7) else ""
    return document(
        head(b, title, url, generator="TYPO3 CMS"),
        f'<header id="header"><a href="/" class="logo"><img src="/typo3conf/ext/uni_template/Resources/Public/Images/logo-uni.svg" alt="Universität" width="210" height="70"></a><ul class="lang"><li><a href="/en/"><img src="/typo3conf/ext/uni_template/Resources/Public/Icons/flag_en.png" alt="English" width="18" height="12"></a></li></ul></header><div class="page-content" id="content"><div class="news news-single"><div class="article" itemscope itemtype="http://schema.org/Article"><h1 itemprop="headline">{title}</h1><div class="news-text-wrap">{b.paragraph()}</div><div id="c{number}" class="frame frame-default frame-type-textpic"><div class="ce-textpic ce-center ce-above"><div class="ce-gallery" data-ce-columns="3" data-ce-images="6"><div class="ce-outer"><div class="ce-inner"><div class="ce-row">{b.many(1, 9, image)}</div></div></div></div></div>{b.paragraph()}</div></div></div></div><aside class="sidebar">{contact}<div class="news-list-view">{news}</div></aside><footer><div class="partner-logos">{logos}</div></footer>',
        language="de",
    )


def fandom_article(b, url):
    """An article of a wiki of admirers, with a table of facts, lazy thumbnails and popular pages."""
    host = "https://static.wikihost.example/harbour/images"

    def addresses():
        name = b.slug().capitalize().replace("-", "_") + b.choice(".png", ".jpg")
        base = f"{host}/{b.hexadecimal(1)}/{b.hexadecimal(2)}/{name}/revision/latest"
        stamp = f"20{b.number(10, 24)}{b.digits(10)}"
        return name, b.want(f"{base}?cb={stamp}"), f"{base}/scale-to-width-down/{{}}?cb={stamp}"

    def thumb(_):
        name, best, scaled = addresses()
        width = b.choice(180, 250, 350)
        return f'<figure class="thumb tright show-info-icon" style="width: {width}px"><a href="{best}" class="image"><img alt="{b.words()}" src="data:image/gif;base64,R0lGODlhAQABAIABAAAAAP///yH5BAEAAAEALAAAAAABAAEAQAICTAEAOw%3D%3D" decoding="async" width="{width}" height="140" class="thumbimage lazyload" data-image-name="{name}" data-image-key="{name}" data-src="{scaled.format(width)}"></a><noscript><a href="{best}" class="image"><img alt="" src="{scaled.format(width)}" decoding="async" width="{width}" height="140" class="thumbimage"></a></noscript><figcaption class="thumbcaption"><a href="/wiki/File:{name}" class="info-icon"><svg></svg></a><p class="caption">{b.words()}</p></figcaption></figure>{b.paragraph()}'

    title = b.title()
    name, best, scaled = addresses()
    infobox = f'<aside role="region" class="portable-infobox pi-background pi-border-color pi-theme-wikia pi-layout-default"><h2 class="pi-item pi-item-spacing pi-title">{title}</h2><figure class="pi-item pi-image" data-source="image"><a href="{best}" class="image image-thumbnail" title=""><img src="{scaled.format(268)}" srcset="{scaled.format(268)} 1x, {scaled.format(536)} 2x" class="pi-image-thumbnail" alt="" width="268" height="320" data-image-key="{name}" data-image-name="{name}"></a></figure></aside>'
    popular = b.many(3, 6, lambda _: f'<li class="popular-pages__item"><a href="/wiki/{b.slug()}"><img src="{host}/{b.hexadecimal(1)}/{b.hexadecimal(2)}/{b.slug()}.png/revision/latest/smart/width/53/height/53?cb={b.digits(14)}" width="53" height="53" alt=""><span>{b.words()}</span></a></li>')
    return document(
        head(b, title, url, best, generator="MediaWiki 1.39.7"),
        f'<div class="global-navigation"><a href="https://www.wikihost.example/"><svg></svg></a></div><div class="main-container"><header class="community-header-wrapper"><a href="/wiki/" class="fandom-community-header__image"><img src="{host}/e/e6/Site-logo.png/revision/latest?cb={b.digits(14)}" width="250" height="65" alt="Harbour Wiki"></a></header><div class="page has-right-rail"><main class="page__main" lang="en"><h1 class="page-header__title" id="firstHeading">{title}</h1><div id="content" class="page-content"><div id="mw-content-text" class="mw-body-content"><div class="mw-parser-output">{infobox}{b.paragraph()}{b.many(0, 8, thumb)}</div></div></div></main><aside class="page__right-rail"><section class="rail-module popular-pages"><ol>{popular}</ol></section>{advertisement(b)}</aside></div><footer class="global-footer"><img src="https://static.wikihost.example/footer/appstore-badge.svg" alt="App store" width="120"></footer></div>{tracker(b)}',
    )


def tumblelog_post(b, url):
    """A post of a tumblelog with a set of photographs, the notes of others and more posts of the author."""
    host = "https://64.media.tumble.example"

    def picture(_):
        key = f"{b.hexadecimal(32)}/{b.hexadecimal(16)}-{b.hexadecimal(2)}"
        sizes = (("s400x600", 400), ("s500x750", 500), ("s640x960", 640), ("s1280x1920", 1280), ("s2048x3072", 2048))
        sizes = sizes[: b.number(3, 5)]
        file = b.hexadecimal(40)
        best = b.want(f"{host}/{key}/{sizes[-1][0]}/{file}.jpg")
        srcset = ", ".join(f"{host}/{key}/{size}/{file}.jpg {width}w" for size, width in sizes)
        return f'<div class="npf_row"><div class="npf_col"><figure class="tmblr-full" data-orig-height="3024" data-orig-width="2016"><img src="{host}/{key}/s640x960/{file}.jpg" data-orig-height="3024" data-orig-width="2016" srcset="{srcset}" sizes="(max-width: 2016px) 100vw, 2016px" alt="image"/></figure></div></div>'

    def note(_):
        return f'<li class="note {b.choice("like", "reblog")} without_commentary"><a rel="nofollow" class="avatar_frame" href="https://ann.tumble.example/"><img src="{host}/avatar_{b.hexadecimal(12)}_16.pnj" class="avatar" alt="" width="16" height="16"/></a><span class="action">ann liked this</span></li>'

    title = b.title()
    pictures = b.many(1, 7, picture)
    more = b.many(0, 6, lambda _: f'<a class="related-post" href="/post/{b.digits(12)}"><img src="{host}/{b.hexadecimal(32)}/{b.hexadecimal(16)}-{b.hexadecimal(2)}/s250x400/{b.hexadecimal(40)}.jpg" alt="" loading="lazy"></a>')
    return document(
        head(b, title, url, b.wanted[0], extra='<meta property="og:type" content="article"><link rel="alternate" type="application/rss+xml" href="/rss">'),
        f'<div class="wrapper"><header id="header"><div class="cover"><img src="{host}/{b.hexadecimal(32)}/{b.hexadecimal(16)}/s2048x3072_c0,22,100,78/{b.hexadecimal(40)}.jpg" alt="" class="header-image"></div><a href="/"><img src="{host}/avatar_{b.hexadecimal(12)}_128.pnj" class="user-avatar" width="128" height="128" alt="Ben"></a><h1 class="blog-title">{b.words()}</h1></header><section id="posts"><article class="post text" id="{b.digits(12)}"><div class="post-content">{pictures}{b.paragraph()}</div><ul class="tags"><li><a href="/tagged/river">#river</a></li></ul></article><ol class="notes">{b.many(5, 20, note)}</ol></section><section class="related-posts-wrapper"><h2>More you might like</h2>{more}</section></div>{tracker(b)}',
    )


def band_discography(b, url):
    """The records of a band, each with its cover, beneath the band's banner."""

    def record(index):
        number = b.digits(10)
        best = b.want(f"https://f4.bandcdn.example/img/a{number}_2.jpg")
        source = f'src="{best}"' if index < 6 else f'class="lazy" src="/img/0.gif" data-original="{best}"'
        return f'<li data-item-id="album-{b.digits(10)}" data-band-id="{band}" class="music-grid-item square {"first-four" if index < 4 else ""}"><a href="/album/{b.slug()}"><div class="art"><img {source} alt="" /></div><p class="title">{b.title()}</p></a></li>'

    band = b.digits(10)
    title = b.title()
    fans = b.many(0, 8, lambda _: f'<a class="fan pic" href="https://bandcdn.example/fan{b.digits(5)}"><img class="thumb" src="https://f4.bandcdn.example/img/{b.digits(10)}_42.jpg" alt="fan"></a>')
    return document(
        head(b, title, url, f"https://f4.bandcdn.example/img/{b.digits(10)}_23.jpg", generator="Bandcamp"),
        f'<div id="menubar-wrapper"><a href="https://bandcdn.example/"><img src="https://s4.bandcdn.example/img/logo-blue-58.png" alt="x" height="20"></a></div><div id="centerWrapper"><div id="propOpenWrapper"><div id="customHeaderWrapper"><div id="customHeader"><a href="/"><img src="https://f4.bandcdn.example/img/{b.digits(10)}_100.png" width="975" height="180" alt="{title} image" /></a></div></div><div id="pgBd" class="yui-skin-sam"><div class="leftMiddleColumns"><ol id="music-grid" data-client-items="[]" class="editable-grid music-grid columns-4 public">{b.many(3, 24, record)}</ol></div><div id="rightColumn" class="rightColumn"><div id="bio-container"><div class="artists-bio-pic"><a class="popupImage" href="https://f4.bandcdn.example/img/{b.digits(10)}_10.jpg"><img src="https://f4.bandcdn.example/img/{b.digits(10)}_21.jpg" class="band-photo" alt="{title}"></a></div><p id="band-name-location">{title}</p></div><div class="supporters">{fans}</div></div></div></div></div><div id="pgFt"><a href="https://bandcdn.example/"><img src="https://s4.bandcdn.example/img/footer-logo.svg" alt="x"></a></div>{tracker(b)}',
    )


def coppermine_album(b, url):
    """An album of an admirers' gallery in an old program with tables, each preview with its dates."""
    folder = f"albums/{b.words(1, 1)}/{b.digits(3)}"

    def cell(_):
        name = f"{b.slug()}.jpg"
        best = b.want(f"http://gallery.fans.example/{folder}/thumb_{name}")
        return f'<td valign="top" class="thumbnails" width="25%" align="center"><table width="100%" cellpadding="0" cellspacing="0"><tr><td align="center"><a href="displayimage.php?album={album}&amp;pid={b.digits(5)}#top_display_media"><img src="{best.replace("http://gallery.fans.example/", "")}" class="image" width="{b.number(80, 130)}" height="{b.number(80, 130)}" border="0" alt="{name}" title="Filename={name}&#10;Filesize={b.number(80, 800)}KiB" /></a><span class="thumb_filename">&nbsp;</span><span class="thumb_title">{b.number(1, 900)} views</span></td></tr></table></td>'

    album = b.digits(3)
    title = b.title()
    rows = b.many(2, 6, lambda _: "<tr>" + "".join(cell(0) for _ in range(4)) + "</tr>")
    stars = "".join(f'<img src="themes/{b.choice("fans", "curve")}/images/rating{index}.gif" alt="">' for index in range(b.number(0, 3)))
    arrows = '<td class="navmenu"><a href="thumbnails.php?page=2"><img src="images/navbar/right1.png" border="0" alt="next" width="16" height="16"></a></td><td class="navmenu"><a href="thumbnails.php?page=9"><img src="images/navbar/right2.png" border="0" alt="last" width="16" height="16"></a></td>'
    affiliates = b.many(2, 6, lambda _: f'<a href="http://{b.slug()}.example/"><img src="http://fans.example/affiliates/{b.slug()}.{b.choice("gif", "jpg")}" width="88" height="31" alt="" /></a>')
    return (
        f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en" dir="ltr"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" /><title>{title}</title><link rel="stylesheet" href="css/coppermine.css" type="text/css" /></head>\n<body><div id="top_header"><a href="http://fans.example/"><img src="themes/fans/images/header_{b.digits(2)}.jpg" width="900" height="300" alt="Fans" /></a></div>\n<table align="center" width="900" cellspacing="1" cellpadding="0" class="maintable"><tr><td colspan="3" class="statlink">Home &gt; {title}</td></tr></table>\n'
        f'<table align="center" width="100%" cellspacing="1" cellpadding="0" class="maintable"><tr><td class="tableh1" colspan="4"><h2>{title}</h2><img src="images/descending.gif" alt="sort" width="16" height="16"/>{stars}</td></tr>{rows}<tr><td colspan="4" class="tableh1"><table><tr>{arrows}</tr></table></td></tr></table>\n<div class="affiliates">{affiliates}</div>{advertisement(b) if b.chance(0.5) else ""}<div class="footer">Powered by Coppermine</div>{tracker(b)}</body></html>\n'
    )


def naver_entry(b, url):
    """An entry of a Korean blog in its editor of modules, with stickers and lazy photographs."""

    def photo(_):
        path = f"https://postfiles.blogs.example/MjAy{b.hexadecimal(12)}_{b.digits(3)}/MDAx{b.hexadecimal(20)}.{b.hexadecimal(12)}.JPEG.minato/IMG_{b.digits(6)}.jpg"
        best = b.want(f"{path}?type=w966")
        return f'<div class="se-component se-image se-l-default" id="SE-{b.hexadecimal(8)}"><div class="se-component-content se-component-content-fit"><div class="se-section se-section-image se-l-default se-section-align-"><div class="se-module se-module-image"><a href="#" class="se-module-image-link __se_image_link __se_link" onclick="return false;" data-linktype="img" style=""><img src="{path}?type=w80_blur" data-lazy-src="{best}" data-width="693" data-height="519" alt="" class="se-image-resource" /></a></div></div></div></div><div class="se-component se-text se-l-default"><p class="se-text-paragraph">{b.choice("오늘은 항구를 걸었습니다.", "날씨가 정말 좋았어요.", "사진을 많이 찍었습니다.")}</p></div>'

    def sticker():
        return f'<div class="se-component se-sticker se-l-default"><div class="se-module se-module-sticker"><a href="#" class="__se_sticker_link"><img src="https://storep-phinf.blogs.example/cafe_{b.digits(3)}/original_{b.number(1, 24)}.gif?type=p100_100" alt="" class="se-sticker-image" /></a></div></div>' if b.chance(0.6) else ""

    title = b.choice("항구 산책", "겨울 여행", "봄 나들이")
    card = f'<div class="se-component se-oglink se-l-image"><a href="https://other.example/" class="se-oglink-thumbnail"><img src="https://dthumb-phinf.blogs.example/?src=%22https%3A%2F%2Fother.example%2F{b.slug()}.jpg%22&amp;type=ff500_300" class="se-oglink-thumbnail-resource" alt=""></a></div>' if b.chance(0.4) else ""
    others = b.many(3, 5, lambda _: f'<li><a href="/minato/{b.digits(12)}"><img src="https://blogthumb.blogs.example/MjAy{b.hexadecimal(10)}/{b.slug()}.jpg?type=w2" width="120" height="120" alt=""><strong>{title}</strong></a></li>')
    photos = b.many(2, 16, photo)
    return document(
        head(b, title, url, b.wanted[0].replace("w966", "w2")),
        f'<div id="wrapper"><div id="blog-gnb"><a href="https://section.blogs.example/"><img src="https://blogimgs.blogs.example/nblog/comm/logo_blog.gif" alt="blog" width="60" height="16"></a></div><div id="head-skin"><img src="https://blogfiles.blogs.example/skin/title_{b.digits(3)}.jpg" width="966" height="300" alt=""></div><div id="left-area"><div id="blog-profile"><img src="https://blogpfthumb.blogs.example/MjAx{b.hexadecimal(10)}/profile.jpg?type=w161" width="161" alt="프로필"></div></div><div id="content-area"><div id="postListBody"><div class="se-viewer se-theme-default" lang="ko-KR"><div class="se-component se-documentTitle"><h3 class="se_textarea">{title}</h3></div><div class="se-main-container">{photos}{sticker()}{card}</div></div></div><div class="post_other"><ul>{others}</ul></div></div></div>',
        language="ko",
    )


def wechat_article(b, url):
    """An article of a Chinese account, with lazy pictures without file names, a portrait and a code to follow."""

    def picture(_):
        kind = b.choice("jpeg", "png")
        best = b.want(f"https://mmbiz.qpics.example/mmbiz_{'jpg' if kind == 'jpeg' else 'png'}/{b.hexadecimal(44)}/640?wx_fmt={kind}&from=appmsg")
        return f'<section style="text-align: center;margin-bottom: 8px;" nodeleaf=""><img class="rich_pages wxw-img" data-galleryid="" data-imgfileid="{b.digits(9)}" data-ratio="0.66{b.digits(3)}" data-s="300,640" data-src="{best.replace("&", "&amp;")}" data-type="{kind}" data-w="1080" type="block"></section><p style="line-height: 1.75em;"><span style="font-size: 15px;">{b.choice("清晨的港口十分安静。", "我们沿着河边走了很久。", "这是老城的集市。")}</span></p>'

    title = b.choice("港口的早晨", "老城散步", "冬天的湖")
    pictures = b.many(1, 14, picture)
    read = b.many(0, 3, lambda _: f'<a class="album_read_nav_item" href="https://mp.weixins.example/s?sn={b.hexadecimal(8)}"><img class="album_read_nav_img" src="https://mmbiz.qpics.example/sz_mmbiz_jpg/{b.hexadecimal(44)}/300?wx_fmt=jpeg" width="60" height="60" alt=""></a>')
    return document(
        head(b, title, url, f"https://mmbiz.qpics.example/mmbiz_jpg/{b.hexadecimal(44)}/0?wx_fmt=jpeg"),
        f'<div id="js_article" class="rich_media"><div class="rich_media_inner"><div id="page-content" class="rich_media_area_primary"><div class="rich_media_area_primary_inner"><div id="img-content" class="rich_media_wrp"><h1 class="rich_media_title" id="activity-name">{title}</h1><div id="meta_content" class="rich_media_meta_list"><div class="wx_follow_avatar"><img class="wx_follow_avatar_pic" src="http://wx.qlogos.example/mmhead/{b.hexadecimal(30)}/0" alt="作者头像"></div></div><div class="rich_media_content js_underline_content autoTypeSetting24psection" id="js_content" style="visibility: hidden; opacity: 0;">{pictures}</div></div>{read}<div class="qr_code_pc_outer"><div class="qr_code_pc"><img id="js_pc_qr_code_img" class="qr_code_pc_img" src="/mp/qrcode?scene=10000004&amp;size=102&amp;__biz={b.hexadecimal(12)}" alt=""><p>微信扫一扫</p></div></div></div></div></div></div><div id="js_ad_area"><img class="ad_avatar" src="https://wximg.qpics.example/ad/{b.hexadecimal(20)}.jpg" width="40" height="40" alt=""></div>',
        language="zh_CN",
        attributes='id="activity-detail" class="zh_CN wx_wap_page mm_appmsg"',
    )


def design_project(b, url):
    """A designer's project of large pictures one under another, with more projects of the owner below."""
    host = "https://mir-s3-cdn-cf.designs.example"

    def module(_):
        file = f"{b.hexadecimal(6)}{b.digits(9)}.{b.hexadecimal(13)}.{b.choice('jpg', 'png')}"
        sizes = (("disp", 600), ("max_1200", 1200), ("1400", 1400), ("fs", 1920))[: b.number(2, 4)]
        best = b.want(f"{host}/project_modules/{sizes[-1][0]}/{file}")
        srcset = ",".join(f"{host}/project_modules/{size}/{file} {width}w" for size, width in sizes)
        return f'<div class="project-module project-module-image project-module-image-full js-project-module js-js-project-module-picture" data-id="{b.digits(9)}"><div class="js-project-lightbox-link project-lightbox-image-container"><picture><img class="project-module-image-inner-wrap" sizes="100vw" src="{host}/project_modules/disp/{file}" srcset="{srcset}" {b.choice("", "loading=lazy")} alt=""></picture></div></div>'

    def cover(_):
        key = f"{b.hexadecimal(6)}{b.digits(9)}.{b.hexadecimal(20)}"
        return f'<div class="ProjectCoverNeue-root"><a href="/gallery/{b.digits(9)}/{b.slug()}"><picture><source srcset="{host}/projects/404_webp/{key}.png 1x, {host}/projects/808_webp/{key}.png 2x" type="image/webp"><img class="ProjectCoverNeue-image" src="{host}/projects/404/{key}.png" width="404" height="316" alt=""></picture></a></div>'

    title = b.title()
    modules = b.many(1, 15, module)
    comments = b.many(0, 5, lambda _: f'<li class="comment-container"><a><img class="AvatarImage-avatarImage" src="{host}/user/50/{b.hexadecimal(6)}{b.digits(7)}.jpg" width="50" height="50" alt=""></a>{b.paragraph()}</li>')
    return document(
        head(b, title, url, f"{host}/projects/808/{b.hexadecimal(20)}.jpg"),
        f'<div id="site-content"><header class="PrimaryNav"><a href="/"><svg></svg></a></header><div class="Project-wrap"><div class="Project-main"><div class="ProjectInfo-header"><a href="/ann"><img class="AvatarImage-avatarImage" src="{host}/user/50/{b.hexadecimal(6)}{b.digits(7)}.png" srcset="{host}/user/50/{b.hexadecimal(8)}.png, {host}/user/100/{b.hexadecimal(8)}.png 2x" width="50" height="50" alt="Ann"></a><h1 class="Project-title">{title}</h1></div><main id="project-canvas" class="project-canvas"><div id="project-modules" class="project-styles">{modules}</div></main></div><div class="Project-ownerProjects">{b.many(2, 4, cover)}</div><ul class="comments">{comments}</ul><div class="Project-tools"><img src="https://a5.designs.example/img/project/tools/ps.png" width="32" height="32" alt="Photoshop"></div></div></div>{tracker(b)}',
    )


def scanned_map(b, url):
    """A sheet of a library's scanned collection, with the sizes to download in a list and related sheets."""
    number = f"g{b.digits(4)}m.g{b.digits(5)}"
    base = f"https://tile.library.example/image-services/iiif/service:gmd:{number}:{number}00"
    best = b.want(f"{base}1/full/pct:100/0/default.jpg")
    options = "".join(f'<option value="{base}1/full/pct:{share}/0/default.jpg" data-file-download="JPEG">JPEG ({size})</option>' for share, size in (("6.25", "49.0 KB"), ("12.5", "207.0 KB"), ("25", "871.0 KB"), ("50", "3.1 MB"), ("100", "9.8 MB")))
    title = b.title()
    related = b.many(3, 8, lambda _: f'<li class="item"><a href="https://www.library.example/item/{b.digits(8)}/"><span class="item-thumb"><img class="iconic" src="https://tile.library.example/image-services/iiif/service:gmd:g{b.digits(4)}m:g{b.digits(9)}/full/pct:3.125/0/default.jpg#h={b.number(90, 150)}&amp;w={b.number(90, 150)}" alt=""></span><span class="item-description">{b.title()}</span></a></li>')
    data = json.dumps({"@context": "http://schema.org", "@type": "Map", "name": title, "thumbnailUrl": f"{base}1/full/pct:6.25/0/default.jpg"})
    return document(
        head(b, title, url, f"{base}1/full/pct:25/0/default.jpg", extra=f'<script type="application/ld+json">{data}</script>'),
        f'<div id="page"><header id="site-header"><a id="branding-link" href="/"><img class="logo" src="https://cdn.library.example/theme/1.31/assets/img/logo-library.svg" width="140" height="40" alt="Library"></a><form id="search"><button><img src="https://cdn.library.example/theme/1.31/assets/img/search.png" alt="Go" width="20" height="20"></button></form></header><div id="content" class="resource"><h1>{title}</h1><div id="resource-viewer" class="image-viewer"><figure class="resource-image"><img id="page" src="{base}1/full/pct:12.5/0/default.jpg" srcset="{base}1/full/pct:12.5/0/default.jpg 800w, {base}1/full/pct:25/0/default.jpg 1600w" alt="{title}"></figure></div><form id="download" class="resource-download"><label for="select-resource0">Download:</label><select id="select-resource0" class="select">{options}</select><button type="submit">Go</button></form><div id="item-cataloged-data">{b.paragraph()}</div></div><section id="related-items"><h2>You might also like</h2><ul>{related}</ul></section><footer>{social(b, "https://cdn.library.example/theme/1.31/assets/img/share")}<a href="https://www.parliament.example"><img src="https://cdn.library.example/theme/1.31/assets/img/parliament.png" width="120" height="30" alt="Parliament"></a></footer></div>{tracker(b)}',
    )


def event_fancybox(b, url):
    """The photographs of an evening in an Italian club, in a viewer of pictures, with sponsors and next dates."""
    evening = f"20{b.number(15, 25)}-0{b.number(1, 9)}-{b.number(10, 28)}"

    def item(_):
        name = f"foto_{b.digits(6)}"
        while name in b.used:
            name = f"foto_{b.digits(6)}"
        b.used.add(name)
        large = f"../media/serate/{evening}/big/{name}.jpg"
        b.want(f"https://www.clubporto.example/media/serate/{evening}/big/{name}.jpg")
        small = f"../media/serate/{evening}/thumb/{name}.jpg"
        return f'<div class="col-6 col-md-3 grid-item"><a data-fancybox="serata" data-caption="{b.words()}" href="{large}" {b.choice("", f"data-thumb={small}")}><img class="img-fluid lazy" src="../img/blank.png" data-original="{small}" alt="" /><noscript><img src="{small}" alt=""></noscript></a></div>'

    title = f"Le foto di {b.words(1, 3)}"
    sponsors = b.many(3, 8, lambda _: f'<div class="swiper-slide"><a href="https://sponsor.example/"><img src="../img/sponsor/{b.slug()}.png" alt="sponsor"></a></div>')
    dates = b.many(2, 4, lambda _: f'<div class="event-box"><a href="../eventi/{b.slug()}.php"><img src="../media/locandine/{b.slug()}.jpg" class="img-fluid" alt="locandina"></a><h4>{b.title()}</h4></div>')
    return document(
        head(b, title, url, "https://www.clubporto.example/img/og-club.jpg"),
        f'<div id="preloader"><img src="../img/loader.gif" alt="" width="64" height="64"></div><nav class="navbar fixed-top"><a class="navbar-brand" href="../"><img src="../img/logo-club.png" alt="Club Porto" height="50"></a></nav><section class="page-title" style="background-image:url(../img/bg-header.jpg)"><h1>{title}</h1></section><section id="gallery"><div class="container"><div class="row grid">{b.many(6, 40, item)}</div></div></section><section id="prossimi"><h2>Prossimi eventi</h2>{dates}</section><section id="sponsor"><div class="swiper-container"><div class="swiper-wrapper">{sponsors}</div></div></section><footer>{social(b, "../img/social")}</footer>{tracker(b)}',
        language="it",
    )


FAMILIES = {
    "album-backgrounds": (album_backgrounds, "https://www.photos.example/photos/ann/albums/72157712345678901"),
    "stock-search": (stock_search, "https://freepics.example/s/photos/harbour"),
    "photoswipe-page": (photoswipe_page, "https://ben.photo.example/galleries/harbour/"),
    "university-news": (university_news, "https://www.physik.uni.example/aktuelles/tag-der-offenen-tuer"),
    "fandom-article": (fandom_article, "https://harbour.wikihost.example/wiki/Old_Harbour"),
    "tumblelog-post": (tumblelog_post, "https://ben.tumble.example/post/123456789012/at-the-harbour"),
    "band-discography": (band_discography, "https://harbourband.bandcdn.example/music"),
    "coppermine-album": (coppermine_album, "http://gallery.fans.example/thumbnails.php?album=123"),
    "naver-entry": (naver_entry, "https://blog.blogs.example/minato/223123456789"),
    "wechat-article": (wechat_article, "https://mp.weixins.example/s/AbCdEf123456"),
    "design-project": (design_project, "https://www.designs.example/gallery/123456789/Harbour"),
    "scanned-map": (scanned_map, "https://www.library.example/resource/g1234m.g12345/"),
    "event-fancybox": (event_fancybox, "https://www.clubporto.example/gallerie/serata.php"),
}
