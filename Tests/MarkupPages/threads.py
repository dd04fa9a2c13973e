"""Pages of posts, threads and entries of communities, by an author who did not know the rules."""

from builder import advertisement, document, head, social, tracker

BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def illustration_work(b, url):
    """A work of one or several pages on a site of illustrators, with other works of the same person."""
    number = b.digits(9)
    date = f"20{b.number(10, 25)}/0{b.number(1, 9)}/1{b.number(0, 9)}/12/3{b.number(0, 9)}/0{b.number(0, 9)}"
    kind = b.choice("png", "jpg")
    masters = []

    def picture(index):
        best = b.want(f"https://i.works.example/img-original/img/{date}/{number}_p{index}.{kind}")
        master = f"https://i.works.example/img-master/img/{date}/{number}_p{index}_master1200.jpg"
        masters.append(master)
        size = f'width="{b.number(900, 4000)}" height="{b.number(900, 4000)}"' if b.chance(0.7) else ""
        return f'<div role="presentation" class="sc-1qpw8k9-0"><a href="{best}" class="sc-1qpw8k9-3 gtm-expand-full-size-illust" target="_blank" rel="noopener"><img alt="#{b.words(1, 1)} {b.words()} - {b.words(1, 1)}のイラスト" src="{master}" {size} class="sc-1qpw8k9-1" style="height: {b.number(500, 900)}px;"></a></div>'

    def other(_):
        folder = f"https://i.works.example/c/250x250_80_a2/img-master/img/{date}/{b.digits(9)}_p0_square1200.jpg"
        return f'<li size="1" offset="0"><div type="illust" size="184"><a class="sc-d98f2c-0" data-gtm-value="{b.digits(8)}" href="/artworks/{b.digits(9)}"><div radius="4"><img src="{folder}" style="object-fit: cover; object-position: center center;" alt="{b.words()}"></div></a></div></li>'

    def comment(_):
        stamp = f'<img src="https://s.works.example/common/images/stamp/generated-stamps/{b.number(101, 410)}_s.jpg?20180605" width="96" height="96">' if b.chance(0.4) else b.words()
        return f'<li><a href="/users/{b.digits(7)}"><div title="{b.words(1, 1)}" role="img" size="40"><img src="https://i.works.example/user-profile/img/{date}/{b.digits(8)}_{b.hexadecimal(32)}_50.jpg" width="40" height="40" alt="{b.words(1, 1)}"></div></a><div>{stamp}</div></li>'

    pictures = b.many(1, b.choice(1, 1, 4, 12), picture)
    wrap = "main" if b.chance(0.7) else "div"
    title = b.title()
    body = f'<div id="root"><div class="sc-header"><a href="/"><img src="https://s.works.example/common/images/logo/{b.hexadecimal(6)}.svg" alt="works" height="24"></a><form action="/search"></form></div><div class="gtm-toc"><{wrap}><section><div class="sc-rsqr0y-0"><figure class="sc-1yvhotl-4">{pictures}</figure></div><figcaption><h1>{title}</h1><div id="expandable-paragraph">{b.paragraph()}</div></figcaption></section><section class="comments"><ul>{b.many(0, 5, comment)}</ul></section></{wrap}><aside><section><h2><a href="/users/{b.digits(6)}"><img src="https://i.works.example/user-profile/img/{date}/{b.digits(8)}_{b.hexadecimal(32)}_170.png" width="40" height="40" alt=""></a></h2><nav><ul>{b.many(3, 6, other)}</ul></nav></section></aside><h2>関連作品</h2><ul class="sc-l7cibp-1">{b.many(6, 18, other)}</ul>{advertisement(b)}</div></div>{tracker(b)}'
    extra = f'<meta name="preload-data" id="meta-preload-data" content=\'{{"illust":{{"{number}":{{"illustId":"{number}","urls":{{"regular":"{b.json(masters[0])}"}}}}}}}}\'>' if b.chance(0.6) else ""
    return document(head(b, title, url, f"https://embed.works.example/artwork.php?illust_id={number}&mdate=1600000000", extra), body, b.choice("ja", "en", "zh-CN"))


