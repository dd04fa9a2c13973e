"""Pages of households and pastimes, by an author who did not know the rules."""

import json

from builder import advertisement, document, head, social, tracker


def recipe_card(b, url):
    """A recipe with steps in pictures and a card that repeats the dish in small."""
    root = "https://spoon.example/wp-content/uploads"

    def step(index):
        base = f"{root}/20{b.number(17, 25)}/0{b.number(1, 9)}/{b.slug()}"
        best = b.want(f"{base}.jpg")
        srcset = f"{base}-720x1080.jpg 720w, {best} 1200w, {base}-360x540.jpg 360w, {base}-180x270.jpg 180w"
        return base, f'<p>{b.words()}</p><div class="wp-block-image"><figure class="aligncenter size-full"><img decoding="async" width="1200" height="1800" data-pin-description="{b.words()}" data-pin-title="{b.words()}" src="data:image/svg+xml,%3Csvg%20xmlns=\'http://www.w3.org/2000/svg\'%20viewBox=\'0%200%201200%201800\'%3E%3C/svg%3E" alt="{b.words()}" class="wp-image-{b.digits(5)}" data-lazy-srcset="{srcset}" data-lazy-sizes="(max-width: 720px) 100vw, 720px" data-lazy-src="{best}"><noscript><img decoding="async" width="1200" height="1800" src="{best}" alt="" srcset="{srcset}"></noscript></figure></div>'

    title = b.title()
    steps = [step(index) for index in range(b.number(1, 9))]
    comments = b.many(1, 6, lambda _: f'<li class="comment"><article><p class="comment-author"><img alt="" src="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=48&d=mm&r=g" class="avatar avatar-48 photo" height="48" width="48" loading="lazy"><span>Eva</span></p>{b.paragraph()}<img class="wprm-comment-rating" src="{root.replace("uploads", "plugins")}/wp-recipe-maker/assets/icons/rating/stars-5.svg" alt="5 stars" width="80" height="16"></article></li>')
    featured = b.many(3, 5, lambda _: f'<article class="post-summary"><div class="post-summary__image"><a href="/{b.slug()}/" tabindex="-1"><img width="360" height="480" src="{root}/2022/05/{b.slug()}-360x480.jpg" class="attachment-thumbnail size-thumbnail" alt="" data-pin-nopin="true" loading="lazy"></a></div><h2>{b.title()}</h2></article>')
    data = json.dumps({"@context": "https://schema.org/", "@type": "Recipe", "name": title, "image": [steps[0][0] + "-225x225.jpg", steps[0][0] + "-260x195.jpg"]})
    return document(
        head(b, title, url, steps[0][0] + ".jpg", extra=f'<script type="application/ld+json">{data}</script>'),
        f'<div class="site-container"><header class="site-header"><div class="title-area"><a href="/"><img src="/wp-content/themes/spoon/assets/icons/logo/logo.svg" alt="Spoon" width="200" height="40" data-pin-nopin="1"></a></div></header><div class="site-inner"><div class="content-area wrap"><main class="site-main" role="main"><article class="type-post entry"><h1 class="entry-title">{title}</h1><div class="entry-content">{"".join(item[1] for item in steps)}'
        f'<div id="wprm-recipe-container-{b.digits(5)}" class="wprm-recipe-container"><div class="wprm-recipe wprm-recipe-template-spoon"><div class="wprm-recipe-image wprm-block-image-circle"><img width="150" height="150" src="{steps[0][0]}-150x150.jpg" class="attachment-150x150 size-150x150" alt="" data-pin-nopin="true"></div><h2 class="wprm-recipe-name">{title}</h2><ul class="wprm-recipe-ingredients">{b.many(4, 9, lambda _: f"<li>{b.words()}</li>")}</ul></div></div></div></article><ol class="comment-list">{comments}</ol></main><aside class="sidebar-primary"><section class="widget about"><img src="{root}/2020/01/about-ann-320x400.jpg" width="320" height="400" alt="Ann in her kitchen"><p>Hi, I am Ann!</p></section>{featured}{advertisement(b)}</aside></div></div></div>{tracker(b)}',
        attributes='class="post-template-default single single-post"',
    )


