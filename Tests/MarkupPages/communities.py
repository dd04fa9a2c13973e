"""Pages of communities, publishing services and their exports."""

from builder import document, head, tracker


def old_links(b, url):
    """A discussion of links in the old design of a large site: a preview, an opened picture, and comments."""
    name = b.slug().replace("-", "")
    full = b.want(f"https://i.links.example/{name}.jpg")
    comments = b.many(2, 6, lambda _: f'<div class="thing comment"><p class="tagline"><a class="author">x</a><span class="flair"><img src="https://emoji.links.example/{b.hexadecimal(12)}/t5_x/{b.slug()}" alt="" style="width:16px"></span></p><div class="usertext-body"><div class="md">{b.paragraph()}</div></div></div>')
    spots = b.many(2, 4, lambda _: f'<li><div class="spotlight-link"><a class="thumbnail" href="https://www.links.example/r/other/comments/{b.hexadecimal(6)}/x/"><img src="//b.thumbs.links.example/{b.hexadecimal(20)}.jpg" width="70" height="52" alt=""></a></div></li>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="header" role="banner"><div id="header-bottom-left"><a href="/" id="header-img-a"><img id="header-img" src="//b.thumbs.links.example/{b.hexadecimal(20)}.png" width="210" height="80" alt="pics"></a></div></div><div class="side"><div class="spacer"><div class="titlebox"><div class="md"><p><img src="//c.thumbs.links.example/{b.hexadecimal(20)}.jpg" alt="rules"></p></div></div></div></div><div class="content" role="main"><div id="siteTable" class="sitetable linklisting"><div class="thing link"><a class="thumbnail invisible-when-pinned" href="{full}"><img src="//b.thumbs.links.example/{b.hexadecimal(24)}.jpg" width="70" height="70" alt=""></a><div class="entry"><p class="title"><a class="title" href="{full}">{title}</a></p><div class="expando"><div class="media-preview"><div class="media-preview-content"><a href="{full}" class="post-link"><img class="preview" src="{full}" width="900" height="600"></a></div></div></div></div></div></div><div class="commentarea"><div class="sitetable nestedlisting">{comments}</div></div><div class="spotlight"><ul>{spots}</ul></div></div><div class="footer-parent"></div>{tracker(b)}',
    )


def aggregator(b, url):
    """A post of a federated aggregator of links, with pictures in its comments and other communities."""
    host = "https://lem.example/pictrs/image"

    def picture(_=0):
        return b.want(f"{host}/{b.hexadecimal(8)}-{b.hexadecimal(4)}-4{b.hexadecimal(3)}-{b.hexadecimal(12)}.webp")

    def comment(_):
        inner = f'<p><img src="{picture()}" alt="" loading="lazy"></p>' if b.chance(0.3) else ""
        return f'<li class="comment"><article class="details comment-node py-2"><div class="d-flex flex-wrap"><a class="person-listing" href="/u/x@other"><picture class="overflow-hidden pictrs-image person-icon"><img src="https://other.example/pictrs/image/{b.hexadecimal(16)}.png?format=webp&amp;thumbnail=96" alt="" class="overflow-hidden pictrs-image img-cover"></picture><span>x</span></a></div><div class="comment-content"><div class="md-div">{b.paragraph()}{inner}</div></div></article></li>'

    title = b.title()
    post = picture()
    return document(
        head(b, title, url, post),
        f'<div id="root"><div class="shadow-sm"><nav id="navbar" class="navbar"><a href="/"><img src="{host}/{b.hexadecimal(12)}.png?format=webp&amp;thumbnail=96" class="overflow-hidden pictrs-image img-icon"></a></nav></div><div class="mt-4 p-0"><div class="post container-lg"><div class="row"><main class="col-12 col-md-8"><div class="post-container"><div class="post-listing"><h1 class="h4">{title}</h1><div class="offset-sm-3 my-2 d-none d-sm-block"><a href="{post}" class="d-inline-block"><picture><img src="{post}" alt="" class="overflow-hidden pictrs-image img-expanded slight-radius"></picture></a></div></div></div><ul class="comments">{b.many(2, 7, comment)}</ul></main><div class="d-none d-md-block col-md-4"><div class="card"><div class="card-body"><div class="banner-icon-header position-relative"><img src="{host}/{b.hexadecimal(14)}.jpeg?format=webp" class="img-cover pictrs-image banner"><img src="{host}/{b.hexadecimal(13)}.png?format=webp&amp;thumbnail=96" class="img-fluid pictrs-image img-icon"></div></div></div></div></div></div></div></div>',
    )