def critter_submission(b, url):
    """A submission in a gallery of animal characters, with its comments and more from its artist."""
    name, stamp, number = b.words(1, 1), "15" + b.digits(8), b.digits(8)
    best = b.want(f"https://d.critters.example/art/{name}/{stamp}/{stamp}.{name}_{b.slug().replace('-', '_')}.{b.choice('png', 'jpg', 'gif')}")
    preview = f"//t.critters.example/{number}@{b.choice(400, 600)}-{stamp}.jpg"
    full = best.replace("https:", "")
    shown = b.choice(preview, full)

    def more(_):
        other = b.digits(8)
        return f'<div class="preview-gallery-container"><a class="r-general" href="/view/{other}/"><img class="block_decent" data-height="{b.number(120, 200)}" src="//t.critters.example/{other}@200-15{b.digits(8)}.jpg" alt=""></a></div>'

    def comment(_):
        return f'<div class="comment_container"><a name="cid:{b.digits(9)}"></a><div class="avatar"><a href="/user/{b.words(1, 1)}/"><img class="comment_useravatar" src="//a.critters.example/15{b.digits(8)}/{b.words(1, 1)}.gif" alt="{b.words(1, 1)}"></a></div><div class="comment_text"><i class="smilie tongue"></i>{b.words()}</div></div>'

    download = f'<div class="download"><a href="{full}">Download</a></div>' if b.chance(0.8) else f'<div class="fullscreen"><a href="{full}"><i class="fa fa-expand"></i></a></div>'
    title = f"{b.title()} by {name}"
    body = f'<div id="main-window"><div class="site-banner"><a href="/"><img src="/themes/beta/img/banners/logo/logo.png?v2"></a></div><nav id="ddmenu"><img class="nav-bar-logo" src="/themes/beta/img/banners/logo/small.png" height="40"><img class="loggedin_user_avatar avatar" src="/themes/beta/img/avatar.gif" alt="guest"></nav>{advertisement(b)}<div id="columnpage"><div class="submission-sidebar">{download}<section class="folder-list-container"></section><section class="preview-gallery">{b.many(3, 8, more)}</section></div><div class="submission-content"><section><div class="submission-area submission-image"><img id="submissionImg" title="{title}" class="imgresizer" data-fullview-src="{full}" data-preview-src="{preview}" alt="{title}" style="cursor: pointer;" src="{shown}"></div><div class="submission-id-container"><div class="submission-id-avatar"><a href="/user/{name}/"><img class="submission-user-icon floatleft avatar" src="//a.critters.example/{stamp}/{name}.gif"></a></div><h2>{title}</h2></div><div class="submission-description user-submitted-links">{b.paragraph()}<a href="/user/{b.words(1, 1)}" class="iconusername"><img src="//a.critters.example/{stamp}/{b.words(1, 1)}.gif" align="middle"></a></div></section><div id="comments-submission">{b.many(0, 7, comment)}</div></div></div><div id="footer"><img src="/themes/beta/img/footer_paw.png"></div></div>'
    return document(head(b, title, url, "https:" + preview), body)


def numbered_viewer(b, url):
    """One numbered page of a long gallery, shown by a small viewer with arrows."""
    name = f"{b.number(10, 99)}_{b.slug()}.{b.choice('jpg', 'png')}"
    width, height = b.choice(1280, 1600, 780), b.number(700, 2300)
    best = b.want(f"https://{b.hexadecimal(10)}.nodes.example:{b.choice(8080, 443, 2121)}/h/{b.hexadecimal(40)}-{b.digits(6)}-{width}-{height}-jpg/keystamp=16{b.digits(8)}-{b.hexadecimal(10)};fileindex={b.digits(8)};xres={width}/{name}")
    bar = f'<div class="sn"><a href="https://viewer.example/s/{b.hexadecimal(10)}/123-1"><img src="https://viewer.example/img/f.png" /></a><a id="prev" href="https://viewer.example/s/{b.hexadecimal(10)}/123-4"><img src="https://viewer.example/img/p.png" /></a><div><span>5</span> / <span>{b.number(6, 60)}</span></div><a id="next" href="https://viewer.example/s/{b.hexadecimal(10)}/123-6"><img src="https://viewer.example/img/n.png" /></a><a href="https://viewer.example/s/{b.hexadecimal(10)}/123-60"><img src="https://viewer.example/img/l.png" /></a></div>'
    facts = f"<div>{name} :: {width} x {height} :: {b.number(90, 900)}.{b.number(0, 9)} KB</div>"
    title = b.title()
    return f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{title}</title><link rel="stylesheet" type="text/css" href="https://viewer.example/z/0360/g.css" /></head><body>\n<div id="i1" class="sni" style="width:{width + 20}px; max-width:{width + 20}px"><h1>{title}</h1><div id="i2">{bar}{facts}</div><div id="i3"><a onclick="return load_image(6, \'{b.hexadecimal(10)}\')" href="https://viewer.example/s/{b.hexadecimal(10)}/123-6"><img id="img" src="{best}" style="height:{height}px;width:{width}px" onerror="this.onerror=null; nl(\'{b.digits(5)}-{b.digits(6)}\')" /></a></div><div id="i4">{facts}{bar}</div><div id="i5"><div class="sb"><a href="https://viewer.example/g/123/{b.hexadecimal(10)}/"><img src="https://viewer.example/img/b.png" referrerpolicy="no-referrer" /></a></div></div><div id="i6" class="if"> &nbsp; <img src="https://viewer.example/img/mr.gif" class="mr" /> <a href="#">Show all galleries with this file</a> &nbsp; <img src="https://viewer.example/img/mr.gif" class="mr" /> <a href="#">Reload broken image</a></div>{advertisement(b) if b.chance(0.5) else ""}</div>\n<script type="text/javascript">var gid=123;var startpage=5;var startkey="{b.hexadecimal(10)}";var base_url="https://viewer.example/";</script></body></html>'