def property_listing(b, url):
    """A flat for sale in Spain, with its photographs, the agency and similar flats."""
    host = "https://img4.casas.example/blur"

    def photo(index):
        path = f"0/id.pro.es.image.master/{b.hexadecimal(2)}/{b.hexadecimal(2)}/{b.hexadecimal(2)}/{b.digits(10)}"
        best = b.want(f"{host}/WEB_DETAIL_TOP-XL-L/{path}.jpg")
        main = 'class="main-image_first"' if index == 0 else 'class="detail-multimedia-image"'
        source = f"{host}/WEB_DETAIL_TOP-L-L/{path}"
        lazy = "" if index == 0 else 'src="https://st1.casas.example/static/common/release/home/resources/img/image-placeholder.gif"'
        attribute = "srcset" if index == 0 else "data-srcset"
        image = f'src="{source}.jpg"' if index == 0 else f'data-ondemand-img="{source}.jpg" {lazy}'
        return f'<div class="placeholder-multimedia image" data-multimedia-type="image"><picture><source type="image/webp" {attribute}="{source}.webp 1x"><source type="image/jpeg" {attribute}="{source}.jpg 1x, {best} 2x"><img {main} {image} alt="{b.choice("Salón", "Cocina", "Dormitorio", "Terraza")}" title="{b.words()}" width="574" height="382"></picture></div>'

    def similar(_):
        return f'<article class="item-similar"><picture class="item-multimedia"><img src="{host}/WEB_LISTING-M/0/id.pro.es.image.master/{b.hexadecimal(2)}/{b.hexadecimal(2)}/{b.digits(10)}.jpg" alt="Piso" loading="lazy" width="220" height="165"></picture><a href="/inmueble/{b.digits(8)}/" class="item-link">Piso en calle {b.words()}</a><span>{b.number(100, 900)}.000 €</span></article>'

    title = f"Piso en venta en {b.title()}"
    photos = b.many(1, 25, photo)
    main = "main" if b.chance(0.5) else "div"
    return document(
        head(b, title, url, b.wanted[0].replace("TOP-XL-L", "TOP-L-L")),
        f'<header id="main-header"><a href="/" class="icon-header-logo"><img src="https://st1.casas.example/static/common/release/home/resources/img/logo.svg" alt="casas" width="98" height="26"></a></header><{main} class="detail-container"><section class="detail-info"><div class="main-multimedia" id="main-multimedia">{photos}</div><div class="main-info"><h1><span class="main-info__title-main">{title}</span></h1><span class="info-data-price">{b.number(100, 900)}.000 €</span></div><div class="comment"><div class="adCommentsLanguage expandable">{b.paragraph()}</div></div><div id="static-map-container"><img id="sMap" src="https://maps.example/maps/api/staticmap?center=40.{b.digits(5)},-3.{b.digits(5)}&amp;zoom=15&amp;size=646x330" alt="Mapa" width="646" height="330"></div></section>'
        f'<aside id="side-content"><div class="module-contact"><div class="professional-name"><a href="/pro/agencia/"><img class="branding-logo" src="https://st3.casas.example/static/logos/{b.digits(6)}_{b.hexadecimal(8)}.gif" alt="Agencia" width="150" height="70"></a></div>{"<img class=agent-photo src=https://st3.casas.example/agentes/" + b.digits(6) + ".jpg alt=Marta width=64 height=64>" if b.chance(0.5) else ""}</div>{advertisement(b)}</aside></{main}><section class="similar-ads"><h2>Anuncios similares</h2>{b.many(3, 8, similar)}</section><footer><a href="https://apps.example/"><img src="https://st1.casas.example/static/img/badge-google-play.png" alt="Google Play" width="130"></a></footer>{tracker(b)}',
        language="es",
    )


