"""Pages of readers of comics, of boards of drawings, and of image boards."""

from builder import document, head, tracker


def madara(b, url):
    """A chapter in a reader for WordPress: sources with white space, and lists of other titles."""
    base = "https://cdn.scans.example/manga"
    folder = f"{base}/manga_{b.hexadecimal(12)}/{b.hexadecimal(16)}"

    def page(index):
        best = b.want(f"{folder}/{index + 1:02}.jpg")
        return f'<div class="page-break no-gaps"><img id="image-{index}" data-src="\n\t\t\t{best}" class="wp-manga-chapter-img img-responsive lazyload effect-fade" src="https://scans.example/wp-content/themes/madara/images/dflazy.jpg"></div>'

    other = b.many(3, 6, lambda _: f'<div class="col-12 col-sm-6 col-md-3"><div class="related-reading-wrap"><div class="related-reading-img widget-thumbnail c-image-hover"><a title="{b.title()}" href="https://scans.example/manga/{b.slug()}/"><img width="75" height="106" data-src="https://scans.example/wp-content/uploads/2021/05/{b.slug()}-75x106.jpg" class="img-responsive lazyload"></a></div></div></div>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="site-header"><a class="logo" href="/"><img class="img-responsive" src="https://scans.example/wp-content/uploads/2020/01/scans.png" alt="Scans"></a></div><div class="wrap"><div class="read-container"><div class="reading-content">{b.many(6, 14, page)}</div></div><div class="related-manga"><h4>YOU MAY ALSO LIKE</h4><div class="row">{other}</div></div><div id="manga-discussion"></div></div>',
        attributes='class="wp-manga-page reading-manga"',
    )


def strips(b, url):
    """An episode of a vertical comic: sources in `data-url`, episodes and other series as previews."""
    base = "https://comic.strips.example/" + b.digits(8)

    def page(index):
        best = b.want(f"{base}/{b.digits(13)}{b.digits(6)}{index}.jpg?type=q90")
        return f'<img src="https://static.strips.example/image/bg_transparency.png" width="800" height="1280.0" alt="image" class="_images" data-url="{best}" rel="nofollow" ondragstart="return false;">'

    episodes = b.many(3, 6, lambda n: f'<li data-episode-no="{n}"><a href="/en/fantasy/series/ep-{n}/viewer?title_no=95&episode_no={n}" class="N=a:vbc.prev"><span class="thmb"><img src="https://thumb.strips.example/{b.digits(8)}/{b.digits(13)}.jpg?type=q70" width="62" height="62" alt="Ep. {n}"></span><span class="subj">Ep. {n}</span></a></li>')
    series = b.many(3, 6, lambda _: f'<li><a href="/en/romance/{b.slug()}/list?title_no={b.digits(4)}" class="link"><div class="pic_wrap"><img src="https://thumb.strips.example/{b.digits(8)}/{b.digits(10)}_{b.digits(4)}.jpg?type=a92" alt=""></div><p class="subj">{b.title()}</p></a></li>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="wrap"><div id="header"><h1><a href="/">Strips</a></h1></div><div id="container"><div id="content" class="viewer"><div class="cont_box"><div class="viewer_lst"><div class="viewer_img _img_viewer_area" id="_imageList">{b.many(6, 12, page)}</div></div><div class="episode_area"><div class="episode_lst"><div class="episode_cont"><ul>{episodes}</ul></div></div></div><div class="aside viewer"><div class="creator_area"><img src="https://profile.strips.example/{b.slug()}.jpg?type=q70" width="44" height="44"></div><h2>Check out other series</h2><ul class="lst_type1">{series}</ul></div></div></div></div></div>',
    )


def single_strip(b, url):
    """A strip a day, with buttons and a footer of favourites."""
    name = b.slug()
    base = "//imgs.strip.example"
    b.want(f"https://imgs.strip.example/comics/{name}_2x.png")
    title = b.title()
    favourites = b.many(3, 6, lambda _: f'<area shape="rect" href="/{b.digits(3)}/">')
    return document(
        head(b, title, url, f"https://imgs.strip.example/comics/{name}_2x.png"),
        f'<div id="topContainer"><div id="topLeft"><ul><li><a href="/archive">Archive</a></li></ul></div><div id="topRight"><div id="masthead"><span><a href="/"><img src="/s/{b.hexadecimal(6)}.png" alt="strip logo" height="83" width="185"/></a></span></div><div id="news"><a href="https://shop.strip.example/"><img border="0" src="{base}/store/te-news.png"></a></div></div></div><div id="middleContainer" class="box"><div id="ctitle">{title}</div><ul class="comicNav"><li><a href="/1/">|&lt;</a></li></ul><div id="comic"><img src="{base}/comics/{name}.png" title="{b.title()}" alt="{title}" srcset="{base}/comics/{name}_2x.png 2x"/></div></div><div id="bottom" class="box"><img src="{base}/s/{b.hexadecimal(6)}.jpg" width="520" height="100" usemap="#comicmap"/><map id="comicmap">{favourites}</map></div>',
    )


