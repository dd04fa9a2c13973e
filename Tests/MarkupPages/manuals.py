"""Manuals, encyclopedias, and documents that programs generate."""

from builder import document, head, tracker


def latex_document(b, url):
    """A chapter that LaTeX2HTML made: buttons, formulas as images, and figures."""

    def formula(_):
        w, h = b.number(12, 180), b.number(14, 40)
        return f'<IMG WIDTH="{w}" HEIGHT="{h}" ALIGN="MIDDLE" BORDER="0" SRC="img{b.digits(3)}.png" ALT="$ x_{{{b.digits(1)}}} $">'

    def figure(n):
        name = f"fig{n}{b.slug()}.png"
        b.want(f"http://www.maths.example/notes/{name}")
        return f'<DIV ALIGN="CENTER"><A NAME="fig:{n}"></A><TABLE><CAPTION ALIGN="BOTTOM"><STRONG>Figure {n}:</STRONG> {b.words()}</CAPTION><TR><TD><DIV ALIGN="CENTER"><IMG WIDTH="{b.number(300, 700)}" HEIGHT="{b.number(200, 500)}" ALIGN="BOTTOM" BORDER="0" SRC="{name}" ALT="Image {b.words(1, 1)}"></DIV></TD></TR></TABLE></DIV><P>{b.words()} {formula(0)} {b.words()} {formula(0)}</P>'

    buttons = "".join(f'<A HREF="node{n}.html"><IMG WIDTH="{w}" HEIGHT="24" ALIGN="BOTTOM" BORDER="0" ALT="{k}" SRC="{k}.png"></A>' for n, (k, w) in enumerate((("next", 37), ("up", 26), ("previous", 63), ("contents", 65))))
    title = b.title()
    return document(
        f'<HEAD><TITLE>{title}</TITLE><META NAME="Generator" CONTENT="LaTeX2HTML v2018"><LINK REL="next" HREF="node4.html"></HEAD>',
        f'{buttons}<BR><H1>{title}</H1>{b.many(1, 6, figure)}<HR>{buttons}<ADDRESS>x</ADDRESS>',
    )


def reference_manual(b, url):
    """A page of a manual by Sphinx, with badges, a logo and figures that link to themselves."""

    def figure(_):
        name = f"_images/{b.slug()}.{b.choice('png', 'svg', 'jpg')}"
        b.want(f"https://lib.docs.example/en/latest/{name}")
        return b.choice(
            f'<figure class="align-default" id="id{b.digits(2)}"><a class="reference internal image-reference" href="{name}"><img alt="{b.words()}" src="{name}" style="width: 640px;" /></a><figcaption><p><span class="caption-text">{b.words()}</span></p></figcaption></figure>',
            f'<img alt="{name}" class="align-center" src="{name}" width="600" height="400" />{b.paragraph()}',
        )

    badges = "".join(f'<a class="reference external" href="https://ci.example/{k}"><img alt="{k}" src="https://img.shields.example/{k}/x/y.svg" /></a> ' for k in ("build", "pypi", "license"))
    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="wy-grid-for-nav"><nav data-toggle="wy-nav-shift" class="wy-nav-side"><div class="wy-side-nav-search"><a href="index.html"><img src="_static/{b.slug()}.png" class="logo" alt="Logo"/></a></div></nav><section class="wy-nav-content-wrap"><div class="wy-nav-content"><div role="navigation" aria-label="Page navigation"></div><div role="main" class="document" itemscope="itemscope"><div itemprop="articleBody"><section id="x"><h1>{title}</h1><p>{badges}</p>{b.many(1, 6, figure)}</section></div></div><footer><div role="contentinfo">Built with <img src="_static/sphinx.png" alt=""></div></footer></div></section></div>',
    )