def small_ad(b, url):
    """A second-hand thing offered by a neighbour in Germany, with its photographs and other offers."""
    host = "https://img.anzeigen.example/api/v1/prod-ads/images"

    def photo(index):
        key = b.hexadecimal(8)
        path = f"{host}/{key[:2]}/{key}-{b.hexadecimal(4)}-{b.hexadecimal(12)}"
        best = b.want(f"{path}?rule=$_59.AUTO")
        source = f'src="{best}"' if index == 0 else f'src="" data-imgsrc="{best}"'
        return f'<div class="galleryimage-element {"current" if index == 0 else ""}" data-ix="{index}"><img id="viewad-image-{index}" {source} data-imgtitle="{b.words()}" alt="{b.words()} Bild {index + 1}" title="{b.words()}" {"fetchpriority=high" if index == 0 else ""}/></div>'

    def other(_):
        return f'<li class="ad-listitem"><article class="aditem" data-adid="{b.digits(10)}"><div class="aditem-image"><a href="/s-anzeige/{b.slug()}/{b.digits(10)}"><div class="imagebox srpimagebox"><img src="{host}/{b.hexadecimal(2)}/{b.hexadecimal(8)}-{b.hexadecimal(12)}?rule=$_2.AUTO" alt="" loading="lazy"></div></a></div><div class="aditem-main"><h2>{b.title()}</h2><p class="aditem-main--middle--price">{b.number(5, 300)} € VB</p></div></article></li>'

    title = b.title()
    photos = b.many(1, 10, photo)
    return document(
        head(b, title, url, b.wanted[0], extra='<meta property="og:type" content="article">'),
        f'<div id="site"><header id="site-header"><a id="site-logo" href="/"><img src="/static/img/common/logo/logo-anzeigen-horizontal.{b.hexadecimal(8)}.svg" alt="Anzeigen" width="156"></a></header><div id="site-content" class="l-page-wrapper"><div id="vip-ad-wrapper"><section id="viewad-main"><article id="viewad-product"><div id="viewad-images" class="galleryimage-large l-container-row">{photos}</div><section class="boxedarticle l-container-row"><h1 id="viewad-title" class="boxedarticle--title">{title}</h1><h2 id="viewad-price">{b.number(5, 400)} € VB</h2><p id="viewad-description-text">{b.words(8, 20)}</p></section></article>'
        f'<aside id="viewad-sidebar"><div id="viewad-profile-box"><a href="/s-bestandsliste.html?userId={b.digits(7)}"><div class="userprofile-vip-avatar">{"<img src=" + host.replace("prod-ads", "prod-profile") + "/" + b.hexadecimal(8) + "?rule=$_12.AUTO width=48 height=48 alt=Profil>" if b.chance(0.6) else "<i class=icon-profile></i>"}</div></a><div class="badges"><img src="/static/img/badges/badge-top-satisfaction.{b.hexadecimal(6)}.svg" alt="TOP Zufriedenheit" width="20"><img src="/static/img/badges/badge-friendly.{b.hexadecimal(6)}.svg" alt="Freundlich" width="20"></div></div>{advertisement(b)}</aside></section></div><div id="viewad-similar-ads"><h2>Das könnte dich auch interessieren</h2><ul>{b.many(3, 8, other)}</ul></div></div></div>{tracker(b)}',
        language="de",
    )