def webcomic(b, url):
    """A comic in WordPress with drawn buttons, a comment by the author and a cast."""
    folder = "https://webcomic.example/wp-content"
    slug = f"2021-03-{b.number(10, 28)}-{b.slug()}"
    b.want(f"{folder}/uploads/2021/03/{slug}.png")
    other = b.choice("png", "gif")
    buttons = "".join(f'<a href="https://webcomic.example/comic/{n}/" class="comic-nav-base comic-nav-{n}"><img src="{folder}/uploads/2019/01/{n}button.{other}" alt="{n}"></a>' for n in ("first", "previous", "next", "last"))
    cast = b.many(3, 6, lambda _: f'<div class="cast-member"><a href="https://webcomic.example/characters/{b.slug()}/"><img src="{folder}/uploads/2019/02/{b.slug()}-150x150.png" width="150" height="150" alt=""></a></div>')
    title = b.title()
    return document(
        head(b, title, url, generator="WordPress 5.8"),
        f'<div id="page-wrap"><div id="header"><h1><a href="/"><img src="{folder}/uploads/2019/01/header-2.png" width="980" height="180" alt="The comic"></a></h1></div><div id="content-wrapper-head"></div><div id="comic-wrap"><div id="comic"><a href="https://webcomic.example/comic/next-one/" title="{b.words()}"><img src="{folder}/uploads/2021/03/{slug}.png" alt="{title}" title="{b.words()}"></a></div><table id="comic-nav-wrapper"><tr><td>{buttons}</td></tr></table></div><div id="content" class="narrowcolumn"><div class="post-comic"><h2>{title}</h2>{b.paragraph()}</div></div><div id="sidebar-right">{cast}<a href="https://www.topcomics.example/vote/{b.digits(4)}"><img src="https://www.topcomics.example/vote-{b.digits(4)}.jpg" width="88" height="53"></a></div></div>',
    )


def gel_post(b, url):
    """A post of a board of drawings, with the original behind a link, and similar ones below the notes."""
    host = "https://img3.gel.example"
    key = b.hexadecimal(32)
    folder = f"{key[:2]}/{key[2:4]}"
    full = b.want(f"{host}/images/{folder}/{key}.png")
    more = b.many(2, 6, lambda _: f'<a href="index.php?page=post&amp;s=view&amp;id={b.digits(7)}"><img src="https://img3.gel.example/thumbnails/{b.hexadecimal(2)}/{b.hexadecimal(2)}/thumbnail_{b.hexadecimal(32)}.jpg" alt="" border="0"></a>')
    title = b.title()
    return document(
        head(b, title, url, full),
        f'<div id="container"><header><div id="navbar"><a href="/"><img src="/layout/gelbooru-logo.svg"></a></div></header><section class="aside"><ul id="tag-list"><li><a href="index.php?page=post&s=list&tags=x">x</a></li><li><a href="{full}" target="_blank" rel="noopener">Original image</a></li></ul></section><main><div class="mainBodyPadding"><section class="image-container note-container" data-md5="{key}"><picture><img alt="{title}" src="{host}/samples/{folder}/sample_{key}.jpg" id="image" class="fit-width"></picture></section><div class="contain-push"><b>More Like This:</b> <small>(Beta)</small><br>{more}</div><div class="alert"><a href="https://buy.example/?aff={b.digits(4)}"><img src="https://gel.example/extras/{b.hexadecimal(10)}.gif" width="300" height="250"></a></div></div></main></div>',
    )


def gel_list(b, url):
    """A list of posts of a board of drawings: the previews are what there is."""

    def post(_):
        key = b.hexadecimal(32)
        best = b.want(f"https://img3.gel.example/thumbnails/{key[:2]}/{key[2:4]}/thumbnail_{key}.jpg")
        number = b.digits(7)
        return f'<article class="thumbnail-preview"><a id="p{number}" href="https://gel.example/index.php?page=post&amp;s=view&amp;id={number}&amp;tags=x"><img src="{best}" title="{b.words(5, 9)} score:1" alt="{b.words()}" class=""/></a></article>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="container"><header><div id="navbar"><a href="/"><img src="/layout/gelbooru-logo.svg" width="120"></a></div></header><section class="aside"><ul id="tag-list"></ul></section><main><div class="mainBodyPadding"><div class="thumbnail-container">{b.many(8, 20, post)}</div><div class="pagination" id="paginator"><a href="?page=post&amp;s=list&amp;pid=42">2</a></div><div class="footerAd2"><a href="https://go.example/?r={b.digits(5)}"><img src="https://a.realsrv.example/library/{b.hexadecimal(12)}.jpg" width="728" height="90"></a></div></div></main></div>{tracker(b)}',
    )