def answer_column(b, url):
    """A question with long answers that carry pictures, in Chinese style with avatars and a sidebar."""
    host = "https://pic{}.answers.example"

    def figure(_):
        base = host.format(b.number(1, 4)) + f"/v2-{b.hexadecimal(32)}"
        best = b.want(base + "_r.jpg")
        width, height = b.number(720, 4000), b.number(500, 4000)
        raw = f'data-caption="" data-size="normal" data-rawwidth="{width}" data-rawheight="{height}"'
        small = base + b.choice("_720w.jpg", "_1440w.jpg", "_b.jpg")
        return f'<p data-pid="{b.hexadecimal(8)}">{b.words(8, 20)}</p><figure data-size="normal"><noscript><img src="{small}" {raw} class="origin_image zh-lightbox-thumb" width="{width}" data-original="{best}"/></noscript><img src="data:image/svg+xml;utf8,&lt;svg xmlns=&#39;http://www.w3.org/2000/svg&#39; width=&#39;{width}&#39; height=&#39;{height}&#39;&gt;&lt;/svg&gt;" {raw} class="origin_image zh-lightbox-thumb lazy" width="{width}" data-original="{best}" data-actualsrc="{small}"/></figure>'

    def answer(index):
        face = host.format(b.number(1, 4)) + f"/v2-{b.hexadecimal(32)}"
        badge = '<img class="AuthorInfo-badge" src="/static/badge.png" width="18" height="18" alt="badge">' if b.chance(0.4) else ""
        return f'<div class="List-item"><div class="ContentItem AnswerItem" name="{b.digits(9)}"><div class="AuthorInfo"><a class="UserLink-link" href="//www.answers.example/people/x"><img class="Avatar AuthorInfo-avatar" width="38" height="38" src="{face}_xs.jpg?source=1940ef5c" srcset="{face}_l.jpg?source=1940ef5c 2x" alt="{b.words(1, 1)}"/></a>{badge}</div><div class="RichContent"><div class="RichContent-inner"><span class="RichText ztext CopyrightRichText-richText" itemprop="text">{b.many(1 if index == 0 else 0, 6, figure)}{b.paragraph()}</span></div></div></div></div>'

    def sidebar(_):
        return f'<div class="RelatedCommodities-item"><a href="/pub/book/{b.digits(6)}"><img class="RelatedCommodities-image" src="{host.format(1)}/v2-{b.hexadecimal(32)}_250x0.jpg" alt="cover"></a></div>'

    title = b.title() + "？"
    main = b.choice("main", "div")
    body = f'<div id="root"><header class="Sticky AppHeader"><a href="/"><svg viewBox="0 0 200 91"></svg></a><img class="Avatar AppHeader-profileAvatar" src="{host.format(1)}/v2-{b.hexadecimal(32)}_is.jpg" width="30" height="30"></header><{main} role="main" class="App-main"><div class="QuestionPage"><h1 class="QuestionHeader-title">{title}</h1><div class="Question-mainColumn"><div class="List">{b.many(1, 4, answer)}</div></div><div class="Question-sideColumn"><div class="Card AppBanner"><a href="/app"><img class="AppBanner-qrcode" src="https://static.answers.example/heifetz/assets/sidebar-download-qrcode.{b.hexadecimal(8)}.png" alt="QR" width="64"></a></div>{b.many(2, 4, sidebar)}<div class="Pc-card Card"><div class="Banner-adsense"><img src="https://static.answers.example/ad/{b.hexadecimal(12)}.jpg" alt="广告"></div></div></div></div></{main}></div>{tracker(b)}'
    return document(head(b, title, url, "https://static.answers.example/heifetz/assets/apple-touch-icon-152.png"), body, "zh")