def pocket_encyclopedia(b, url):
    """An article of an encyclopedia for telephones: lazy images, flags, and symbols of portals."""
    base = "//upload.wiki.example/wikipedia/commons"

    def thumb(width):
        name = b.slug().capitalize().replace("-", "_") + ".jpg"
        folder = f"{b.hexadecimal(1)}/{b.hexadecimal(2)}"
        height = width * 2 // 3
        source = f"{base}/thumb/{folder}/{name}/{width}px-{name}"
        double = f"{base}/thumb/{folder}/{name}/{width * 2}px-{name}"
        b.want("https:" + double)
        return f'<noscript><img alt="" src="{source}" decoding="async" width="{width}" height="{height}" class="mw-file-element" data-file-width="4000" data-file-height="2667"></noscript><span class="lazy-image-placeholder" style="width: {width}px;height: {height}px;" data-src="{source}" data-alt="" data-width="{width}" data-height="{height}" data-srcset="{double} 2x" data-class="mw-file-element">&nbsp;</span>', name

    def figure(_):
        image, name = thumb(220)
        return f'<figure typeof="mw:File/Thumb"><a href="/wiki/File:{name}" class="mw-file-description">{image}</a><figcaption>{b.words()}</figcaption></figure><p>{b.words(6, 12)}</p>'

    flags = b.many(1, 4, lambda _: f'<li><span class="flagicon"><span class="mw-image-border" typeof="mw:File"><span><img alt="" src="{base}/thumb/c/c3/Flag_of_{b.words(1, 1)}.svg/23px-Flag_of_X.svg.png" width="23" height="15" class="mw-file-element"></span></span></span> x</li>')
    title = b.title()
    return document(
        head(b, title, url, generator="MediaWiki 1.43"),
        f'<div id="mw-mf-viewport"><header class="header-container header-chrome"><div class="branding-box"><a href="/wiki/Main_Page"><span><img src="/static/images/mobile/copyright/wiki-wordmark-en.svg" alt="Wiki" width="120" height="18" style="width: 7.5em; height: 1.1em;"/></span></a></div></header><main id="content" class="mw-body"><div class="pre-content heading-holder"><h1 id="firstHeading">{title}</h1></div><div id="bodyContent" class="content"><section class="mf-section-0">{figure(0)}</section><section class="mf-section-1 collapsible-block">{b.many(1, 5, figure)}<ul>{flags}</ul><div role="navigation" class="navbox"><img src="{base}/thumb/4/4a/Commons-logo.svg/30px-Commons-logo.svg.png" width="30" height="40"></div><ul class="portalbox"><li><span typeof="mw:File"><a href="/wiki/File:Portal.svg"><img alt="icon" src="{base}/thumb/f/fd/Portal.svg/32px-Portal.svg.png" width="32" height="28"></a></span></li></ul></section></div></main><footer class="mw-footer"><img src="/static/images/footer/wikimedia-button.svg" width="84" height="29"></footer></div><noscript><img src="https://login.wiki.example/wiki/Special:CentralAutoLogin/start?type=1x1" alt="" width="1" height="1" style="border: none; position: absolute;"></noscript>',
    )


def how_to(b, url):
    """Instructions with a picture for each step, and other instructions below and beside."""
    host = "https://www.howto.example/images/thumb"

    def path(key, name, width):
        return f"{host}/{key[:1]}/{key[:2]}/{name}.jpg/v4-{width}px-{name}.jpg"

    def step(n):
        key, name = b.hexadecimal(2), f"{b.slug().title()}-Step-{n}"
        b.want(path(key, name, 728))
        return f'<li id="step-id-0{n}"><div class="mwimg largeimage floatcenter"><a href="#/Image:{name}.jpg" class="image lightbox" data-href="{path(key, name, 728)}"><div class="content-spacer"><img alt="{b.words()}" src="data:image/gif;base64,R0lGOD" data-src="{path(key, name, 728)}" data-srclarge="{path(key, name, 728)}" width="728" height="546" class="whcdn content-fill"></div></a></div><div class="step"><b class="whb">{b.title()}.</b></div></li>'

    def other(kind):
        return f'<div class="responsive_thumb"><a class="{kind}-image-link" href="https://www.howto.example/{b.slug().title()}"><div class="content-spacer"><img src="data:image/gif;base64,R0lGOD" data-src="{path(b.hexadecimal(2), b.slug().title(), "-crop-250-145-250")}" width="250" height="145" class="scrolltrack whcdn" alt=""></div></a><p>How to <span>{b.words()}</span></p></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="header_outer"><a href="/Main-Page" id="header_logo"><img src="/skins/owl/images/howto_logo.svg" alt="How"></a></div><div id="content_outer"><div id="content_wrapper"><div id="actionbar"></div><div class="pre_toc"></div><div id="bodycontents"><h1>{title}</h1><div id="byline_info"><a href="/x"><img src="https://www.howto.example/images/{b.slug()}.jpg" width="60" height="60" class="whcdn"></a></div><div class="section steps"><ol class="steps_list_2">{b.many(3, 9, step)}</ol></div><div class="section relatedwikihows"><h2>You Might Also Like</h2><div id="relatedwikihows">{b.many(3, 8, lambda _: other("related"))}</div></div></div><div id="sidebar"><div class="sidebox">{b.many(2, 4, lambda _: other("sidebar"))}</div></div></div></div>',
    )