def nodebb(b, url):
    """A topic of a NodeBB."""

    def post(n):
        images = b.many(0, 3, lambda _: f'<p><a href="{b.want(f"https://nb.example/assets/uploads/files/{b.digits(13)}-{b.slug()}.jpg").split("example")[1]}" target="_blank"><img src="{b.wanted[-1].split("example")[1].replace(".jpg", "-resized.jpg")}" alt="{b.words()}" class="img-fluid img-markdown"></a></p>')
        return f'<li component="post" class="pt-4" data-index="{n}"><div class="post-container d-flex"><div class="bg-body d-none d-sm-block"><a class="d-inline-block position-relative" href="/user/x"><img title="x" data-uid="1" component="user/picture" src="/assets/uploads/profile/uid-{n}/{n}-profileavatar-{b.digits(13)}.png" style="--avatar-size: 48px;" alt="x"></a></div><div class="content mt-2" component="post/content">{b.paragraph()}{images}<p><img src="https://nb.example/assets/plugins/nodebb-plugin-emoji/emoji/android/1f600.png?v=x" class="not-responsive emoji emoji-android" style="height:23px" title=":)" alt="x"></p></div></div></li>'

    title = b.title()
    first = b.want(f"https://nb.example/assets/uploads/files/{b.digits(13)}-{b.slug()}.png")
    return document(
        head(b, title, url, "https://nb.example/assets/uploads/system/site-logo.png"),
        f'<div class="layout-container"><nav component="sidebar/left"></nav><main id="panel"><div class="brand-container"><a href="/"><img component="brand/logo" alt="NB" class="ps-0" src="/assets/uploads/system/site-logo.png?v=1" width="220" height="50"></a></div><div id="content"><h1 component="post/header">{title}</h1><ul component="topic" class="posts"><li component="post"><div component="post/content"><p><img src="{first.split("example")[1]}" alt="" class="img-fluid"></p></div></li>{b.many(2, 6, post)}</ul></div></main></div>',
    )


def channel(b, url):
    """The preview of a channel of a messenger, whose photographs are backgrounds."""
    cdn = f"https://cdn{b.number(1, 5)}.chat.example/file"

    def message(_):
        photos = b.many(0, 3, lambda _: f'<a class="tgme_widget_message_photo_wrap {b.digits(19)} grouped_media_wrap blured js-message_photo" style="left:0px;top:0px;width:226px;height:301px;background-image:url(\'{b.want(cdn + "/" + b.hexadecimal(90) + ".jpg")}\')" href="https://chat.example/name/{b.digits(4)}?single"></a>')
        return f'<div class="tgme_widget_message_wrap js-widget_message_wrap"><div class="tgme_widget_message text_not_supported_wrap js-widget_message"><div class="tgme_widget_message_user"><a href="https://chat.example/name"><i class="tgme_widget_message_user_photo bgcolor2"><img src="{cdn}/{owner}.jpg"></i></a></div><div class="tgme_widget_message_bubble"><div class="tgme_widget_message_grouped_wrap">{photos}</div><div class="tgme_widget_message_text">{b.words()} <i class="emoji" style="background-image:url(\'//chat.example/img/emoji/40/F09F98.png\')"><b>x</b></i></div></div></div></div>'

    owner = b.hexadecimal(80)
    first = b.want(f"{cdn}/{b.hexadecimal(90)}.jpg")
    title = b.title()
    return document(
        head(b, title, url, f"{cdn}/{owner}.jpg"),
        f'<header class="tgme_header"><div class="tgme_header_info"><a href="https://chat.example/name"><i class="tgme_page_photo_image bgcolor2"><img src="{cdn}/{owner}.jpg"></i></a></div></header><main class="tgme_main"><section class="tgme_channel_history js-message_history"><div class="tgme_widget_message_wrap"><a class="tgme_widget_message_photo_wrap" href="https://chat.example/name/1" style="width:800px;background-image:url(\'{first}\')"><div class="tgme_widget_message_photo" style="padding-top:66%"></div></a></div>{b.many(3, 8, message)}</section></main>',
    )


