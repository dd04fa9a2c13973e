"""Pages of further content systems, forums and shops: the fifth set of kinds, which was written after the rules had been
changed for the fourth one."""

from builder import document, head, tracker


def enterprise(b, url):
    origin = "https://town.example"

    def picture(_):
        name = b.slug()
        full = f"/fileadmin/_processed_/{b.hexadecimal(1)}/{b.hexadecimal(1)}/csm_{name}_{b.hexadecimal(10)}.jpg"
        zoom = b.chance(0.5)
        small = f"/fileadmin/_processed_/{b.hexadecimal(1)}/{b.hexadecimal(1)}/csm_{name}_{b.hexadecimal(10)}.jpg"
        if zoom:
            b.want(f"{origin}{full}")
            inner = f'<a href="{full}" title="{b.words()}" class="lightbox" rel="lightbox[lb12]"><img class="image-embed-item" title="{b.words()}" alt="" src="{small}" width="300" height="200" loading="lazy" /></a>'
        else:
            b.want(f"{origin}{small}")
            inner = f'<img class="image-embed-item" alt="" src="{small}" width="600" height="400" loading="lazy" />'
        return f'<div class="ce-column"><figure class="image">{inner}<figcaption class="image-caption">{b.words()}</figcaption></figure></div>'

    title = b.title()
    return document(
        head(b, title, url, generator="TYPO3 CMS"),
        f'<header class="page-header" id="page-header"><a class="navbar-brand navbar-brand-image" href="/"><img class="navbar-brand-logo-normal" src="/fileadmin/template/wappen.png" alt="Town" height="52" width="180"></a></header><div id="content"><h1>{title}</h1><div class="frame frame-type-textpic"><div class="ce-gallery">{b.many(2, 8, picture)}</div>{b.paragraph()}</div></div><div class="subcontent-wrap"><div class="frame"><img src="/fileadmin/region.jpg" width="180" height="60" alt="Region"></div></div><footer id="page-footer"><img src="/fileadmin/eu.png" width="120" height="80" alt="EU"></footer>',
    )


def knowledge_base(b, url):
    origin = "https://docs.corp.example"

    def picture(_):
        name, number = b.slug(), b.digits(8)
        full = b.want(f"{origin}/download/attachments/{number}/{name}.png?version=1&modificationDate=16{b.digits(11)}&api=v2")
        path = full.replace(origin, "").replace("&", "&amp;")
        return f'<p><span class="confluence-embedded-file-wrapper confluence-embedded-manual-size"><img class="confluence-embedded-image" draggable="false" width="640" src="{path.replace("attachments", "thumbnails")}" data-image-src="{path}" data-unresolved-comment-count="0" data-linked-resource-id="{b.digits(8)}" data-linked-resource-type="attachment" data-base-url="{origin}" alt=""></span></p>{b.paragraph()}'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="header-precursor"></div><header id="header" role="banner"><nav class="aui-header"><span class="aui-header-logo"><a href="/"><img src="/download/attachments/1/atl.site.logo?version=1" alt="Docs" /></a></span></nav></header><div id="main" class="aui-page-panel"><div class="page-metadata"><a class="confluence-userlink"><img class="userLogo logo" src="/download/attachments/2/user-avatar" alt="" title="x"></a></div><h1 id="title-text">{title}</h1><div id="main-content" class="wiki-content">{b.many(2, 8, picture)}<img class="emoticon emoticon-tick" data-emoticon-name="tick" src="/s/images/icons/emoticons/check.svg" alt="(tick)"></div></div><div id="footer" role="contentinfo"></div>',
    )


