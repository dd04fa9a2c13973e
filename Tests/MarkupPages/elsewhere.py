"""Pages of blogs and forums of other countries, of stores, archives and image collections: the fourth set of kinds, which
was written after the rules had been changed for the third one."""

from builder import document, head, tracker


def diary(b, url):
    base = "https://stat.diary.example/user_images"

    def picture(_):
        path = f"20{b.number(10, 24)}{b.digits(4)}/10/name/{b.hexadecimal(2)}"
        number = b.digits(11)
        full = b.want(f"{base}/{path}/j/o0800060013{number}.jpg")
        return f'<p><a href="{full}" ><img alt="" contenteditable="inherit" height="315" src="{base}/{path}/j/o0800060013{number}.jpg?caw=800" width="420"></a></p>{b.paragraph()}<img alt="x" src="https://stat100.diary.example/blog/ucs/img/char/char3/{b.digits(3)}.png" width="24" height="24">'

    title = b.title()
    return document(
        head(b, title, url, "https://stat100.diary.example/ogp/common.png"),
        f'<div class="skin-blogHeader"><img src="https://stat.diary.example/user_images/header_bg.jpg" width="980" height="200" alt=""></div><div class="skin-entry"><h1 class="skin-entryTitle">{title}</h1><div id="entryBody" class="skin-entryBody">{b.many(2, 8, picture)}</div></div><aside class="skin-blogSubA"><div class="skin-widget"><img src="{base}/profile_320.jpg" width="160"></div></aside>{tracker(b)}',
    )


def photo_life(b, url):
    base = "https://cdn-ak.f.notes.example/images/fotolife"

    def picture(_):
        stamp = f"20{b.digits(12)}"
        b.want(f"{base}/n/name/{stamp[:8]}/{stamp}.jpg")
        return f'<p><span itemscope itemtype="http://schema.org/Photograph"><img src="{base}/n/name/{stamp[:8]}/{stamp}.jpg" alt="f:id:name:{stamp}j:plain" title="f:id:name:{stamp}j:plain" class="hatena-fotolife" itemprop="image"></span></p>{b.paragraph()}'

    title = b.title()
    entries = b.many(1, 3, lambda _: f'<li><a href="/entry/x" class="urllist-image-link recent-entries-image-link"><img alt="" src="https://cdn.image.notes.example/image/square/{b.hexadecimal(20)}/height=100;version=1;width=100/x.jpg" class="urllist-image recent-entries-image" title="x" width="100" height="100" loading="lazy"></a></li>')
    pictures = b.many(2, 8, picture)
    return document(
        head(b, title, url, f"https://cdn.image.notes.example/image/scale/{b.hexadecimal(40)}/backend=imagemagick;version=1;width=1300/{b.wanted[0].replace(':', '%3A').replace('/', '%2F')}"),
        f'<div id="container"><header id="blog-title"><h1>{b.words()}</h1></header><div id="main"><article class="entry"><h1 class="entry-title">{title}</h1><div class="entry-content hatenablog-entry">{pictures}</div><div class="social-buttons"><a><img src="https://b.notes.example/images/entry-button/button-only.gif" width="20" height="20" alt="add"></a></div></article></div><aside id="box2"><div class="hatena-module hatena-module-profile"><img src="https://cdn.profile-image.example/users/name/profile.gif" alt="id:name" class="profile-icon" width="64" height="64"></div><ul class="recent-entries">{entries}</ul></aside></div>',
    )