def doujin(b, url):
    """A gallery with a cover and previews of its pages, and covers of other galleries."""
    number = b.digits(7)
    cover = b.want(f"https://t3.doujin.example/galleries/{number}/cover.jpg")

    def page(index):
        best = b.want(f"https://t3.doujin.example/galleries/{number}/{index + 1}t.jpg")
        return f'<div class="thumb-container"><a class="gallerythumb" href="{url.split("example")[1]}{index + 1}/" rel="nofollow"><img is="lazyload-image" class="lazyload" width="200" height="284" data-src="{best}" src="data:image/gif;base64,R0lGOD"><noscript><img src="{best}" width="200" height="284"/></noscript></a></div>'

    other = b.many(3, 5, lambda _: f'<div class="gallery" data-tags="1 2"><a href="/g/{b.digits(6)}/" class="cover" style="padding:0 0 141% 0"><img is="lazyload-image" class="lazyload" width="250" height="353" data-src="https://t5.doujin.example/galleries/{b.digits(7)}/thumb.jpg" src="data:image/gif;base64,R0lGOD"><noscript><img src="https://t5.doujin.example/galleries/{b.digits(6)}/thumb.jpg" width="250"/></noscript><div class="caption">{b.title()}</div></a></div>')
    title = b.title()
    return document(
        head(b, title, url, cover),
        f'<nav role="navigation"><a class="logo" href="/"><img src="https://static.doujin.example/img/logo.svg" alt="logo" width="46" height="30"></a></nav><div id="messages"></div><div id="content"><div class="container" id="bigcontainer"><div id="cover"><a href="{url.split("example")[1]}1/"><img class="lazyload" width="350" height="495" data-src="{cover}" src="data:image/gif;base64,R0lGOD"></a></div><div id="info-block"><h1 class="title">{title}</h1></div></div><div class="container" id="thumbnail-container"><div class="thumbs">{b.many(6, 14, page)}</div></div><div class="container index-container" id="related-container"><h2>More Like This</h2>{other}</div><div class="container" id="comment-post-container"><div class="comment"><a class="avatar" href="/users/1/x"><img src="https://i3.doujin.example/avatars/{b.digits(6)}.png?_={b.hexadecimal(16)}" width="48" height="48"></a></div></div></div>',
    )


def chan(b, url):
    """A thread of an image board whose engine is vichan."""

    def file(_):
        name = b.digits(13)
        best = b.want(f"https://chan.example/tech/src/{name}.{b.choice('jpg', 'png')}")
        path = best.split("example")[1]
        return f'<div class="file"><p class="fileinfo">File: <a href="{path}">{name}.jpg</a> <span class="unimportant">(1.2 MB, 2000x1500)</span></p><a href="{path}" target="_blank"><img class="post-image" src="/tech/thumb/{name}.png" style="width:255px;height:191px" alt=""></a></div>'

    def reply(n):
        return f'<div class="post reply" id="reply_{n}"><p class="intro"><input type="checkbox"><label><span class="name">Anonymous</span></label> <img class="flag flag-{b.choice("de", "fr")}" src="/static/blank.gif" style="width:16px;height:11px;" alt="x"></p>{file(n) if b.chance(0.6) else ""}<div class="body">{b.paragraph()}</div></div><br>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="boardlist"><span>[ <a href="/b/">b</a> ]</span></div><header><h1>/tech/</h1></header><img class="board_image" src="/banners.php?b=tech" style="width:300px;height:100px" alt="">{file(0)}<div class="post op" id="op_1"><div class="body">{b.paragraph()}</div></div>{b.many(3, 9, reply)}<div class="ad"><a href="https://buy.example/x"><img src="/static/{b.slug()}.png" width="468" height="60"></a></div><footer></footer>',
        attributes='class="8chan vichan is-not-moderator active-thread"',
    )


FAMILIES = {
    "madara": (madara, "https://scans.example/manga/the-harbour/chapter-12/"),
    "strips": (strips, "https://www.strips.example/en/fantasy/series/ep-12/viewer?title_no=95&episode_no=12"),
    "single-strip": (single_strip, "https://strip.example/1234/"),
    "webcomic": (webcomic, "https://webcomic.example/comic/the-harbour/"),
    "gel-post": (gel_post, "https://gel.example/index.php?page=post&s=view&id=1234567"),
    "gel-list": (gel_list, "https://gel.example/index.php?page=post&s=list&tags=harbour"),
    "doujin": (doujin, "https://doujin.example/g/123456/"),
    "chan": (chan, "https://chan.example/tech/res/1234.html"),
}