def simple_forum(b, url):
    origin = "https://smf.example"

    def attachment(_):
        number = b.digits(4)
        b.want(f"{origin}/index.php?action=dlattach;topic=12.0;attach={number};image")
        return f'<div class="attached"><div class="attachments_top"><a href="{origin}/index.php?action=dlattach;topic=12.0;attach={number};image" id="link_{number}" onclick="return expandThumb({number});"><img src="{origin}/index.php?action=dlattach;topic=12.0;attach={b.digits(4)};image" alt="" id="thumb_{number}" class="atc_img"></a></div><div class="attachments_bot"><a href="{origin}/index.php?action=dlattach;topic=12.0;attach={number}"><img src="{origin}/Themes/default/images/icons/clip.png" class="centericon" alt="*">&nbsp;{b.slug()}.jpg</a> (120 kB, 1600x1200)</div></div>'

    def post(_):
        return f'<div class="windowbg" id="msg{b.digits(4)}"><div class="poster"><ul class="user_info"><li class="avatar"><a><img class="avatar" src="{origin}/custom_avatar/avatar_{b.digits(3)}.png" alt=""></a></li><li class="icons"><img src="{origin}/Themes/default/images/membericons/icon.png" alt="*"><img src="{origin}/Themes/default/images/membericons/icon.png" alt="*"></li></ul></div><div class="postarea"><div class="keyinfo"><img src="{origin}/Themes/default/images/post/xx.png" alt=""></div><div class="post"><div class="inner">{b.words()} <img src="{origin}/Smileys/default/smiley.gif" alt=":)" title="Smiley" class="smiley"><br><img src="{b.want(f"https://i.host.example/{b.slug()}.jpg")}" alt="" class="bbc_img" loading="lazy"></div></div><div class="attachments">{b.many(0, 3, attachment)}</div><div class="signature"><img src="https://sig.example/{b.hexadecimal(5)}.gif" class="bbc_img" alt=""></div></div></div>'

    title = b.title()
    return document(
        f'<head><meta charset="UTF-8"><title>{title}</title><meta property="og:image" content="{origin}/Themes/default/images/og_image.png"></head>',
        f'<div id="header"><h1 class="forumtitle"><a id="top" href="/"><img src="{origin}/Themes/default/images/smflogo.svg" alt="Forum"></a></h1></div><div id="main_content_section"><div id="forumposts">{b.many(2, 5, post)}</div></div><div id="footer"></div>',
    )


def community(b, url):
    base = "https://content.community.example/monthly_2022_05"

    def attachment(_):
        name = b.slug()
        full = b.want(f"{base}/{name}.jpg.{b.hexadecimal(32)}.jpg")
        thumb = f"{base}/{name}.thumb.jpg.{b.hexadecimal(32)}.jpg"
        return f'<p><a class="ipsAttachLink ipsAttachLink_image" href="{full}" data-fileid="{b.digits(5)}" data-fileext="jpg" rel=""><img class="ipsImage ipsImage_thumbnailed" data-fileid="{b.digits(5)}" data-ratio="66.7" width="1000" alt="{name}.thumb.jpg" data-src="{thumb}" src="https://community.example/applications/core/interface/js/spacer.png"></a></p>'

    def post(_):
        return f'<article id="elComment_{b.digits(5)}" class="cPost ipsBox ipsComment"><aside class="ipsComment_author cAuthorPane"><ul class="cAuthorPane_info"><li class="cAuthorPane_photo"><div class="cAuthorPane_photoWrap"><a class="ipsUserPhoto ipsUserPhoto_large"><img src="https://content.community.example/monthly_2019_01/x.thumb.png.{b.hexadecimal(32)}.png" alt="x" loading="lazy"></a><span class="cAuthorPane_badge cAuthorPane_badge--rank"><img src="https://content.community.example/pages_media/1_Newbie.svg" alt="Rank"></span></div></li></ul></aside><div class="ipsColumn"><div data-role="commentContent" class="ipsType_richText">{b.paragraph()}{b.many(0, 4, attachment)}<img alt=":)" data-emoticon="" height="20" src="https://community.example/uploads/emoticons/smile.png" title=":)" width="20"></div></div></article>'

    title = b.title()
    return document(
        head(b, title, url, "https://content.community.example/monthly_2020_01/social_default.png"),
        f'<div id="ipsLayout_header"><header><a href="/" id="elLogo"><img src="https://content.community.example/monthly_2018_01/community_brand.png" alt="Community"></a></header></div><main id="ipsLayout_body"><h1 class="ipsType_pageTitle">{title}</h1><div class="cTopic">{b.many(2, 5, post)}<div class="cPost">{attachment(0)}</div></div></main><footer id="ipsLayout_footer"></footer>',
    )