def discuz(b, url):
    def attachment(_):
        number = b.digits(6)
        path = f"data/attachment/forum/20{b.digits(4)}/{b.digits(2)}/{b.digits(6)}{b.hexadecimal(16)}.jpg"
        b.want(f"https://bbs.example/{path}")
        return f'<ignore_js_op><img style="cursor:pointer" id="aimg_{number}" aid="{number}" src="static/image/common/none.gif" onclick="zoom(this, this.getAttribute(\'zoomfile\'), 0, 0, 0)" zoomfile="{path}" file="{path}" class="zoom" onmouseover="img_onmouseoverfunc(this)" width="600" inpost="1" /><div class="tip tip_4 aimg_tip"><img src="static/image/filetype/image.gif" border="0" class="vm" alt="" /></div></ignore_js_op><br />'

    def post(_):
        return f'<div id="post_{b.digits(6)}"><table class="plhin"><tr><td class="pls"><div class="avatar"><a class="avtm"><img src="https://bbs.example/uc_server/avatar.php?uid={b.digits(4)}&size=middle" /></a></div><p><img src="static/image/common/star_level3.gif" alt="Rank: 5" /></p></td><td class="plc"><div class="pi"><img class="authicn vm" src="static/image/common/online_member.gif" /></div><div class="pct"><table><tr><td class="t_f">{b.words()}<img src="static/image/smiley/default/smile.gif" smilieid="1" border="0" alt="" /><br />{b.many(1, 4, attachment)}</td></tr></table></div></td></tr></table></div>'

    title = b.title()
    return document(
        f'<head><meta charset="utf-8"><title>{title} - Board</title><base href="https://bbs.example/" /></head>',
        f'<div id="hd"><h2><a href="./"><img src="static/image/common/logo.png" alt="Board" border="0" /></a></h2></div><div id="wp" class="wp"><div id="postlist" class="pl bm"><h1 class="ts">{title}</h1>{b.many(2, 5, post)}</div><a><img src="static/image/common/pn_reply.png" alt="Reply" /></a></div><div id="ft"><a href="http://wpa.example"><img src="static/image/common/site_qq.jpg" alt="QQ" /></a></div>',
    )


def smart_editor(b, url):
    base = "https://postfiles.example.net/MjAyMzA1"

    def picture(_):
        path = f"{base}{b.digits(4)}_{b.digits(3)}/MDAxNjg{b.hexadecimal(10)}.{b.hexadecimal(40)}.JPEG.name/{b.slug()}.jpg"
        b.want(f"{path}?type=w966")
        return f'<div class="se-component se-image se-l-default"><div class="se-component-content"><div class="se-section se-section-image"><div class="se-module se-module-image"><a href="#" class="se-module-image-link __se_image_link" onclick="return false;" data-linktype="img" data-linkdata=\'{{"id":"SE-1","src":"{path}","originalWidth":"2000","originalHeight":"1333"}}\'><img src="{path}?type=w80_blur" data-lazy-src="{path}?type=w966" data-width="693" data-height="462" alt="" class="se-image-resource"></a></div></div></div></div>{b.paragraph()}'

    title = b.title()
    stickers = f'<div class="se-component se-sticker"><a class="__se_sticker_link"><img src="https://storep.example.net/ogq_{b.hexadecimal(8)}/original_{b.digits(2)}.png?type=p100_100" alt="" class="se-sticker-image"></a></div>'
    return document(
        head(b, title, url),
        f'<div id="head"><img src="https://blogimgs.example.net/common/skin/head.png" width="16" height="16" alt=""></div><div class="se-viewer"><div class="se-documentTitle"><h3 class="se-title-text">{title}</h3><div class="blog2_container"><img src="https://blogpfthumb.example.net/{b.hexadecimal(20)}/profileImage.jpg?type=s1" width="32" height="32" alt=""></div></div><div class="se-main-container">{b.many(2, 9, picture)}{stickers}</div></div>',
    )


def album(b, url):
    base = "https://f4.band.example/img"
    key = f"a{b.digits(10)}"
    full = b.want(f"{base}/{key}_10.jpg")
    title = b.title()
    discography = b.many(2, 5, lambda _: f'<li><div class="trackTitle"><a href="/album/x">{b.words()}</a></div><a class="thumbthumb" href="/album/x"><img class="lazy" src="/img/0.gif" data-original="{base}/a{b.digits(10)}_7.jpg"></a></li>')
    fans = b.many(4, 12, lambda _: f'<a class="fan pic"><img class="thumb" src="{base}/{b.digits(10)}_42.jpg" alt="{b.words()}"></a>')
    merchandise = b.many(0, 2, lambda _: f'<li class="buyItem"><div class="popupImageGallery"><a class="popupImage" href="{b.want(f"{base}/{b.digits(10)}_10.jpg")}"><img src="{b.wanted[-1].replace("_10", "_36")}" alt="package image" width="137" height="103"></a></div></li>')
    return document(
        head(b, title, url, full.replace("_10", "_5")),
        f'<div id="menubar-wrapper" class="header-rework-2018"><a><img src="https://s4.band.example/img/logo.svg" alt="Band"></a></div><div id="customHeader"><a><img src="{base}/{b.digits(10)}_100.png" alt="Name" width="975" height="180"></a></div><div id="pgBd"><div class="trackView"><h2 class="trackTitle">{title}</h2><ul class="buyItems">{merchandise}</ul></div><div id="tralbumArt"><a class="popupImage" href="{full}"><img src="{full.replace("_10", "_16")}" alt="cover"></a></div><div class="collectors"><h3>supported by</h3>{fans}</div><div id="discography" class="sidebar-discography"><ul>{discography}</ul></div></div>',
    )