def bar_thread(b, url):
    """A thread of a Chinese message board, with pictures between smileys and the faces of the writers."""

    def picture(_):
        best = b.want(f"https://imgsa.bar.example/forum/w%3D580/sign={b.hexadecimal(32)}/{b.hexadecimal(40)}.jpg")
        size = f'width="560" height="{b.number(300, 900)}"' if b.chance(0.7) else ""
        return f'<img class="BDE_Image" src="{best}" size="{b.digits(5)}" {size} style="cursor: url(&quot;//tb2.bar.example/tb/static-pb/img/cur_zin.cur&quot;), pointer;"><br>'

    def smiley(_):
        return f'<img class="BDE_Smiley" pic_type="1" width="30" height="30" src="https://tb2.bar.example/tb/editor/images/client/image_emoticon{b.number(1, 60)}.png">'

    def post(index):
        face = f"https://himg.bar.example/sys/portrait/item/{b.hexadecimal(24)}.jpg"
        lazy = f'src="//tb2.bar.example/tb/static-pb/img/head_80.jpg" class="j_head_img" data-tb-lazyload="{face}"' if index > 2 else f'src="{face}"'
        pictures = b.many(1, 9, picture) if index == 0 else b.many(0, b.choice(0, 0, 2), picture)
        return f'<div class="l_post l_post_bright j_l_post clearfix" data-field=\'{{"author":{{"user_id":{b.digits(7)}}}}}\'><div class="d_author"><ul class="p_author"><li class="icon"><div class="icon_relative j_user_card"><a class="p_author_face" target="_blank" href="/member/main?id=tb.1.{b.hexadecimal(8)}"><img username="" {lazy}/></a></div></li><li class="d_badge"><img src="//tb2.bar.example/tb/cms/tbmall/level{b.number(1, 18)}.png" alt=""></li></ul></div><div class="d_post_content_main"><div class="p_content"><cc><div id="post_content_{b.digits(11)}" class="d_post_content j_d_post_content clearfix">{b.words(4, 12)}<br>{pictures}{b.many(0, 3, smiley)}</div></cc></div></div></div>'

    title = b.title()
    body = f'<div id="head" class="search_bright"><a class="search_logo" href="/"><img src="//tb2.bar.example/tb/static-common/img/search_logo.png"></a></div><div class="wrap1"><div class="card_banner" id="forum-card-banner-wrap"><img class="card_head_img" src="https://imgsa.bar.example/forum/pic/item/{b.hexadecimal(40)}_avatar.jpg" width="180" height="180"></div><div id="container"><div class="core_title_wrap"><h3 class="core_title_txt">{title}</h3></div><div class="p_postlist" id="j_p_postlist">{b.many(2, 12, post)}</div><div class="region_bright app_download_wrap"><img src="//tb2.bar.example/tb/img/qrcode_{b.hexadecimal(6)}.png" class="app_download_qr"></div>{advertisement(b)}</div></div>'
    return document(head(b, title, url), body, "zh-CN")


def portal_diary(b, url):
    """An entry of a diary on an old Chinese portal, whose pictures wait in an attribute of their own."""
    host = f"http://s{b.number(1, 15)}.diary.example"

    def picture(_):
        key = f"{b.hexadecimal(8)}gy{b.hexadecimal(12)}"
        best = b.want(f"{host}/{b.choice('middle', 'mw690', 'bmiddle')}/{key}&690")
        return f'<p>{b.words(5, 15)}<br /><a href="http://photo.diary.example/showpic.html#blogid={b.hexadecimal(16)}&amp;pid={key}" target="_blank"><img src="http://simg.diary.example/images/common/sg_trans.gif" real_src="{best.replace("&", "&amp;")}" {b.choice("", "width=690 height=460")} name="image_operate_{b.digits(17)}" alt="{b.words()}" title="{b.words()}" action-data="http%3A%2F%2Fdiary.example%2Fitem" action-type="show-slide" style="margin: 0px; padding: 0px;" /></a></p>'

    def more(_):
        return f'<li><a href="http://blog.diary.example/s/blog_{b.hexadecimal(16)}.html"><img src="http://{b.choice("s1", "s2")}.diary.example/square/{b.hexadecimal(20)}" width="70" height="70">{b.words()}</a></li>'

    def visitor(_):
        return f'<li><a href="http://blog.diary.example/u/{b.digits(10)}"><img src="http://portrait{b.number(1, 8)}.diary.example/{b.digits(10)}/blog/50" class="pf" width="50" height="50"></a></li>'

    icon = "http://simg.diary.example/images/emot/rabbit_{:02}.gif"
    comments = b.many(0, 5, lambda _: f'<li class="SG_j_linedot1"><div class="SG_revert_Left"><img src="http://portrait1.diary.example/{b.digits(10)}/blog/50" width="50"></div><div class="SG_revert_Cont">{b.words()}<img src="{icon.format(b.number(1, 30))}"></div></li>')
    title = b.title()
    body = f'<div class="sinatop" id="toolbar"><a href="http://blog.diary.example"><img src="http://simg.diary.example/images/top/logo_blog.png" width="120" alt="logo"></a></div><div id="sinabloga"><div id="blogbody"><div class="column_1" id="column_1"><div class="SG_conn info"><div class="info_img"><img src="http://portrait{b.number(1, 8)}.diary.example/{b.digits(10)}/blog/180" width="180" height="180" id="comp_901_head_image" alt=""></div></div><div class="SG_conn"><ul class="wdtLeft">{b.many(3, 9, visitor)}</ul></div></div><div id="column_2"><div id="articlebody" class="artical"><div class="articalTitle"><h2 class="titName SG_txta">{title}</h2></div><div id="sina_keyword_ad_area2" class="articalContent newfont_family">{b.many(1, 14, picture)}</div><div class="into_bloger"><img class="SG_icon" src="http://simg.diary.example/images/common/sg_trans.gif" width="15" height="15"></div></div><div class="SG_conn"><ul class="related">{b.many(3, 6, more)}</ul></div><ul class="SG_cmp_revert">{comments}</ul></div></div></div>{tracker(b)}'
    return document(head(b, title, url), body, "zh")