def my_board(b, url):
    origin = "https://mybb.example"

    def attachment(_):
        number = b.digits(4)
        b.want(f"{origin}/attachment.php?aid={number}")
        return f'<a href="attachment.php?aid={number}" target="_blank"><img src="attachment.php?thumbnail={number}" class="attachment" alt="" title="Filename: {b.slug()}.jpg&#13;Size: 120 KB&#13;2022, 10:00 AM" /></a>&nbsp;&nbsp;&nbsp;'

    def post(_):
        return f'<div class="post" id="post_{b.digits(4)}"><div class="post_author"><div class="author_avatar"><a href="member.php"><img src="{origin}/uploads/avatars/avatar_{b.digits(3)}.png?dateline=1" alt="" width="100" height="100" /></a></div><div class="author_information"><img src="images/star.png" border="0" alt="*" /><img src="images/star.png" border="0" alt="*" /><img src="images/groupimages/english/moderator.png" alt="Moderator"></div></div><div class="post_content"><div class="post_body scaleimages" id="pid_1">{b.words()}<br /><img src="{b.want(f"https://photos.host.example/{b.slug()}.jpg")}" loading="lazy" alt="[Image: x.jpg]" class="mycode_img" /></div><fieldset><legend><strong>Attached Files</strong></legend><span class="smalltext"><strong>Thumbnail(s)</strong></span><br />{b.many(0, 4, attachment)}</fieldset></div><div class="post_controls"><a href="#"><img src="images/english/postbit_quote.gif" alt="Reply" /></a></div></div>'

    title = b.title()
    return document(
        f'<head><title>{title}</title><meta charset="utf-8"><base href="{origin}/"></head>',
        f'<div id="container"><div id="header"><div id="logo"><div class="wrapper"><a href="/"><img src="images/colors/logo.png" alt="Board" title="Board" /></a></div></div></div><div id="content"><div class="wrapper"><div id="posts">{b.many(2, 5, post)}</div></div></div><div id="footer"></div></div><img src="task.php" width="1" height="1" alt="" />',
    )


def static_site(b, url):
    def picture(_):
        name, digest = b.slug(), b.hexadecimal(32)
        base = f"https://site.example/posts/trip/{name}"

        def at(width):
            return f"{base}_hu{digest}_{b_size}_{width}x0_resize_q75_box.jpg"

        b_size = b.digits(6)
        widths = [480, 768, 1024, 1600]
        style = b.choice("set", "plain", "linked")
        if style == "plain":
            b.want(f"{base}.jpg")
            return f'<figure><img src="{name}.jpg" alt="{b.words()}" loading="lazy"><figcaption><p>{b.words()}</p></figcaption></figure>'
        if style == "linked":
            b.want(f"{base}.jpg")
            return f'<figure class="gallery-image" style="flex-grow: 150; flex-basis: 360px"><a href="/posts/trip/{name}.jpg" data-size="3000x2000"><img src="/posts/trip/{name}.jpg" width="3000" height="2000" srcset="{at(480)} 480w, {at(1024)} 1024w" loading="lazy" alt=""></a></figure>'
        b.want(at(1600))
        candidates = ", ".join(f"{at(w)} {w}w" for w in widths)
        return f'<picture><source srcset="{candidates}" sizes="100vw"><img src="{at(768)}" alt="{b.words()}" width="768" height="512" loading="lazy"></picture>{b.paragraph()}'

    title = b.title()
    pictures = b.many(2, 9, picture)
    return document(
        head(b, title, url, "https://site.example/images/site-cover.png", generator="Hugo 0.120.4"),
        f'<aside class="left-sidebar"><header><figure class="site-avatar"><a href="/"><img src="/img/avatar_hu_{b.hexadecimal(10)}_300x0_resize_box_3.png" width="300" height="300" class="site-logo" alt="Avatar"></a></figure></header></aside><main class="main full-width"><article class="main-article"><header class="article-header"><h2 class="article-title">{title}</h2></header><section class="article-content">{pictures}</section></article><aside class="related-content--wrapper"><div class="related-content"><article class="has-image"><div class="article-image"><img src="/posts/other/{b.slug()}_250x150_fill_q75_box_smart1.jpg" width="250" height="150"></div></article></div></aside><footer class="site-footer"></footer></main>',
    )