def nineties_table(b, url):
    """A family's photographs in a table of thumbnails, written by hand with the tools of its time."""

    def cell(_):
        name = b.choice("DSCN", "P000", "IMG_") + b.digits(5)
        extension = b.choice(".jpg", ".JPG")
        if name in b.used:
            return "<TD>&nbsp;</TD>"
        b.used.add(name)
        b.want(f"http://home.provider.example/~svensson/sommar/bilder/{name}{extension}")
        size = b.choice("", ' WIDTH=120 HEIGHT=90', ' WIDTH="160" HEIGHT="120"')
        return f'<TD ALIGN=CENTER VALIGN=TOP><A HREF="bilder/{name}{extension}"><IMG SRC="small/{name}{extension}"{size} BORDER={b.choice(0, 1, 2)} ALT=""></A><BR><FONT SIZE=-1>{b.words().capitalize()} på ön</FONT></TD>'

    rows = b.many(1, 6, lambda _: "<TR>\n" + "\n".join(cell(0) for _ in range(4)) + "\n</TR>")
    rule = '<CENTER><IMG SRC="../grafik/rainbow_line.gif" WIDTH=500 HEIGHT=5></CENTER>'
    buttons = "".join(f'<A HREF="../{page}.html"><IMG SRC="../grafik/knapp_{page}.gif" BORDER=0 ALT="{page}" WIDTH=88 HEIGHT=31></A>' for page in ("hem", "familj", "gastbok", "lankar"))
    webring = '<TABLE BORDER=3><TR><TD><IMG SRC="http://www.ring.example/ring/logo.gif" ISMAP USEMAP="#ring"></TD></TR></TABLE>' if b.chance(0.5) else ""
    new = '<IMG SRC="../grafik/nytt.gif" ALT="Nytt!">' if b.chance(0.7) else ""
    text = (
        f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">\n<HTML>\n<HEAD>\n<TITLE>Familjen Svenssons bilder från sommaren på Öland</TITLE>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=iso-8859-1">\n<META NAME="GENERATOR" CONTENT="{b.choice("Mozilla/4.05 [en] (Win95; I) [Netscape]", "Microsoft FrontPage 3.0")}">\n</HEAD>\n<BODY BACKGROUND="../grafik/moln.jpg" BGCOLOR="#FFFFFF" TEXT="#000080">\n<CENTER><IMG SRC="../grafik/valkommen.gif" ALT="Välkommen"><H1>Bilder från sommaren</H1></CENTER>\n{buttons}\n{rule}\n'
        f'<P>{new} Här är våra bilder. Klicka på en bild för att se den i full storlek!\n<P><TABLE BORDER=0 CELLPADDING=5>\n{rows}\n</TABLE>\n{rule}\n{webring}\n<P>Skicka ett brev: <A HREF="mailto:svensson@provider.example"><IMG SRC="../grafik/email_anim.gif" BORDER=0 ALT="Brev"></A>\n<P>Du är besökare nummer <IMG SRC="/cgi-bin/Count.cgi?df=svensson.dat&amp;dd=B" ALT="räknare">\n<A HREF="http://www.netscape.example/"><IMG SRC="../grafik/now8.gif" WIDTH=88 HEIGHT=31 BORDER=0></A>\n</BODY>\n</HTML>\n'
    )
    return text.encode("iso-8859-1")


def vichan_thread(b, url):
    """A thread of an image board in the software that most small boards use."""

    def file(extension):
        number = f"1{b.digits(12)}"
        best = b.want(f"https://chan.example/b/src/{number}.{extension}")
        return f'<div class="file"><p class="fileinfo">File: <a href="/b/src/{number}.{extension}">{number}.{extension}</a> <span class="unimportant">({b.number(40, 900)} KB, {b.number(600, 3000)}x{b.number(600, 3000)}, <a class="postfilename" href="/b/src/{number}.{extension}" download="{b.slug()}.{extension}" title="Save as original filename">x.{extension}</a>)</span></p><a href="{best.replace("https://chan.example", "")}" target="_blank"><img class="post-image" src="/b/thumb/{number}.{b.choice("png", "jpg")}" style="width:{b.number(120, 255)}px;height:{b.number(120, 255)}px" alt="" /></a></div>'

    def flag():
        country = b.choice("de", "us", "fr", "br")
        return f'<img class="flag flag-{country}" src="/static/blank.gif" style="width:16px;height:11px;" alt="{country.upper()}" title="{country.upper()}">'

    def reply(_):
        number = b.digits(7)
        picture = f'<div class="files">{file(b.choice("jpg", "png", "gif", "webp"))}</div>' if b.chance(0.45) else ""
        return f'<div class="post reply" id="reply_{number}"><p class="intro"><input type="checkbox" class="delete" name="delete_{number}"/><label for="delete_{number}"><span class="name">Anonymous</span> {flag()} <time datetime="2021-04-11T17:00:00Z">04/11/21 (Sun) 17:00:00</time></label>&nbsp;<a class="post_no" href="/b/res/1.html#{number}">No.</a></p>{picture}<div class="body"><p class="body-line ltr">{b.words(4, 12)}</p></div></div><br/>'

    title = b.title()
    number = b.digits(7)
    opening = f'<div class="files">{"".join(file("jpg") for _ in range(b.choice(1, 1, 3)))}</div>'
    return document(
        head(b, title, url),
        f'<div class="boardlist">[ <a href="/">home</a> / <a href="/b/">b</a> ]</div><a href="/"><img class="board_image" src="/b.php?{b.digits(3)}" alt="" width="300" height="100"/></a><header><h1>/b/ - Harbours</h1></header>{advertisement(b) if b.chance(0.5) else ""}<form name="postcontrols" action="/post.php" method="post"><div class="thread" id="thread_{number}" data-board="b">{opening}<div class="post op" id="op_{number}"><p class="intro"><span class="subject">{title}</span> <span class="name">Anonymous</span> {flag()} <img class="icon" title="Sticky" src="/static/sticky.gif" alt="Sticky" /></p><div class="body"><p>{b.words(5, 20)}</p></div></div>{b.many(3, 20, reply)}</div></form><footer><p class="unimportant">- Tinyboard + vichan 5.1.4 -</p><img src="/static/footer-mascot.png" alt=""></footer>{tracker(b)}',
        attributes='class="8chan vichan is-not-moderator active-thread"',
    )