def film_stills(b, url):
    """The stills of a film as a list with sizes, on a site of films in Chinese style."""

    def still(_):
        number = b.digits(10)
        best = b.want(f"https://img{b.choice(1, 2, 3, 9)}.reel.example/view/photo/m/public/p{number}.{b.choice('webp', 'jpg')}")
        return f'<li data-id="{number}"><div class="cover"><a href="https://movie.reel.example/photos/photo/{number}/"><img src="{best}" {b.choice("", "loading=lazy")} /></a></div><div class="prop">{b.number(800, 4000)}x{b.number(800, 3000)}</div><div class="name">{b.words()}<a href="#">{b.number(1, 40)}回应</a></div></li>'

    def watcher(_):
        return f'<li><div class="pic"><a href="https://www.reel.example/people/{b.digits(8)}/"><img src="https://img1.reel.example/icon/u{b.digits(8)}-{b.number(1, 20)}.jpg" class="pil" alt="{b.words(1, 1)}"></a></div></li>'

    title = b.title()
    body = f'<div id="db-global-nav" class="global-nav"><div class="top-nav-reader-app"><img src="https://img3.reel.example/pics/qr.png" width="75"></div></div><div id="db-nav-movie" class="nav"><div class="nav-logo"><a href="/"><img src="https://img3.reel.example/f/movie/{b.hexadecimal(30)}/pics/lg_movie.png" alt="reel"></a></div></div><div id="wrapper"><div id="content"><h1>{title} 剧照</h1><div class="grid-16-8 clearfix"><div class="article"><div class="opt"><a href="?type=S&size=a">1024x768以上</a></div><ul class="poster-col3 clearfix">{b.many(6, 30, still)}</ul><div class="paginator"><span class="prev">前页</span><a href="?start=30">2</a></div></div><div class="aside"><div class="mod"><ul class="subject-others">{b.many(3, 8, watcher)}</ul></div><div id="dale_movie_subject_photos_top_right">{advertisement(b)}</div></div></div></div></div>{tracker(b)}'
    return document(head(b, title, url), body, "zh-CN", 'class="ua-linux"')


def reactor_post(b, url):
    """A post of a Russian site for jokes and drawings, with tags, fandoms and comments."""
    node = f"//img{b.choice(0, 1, 2, 10)}.reactor.example/pics"

    def picture(_):
        name = f"{b.slug()}-{b.digits(7)}.{b.choice('jpeg', 'png')}"
        size = f'width="811" height="{b.number(400, 1800)}"'
        if b.chance(0.6):
            best = b.want(f"https:{node}/post/full/{name}")
            return f'<div class="image"><a href="{best[6:]}" class="prettyPhotoLink" rel="prettyPhoto"><img src="{node}/post/{name}" {size} alt="{b.words()}" /></a></div>'
        b.want(f"https:{node}/post/{name}")
        return f'<div class="image"><img src="{node}/post/{name}" {size} alt="{b.words()}" /></div>'

    def comment(_):
        return f'<div id="comment{b.digits(8)}" class="comment"><div class="txt">{b.words()}</div><img class="avatar" src="{node}/avatar/user/{b.digits(6)}" alt="{b.words(1, 1)}" width="24" height="24"><span class="reply-link">ответить</span></div>'

    def fandom(_):
        return f'<tr><td><a href="/tag/{b.words(1, 1)}"><img src="{node}/avatar/tag/{b.digits(5)}" alt="" /></a></td><td><strong>{b.words(1, 2)}</strong></td></tr>'

    title = b.title()
    first = b.many(1, b.choice(1, 3, 9), picture)
    body = f'<div id="background"><div id="container"><div id="header"><a href="/"><img id="logo" src="/images/logo.png" alt="logo"></a></div><div id="page"><div id="pageinner"><div id="contentinner"><div id="blogHeader"><div class="sideheader random"><img class="blog_avatar" src="{node}/avatar/tag/{b.digits(5)}" alt=""></div></div><div id="post_list"><div id="postContainer{b.digits(7)}" class="postContainer"><div class="article post-normal"><div class="uhead"><div class="uhead_nick"><img class="avatar" src="{node}/avatar/user/{b.digits(6)}" alt="" /><a href="/user/x">{b.words(1, 1)}</a></div></div><h2 class="taglist"><b><a href="/tag/art">{b.words(1, 1)}</a></b></h2><div class="post_top"><div class="post_content allow_long"><div>{first}<span>{b.words()}</span></div></div></div><div class="ufoot"><div class="ufoot_first"><span class="post_rating"><img src="/images/heart.gif" alt="+"></span></div><div class="post_comment_list">{b.many(1, 8, comment)}</div></div></div></div></div></div><div id="sidebar"><div class="sidebar_block blogs"><table>{b.many(3, 8, fandom)}</table></div>{advertisement(b)}</div></div></div></div></div>{tracker(b)}'
    return document(head(b, title, url, "https://reactor.example/images/default_rss.png"), body, "ru")


