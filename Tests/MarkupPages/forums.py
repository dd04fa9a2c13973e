"""Pages of forums, image boards and social networks."""

from builder import advertisement, document, head, social, tracker


def phpbb(b, url):
    def avatar():
        return f'<div class="avatar-container"><a href="./memberlist.php?u={b.digits(3)}" class="avatar"><img class="avatar" src="./download/file.php?avatar={b.digits(3)}_{b.digits(10)}.jpg" width="90" height="90" alt="User avatar" /></a></div>'

    def attachment(_):
        number = b.digits(5)
        if b.chance(0.5):
            full = b.want(f"https://forum.example/download/file.php?id={number}&mode=view")
            return f'<dl class="file"><dt class="attach-image"><a href="./download/file.php?id={number}&amp;mode=view"><img src="./download/file.php?id={number}&amp;t=1" class="postimage" alt="{b.slug()}.jpg" onclick="viewableArea(this);" /></a></dt><dd>{b.slug()}.jpg (120 KiB) Viewed 20 times</dd></dl>' if full else ""
        b.want(f"https://forum.example/download/file.php?id={number}")
        return f'<dl class="file"><dt class="attach-image"><img src="./download/file.php?id={number}" class="postimage" alt="{b.slug()}.jpg" title="" onclick="viewableArea(this);" /></dt></dl>'

    def external(_):
        return f'<img src="{b.want(f"https://i.host.example/{b.hexadecimal(7)}.jpg")}" class="postimage" alt="Image" />'

    def post(_):
        smiley = '<img class="smilies" src="./images/smilies/icon_e_smile.gif" width="15" height="17" alt=":)" title="Smile">'
        parts = b.many(0, 2, external) + b.many(0, 3, attachment)
        return f'<div id="p{b.digits(4)}" class="post has-profile"><dl class="postprofile"><dt>{avatar()}</dt><dd><img src="./images/ranks/rank_{b.digits(1)}.gif" alt="Rank"></dd></dl><div class="postbody"><div class="content">{b.words()} {smiley}<br>{parts}</div><div class="signature"><img src="https://sig.example/{b.hexadecimal(6)}.png" class="postimage" alt="Image"></div></div></div>'

    posts = b.many(3, 6, post)
    title = b.title()
    b.want("https://forum.example/download/file.php?id=77777")
    last = '<div class="post"><div class="postbody"><div class="content"><div class="inline-attachment"><dl class="file"><dt class="attach-image"><img src="./download/file.php?id=77777" class="postimage" alt="x.jpg"></dt></dl></div></div></div></div>'
    return document(
        head(b, title, url),
        f'<div id="page-header"><a id="logo" class="logo" href="./index.php"><img src="./styles/prosilver/theme/images/site_logo.svg" width="149" height="52" alt=""></a></div>'
        f'<div id="page-body"><h2 class="topic-title"><a href="#">{title}</a></h2><div class="action-bar"><a href="#"><img src="./styles/prosilver/imageset/button_topic_reply.gif" alt="Post reply"></a></div>{posts}{last}</div>'
        f'<div id="page-footer"><img src="./images/spacer.gif" alt=""></div><img src="./cron.php?cron_type=cron.task.core.tidy" width="1" height="1" alt="cron">',
    )


def vbulletin(b, url):
    origin = "https://vb.example"

    def attachment(_):
        number, moment = b.digits(5), b.digits(10)
        b.want(f"{origin}/attachment.php?attachmentid={number}&d={moment}")
        return f'<a href="attachment.php?attachmentid={number}&amp;d={moment}" rel="Lightbox_{b.digits(5)}" id="attachment{number}" ><img src="attachment.php?attachmentid={number}&amp;d={moment}&amp;thumb=1" class="thumbnail" border="0" alt="Click image for larger version. Name: {b.slug()}.jpg Views: 10 Size: 99 KB" width="150" /></a>'

    def post(_):
        body = b.words() + ' <img src="images/smilies/biggrin.gif" border="0" alt="" title="Big Grin" class="inlineimg" />'
        if b.chance(0.5):
            body += f'<br><img src="{b.want(f"https://photos.host.example/albums/{b.slug()}.jpg")}" border="0" alt="" />'
        attachments = b.many(0, 3, attachment)
        return f'<li class="postbitlegacy postbitim"><div class="posthead"><img src="images/statusicon/post_old.png" alt="Old"></div><div class="userinfo"><a class="postuseravatar" href="#"><img src="image.php?u={b.digits(3)}&amp;dateline={b.digits(10)}" alt="name Avatar" title="name Avatar" /></a><img class="onlinestatus" src="images/statusicon/user-offline.png" alt="name is offline" border="0" /><span><img src="images/reputation/reputation_pos.png" class="repimg" alt="" /></span></div><div class="postbody"><blockquote class="postcontent restore">{body}</blockquote><div class="attachments"><fieldset class="postcontent"><legend><img src="images/misc/paperclip.png" class="inlineimg" /> Attached Thumbnails</legend>{attachments}</fieldset></div></div><div class="postfoot"><img src="images/buttons/quote_40b.png" alt="Reply With Quote"></div></li>'

    posts = b.many(3, 6, post) + f'<div class="postbody"><blockquote class="postcontent restore"><img src="{b.want("https://photos.host.example/last-1.jpg")}" border="0" alt=""></blockquote></div>'
    title = b.title()
    return document(
        f'<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><base href="{origin}/" /><title>{title}</title></head>',
        f'<div class="above_body"><div id="header" class="floatcontainer"><div><a name="top" href="index.php" class="logo-image"><img src="images/misc/vbulletin4_logo.png" alt="Forum" /></a></div></div></div>'
        f'<div class="body_wrapper"><div id="breadcrumb" class="breadcrumb"><img src="images/misc/navbit-home.png" alt="Home"></div><ol id="posts" class="posts">{posts}</ol>{advertisement(b)}</div><div class="below_body"><img src="images/misc/11x11progress.gif" alt=""></div><div class="footer"></div>',
    )