def ghost_cards(b, url):
    """A post of a Ghost with a gallery, bookmarks of other sites, and posts to read next."""
    folder = "https://weekly.example/content/images"

    def sized(slug):
        full = b.want(f"{folder}/2024/03/{slug}.jpg")
        small = ", ".join(f"{folder}/size/w{w}/2024/03/{slug}.jpg {w}w" for w in (600, 1000, 1600))
        return full, f'<img src="{full}" class="kg-image" alt="" loading="lazy" width="2000" height="1333" srcset="{small}, {full} 2000w" sizes="(min-width: 720px) 720px">'

    def card(_):
        kind = b.number(0, 2)
        if kind == 0:
            return f'<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://other.example/{b.slug()}"><div class="kg-bookmark-content"><div class="kg-bookmark-title">{b.title()}</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="https://other.example/favicon-196.png" alt=""></div></div><div class="kg-bookmark-thumbnail"><img src="https://other.example/wp-content/{b.slug()}.jpg" alt="" onerror="this.style.display = \'none\'"></div></a></figure>{b.paragraph()}'
        if kind == 1:
            images = b.many(2, 6, lambda _: f'<div class="kg-gallery-image">{sized(b.slug())[1]}</div>')
            return f'<figure class="kg-card kg-gallery-card kg-width-wide"><div class="kg-gallery-container"><div class="kg-gallery-row">{images}</div></div></figure>{b.paragraph()}'
        return f'<figure class="kg-card kg-image-card kg-card-hascaption">{sized(b.slug())[1]}<figcaption>{b.words()}</figcaption></figure>{b.paragraph()}'

    next_posts = b.many(2, 4, lambda _: f'<article class="gh-card post"><a class="gh-card-link" href="/{b.slug()}/"><figure class="gh-card-image"><img srcset="{folder}/size/w300/2024/01/{b.slug()}.jpg 300w, {folder}/size/w600/2024/01/{b.slug()}.jpg 600w" src="{folder}/size/w600/2024/01/{b.slug()}.jpg" alt="" loading="lazy"></figure><div class="gh-card-wrapper"><h3>{b.title()}</h3></div></a></article>')
    title = b.title()
    lead, image = sized(b.slug())
    return document(
        head(b, title, url, lead, generator="Ghost 5.80"),
        f'<div class="gh-viewport"><header id="gh-navigation"><a class="gh-navigation-logo" href="/"><img src="{folder}/2023/01/weekly.png" alt="Weekly"></a></header><main class="gh-main"><article class="gh-article post"><header class="gh-article-header"><h1>{title}</h1><div class="gh-article-meta"><a href="/author/x/"><img class="author-profile-image" src="{folder}/size/w160/2023/01/{b.slug()}.jpg" alt=""></a></div><figure class="gh-article-image">{image}</figure></header><section class="gh-content gh-canvas">{b.paragraph()}{b.many(2, 5, card)}</section></article><section class="gh-container is-grid gh-outer"><h2 class="gh-container-title">Read more</h2><div class="gh-feed">{next_posts}</div></section></main></div>',
    )


def exported_notes(b, url):
    """A page that a service for notes exported."""

    def figure(_):
        path = f"Trip%20{b.hexadecimal(32)}/{b.slug()}.jpg"
        b.want(f"https://files.example/export/{path}")
        return f'<figure id="{b.hexadecimal(8)}" class="image"><a href="{path}"><img style="width:{b.choice(288, 672, 2048)}px" src="{path}"/></a>{"<figcaption>" + b.words() + "</figcaption>" if b.chance(0.4) else ""}</figure><p id="{b.hexadecimal(8)}" class="">{b.words()}</p>'

    title = b.title()
    return document(
        f'<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><title>{title}</title></head>',
        f'<article id="{b.hexadecimal(32)}" class="page sans"><header><img class="page-cover-image" src="{b.want(f"https://files.example/export/Trip/{b.slug()}.jpg")}" style="object-position:center 40%"/><div class="page-header-icon page-header-icon-with-cover"><img class="icon" src="Trip/{b.slug()}.png"/></div><h1 class="page-title">{title}</h1></header><div class="page-body"><p><span class="user"><img src="https://lh3.users.example/a-/{b.hexadecimal(22)}=s100" class="user-icon"/>Name</span></p>{b.many(2, 8, figure)}<figure><a href="https://www.other.example/{b.slug()}" class="bookmark source"><div class="bookmark-info"><div class="bookmark-title">x</div><img src="https://www.other.example/{b.slug()}.png" class="icon bookmark-icon"/></div><img src="https://www.other.example/social/{b.slug()}.jpg" class="bookmark-image"/></a></figure></div></article>',
    )