def car_logbook(b, url):
    """An entry in the logbook of a car, in Russian style, with other entries and the card of the car."""
    host = "https://a.d-cars.example/"

    def picture(_):
        key = b.hexadecimal(11)
        best = b.want(f"{host}{key}-1920.jpg")
        return f'<div class="c-post__pic"><a class="c-post__piclink" href="{best}" data-ym-target="post_photo" data-slot="gallery"><img src="{host}{key}-960.jpg" width="960" height="{b.number(540, 1280)}" alt="{b.words()}" {b.choice("", "loading=lazy")}></a><div class="c-post__desc">{b.words()}</div></div>{b.paragraph()}'

    def other(_):
        return f'<div class="c-block-card"><a class="c-block-card__cover" href="/l/{b.digits(18)}/"><div class="o-img"><picture><source srcset="{host}{b.hexadecimal(11)}-480.webp" type="image/webp"><img src="{host}{b.hexadecimal(11)}-480.jpg" width="480" height="360" alt=""></picture></div></a><a href="#">{b.words()}</a></div>'

    def comment(_):
        return f'<div class="c-comment"><div class="c-comment__body"><div class="c-userpic"><img src="{host}{b.hexadecimal(11)}-60.jpg" srcset="{host}{b.hexadecimal(11)}-100.jpg 2x" width="32" height="32" alt=""></div><div class="c-comment__text">{b.words()}</div></div></div>'

    title = b.title()
    tag = b.choice("article", "div")
    body = f'<div class="l-page"><div class="c-top-bar"><a class="c-logo" href="/"><img src="/assets/logo.svg" width="104" height="40" alt=""></a></div><div class="l-dv"><div class="u-top"><div class="c-car-card-sc"><a href="/r/ford/{b.digits(9)}/"><img class="c-car-pic__img" src="{host}{b.hexadecimal(11)}-240.jpg" width="240" height="180" alt="car"></a><div class="c-user-card"><a class="c-userpic" href="/users/x/"><img src="{host}{b.hexadecimal(11)}-100.jpg" width="48" height="48" alt=""></a></div></div></div><{tag} class="c-block l-post" itemscope itemtype="http://schema.org/Article"><h1 class="x-title">{title}</h1><div class="c-post__body" itemprop="articleBody">{b.paragraph()}{b.many(1, 12, picture)}</div></{tag}>{social(b)}<div class="c-comments">{b.many(0, 6, comment)}</div><div class="g-row">{b.many(3, 8, other)}</div><div class="c-dv-side">{advertisement(b)}</div></div></div>{tracker(b)}'
    return document(head(b, title, url, b.wanted[0].replace("-1920", "-200")), body, "ru")