def xenforo(b, url):
    origin = "https://xf.example"

    def inline(_):
        source = b.want(f"https://img.host.example/{b.slug()}.jpg")
        if b.chance(0.5):
            return f'<div class="bbImageWrapper js-lbImage" title="{b.slug()}.jpg" data-src="{source}" data-lb-sidebar-href="" data-single-image="1"><img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" data-src="{source}" data-url="{source}" class="bbImage lazyload" data-zoom-target="1" alt="x" title="x" /><noscript><img src="{source}" data-url="{source}" class="bbImage" alt="x" /></noscript></div>'
        return f'<img src="{source}" data-url="{source}" class="bbImage" loading="lazy" alt="1" width="1200" height="800" />'

    def attachment(_):
        slug, number = b.slug(), b.digits(6)
        b.want(f"{origin}/attachments/{slug}-jpg.{number}/")
        return f'<li class="file file--linked"><a class="u-anchorTarget" id="attachment-{number}"></a><a class="file-preview js-lbImage" href="/attachments/{slug}-jpg.{number}/" target="_blank"><img src="/data/attachments/{b.digits(3)}/{b.digits(6)}-{b.hexadecimal(32)}.jpg" alt="{slug}.jpg" width="200" height="150" loading="lazy" /></a><div class="file-content"><div class="file-info"><span class="file-name" title="{slug}.jpg">{slug}.jpg</span></div></div></li>'

    def post(_):
        images, files = b.many(1, 3, inline), b.many(0, 3, attachment)
        return f'<article class="message message--post"><div class="message-user"><div class="message-avatar"><a href="/members/x.1/" class="avatar avatar--m" data-user-id="1"><img src="/data/avatars/m/1/{b.digits(4)}.jpg?{b.digits(10)}" srcset="/data/avatars/l/1/{b.digits(4)}.jpg?1 2x" alt="x" class="avatar-u1-m" width="96" height="96" loading="lazy"/></a></div></div><div class="message-cell message-cell--main"><article class="message-body"><div class="bbWrapper">{b.words()}<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" class="smilie smilie--sprite smilie--sprite1" alt=":)" loading="lazy"><br>{images}</div></article><section class="message-attachments"><h4>Attachments</h4><ul class="attachmentList">{files}</ul></section></div></article>'

    title = b.title()
    return document(
        head(b, title, url, f"{origin}/styles/logo-og.png"),
        f'<header class="p-header"><div class="p-header-logo p-header-logo--image"><a href="/"><img src="/styles/default/xenforo/xenforo-logo.png" srcset="/styles/default/xenforo/xenforo-logo2x.png 2x" alt="Forum" width="100" height="36" /></a></div></header>'
        f'<div class="p-body"><h1 class="p-title-value">{title}</h1><div class="block-body js-replyNewMessageContainer">{b.many(2, 5, post)}</div></div><footer class="p-footer"></footer>',
    )


def imageboard(b, url):
    board = b.choice("p", "wg", "out")

    def post(index):
        stamp = b.digits(16)
        extension = b.choice("jpg", "png", "webp")
        b.want(f"https://i.board.example/{board}/{stamp}.{extension}")
        flag = f'<span title="Country" class="flag flag-{b.choice("de", "us")}"></span><img src="/image/country/troll/xx.gif" alt="XX" class="countryFlag">' if b.chance(0.3) else ""
        sticky = '<img src="//s.board.example/image/sticky.gif" alt="Sticky" title="Sticky" class="stickyIcon retina">' if index == 0 else ""
        return f'<div class="postContainer {"opContainer" if index == 0 else "replyContainer"}"><div class="post"><div class="postInfo">{sticky}{flag}<span class="name">Anonymous</span></div><div class="file"><div class="fileText">File: <a href="//i.board.example/{board}/{stamp}.{extension}" target="_blank">{b.slug()}.{extension}</a> (1.2 MB, 1920x1080)</div><a class="fileThumb" href="//i.board.example/{board}/{stamp}.{extension}" target="_blank"><img src="//i.board.example/{board}/{stamp}s.jpg" alt="1.2 MB" data-md5="x==" style="height: 125px; width: 125px;" loading="lazy"></a></div><blockquote class="postMessage">{b.words()}</blockquote></div></div>'

    title = f"/{board}/ - {b.title()}"
    return document(
        f'<head><meta charset="utf-8"><title>{title}</title><link rel="shortcut icon" href="//s.board.example/image/favicon.ico"></head>',
        f'<div class="boardBanner"><div id="bannerCnt" class="title desktop" data-src="{b.digits(2)}.png"></div><img src="//s.board.example/image/title/{b.digits(2)}.jpg" alt="board"></div>'
        f'<div class="middlead center"><a href="//ads.example/x"><img src="//static.example/image/banners/{b.digits(3)}-468x60.png" width="468" height="60"></a></div>'
        f'<form name="delform"><div class="board"><div class="thread">{b.many(4, 12, post)}</div></div></form><div id="absbot"><img src="//s.board.example/image/foot.png" alt=""></div>{tracker(b)}',
    )