def game_store(b, url):
    base = f"https://shared.games.example/store_item_assets/steam/apps/{b.digits(6)}"

    def shot(index):
        key = f"ss_{b.hexadecimal(40)}"
        full = b.want(f"{base}/{key}.1920x1080.jpg?t=1680000000")
        return f'<div class="highlight_player_item highlight_screenshot" id="highlight_screenshot_{index}"><div class="screenshot_holder"><a class="highlight_screenshot_link" data-screenshotid="{key}.jpg" href="{full}" target="_blank" rel="noreferrer"><img src="{full.replace("1920x1080", "600x338")}" alt=""></a></div></div>', f'<div class="highlight_strip_item highlight_strip_screenshot" id="thumb_screenshot_{index}"><img src="{full.replace("1920x1080", "116x65")}"></div>'

    shots = [shot(index) for index in range(b.number(3, 9))]
    title = b.title()
    capsule = b.want(f"{base}/header.jpg?t=1680000000")
    more = b.many(2, 5, lambda _: f'<a class="small_cap" href="/app/{b.digits(5)}"><img class="small_cap_img" src="https://shared.games.example/store_item_assets/steam/apps/{b.digits(6)}/capsule_184x69.jpg" alt=""></a>')
    return document(
        head(b, title, url, None),
        f'<div id="global_header"><img src="https://store.games.example/public/shared/images/header/logo_steam.svg" width="176" height="44" alt=""></div><div class="page_content"><div class="apphub_AppIcon"><img src="https://shared.games.example/community/icons/{b.hexadecimal(10)}.jpg" width="32" height="32"></div><div id="appHubAppName">{title}</div><div id="highlight_player_area">{"".join(s for s, _ in shots)}</div><div id="highlight_strip">{"".join(t for _, t in shots)}</div><div id="gameHeaderImageCtn"><img class="game_header_image_full" src="{capsule}" alt="{title}"></div><div class="game_area_description">{b.paragraph()}</div><div class="block recommended_block">{more}</div></div><div id="footer"><img src="/public/images/v6/logo_valve_footer.png" alt="V"></div>',
    )


def mirror(b, url):
    def item(_):
        name = b.hexadecimal(15)
        b.want(f"https://mirror.example/pic/orig/media%2F{name}.jpg")
        return f'<div class="attachment image"><a class="still-image" href="/pic/orig/media%2F{name}.jpg" target="_blank"><img src="/pic/media%2F{name}.jpg%3Fname%3Dsmall" alt="" loading="lazy"></a></div>'

    def entry(_):
        return f'<div class="timeline-item"><div class="tweet-body"><div class="tweet-header"><a class="tweet-avatar" href="/name"><img class="avatar round" src="/pic/profile_images%2F{b.digits(10)}%2F{b.hexadecimal(6)}_bigger.jpg" alt=""></a></div><div class="tweet-content media-body">{b.words()}</div><div class="attachments"><div class="gallery-row">{b.many(0, 3, item)}</div></div></div></div>'

    title = b.title()
    entries = b.many(3, 8, entry) + f'<div class="attachments">{item(0)}</div>'
    return document(
        head(b, title, url, "https://mirror.example/pic/profile_images%2F1%2Fname_400x400.jpg"),
        f'<nav><img class="site-logo" src="/logo.png" alt="Logo"></nav><div class="container"><div class="profile-tab sticky"><div class="profile-card"><a class="profile-card-avatar"><img src="/pic/profile_images%2F1%2Fname_400x400.jpg" alt=""></a></div></div><div class="profile-banner"><a href="/pic/profile_banners%2F1%2F1500x500"><img src="/pic/profile_banners%2F1%2F1500x500" alt=""></a></div><div class="timeline">{entries}</div></div>',
    )