def web_comic(b, url):
    """The page of a day of a comic, with its drawing, pictures as navigation and banners of friends."""
    best = b.want(f"https://www.strip.example/comics/{b.digits(10)}-{b.number(2010, 2025)}{b.digits(4)}{b.choice('.png', '.jpg', '.gif')}")
    relative = best.replace("https://www.strip.example", b.choice("", "https://www.strip.example"))

    def nav():
        return '<nav class="cc-nav">' + "".join(f'<a class="cc-{kind}" rel="{kind}" href="/comic/{b.slug()}"><img src="/template/images/nav-{kind}.png" alt="{kind}"></a>' for kind in ("first", "prev", "next", "last")) + "</nav>"

    title = b.title()
    friends = b.many(3, 8, lambda _: f'<a href="https://{b.slug()}.example/"><img src="/uploads/links/{b.slug()}.{b.choice("gif", "png")}" width="{b.choice(88, 150)}" alt=""></a>')
    linked = b.chance(0.4)
    tag = f'<img title="{b.words(5, 10)}" src="{relative}" id="cc-comic" {b.choice("", "width=900 height=1300")} />'
    news = f'<div class="cc-newsarea"><div class="cc-newsheader">{b.title()}</div><div class="cc-news-avatar"><img src="/uploads/avatars/author.png" alt="author" width="100" height="100"></div><div class="cc-newsbody">{b.paragraph()}</div></div>'
    return document(
        head(b, title, url, best if b.chance(0.5) else "https://www.strip.example/template/images/og-card.png"),
        f'<div id="wrapper"><div id="header"><a href="/"><img src="/template/images/header.png" alt="The Strip" width="980" height="180"></a><ul id="menu"><li><a href="/about"><img src="/template/images/menu_about.png" alt="About"></a></li><li><a href="/store"><img src="/template/images/menu_store.png" alt="Store"></a></li></ul></div>{advertisement(b) if b.chance(0.7) else ""}<div id="leftarea">{nav()}<div id="cc-comicbody">{f"<a href=/comic/{b.slug()}>{tag}</a>" if linked else tag}</div>{nav()}{news}</div><div id="rightarea"><div class="sidebox"><a href="https://patron.example/strip"><img src="/template/images/support-us.png" alt="Support us"></a></div><div class="friends">{friends}</div></div><div id="footer">Powered by ComicControl</div></div>{tracker(b)}',
    )