def warehouse(b, url):
    base = "https://store.goods.example/media/catalog/product/cache"

    def item():
        path = f"{b.hexadecimal(1)}/{b.hexadecimal(1)}/{b.slug().replace('-', '_')}.jpg"
        return f"{base}/{b.hexadecimal(32)}/{path}", path

    large, medium, small = b.hexadecimal(32), b.hexadecimal(32), b.hexadecimal(32)
    paths = [item()[1] for _ in range(b.number(2, 6))]
    slides = []
    for index, path in enumerate(paths):
        b.want(f"{base}/{large}/{path}")
        slides.append(f'<div class="fotorama__img-slide" data-index="{index}"><a href="{base}/{large}/{path}" class="MagicZoom" data-options="zoomMode:magnifier"><img itemprop="image" src="{base}/{medium}/{path}" alt="{b.words()}" width="700" height="700"></a></div>')
    thumbs = "".join(f'<a class="mt-thumb-switcher" href="{base}/{large}/{path}" data-image="{base}/{medium}/{path}"><img src="{base}/{small}/{path}" alt="" width="88" height="110"></a>' for path in paths)
    related = b.many(2, 5, lambda _: f'<li class="item product product-item"><a class="product photo product-item-photo" href="/x.html"><span class="product-image-container"><span class="product-image-wrapper"><img class="product-image-photo" src="{item()[0]}" loading="lazy" width="240" height="300" alt="x"></span></span></a></li>')
    title = b.title()
    return document(
        head(b, title, url, f"{base}/{medium}/{paths[0]}" if b.chance(0.5) else None),
        f'<header class="page-header"><a class="logo" href="/"><img src="https://store.goods.example/static/version16/frontend/x/images/logo.svg" width="148" height="43" alt=""></a></header><main id="maincontent" class="page-main"><div class="product media"><div class="gallery-placeholder"><div class="fotorama">{"".join(slides)}</div><div class="MagicToolboxSelectorsContainer">{thumbs}</div></div></div><div class="product-info-main"><h1 class="page-title">{title}</h1><div class="rating-result"></div></div><div class="block related"><ol class="products list items product-items">{related}</ol></div><div class="block upsell">{related}</div></main><footer class="page-footer"><img src="https://store.goods.example/media/wysiwyg/payments.png" alt="Payments"></footer>{tracker(b)}',
    )


def image_album(b, url):
    def item(_):
        key = b.hexadecimal(7)
        zoom = b.chance(0.6)
        b.want(f"https://i.pics.example/{key}.jpg")
        image = f'<img alt="{b.words()}" src="//i.pics.example/{key}{"l" if zoom else ""}.jpg" itemprop="contentURL" />'
        image = f'<a href="//i.pics.example/{key}.jpg" class="zoom">{image}</a>' if zoom else image
        return f'<div id="{key}" class="post-image-container" itemscope itemtype="http://schema.org/ImageObject"><div class="post-image">{image}</div><div class="post-image-meta"><p class="post-image-description">{b.words()}</p></div></div>'

    title = b.title()
    items = b.many(2, 12, item)
    side = b.many(4, 9, lambda _: f'<div class="next-post grid"><a class="image-list-link" href="/gallery/{b.hexadecimal(5)}"><img alt="" src="//i.pics.example/{b.hexadecimal(7)}b.jpg" width="160" height="160"></a></div>')
    return document(
        head(b, title, url, f"https://i.pics.example/{b.wanted[0].rsplit('/', 1)[1].replace('.jpg', '.jpg?fb')}"),
        f'<div id="topbar"><a class="topbar-icon" href="/"><img src="//s.pics.example/images/logo-1200-630.jpg" width="90" height="30" alt="Pics"></a></div><div id="inside"><div class="post-container"><h1 class="post-title">{title}</h1><div class="post-account"><img class="small-avatar" src="//pics.example/user/x/avatar?maxwidth=290" width="24" height="24"></div>{items}</div><div id="side-gallery">{side}</div></div>',
    )


FAMILIES = {
    "enterprise": (enterprise, "https://town.example/visit/"),
    "knowledge-base": (knowledge_base, "https://docs.corp.example/display/X/Page"),
    "simple-forum": (simple_forum, "https://smf.example/index.php?topic=12.0"),
    "community": (community, "https://community.example/topic/1-title/"),
    "my-board": (my_board, "https://mybb.example/showthread.php?tid=1"),
    "static-site": (static_site, "https://site.example/posts/trip/"),
    "warehouse": (warehouse, "https://store.goods.example/thing.html"),
    "image-album": (image_album, "https://pics.example/a/abc"),
}