def reddit_gallery(b, url):
    def item(_):
        key, signature = b.hexadecimal(13), b.hexadecimal(40)
        widths = [108, 216, 320, 640, 960, 1080, 1920][: b.number(5, 7)]
        name = f"{b.slug()}-v0-{key}.jpg"

        def at(width):
            return f"https://preview.social.example/{name}?width={width}&crop=smart&auto=webp&s={signature[:30]}{width}"

        b.want(at(widths[-1]))
        candidates = ", ".join(f"{at(w).replace('&', '&amp;')} {w}w" for w in widths)
        return f'<li slot="page-1"><figure><img alt="r/x - {b.words()}" class="absolute inset-0 media-lightbox-img" src="{at(640).replace("&", "&amp;")}" srcset="{candidates}" sizes="(min-width: 1415px) 750px" loading="lazy"></figure></li>'

    items = b.many(2, 8, item)
    title = b.title()
    comments = b.many(1, 4, lambda _: f'<shreddit-comment><div class="avatar"><img class="rounded-full" alt="u/name avatar" src="https://styles.social.example/t5_{b.hexadecimal(5)}/styles/profileIcon_{b.hexadecimal(9)}.png?width=64&amp;height=64" width="32" height="32"></div>{b.paragraph()}<img class="award-icon" src="https://i.social.example/awards/{b.hexadecimal(6)}_32.png" width="16" height="16"></shreddit-comment>')
    return document(
        head(b, title, url, b.wanted[0].replace("&", "&amp;")),
        f'<nav><img src="/logo.png" alt="logo"></nav><main><shreddit-post><div class="credit-bar"><img class="subreddit-icon" src="https://styles.social.example/t5_{b.hexadecimal(5)}/styles/communityIcon_{b.hexadecimal(13)}.png?width=48" alt="r/x icon" width="24" height="24"></div><h1>{title}</h1><gallery-carousel><ul>{items}</ul></gallery-carousel></shreddit-post>{comments}</main>{social(b)}',
    )


def mastodon(b, url):
    base = "https://files.social.example/media_attachments/files"

    def item(_):
        key = f"{base}/{b.digits(3)}/{b.digits(3)}/{b.digits(3)}"
        name = b.hexadecimal(16)
        full = b.want(f"{key}/original/{name}.jpg")
        return f'<div class="media-gallery__item"><a class="media-gallery__item-thumbnail" href="{full}" target="_blank" rel="noopener"><img src="{key}/small/{name}.jpg" srcset="{full} 1920w, {key}/small/{name}.jpg 588w" sizes="559px" alt="{b.words(4, 9)}" title="x" height="100%" width="100%"></a></div>'

    items = b.many(1, 4, item)
    title = b.title()
    replies = b.many(0, 3, lambda _: f'<div class="status"><a class="status__display-name"><div class="account__avatar" style="width:46px;height:46px"><img src="https://files.social.example/accounts/avatars/{b.digits(3)}/original/{b.hexadecimal(16)}.png" alt=""></div></a>{b.paragraph()}<img draggable="false" class="emojione custom-emoji" alt=":cat:" src="https://files.social.example/custom_emojis/images/{b.digits(3)}/original/cat.png"></div>')
    return document(
        head(b, title, url, b.wanted[0]),
        f'<div class="detailed-status"><a class="detailed-status__display-name"><div class="account__avatar"><img src="https://files.social.example/accounts/avatars/1/original/{b.hexadecimal(16)}.jpg" alt="" width="46" height="46"></div></a>{b.paragraph()}<div class="media-gallery">{items}</div></div>{replies}<div class="server-banner"><img class="server-banner__hero" src="/preview.png" alt="Server"></div>',
    )


FAMILIES = {
    "phpbb": (phpbb, "https://forum.example/viewtopic.php?t=1234"),
    "vbulletin": (vbulletin, "https://vb.example/showthread.php?t=99"),
    "xenforo": (xenforo, "https://xf.example/threads/title.1234/"),
    "imageboard": (imageboard, "https://boards.example/p/thread/1234567"),
    "reddit-gallery": (reddit_gallery, "https://www.social.example/r/x/comments/abc/title/"),
    "mastodon": (mastodon, "https://social.example/@name/1234567"),
}