def class_reference(b, url):
    """The reference of a class by doxygen: drawings of relations, and small symbols."""

    def drawing(kind):
        name = f"class_harbour_{b.slug().replace('-', '__')}__{kind}.png"
        b.want(f"https://api.docs.example/html/{name}")
        return f'<div class="dynheader">x</div><div class="dyncontent"><div class="center"><img src="{name}" border="0" usemap="#x_{kind}" alt="{kind}"/></div></div>'

    illustration = b.slug() + ".png"
    b.want("https://api.docs.example/html/" + illustration)
    rows = b.many(2, 6, lambda _: f'<tr class="memitem"><td><a href="class_x.html"><img src="ftv2{b.choice("cl", "ns")}.png" width="24" height="22" alt="C"/></a></td><td>x</td></tr>')
    title = b.title()
    return document(
        f'<head><meta http-equiv="Content-Type" content="text/xhtml;charset=UTF-8"/><meta name="generator" content="Doxygen 1.9.1"/><title>{title}</title></head>',
        f'<div id="top"><div id="titlearea"><table><tr><td id="projectlogo"><img alt="Logo" src="{b.slug()}.png"/></td><td id="projectname">x</td></tr></table></div><div id="main-nav"></div></div><div class="header"><div class="title">{title}</div></div><div class="contents">{drawing("inherit__graph")}{drawing("coll__graph")}<table class="memberdecls">{rows}</table>{b.paragraph()}<div class="image"><img src="{illustration}" alt="" /><div class="caption">x</div></div></div><div class="closed"><img id="MSearchClose" src="search/close.svg" alt=""/></div><hr class="footer"/><address class="footer"><a href="https://www.doxygen.example"><img class="footer" src="doxygen.svg" width="104" height="31" alt="doxygen"/></a></address>',
    )


def hand_written(b, url):
    """A page that a person wrote by hand years ago: tables, tiles, buttons, counters and photographs."""

    def row(_):
        name = b.slug().replace("-", "_")
        if b.chance(0.6):
            best = b.want(f"http://people.univ.example/~ann/trip/{name}.jpg")
            return f'<tr><td><a href="{name}.jpg"><img src="tn_{name}.jpg" border="2" alt=""></a></td><td>{b.words()}</td></tr>'
        best = b.want(f"http://people.univ.example/~ann/trip/{name}.gif")
        return f'<tr><td colspan="2"><center><img src="{name}.gif" width="{b.number(300, 600)}" height="{b.number(200, 400)}"></center><p>{b.words()}</td></tr>'

    rule = '<center><img src="rainbow.gif" width="600" height="5"></center>'
    title = b.title()
    return document(
        f"<head><title>{title}</title></head>",
        f'<center><img src="construction.gif"><h1>{title}</h1></center>{rule}<table>{b.many(3, 9, row)}</table>{rule}<a href="index.html"><img src="../gifs/back.gif" border="0" alt="back"></a> <a href="mailto:ann@univ.example"><img src="../gifs/mailbox.gif" border="0"></a><p>You are visitor <img src="/cgi-bin/counter?ann.trip"></p><a href="http://browser.example/now"><img src="../gifs/now.gif" width="88" height="31"></a><a href="http://ring.example/next?id=9"><img src="http://ring.example/ring.gif"></a>',
        attributes='background="../gifs/clouds.jpg"',
    )


FAMILIES = {
    "latex-document": (latex_document, "http://www.maths.example/notes/node3.html"),
    "reference-manual": (reference_manual, "https://lib.docs.example/en/latest/guide.html"),
    "pocket-encyclopedia": (pocket_encyclopedia, "https://en.m.wiki.example/wiki/Harbour"),
    "how-to": (how_to, "https://www.howto.example/Build-a-Harbour"),
    "class-reference": (class_reference, "https://api.docs.example/html/class_harbour.html"),
    "hand-written": (hand_written, "http://people.univ.example/~ann/trip/index.html"),
}