def minor_gallery(b, url):
    """A post in a Korean gallery board, with stickers in its comments and a list of recent posts."""

    def picture(_):
        best = b.want(f"https://dcimg{b.number(1, 8)}.minor.example/viewimage.php?id={b.hexadecimal(10)}&no={b.hexadecimal(90)}")
        text = best.replace("&", "&amp;") if b.chance(0.5) else best
        if b.chance(0.5):
            source = f'src="https://nstatic.minor.example/dc/w/images/loading_img.gif" data-original="{text}" class="lazy"'
        else:
            source = f'src="{text}"'
        return f'<p style="text-align:left;"><img {source} style="cursor:pointer;" onclick="javascript:imgPop(\'{b.hexadecimal(12)}\',\'image\',\'fullscreen=yes,scrollbars=yes,resizable=no\');" alt="{b.hexadecimal(20)}"></p><p>{b.words()}</p>'

    def comment(_):
        sticker = f'<div class="comment_dccon clear"><div class="coment_dccon_img"><img class="written_dccon" src="https://dcimg5.minor.example/dccon.php?no={b.hexadecimal(70)}" alt="{b.words(1, 1)}" title="x"></div></div>' if b.chance(0.5) else f'<p class="usertxt ub-word">{b.words()}</p>'
        return f'<li id="comment_li_{b.digits(7)}" class="ub-content"><div class="cmt_info clear"><span class="gall_writer ub-writer"><a class="writer_nikcon"><img src="https://nstatic.minor.example/dc/w/images/nik.gif" border="0" width="12" height="11"></a></span>{sticker}</div></li>'

    def recent(_):
        return f'<li><a href="/board/view/?id=hit&no={b.digits(5)}"><div class="thumb_box"><img src="https://dcimg{b.number(1, 8)}.minor.example/dcimage_thumb.php?no={b.hexadecimal(30)}" alt="" width="100"></div><p>{b.words()}</p></a></li>'

    title = b.title()
    wrap = b.choice("main", "div")
    body = f'<div id="top"><header class="dcheader typea"><h1 class="logo"><a href="/"><img src="https://nstatic.minor.example/dc/w/images/dcin_logo.png" alt="logo"></a><a href="#"><img src="https://nstatic.minor.example/dc/w/images/tit_mgallery.png" alt="gallery"></a></h1></header><{wrap} id="container" class="clear"><section class="left_content"><article><div class="view_content_wrap"><header><div class="gallview_head clear"><h3 class="title ub-word">{title}</h3></div></header><div class="gallview_contents"><div class="inner clear"><div class="writing_view_box"><div class="write_div" style="overflow:hidden;width:900px;">{b.many(1, 8, picture)}</div></div><div class="btn_recommend_box"><button><img src="https://nstatic.minor.example/dc/w/images/recom_up.png" alt="추천"></button></div></div></div></div><div class="view_comment"><ul class="cmt_list">{b.many(1, 7, comment)}</ul></div></article></section><section class="right_content"><ul class="concept_img">{b.many(2, 5, recent)}</ul>{advertisement(b)}</section></{wrap}></div>'
    return document(head(b, title, url, "https://nstatic.minor.example/dc/w/images/descrip_img.png"), body, "ko")


def suite_board(b, url):
    """A thread in a German board of a suite for communities, with attachments, ranks and signatures."""

    def attachment(_):
        number = b.digits(5)
        best = b.want(f"https://forum.suite.example/attachment/{number}-{b.slug()}-jpg/")
        return f'<p><a href="{best}" title="{b.words()}" class="embeddedAttachmentLink jsImageViewer"><img src="{best}?thumbnail=1" class="embeddedAttachment" width="{b.number(200, 600)}" height="{b.number(200, 600)}" alt="" {b.choice("", "loading=lazy")}></a></p>'

    def tiny(_):
        number = b.digits(5)
        best = b.want(f"https://forum.suite.example/attachment/{number}-{b.slug()}-jpg/")
        return f'<li class="attachmentThumbnail" data-attachment-id="{number}"><a href="{best}" class="jsImageViewer"><div class="attachmentThumbnailImage"><img src="{best}?tiny=1" class="attachmentThumbnailImage" width="144" height="144" alt=""></div></a></li>'

    def post(index):
        smiley = '<img src="https://forum.suite.example/images/smilies/emojione/1f603.png" alt=":D" title=":D" class="smiley" height="23" srcset="https://forum.suite.example/images/smilies/emojione/1f603@2x.png 2x">' if b.chance(0.5) else ""
        signature = f'<div class="messageSignature"><div><img src="https://sig.banners.example/{b.slug()}.png" class="jsResizeImage" alt=""></div></div>' if b.chance(0.4) else ""
        low = 1 if index == 0 else 0
        files = f'<section class="attachmentThumbnailList"><ul class="attachmentList">{b.many(1, 4, tiny)}</ul></section>' if b.chance(0.3) else ""
        return f'<li id="post{b.digits(6)}"><article class="wbbPost message messageSidebarOrientationLeft"><aside role="presentation" class="sidebar messageSidebar member"><div class="messageAuthor"><div class="userAvatar"><a href="/user/{b.digits(3)}/"><img src="https://forum.suite.example/images/avatars/{b.hexadecimal(2)}/{b.digits(3)}-{b.hexadecimal(40)}.{b.choice("webp", "png")}" width="128" height="128" alt="" class="userAvatarImage"></a></div><div class="userRank"><img src="https://forum.suite.example/images/rank/rank{b.number(1, 7)}.png" alt=""></div></div></aside><div class="messageContent"><div class="messageBody"><div class="messageText" itemprop="text"><p>{b.words(6, 20)} {smiley}</p>{b.many(low, 4, attachment)}</div>{files}{signature}</div></div></article></li>'

    title = b.title()
    body = f'<div id="pageContainer"><header id="pageHeader"><div id="pageHeaderLogo"><a href="/"><img src="https://forum.suite.example/images/styleLogo-{b.hexadecimal(12)}.png" alt="" class="pageHeaderLogoLarge" width="281" height="40"><img src="https://forum.suite.example/images/styleLogo-mobile.png" class="pageHeaderLogoSmall" alt=""></a></div></header><section id="main" class="main"><div id="content" class="content"><h1 class="contentTitle">{title}</h1><ul class="wbbThreadPostList messageList">{b.many(2, 8, post)}</ul></div><aside class="sidebar boxesSidebarRight">{advertisement(b)}</aside></section></div>{tracker(b)}'
    return document(head(b, title, url, "https://forum.suite.example/images/default-logo.png"), body, "de")


