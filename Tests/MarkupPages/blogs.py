"""Pages of blogs and of the systems that serve them."""

from builder import advertisement, document, head, social, tracker

WIDTHS = [300, 768, 1024, 1536, 2048]


def wordpress(b, url):
    origin = "https://blog.example"
    folder = f"{origin}/wp-content/uploads/20{b.number(10, 24)}/{b.number(1, 12):02}"

    def picture(linked):
        slug, width = b.slug(), b.choice(1400, 2560)
        full = f"{folder}/{slug}.jpg" if width < 2000 else f"{folder}/{slug}-scaled.jpg"
        sizes = [(w, f"{folder}/{slug}-{w}x{w * 2 // 3}.jpg") for w in WIDTHS if w < width]
        candidates = ", ".join(f"{u} {w}w" for w, u in [(width, full), *sizes])
        lazy = b.chance(0.3)
        loading = ' loading="lazy" decoding="async"' if b.chance(0.6) else ""
        shown = f"{folder}/{slug}-1024x683.jpg"
        if lazy:
            source = (
                f'src="data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%201024%20683%22%3E%3C/svg%3E" '
                f'data-lazy-src="{shown}" data-lazy-srcset="{candidates}"'
            )
        else:
            source = f'src="{shown}" srcset="{candidates}" sizes="(max-width: 1024px) 100vw, 1024px"'
        image = f'<img{loading} width="1024" height="683" {source} alt="{b.words()}" class="wp-image-{b.digits(4)}">'
        if lazy:
            image += f'<noscript><img width="1024" height="683" src="{shown}" srcset="{candidates}" class="wp-image-1"></noscript>'
        b.want(full)
        if linked:
            image = f'<a href="{full}">{image}</a>'
        caption = f"<figcaption class=\"wp-element-caption\">{b.words()}</figcaption>" if b.chance(0.4) else ""
        return f'<figure class="wp-block-image size-large">{image}{caption}</figure>', full

    first, hero = picture(b.chance(0.5))
    body = [first]
    for _ in range(b.number(2, 6)):
        body += [b.paragraph(), picture(b.chance(0.5))[0]]
    gallery = b.many(2, 5, lambda _: picture(True)[0])
    body.append(f'<figure class="wp-block-gallery has-nested-images columns-3">{gallery}</figure>')
    comments = b.many(1, 4, lambda _: f'<li class="comment"><div class="comment-author vcard"><img alt="" src="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=56&#038;d=mm" srcset="https://secure.gravatar.example/avatar/{b.hexadecimal(32)}?s=112 2x" class="avatar avatar-56 photo" height="56" width="56"><b class="fn">{b.words(1, 1)}</b></div>{b.paragraph()}<img draggable="false" role="img" class="emoji" alt="x" src="https://s.w.example/images/core/emoji/15/svg/1f642.svg"></li>')
    related = b.many(2, 4, lambda _: f'<li><a href="/{b.slug()}/"><img width="150" height="150" src="{folder}/{b.slug()}-150x150.jpg" class="attachment-thumbnail size-thumbnail wp-post-image" alt=""></a></li>')
    title = b.title()
    return document(
        head(b, title, url, hero, generator="WordPress 6.5", extra=f'<link rel="icon" href="{folder}/cropped-site-icon-32x32.png" sizes="32x32"><script type="application/ld+json">{{"@context":"https://schema.org","@graph":[{{"@type":"Article","headline":"{title}","image":{{"@id":"{url}#primaryimage"}},"thumbnailUrl":"{hero}"}},{{"@type":"ImageObject","@id":"{url}#primaryimage","url":"{hero}","contentUrl":"{hero}"}},{{"@type":"Organization","name":"Blog","logo":{{"@type":"ImageObject","url":"{folder}/logo-square.png","contentUrl":"{folder}/logo-square.png"}}}}]}}</script>'),
        f'<header class="site-header"><a href="/" class="custom-logo-link" rel="home"><img width="400" height="120" src="{folder}/cropped-brand.png" class="custom-logo" alt="Blog"></a></header>'
        f'<main><article class="post"><h1 class="entry-title">{title}</h1><div class="entry-content">{"".join(body)}</div>{social(b)}</article>'
        f'<section class="jp-relatedposts"><h3>Related</h3><ul>{related}</ul></section><ol class="comment-list">{comments}</ol></main>'
        f'<aside class="widget-area sidebar"><section class="widget widget_media_image"><img src="{folder}/about-me-300x300.jpg" class="image wp-image-9" alt=""></section>{advertisement(b)}</aside>'
        f'<footer class="site-footer"><img src="/wp-content/themes/x/badge.png" alt="Award"></footer>{tracker(b)}',
    )