def hashed_stories(b, url):
    """A story of a service whose classes are two letters long."""
    host = "https://miro.stories.example/v2/resize:fit"

    def figure(_):
        name = f"1*{b.hexadecimal(22)}.jpeg"
        b.want(f"{host}:1400/{name}")
        sets = ", ".join(f"{host}:{w}/{name} {w}w" for w in (640, 720, 1400))
        return f'<figure class="mw mx my mz na nb"><div role="button" tabindex="0" class="nc nd fg ne bh nf"><div class="mt mu"><picture><source srcset="{sets}" type="image/webp" sizes="700px"><img alt="" class="bh ng nh c" width="700" height="467" loading="lazy" role="presentation" src="{host}:700/{name}"></picture></div></div><figcaption>{b.words()}</figcaption></figure><p class="pw-post-body-paragraph">{b.words(6, 12)}</p>'

    def card(_):
        return f'<div class="ab ac ho"><article><div class="bg dk"><a href="/@{b.words(1, 1)}/{b.slug()}-{b.hexadecimal(12)}?source=read_next_recirc-----{b.hexadecimal(12)}--{b.digits(1)}"><div class="tw tx"><img alt="{b.title()}" class="bh ty" src="{host}:679/1*{b.hexadecimal(22)}.jpeg" loading="lazy"></div></a><div class="ab"><a href="/@x?source=read_next"><img alt="x" class="l fe by dd de cw" src="{host}:20:20/1*{b.hexadecimal(22)}.png" width="20" height="20"></a><h2>{b.title()}</h2></div></div></article></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="root"><div class="a b c"><div class="l n"></div><article><div class="l"><section><h1>{title}</h1><div class="speechify-ignore ab cp"><a href="/@name?source=post_page"><img alt="Name" class="l fa by dd de cw" src="{host}:44:44/1*{b.hexadecimal(22)}.jpeg" width="44" height="44" loading="lazy"></a></div>{b.many(2, 7, figure)}</section></div></article><div class="pf pg ab"><a href="/@name?source=post_page"><img alt="Name" class="l fa by qx" src="{host}:72:72/1*{b.hexadecimal(22)}.jpeg" width="72" height="72"></a></div><div class="rx ry"><h2>More from Name</h2>{b.many(2, 4, card)}<h2>Recommended</h2>{b.many(2, 6, card)}</div></div></div>',
    )


def federated_photos(b, url):
    """A photograph of a federated service for photographs, with comments."""

    def slide(_):
        best = b.want(f"https://pxl.example/storage/m/_v2/{b.digits(18)}/{b.hexadecimal(9)}-{b.hexadecimal(6)}/{b.hexadecimal(20)}/{b.hexadecimal(40)}.jpg")
        return f'<div class="carousel-item"><img class="d-block w-100" src="{best}" alt="{b.words()}" loading="lazy"></div>'

    comments = b.many(1, 5, lambda _: f'<div class="media mb-2"><a href="https://pxl.example/u"><img src="https://pxl.example/storage/avatars/{b.digits(18)}/{b.hexadecimal(20)}_avatar.jpg?v=2" class="rounded-circle mr-2" width="32px" height="32px" alt=""></a><div class="media-body">{b.words()}</div></div>')
    more = b.many(3, 6, lambda _: f'<div class="col-4 p-1"><a class="card info-overlay" href="https://pxl.example/p/name/{b.digits(18)}"><div class="square"><div class="square-content" style="background-image: url(\'https://pxl.example/storage/m/_v2/{b.digits(18)}/{b.hexadecimal(9)}/{b.hexadecimal(20)}/{b.hexadecimal(40)}_thumb.jpg\')"></div></div></a></div>')
    title = b.title()
    return document(
        head(b, title, url, extra=""),
        f'<nav class="navbar"><a href="/"><img src="/img/pixelfed-icon-color.svg" height="30px"></a></nav><main id="content"><div class="postComponent"><div class="card"><div class="card-header d-inline-flex"><a href="https://pxl.example/name"><img src="https://pxl.example/storage/avatars/{b.digits(18)}/{b.hexadecimal(20)}_avatar.jpg?v=0" width="32px" height="32px" style="border-radius:32px;" alt=""></a></div><div class="postPresenterContainer"><div class="carousel slide">{b.many(1, 5, slide)}</div></div><div class="card-body">{comments}</div></div><div class="mt-5"><p class="lead">More from name</p><div class="row">{more}</div></div></div></main>',
    )


FAMILIES = {
    "old-links": (old_links, "https://www.links.example/r/pics/comments/abc123/harbour/"),
    "aggregator": (aggregator, "https://lem.example/post/1234567"),
    "nodebb": (nodebb, "https://nb.example/topic/123/harbour"),
    "channel": (channel, "https://chat.example/s/name"),
    "ghost-cards": (ghost_cards, "https://weekly.example/the-harbour/"),
    "exported-notes": (exported_notes, "https://files.example/export/Trip.html"),
    "hashed-stories": (hashed_stories, "https://stories.example/@name/the-harbour-0123456789ab"),
    "federated-photos": (federated_photos, "https://pxl.example/p/name/123456789012345678"),
}