def file_page(b, url):
    base = "https://upload.commons.example/wikipedia/commons"
    one, name = b.hexadecimal(1), b.slug().replace("-", "_").capitalize() + ".jpg"
    folder = f"{one}/{one}{b.hexadecimal(1)}"
    full = b.want(f"{base}/{folder}/{name}")
    thumb = f"{base}/thumb/{folder}/{name}"
    sizes = " | ".join(f'<a href="{thumb}/{w}px-{name}" class="mw-thumbnail-link">{w} × {w * 2 // 3} pixels</a>' for w in (320, 640, 1024))
    history = f'<tr><td><a href="{full}"><img alt="Thumbnail" src="{thumb}/120px-{name}" width="120" height="80"></a></td></tr>'
    title = f"File:{name}"
    return document(
        head(b, title, url, f"{thumb}/1200px-{name}"),
        f'<div class="vector-header-container"><header class="mw-header"><img class="mw-logo-icon" src="/static/images/icons/commonswiki.svg" width="50" height="50" alt=""></header></div><main id="content"><h1 id="firstHeading">{title}</h1><div id="bodyContent"><div class="fullImageLink" id="file"><a href="{full}"><img alt="{title}" src="{thumb}/800px-{name}" width="800" height="533" data-file-width="4000" data-file-height="2667" srcset="{thumb}/1200px-{name} 1.5x, {thumb}/1600px-{name} 2x"></a><div class="mw-filepage-resolutioninfo">{sizes}</div></div><table>{history}<tr><td><img alt="" src="{base}/thumb/7/79/CC_some_rights_reserved.svg/90px-CC_some_rights_reserved.svg.png" width="90" height="36"></td></tr></table><div class="commons-file-information-table">{b.paragraph()}</div></div></main><footer id="footer"><img src="/static/images/footer/wikimedia-button.svg" width="84" height="29"></footer>',
    )


def picture_of_the_day(b, url):
    name = b.slug().replace("-", "")
    folder = f"image/{b.digits(4)}"
    b.want(f"https://sky.example/{folder}/{name}.jpg")
    title = b.title()
    return (
        f'<!doctype html>\n<html><head><title>{title}</title><meta name="keywords" content="sky"><meta name="orgcode" content="1"></head>\n'
        f'<BODY BGCOLOR="#F4F4FF" text="#000000"><center><h1> Picture of the Day </h1><p>{b.words()}<br><a href="{folder}/{name}.jpg">\n<IMG SRC="{folder}/{name}1024.jpg" alt="{b.words(20, 30)}" style="max-width:100%"></a></center><center><b> {title} </b></center><p> <b> Explanation: </b>{b.words(20, 40)}<p><center><hr><a href="{b.digits(6)}.html">&lt;</a> | <a href="archive.html">Archive</a><hr><p><b> Editors: </b></center></body></html>'
    )


def image_collection(b, url):
    folder = f"{b.hexadecimal(2)}/{b.hexadecimal(2)}"
    name = b.hexadecimal(32)
    original = f"https://img.tags.example/images/{folder}/{name}.png"
    is_sampled = b.chance(0.5)
    shown = f"https://img.tags.example/samples/{folder}/sample_{name}.jpg" if is_sampled else original
    b.want(shown if is_sampled else original)
    title = b.title()
    more = b.many(3, 8, lambda _: f'<span class="thumb"><a href="/post/{b.digits(7)}"><img class="preview" src="https://img.tags.example/thumbnails/{b.hexadecimal(2)}/thumbnail_{b.hexadecimal(32)}.jpg" alt="" title="{b.words()}"></a></span>')
    return document(
        head(b, title, url, shown),
        f'<div id="header"><h2 id="site-title"><a href="/"><img src="/layout/booru-logo.png" alt="Tags" width="204" height="50"></a></h2></div><div id="post-view"><div class="sidebar"><ul id="tag-sidebar"></ul><h5>Options</h5><li><a href="{original}">Original image</a></li></div><div id="right-col"><div class="content"><img alt="{b.words()}" src="{shown}" id="image" width="850" height="1200"></div><div id="more-like-this"><h4>More like this</h4>{more if b.chance(0.5) else ""}</div></div></div>',
    )


FAMILIES = {
    "diary": (diary, "https://diary.example/name/entry-1.html"),
    "photo-life": (photo_life, "https://name.notes.example/entry/2023/05/01/1"),
    "discuz": (discuz, "https://bbs.example/thread-1-1-1.html"),
    "smart-editor": (smart_editor, "https://blog.example.net/name/1234"),
    "album": (album, "https://name.band.example/album/title"),
    "game-store": (game_store, "https://store.games.example/app/1234/Title/"),
    "mirror": (mirror, "https://mirror.example/name"),
    "file-page": (file_page, "https://commons.example/wiki/File:X.jpg"),
    "picture-of-the-day": (picture_of_the_day, "https://sky.example/pod230101.html"),
    "image-collection": (image_collection, "https://tags.example/post/1234567"),
}