def blogger(b, url):
    base = "https://bp.example/img/b"

    def picture(_):
        key, slug = b.hexadecimal(20), b.slug()
        full = b.want(f"{base}/{key}/s{b.choice(1600, 2048, 4032)}/{slug}.{b.choice('jpg', 'JPG', 'png')}")
        small = f"{base}/{key}/s400/{slug}.jpg" if b.chance(0.5) else f"{base}/{key}/w400-h266/{slug}.jpg"
        return f'<div class="separator" style="clear: both; text-align: center;"><a href="{full}" imageanchor="1" style="margin-left: 1em; margin-right: 1em;"><img border="0" data-original-height="1066" data-original-width="1600" height="266" src="{small}" width="400" /></a></div><br />'

    pictures = b.many(3, 9, picture)
    title = b.title()
    extra = f'<link href="https://static.example/css/bundle.css" rel="stylesheet"><link rel="image_src" href="{base}/{b.hexadecimal(20)}/w1200-h630-p-k-no-nu/x.jpg"/>'
    return document(
        head(b, title, url, generator="blogger", extra=extra),
        f'<div class="navbar section" id="navbar"><img src="https://www.blogger.example/img/logo_w.png" alt="Blogger"></div>'
        f'<div id="header"><img alt="My blog" height="250px; " id="Header1_headerimg" src="{base}/{b.hexadecimal(20)}/s1100/header.jpg" width="1100px; "></div>'
        f'<div class="post hentry"><h3 class="post-title entry-title">{title}</h3><div class="post-body entry-content">{b.paragraph()}{pictures}</div>'
        f'<div class="post-footer"><span class="item-control"><a href="#"><img alt="" class="icon-action" height="18" src="https://resources.example/img/icon18_edit_allbkg.gif" width="18"></a></span></div></div>'
        f'<div class="comments"><div class="avatar-image-container"><img src="//www.blogger.example/img/blogger_logo_round_35.png" width="35" height="35"></div></div>'
        f'<div class="sidebar section"><div class="widget Profile"><a class="profile-link" href="#"><img class="profile-img" src="//lh3.example/a/{b.hexadecimal(9)}=s80" width="80" height="80"></a></div>'
        f'<div class="widget PopularPosts"><ul>{b.many(2, 4, lambda _: f"""<li><div class="item-thumbnail"><a href="#"><img border="0" src="{base}/{b.hexadecimal(20)}/w72-h72-p-k-no-nu/p.jpg"></a></div></li>""")}</ul></div></div>{tracker(b)}',
    )


def tumblr(b, url):
    def picture(_):
        key = f"{b.hexadecimal(32)}/{b.hexadecimal(16)}-{b.hexadecimal(2)}"
        widths = [75, 100, 250, 400, 500, 540, 640, 1280][: b.number(6, 8)]
        base = "https://64.media.example"

        def at(width):
            return f"{base}/{key}/s{width}x{width * 3 // 2}{'_c1' if width < 250 else ''}/{b_name}.jpg"

        b_name = b.hexadecimal(40)
        best = b.want(at(widths[-1]))
        candidates = ", ".join(f"{at(w)} {w}w" for w in widths)
        image = f'<img src="{at(widths[-2])}" srcset="{candidates}" sizes="(max-width: 540px) 100vw, 540px" data-orig-height="1920" data-orig-width="1280"/>'
        if b.chance(0.3):
            image = f'<a class="post_media_photo_anchor" data-big-photo="{best}" href="{best}">{image}</a>'
        return f'<div class="npf_row"><figure class="tmblr-full" data-orig-height="1920" data-orig-width="1280">{image}</figure></div>'

    avatar = f"https://64.media.example/avatar_{b.hexadecimal(12)}_64.pnj"
    notes = b.many(3, 9, lambda _: f'<li class="note like"><a class="avatar_frame" href="#"><img src="https://64.media.example/avatar_{b.hexadecimal(12)}_16.pnj" class="avatar" alt=""></a> liked this</li>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="header-image"><img class="header-banner" src="https://64.media.example/{b.hexadecimal(32)}/s2048x3072_c0,1000,100000,6000/h.jpg"></div>'
        f'<section class="post photo"><a href="/" class="post-avatar"><img class="avatar_image" src="{avatar}"></a><div class="post-content">{b.many(1, 8, picture)}{b.paragraph()}</div>'
        f'<ol class="notes">{notes}</ol></section>{tracker(b)}',
    )