def space_catalog(b, url):
    """A picture of a space agency in its old catalogue, small on the page and linked in full."""
    number = f"PIA{b.digits(5)}"
    best = b.want(f"https://journal.space.example/jpeg/{number}.jpg")
    title = f"{number}: {b.title()}"
    row = "".join(f"<tr><td valign=top><b>{name}:</b></td><td>{b.words(1, 3)}</td></tr>" for name in ("Target Name", "Is a satellite of", "Mission", "Spacecraft", "Instrument"))
    buttons = "".join(f'<td><a href="/{page}"><img src="/images/nav_{page}.gif" border="0" width="92" height="24" alt="{page}"></a></td>' for page in ("home", "gallery", "search", "feedback"))
    return (
        f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html><head><title>Catalog Page for {number}</title><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><base href="https://journal.space.example/"></head>\n<body bgcolor="#000000" text="#ffffff">\n<table border="0" width="100%" cellspacing="0"><tr><td><a href="https://www.space.example/"><img src="/images/agency_meatball.gif" width="80" height="66" border="0" alt="Agency"></a></td><td><img src="/images/journal_banner.jpg" width="500" height="80" alt="Journal"></td></tr><tr>{buttons}</tr></table>\n'
        f'<img src="/images/spacer.gif" width="1" height="{b.choice(5, 10)}" alt=""><center><h2>{title}</h2></center>\n<table border="0"><tr><td><a href="/jpeg/{number}.jpg"><img src="/jpegMod/{number}_modest.jpg" border="0" {b.choice("", "width=600 height=480")} alt="{b.words()}"></a></td><td valign="top"><table>{row}<tr><td><b>Full-Res JPEG:</b></td><td><a href="/jpeg/{number}.jpg">{number}.jpg</a> (244 kB)</td></tr></table></td></tr></table>\n<dl><dt><b>Original Caption Released with Image:</b></dt><dd>{b.paragraph()}{b.paragraph()}</dd></dl>\n<b>Image Credit:</b> {b.words()}<hr>'
        f'<a href="https://www.usa.example/"><img src="/images/{b.choice("firstgov", "usagov")}.gif" border="0" width="120" height="40" alt="Government"></a> <a href="/feedback"><img src="/images/icon_mail.gif" border="0" alt="mail"></a>{tracker(b) if b.chance(0.3) else ""}\n</body></html>\n'
    )


def livedoor_entry(b, url):
    """An entry of a Japanese blog in an old charset, with linked photographs, pictograms and rankings."""
    root = "https://livedoor.blogimg.example/minato/imgs"

    def photo(_):
        key = b.hexadecimal(8)
        path = f"{root}/{key[0]}/{key[1]}/{key}"
        best = b.want(f"{path}.{b.choice('jpg', 'JPG')}")
        small = f"{path}-s.{best.rsplit('.', 1)[1]}"
        return f'<div>{b.choice("今日は港を散歩しました。", "とてもきれいでした。", "天気がよかったです。")}<img src="https://parts.blog.example/img/emoji/{b.choice("ic_camera", "ic_note")}.gif" class="emoji" alt="" width="16" height="16"></div><br /><a href="{best}" title="{key}" target="_blank"><img src="{small}" width="{b.choice(320, 480, 640)}" height="{b.choice(240, 360, 480)}" border="0" alt="{key}" hspace="5" class="pict" /></a><br /><br />'

    recent = b.many(3, 6, lambda _: f'<li><a href="/archives/{b.digits(8)}.html"><img src="{root}/{b.hexadecimal(1)}/{b.hexadecimal(1)}/{b.hexadecimal(8)}-s.jpg" class="sidebar-thumb" width="60" height="60" alt="">過去の記事</a></li>')
    ranking = f'<a href="https://blogmura.example/ranking.html"><img src="https://photo.blogmura.example/photo/img/photo88_31.gif" width="88" height="31" border="0" alt="にほんブログ村" /></a> <a href="https://ranking.example/?{b.digits(7)}"><img src="https://ranking.example/banner/br_c_{b.digits(4)}_1.gif" width="110" height="31" border="0" alt="人気ブログランキングへ" /></a>'
    text = (
        f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml" lang="ja" xml:lang="ja">\n<head>\n<meta http-equiv="Content-Type" content="text/html; charset=euc-jp" />\n<title>港の日記 : 写真</title>\n<link rel="shortcut icon" href="https://blog.example/minato/favicon.ico" />\n<meta property="og:title" content="港の日記" />\n</head>\n<body>\n<div id="container"><div id="banner"><h1><a href="/"><img src="{root}/header/title-{b.digits(3)}.jpg" width="900" height="180" alt="港の日記" /></a></h1></div>\n'
        f'<div id="content"><div class="blog"><div class="date">2012年0{b.number(1, 9)}月1{b.number(0, 9)}日</div><div class="fullbody"><div class="titlebody"><h2 class="title">写真</h2></div><div class="main"><div class="blogbody"><div class="mainmore">{b.many(1, 8, photo)}</div><p>{ranking}</p></div></div><div class="posted"><a href="https://b.hatena.example/entry/"><img src="https://parts.blog.example/img/hatebu.gif" alt="はてなブックマーク" width="16" height="12" /></a><a href="https://clip.example/"><img src="https://parts.blog.example/img/cmn/clip_16_16_w.gif" width="16" height="16" alt="clip" /></a></div></div></div></div>\n'
        f'<div id="links"><div class="sidebody"><img src="https://profile.blog.example/minato/{b.hexadecimal(6)}_100.jpg" class="profile-image" width="100" height="100" alt="プロフィール" /></div><ul>{recent}</ul>{advertisement(b) if b.chance(0.5) else ""}</div></div>{tracker(b)}\n</body>\n</html>\n'
    )
    return text.encode("euc-jp")