def microblog_mirror(b, url):
    """The timeline of a person in a mirror of short messages that works without scripts."""

    def still(_):
        name = b.hexadecimal(15)
        best = b.want(f"https://mirror.example/pic/orig/media%2F{name}.{b.choice('jpg', 'png')}")
        path = best.split("example")[1]
        return f'<div class="attachment image"><a class="still-image" href="{path}" target="_blank"><img src="{path.replace("/orig", "")}%3Fname%3Dsmall" alt="" {b.choice("", "loading=lazy")}></a></div>'

    def item(index):
        rows = f'<div class="attachments"><div class="gallery-row">{b.many(1, 4, still)}</div></div>' if index == 0 or b.chance(0.5) else ""
        quote = f'<div class="quote quote-big"><a class="quote-link" href="/x/status/{b.digits(18)}"></a><div class="tweet-name-row"><img class="avatar round mini" src="/pic/profile_images%2F{b.digits(18)}%2F{b.hexadecimal(8)}_mini.jpg" alt=""></div><div class="quote-text">{b.words()}</div></div>' if b.chance(0.3) else ""
        return f'<div class="timeline-item"><a class="tweet-link" href="/ann/status/{b.digits(18)}#m"></a><div class="tweet-body"><div><div class="tweet-header"><a class="tweet-avatar" href="/ann"><img class="avatar round" src="/pic/profile_images%2F{b.digits(18)}%2F{b.hexadecimal(8)}_bigger.jpg" alt=""></a></div></div><div class="tweet-content media-body" dir="auto">{b.words(5, 20)}</div>{rows}{quote}<div class="tweet-stats"><span class="icon-heart"></span></div></div></div>'

    title = f"Ann (@ann) | {b.words(1, 1)}"
    avatar = f"/pic/profile_images%2F{b.digits(18)}%2F{b.hexadecimal(8)}_400x400.jpg"
    body = f'<nav><div class="inner-nav"><div class="nav-item"><a class="site-name" href="/">mirror</a></div><a href="/"><img class="site-logo" src="/logo.png" alt="Logo"></a></div></nav><div class="container"><div class="profile-tabs"><div class="profile-banner"><a href="/pic/https%3A%2F%2Fpbs.micro.example%2Fprofile_banners%2F{b.digits(9)}%2F1600000000%2F1500x500" target="_blank"><img src="/pic/https%3A%2F%2Fpbs.micro.example%2Fprofile_banners%2F{b.digits(9)}%2F1600000000%2F600x200" alt=""></a></div><div class="profile-tab sticky"><div class="profile-card"><div class="profile-card-info"><a class="profile-card-avatar" href="{avatar.replace("_400x400", "")}" target="_blank"><img src="{avatar}" alt=""></a></div></div></div><div class="timeline-container"><div class="timeline">{b.many(4, 16, item)}</div></div></div></div>'
    return document(head(b, title, url, f"https://mirror.example{avatar}"), body)


FAMILIES = {
    "illustration-work": (illustration_work, "https://www.works.example/en/artworks/107890123"),
    "critter-submission": (critter_submission, "https://www.critters.example/view/45678901/"),
    "numbered-viewer": (numbered_viewer, "https://viewer.example/s/ab12cd34ef/123-5"),
    "answer-column": (answer_column, "https://www.answers.example/question/312345678"),
    "bar-thread": (bar_thread, "https://bar.example/p/7654321098"),
    "portal-diary": (portal_diary, "http://blog.diary.example/s/blog_4a8b9c0d0102v7x1.html"),
    "film-stills": (film_stills, "https://movie.reel.example/subject/1292052/photos?type=S"),
    "reactor-post": (reactor_post, "https://reactor.example/post/5012345"),
    "car-logbook": (car_logbook, "https://www.cars.example/l/612345678901234567/"),
    "minor-gallery": (minor_gallery, "https://gall.minor.example/mgallery/board/view/?id=harbour&no=12345"),
    "suite-board": (suite_board, "https://forum.suite.example/thread/4711-am-hafen/"),
    "microblog-mirror": (microblog_mirror, "https://mirror.example/ann"),
}