def medium(b, url):
    def image(tail, width):
        return f"https://miro.example/v2/resize:fit:{width}/{tail}"

    def picture(_):
        tail = f"1*{b.hexadecimal(22)}.jpeg"
        widths = [640, 720, 750, 786, 828, 1100, 1400]
        webp = ", ".join(f"https://miro.example/v2/resize:fit:{w}/format:webp/{tail} {w}w" for w in widths)
        plain = ", ".join(f"{image(tail, w)} {w}w" for w in widths)
        b.want(f"https://miro.example/v2/resize:fit:1400/format:webp/{tail}")
        caption = f'<figcaption class="nh fe">{b.words()}</figcaption>' if b.chance(0.5) else ""
        return f'<figure class="mm mn"><div role="button" tabindex="0"><picture><source srcSet="{webp}" sizes="700px" type="image/webp"/><source data-testid="og" srcSet="{plain}" sizes="700px"/><img alt="{b.words()}" class="bh mr" width="700" height="467" loading="eager" role="presentation" src="{image(tail, 700)}"/></picture></div>{caption}</figure>{b.paragraph()}'

    pictures = b.many(2, 7, picture)
    author = f'<img alt="{b.words(2, 2)}" class="l ep bx dc" src="https://miro.example/v2/resize:fill:88:88/1*{b.hexadecimal(20)}.jpeg" width="44" height="44" loading="lazy" data-testid="authorPhoto"/>'
    more = b.many(2, 4, lambda _: f'<article data-testid="post-preview"><a href="#"><h2>{b.words()}</h2></a><img alt="{b.words()}" src="https://miro.example/v2/resize:fit:679/1*{b.hexadecimal(20)}.png" width="160" height="106"/></article>')
    title = b.title()
    first = b.wanted[0].replace("/format:webp", "").replace(":1400", ":1200")
    return document(
        head(b, title, url, first),
        f'<header><img src="/logo.svg" alt="Logo" width="112" height="24"></header><article><section><h1>{title}</h1><div class="byline">{author}</div>{b.paragraph()}{pictures}</section></article>'
        f'<div class="more-from"><h2>More from the author and Recommended</h2>{more}</div><footer>{author}</footer>',
    )