def xenforo_thread(b, url):
    """A thread of a hobbyists' forum with attachments as thumbnails and in full, signatures and smilies."""

    def attachment():
        number = b.digits(6)
        name = b.choice("img_", "dsc_", "pxl_") + b.digits(5)
        best = b.want(f"https://www.models.example/attachments/{name}-jpg.{number}/")
        path = best.replace("https://www.models.example", "")
        thumb = f"/data/attachments/{number[:3]}/{number}-{b.hexadecimal(32)}.jpg"
        return f'<li class="file file--linked"><a class="u-anchorTarget" id="attachment-{number}"></a><a class="file-preview js-lbImage" href="{path}" target="_blank"><img src="{thumb}" alt="{name}.jpg" width="250" height="188" loading="lazy" /></a><div class="file-content"><div class="file-info"><span class="file-name" title="{name}.jpg">{name}.jpg</span></div></div></li>'

    def inline():
        number = b.digits(6)
        best = b.want(f"https://www.models.example/attachments/{b.choice('img', 'dsc')}_{b.digits(5)}-jpg.{number}/")
        return f'<div class="bbImageWrapper js-lbImage" title="x.jpg" data-src="{best}" data-lb-sidebar-href="" data-lb-caption-extra-html="" data-single-image="1"><img src="{best}" data-url="" class="bbImage" data-zoom-target="1" style="" alt="x.jpg" title="x.jpg" width="1600" height="1200" loading="lazy" /></div>'

    def post(index):
        number = b.digits(7)
        first = index == 0
        inlines = "<br />".join(inline() for _ in range(b.number(0, 3) if first or b.chance(0.3) else 0))
        files = "".join(attachment() for _ in range(b.number(1, 4) if first or b.chance(0.25) else 0))
        block = f'<section class="message-attachments"><h4 class="block-textHeader">Attachments</h4><ul class="attachmentList">{files}</ul></section>' if files else ""
        smiley = '<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" class="smilie smilie--sprite smilie--sprite1" alt=":)" title="Smile :)" loading="lazy" />' if b.chance(0.3) else ""
        signature = f'<aside class="message-signature"><div class="bbWrapper"><a href="https://club.example/"><img src="https://club.example/signature-{b.slug()}.png" class="bbImage" alt="" width="400" height="60"></a></div></aside>' if b.chance(0.3) else ""
        return f'<article class="message message--post js-post" data-author="Ann" data-content="post-{number}" id="js-post-{number}"><div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user"><div class="message-avatar"><a href="/members/ann.{b.digits(4)}/" class="avatar avatar--m"><img src="/data/avatars/m/{b.number(1, 90)}/{b.digits(5)}.jpg?{b.digits(10)}" srcset="/data/avatars/l/{b.number(1, 90)}/{b.digits(5)}.jpg 2x" alt="Ann" class="avatar-u" width="96" height="96" loading="lazy" /></a></div></section></div><div class="message-cell message-cell--main"><div class="message-content js-messageContent"><div class="message-userContent"><article class="message-body js-selectToQuote"><div class="bbWrapper">{b.words(5, 20)} {smiley}<br />{inlines}</div></article></div>{block}</div>{signature}</div></div></article>'

    title = b.title()
    return document(
        head(b, title, url, "https://www.models.example/styles/models/logo.og.png"),
        f'<div class="p-pageWrapper" id="top"><header class="p-header"><div class="p-header-logo p-header-logo--image"><a href="/"><img src="/styles/models/logo.png" srcset="/styles/models/logo@2x.png 2x" alt="Models" width="200" height="36" /></a></div></header><div class="p-body"><div class="p-body-header"><h1 class="p-title-value">{title}</h1></div>{advertisement(b) if b.chance(0.5) else ""}<div class="p-body-main"><div class="block block--messages"><div class="block-container lbContainer" data-xf-init="lightbox select-to-quote"><div class="block-body js-replyNewMessageContainer">{b.many(3, 12, post)}</div></div></div></div>{social(b, "/styles/models/share") if b.chance(0.4) else ""}</div></div>{tracker(b)}',
        attributes='data-template="thread_view"',
    )