def ghost(b, url):
    origin = "https://ghost.example/content/images"

    def card(wide):
        name, most = f"20{b.number(18, 24)}/0{b.number(1, 9)}/{b.slug()}.jpg", b.choice(1800, 2400)
        full = b.want(f"{origin}/{name}" if most < 2400 else f"{origin}/size/w2400/{name}")
        last = (f"{origin}/{name}", 1800) if most < 2400 else (f"{origin}/size/w2400/{name}", 2400)
        candidates = ", ".join(f"{u} {w}w" for u, w in [(f"{origin}/size/w600/{name}", 600), (f"{origin}/size/w1000/{name}", 1000), (f"{origin}/size/w1600/{name}", 1600), last])
        image = f'<img src="{origin}/{name}" class="kg-image" alt loading="lazy" width="2000" height="1333" srcset="{candidates}" sizes="(min-width: 720px) 720px">'
        return image, full

    def picture(_):
        image, _ = card(False)
        return f'<figure class="kg-card kg-image-card kg-card-hascaption">{image}<figcaption>{b.words()}</figcaption></figure>{b.paragraph()}'

    gallery = b.many(2, 5, lambda _: f'<div class="kg-gallery-image">{card(True)[0]}</div>')
    feature = f"20{b.number(18, 24)}/05/{b.slug()}.jpg"
    b.want(f"{origin}/size/w2000/{feature}")
    candidates = ", ".join(f"/content/images/size/w{w}/{feature} {w}w" for w in (300, 600, 1000, 2000))
    feed = b.many(2, 3, lambda _: f'<article class="post-card post"><a class="post-card-image-link" href="/{b.slug()}/"><img class="post-card-image" srcset="/content/images/size/w300/2020/01/{b.slug()}.jpg 300w, /content/images/size/w600/2020/01/x.jpg 600w" src="/content/images/size/w600/2020/01/{b.slug()}.jpg" alt="" loading="lazy"></a></article>')
    title = b.title()
    bookmark = f'<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://other.example"><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="https://other.example/icon.png" alt=""></div></a></figure>'
    return document(
        head(b, title, url, f"{origin}/{feature}", generator="Ghost 5.8"),
        f'<header id="gh-head" class="gh-head"><a class="gh-head-logo" href="/"><img src="{origin}/2019/logo.png" alt="Ghost"></a></header><main id="site-main"><article class="article post">'
        f'<h1 class="article-title">{title}</h1><div class="article-byline"><a class="author-avatar"><img class="author-profile-image" src="/content/images/size/w100/2018/{b.slug()}.jpg" alt="A"></a></div>'
        f'<figure class="article-image"><img srcset="{candidates}" sizes="(min-width: 1400px) 1400px" src="/content/images/size/w2000/{feature}" alt=""></figure>'
        f'<section class="gh-content gh-canvas">{b.many(2, 5, picture)}<figure class="kg-card kg-gallery-card kg-width-wide"><div class="kg-gallery-container">{gallery}</div></figure>{bookmark if b.chance(0.5) else ""}</section></article></main>'
        f'<aside class="read-more-wrap"><div class="read-more">{feed}</div></aside><footer class="site-footer"></footer>',
    )


def amp_news(b, url):
    base = "https://img.news.example"

    def picture(_):
        key = b.slug()
        best = b.want(f"{base}/{key}/1440/web.jpg")
        candidates = ", ".join(f"{base}/{key}/{w}/web.jpg {w}w" for w in (320, 640, 960, 1440))
        image = f'<amp-img src="{base}/{key}/640/web.jpg" srcset="{candidates}" width="640" height="427" layout="responsive" alt="{b.words()}"><noscript><img src="{base}/{key}/640/web.jpg" alt=""></noscript></amp-img>'
        return f"<figure>{image}<figcaption>{b.words()}</figcaption></figure>{b.paragraph()}" if best else ""

    pictures = b.many(1, 5, picture)
    hero = b.wanted[0]
    related = b.many(2, 4, lambda _: f'<li><a href="/{b.slug()}"><amp-img src="{base}/{b.slug()}/160/web.jpg" width="160" height="90"></amp-img></a></li>')
    title = b.title()
    extra = f'<script type="application/ld+json">{{"@context":"http://schema.org","@type":"NewsArticle","headline":"{title}","image":["{hero}"],"publisher":{{"@type":"Organization","name":"News","logo":{{"@type":"ImageObject","url":"https://news.example/logo-600x60.png","width":600,"height":60}}}}}}</script>'
    return document(
        head(b, title, url, hero, extra=extra),
        f'<header class="masthead"><amp-img src="/masthead.svg" width="200" height="40" alt="The News"></amp-img></header><amp-pixel src="https://count.example/p.gif?r=1"></amp-pixel>'
        f"<main><article><h1>{title}</h1>{pictures}</article><section class=\"related-stories\"><h2>More</h2><ul>{related}</ul></section></main><footer><amp-img src=\"/app-store-badge.png\" width=\"120\" height=\"40\"></amp-img></footer>",
        attributes="amp",
    )


FAMILIES = {
    "wordpress": (wordpress, "https://blog.example/2023/05/harbour/"),
    "blogger": (blogger, "https://name.blog.example/2019/03/post.html"),
    "tumblr": (tumblr, "https://name.tumblr.example/post/1234567/title"),
    "medium": (medium, "https://medium.example/@name/title-0123abc"),
    "ghost": (ghost, "https://ghost.example/title/"),
    "amp-news": (amp_news, "https://news.example/amp/article-1"),
}