def lot_catalogue(b, url):
    """The lots of an auction in France, each with the preview of its first picture."""
    host = "https://cdn.encheres.example/d/image/lot"

    def lot(index):
        number = b.digits(8)
        best = b.want(f"{host}?size=phare&path=LOT/{b.number(1, 200)}/{number}/{b.hexadecimal(24)}.jpg")
        escaped = best.replace("&", "&amp;")
        small = escaped.replace("size=phare", "size=small")
        eager = index < 3
        source = f'src="{small}" srcset="{small} 1x, {escaped} 2x"' if eager else f'src="/static/img/loading.gif" data-src="{small}" data-srcset="{small} 1x, {escaped} 2x" class="lazyload"'
        return f'<div class="Lot" data-lot="{number}"><div class="numero">Lot n° {index + 1}</div><a href="/fr/l/{number}-{b.slug()}" class="imgLot"><img {source} alt="{b.words()}"></a><div class="infosLot"><h2 class="descriptionLot">{b.words(5, 12).capitalize()}</h2><span class="estimation">Estimation : {b.number(50, 900)} EUR</span><button class="favoris"><img src="/static/img/icones/etoile.svg" alt="Ajouter aux favoris" width="18" height="18"></button></div></div>'

    title = b.title()
    lots = b.many(6, 24, lot)
    sales = b.many(2, 4, lambda _: f'<div class="venteProchaine"><a href="/fr/v/{b.digits(6)}-{b.slug()}"><img src="https://cdn.encheres.example/d/image/vente?size=vignette&amp;path=VENTE/{b.digits(6)}.jpg" width="120" height="90" alt=""></a><p>{b.title()}</p></div>')
    return document(
        head(b, title, url, "https://cdn.encheres.example/static/og.jpg"),
        f'<header class="menuPrincipal"><a href="/fr/"><img src="/static/img/logo-encheres.svg" alt="Enchères" height="30"></a><a href="/en/"><img src="/static/img/flags/gb.png" width="16" alt="English"></a></header><section class="enteteVente"><div class="etude"><a href="/fr/auctioneer/{b.digits(3)}"><img class="logoEtude" src="https://cdn.encheres.example/d/image/etude?path=ETUDE/{b.digits(3)}.png" alt="Étude" width="140" height="60"></a></div><h1>{title}</h1>{b.paragraph()}</section><section class="listeLots">{lots}</section><section class="ventesProchaines"><h3>Prochaines ventes</h3>{sales}</section><footer><img src="/static/img/paiement/cb.png" alt="CB"><img src="/static/img/paiement/visa.png" alt="Visa"><img src="/static/img/paiement/mastercard.png" alt="Mastercard"></footer>{tracker(b)}',
        language="fr",
    )


FAMILIES = {
    "recipe-card": (recipe_card, "https://spoon.example/harbour-soup/"),
    "property-listing": (property_listing, "https://www.casas.example/inmueble/12345678/"),
    "small-ad": (small_ad, "https://www.anzeigen.example/s-anzeige/alte-lampe/1234567890-245-3331"),
    "nineties-table": (nineties_table, "http://home.provider.example/~svensson/sommar/index.html"),
    "vichan-thread": (vichan_thread, "https://chan.example/b/res/1234567.html"),
    "web-comic": (web_comic, "https://www.strip.example/comic/at-the-harbour"),
    "space-catalog": (space_catalog, "https://journal.space.example/catalog/PIA12345"),
    "livedoor-entry": (livedoor_entry, "http://blog.example/minato/archives/12345678.html"),
    "xenforo-thread": (xenforo_thread, "https://www.models.example/threads/my-harbour-layout.12345/"),
    "lot-catalogue": (lot_catalogue, "https://encheres.example/fr/v/123456-tableaux-anciens"),
}
