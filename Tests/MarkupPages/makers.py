"""Pages of people who make pictures: portfolios and the services that show them."""

from builder import document, head, tracker


def deviations(b, url):
    """A work in a community of artists: hashed names, more by the artist and suggestions."""
    host = "https://images-wix.art.example/f"

    def work(size="fit/w_1280,h_853"):
        key = f"{b.hexadecimal(8)}-{b.hexadecimal(4)}-{b.hexadecimal(12)}/d{b.hexadecimal(6)}-{b.hexadecimal(8)}"
        return f"{host}/{key}.jpg/v1/{size},q_70,strp/{b.slug().replace('-', '_')}.jpg?token={b.hexadecimal(30)}"

    def card(_):
        return f'<div style="display:inline-block;width:200px;height:133px"><div class="_3Y0hT _3oBlM"><a data-hook="deviation_link" href="https://www.art.example/{b.choice("name", "other")}/art/{b.slug().title()}-{b.digits(9)}" aria-label="{b.title()}"><div class="_24Wda"><img alt="{b.title()}" src="{work("fill/w_250,h_166")}" srcset="{work("fill/w_250,h_166")} 1x" property="contentUrl" style="width:200px;height:133px"></div></a></div></div>'

    title = b.title()
    best = b.want(work())
    comments = b.many(1, 4, lambda _: f'<div data-hook="comment"><a href="https://www.art.example/u"><img src="https://a.art.example/avatars-big/{b.hexadecimal(1)}/{b.hexadecimal(1)}/x.png?4" width="50" height="50" alt="x\'s avatar" data-hook="user_avatar"></a>{b.words()}</div>')
    return document(
        head(b, title, url, best),
        f'<div id="root"><header role="banner"><a href="/"><svg></svg></a></header><main role="main"><div><div data-hook="art_stage" class="_1lkTS"><div class="_2SlAD"><img alt="{title}" src="{best}" aria-hidden="true" class="TZM0T _2NIJr" fetchpriority="high"></div></div><div class="_33syq"><h1>{title}</h1>{comments}</div></div><div class="_3V9sA"><h2>More by <a href="https://www.art.example/name">name</a></h2>{b.many(3, 6, card)}<h2>Suggested Deviants</h2>{b.many(1, 3, card)}<h2>You Might Like…</h2>{b.many(3, 8, card)}</div></main></div>',
    )


def projects(b, url):
    """A project in a network of designers, with modules and projects by the same people."""
    host = "https://mir-s3-cdn-cf.net.example/project_modules"

    def module(_):
        key = f"{b.hexadecimal(6)}{b.digits(9)}.{b.hexadecimal(13)}"
        best = b.want(f"{host}/fs/{key}.jpg")
        return f'<div class="Project-module-x js-project-module e2e-Project-module-image project-module-image"><div class="project-module-image-inner-wrap js-picture-wrap"><div class="ImageElement-root-x"><img alt="{b.words()}" src="{host}/max_1200/{key}.jpg" srcset="{host}/max_1200/{key}.jpg 1200w, {host}/1400/{key}.jpg 1400w, {best} 1920w" class="ImageElement-image-x grid__item-image" loading="lazy" width="1920" height="1280"></div></div></div>'

    def cover(_):
        key = f"{b.hexadecimal(6)}{b.digits(9)}.{b.hexadecimal(13)}"
        return f'<div class="ProjectCoverNeue-root-x"><a href="/gallery/{b.digits(9)}/{b.slug().title()}?tracking_source=project_owner_other_projects" class="ProjectCoverNeue-coverLink-x"><picture><img src="https://mir-s3-cdn-cf.net.example/projects/404/{key}.Y3JvcA.jpg" srcset="https://mir-s3-cdn-cf.net.example/projects/202/{key}.Y3JvcA.jpg 202w, https://mir-s3-cdn-cf.net.example/projects/404/{key}.Y3JvcA.jpg 404w" class="ProjectCoverNeue-image-x" alt="{b.title()}"></picture></a></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="site-content" class="site-content"><div role="main"><div class="Project-title"><a href="/name"><img class="AvatarImage-avatarImage-x" src="https://mir-s3-cdn-cf.net.example/user/50/{b.hexadecimal(6)}{b.digits(6)}.jpg" alt="Name" width="32" height="32"></a><h1>{title}</h1></div><div id="project-canvas"><div id="project-modules">{b.many(3, 10, module)}</div></div><div class="Project-owners-x"><img src="https://mir-s3-cdn-cf.net.example/user/115/{b.hexadecimal(6)}{b.digits(6)}.jpg" class="rf-avatar__image" alt=""><div class="UserProjects">{b.many(2, 4, cover)}</div></div><div class="Project-tools"><ul><li><img src="https://mir-s3-cdn-cf.net.example/tools/{b.digits(3)}/photoshop.png" alt="Photoshop" width="32" height="32"></li></ul></div></div></div>',
    )


def free_photo(b, url):
    """One photograph of a collection of free ones, and a wall of others."""

    def source(key, width):
        return f"https://images.free.example/photo-{key}?q=80&w={width}&auto=format&fit=crop"

    def key():
        return f"{b.digits(13)}-{b.hexadecimal(12)}"

    def wall(_):
        own = key()
        sets = ", ".join(f"{source(own, w)} {w}w".replace("&", "&amp;") for w in (300, 700))
        return f'<div class="mItv1"><figure itemprop="image" itemscope=""><div class="WxXog"><a itemprop="contentUrl" title="{b.words()}" href="/photos/{b.slug()}-{b.hexadecimal(11)}"><div class="MorZF"><img alt="{b.title()}" class="I7OuT DVW3V L1BOa" sizes="(min-width: 1335px) 416px" srcset="{sets}" src="{source(own, 700)}"></div></a><a href="/@x" class="TkfZD"><img alt="Go to x" class="Z5bfY" src="https://images.free.example/profile-{key()}?w=32&h=32" width="32" height="32"></a></div></figure></div>'

    own = key()
    best = b.want(source(own, 2400))
    sets = ", ".join(f"{source(own, w)} {w}w".replace("&", "&amp;") for w in (600, 1200, 2400))
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="app"><header><nav><a href="/"><svg></svg></a></nav></header><div><div class="wdUrX"><div class="MorZF"><img alt="{title}" class="I7OuT DVW3V L1BOa" sizes="100vw" srcset="{sets}" src="{source(own, 1200)}"></div></div><div class="IDj6P"><a href="/@name"><img class="Z5bfY" alt="Go to Name" src="https://images.free.example/profile-{key()}?w=64&h=64" width="40" height="40"></a><h1>{title}</h1></div></div><div><h3>Related images</h3><div class="ripi6">{b.many(5, 10, wall)}</div></div></div>',
    )


def wedding(b, url):
    """A story of a photographer on a site by a builder that positions everything, with other stories below."""
    host = "https://static.builder.example/images"

    def photo(_):
        key = b.hexadecimal(12)
        name = f"{b.slug()}.jpg"
        best = b.want(f"https://static.builder.example/2400/{key}/{b.digits(6)}/{name}")
        return f'<div data-sid="x_{b.digits(2)}" class="se-pi se-bl"><img src="https://static.builder.example/800/{key}/{b.digits(6)}/{name}" data-full-src="{best}" class="se-img se-gr slzy" alt="{b.words()}"></div>'

    other = b.many(2, 4, lambda _: f'<a href="/blog/{b.slug()}" class="se-wpt-a"><div class="se-img-c"><img src="https://static.builder.example/400/{b.hexadecimal(12)}/{b.slug()}.jpg" class="se-img" alt=""></div><nav class="se-t">{b.title()}</nav></a>')
    title = b.title()
    return document(
        head(b, title, url),
        f'<div id="si-sp" class="sp"><div data-bid="menu" class="sb"><div class="ss-bg"><a href="/" class="se-a"><img src="{host}/{b.hexadecimal(10)}/mark.png" class="se-img" alt="" width="180" height="60"></a></div></div><div data-bid="title" class="sb"><h1>{title}</h1></div><div data-bid="canvas" class="sb">{b.many(4, 16, photo)}</div><div data-bid="next" class="sb"><h2>more stories</h2>{other}</div><div data-bid="grid" class="sb"><a href="https://www.instagram.example/name"><div class="se-img" style="width:120px;height:120px"></div></a></div></div>',
    )


def folio_index(b, url):
    """The home page of a photographer: one tile for each project."""

    def tile(_):
        slug, key = b.slug(), b.hexadecimal(32)
        best = b.want(f"https://freight.cargo.example/t/original/i/{key}/{slug}.jpg")
        return f'<div class="thumbnail" data-id="{b.digits(6)}"><a href="{slug}" rel="history"><div class="thumb_image"><img src="https://freight.cargo.example/w/400/i/{key}/{slug}.jpg" data-src="{best}" data-mid="{b.digits(9)}" width="2000" height="1333"></div><div class="title"><span>{b.words()}</span></div></a></div>'

    title = b.title()
    return document(
        head(b, title, url),
        f'<div class="container"><div class="content"><div class="page" data-set-type="gallery"><bodycopy class="bodycopy"><h1>{title}</h1></bodycopy><div class="thumbnails">{b.many(4, 14, tile)}</div></div></div></div>',
    )


def client_gallery(b, url):
    """A gallery for a client with a cover, whose photographs are in columns."""
    host = "https://images.pix.example"

    def photo(_):
        key = b.digits(9)
        size = b.hexadecimal(32)
        best = b.want(f"{host}/{size[:4]}/{key}/{size}-xxlarge.jpg")
        return f'<div class="grid__item" data-photo-id="{key}"><a class="gs-link" href="?pid={key}"><img class="lazyload" data-src="{host}/{size[:4]}/{key}/{size}-medium.jpg" data-srcset="{host}/{size[:4]}/{key}/{size}-medium.jpg 640w, {best} 2048w" src="{host}/blank.png" alt="{b.slug()}.jpg"></a></div>'

    title = b.title()
    key = b.hexadecimal(32)
    cover = b.want(f"{host}/{key[:4]}/{key}-xxlarge.jpg")
    return document(
        head(b, title, url, cover.replace("-xxlarge", "-large")),
        f'<div class="cover" style="background-image: url({cover})"><h1>{title}</h1></div><div class="navbar"><div class="nav-brand"><img src="{host}/brand/{b.hexadecimal(8)}.png" height="60" alt="Studio"></div></div><div id="gamma"><div class="grid">{b.many(6, 20, photo)}</div></div><div class="made-with"><img src="/static/pix-small.png" width="80" height="20"></div>',
    )


FAMILIES = {
    "deviations": (deviations, "https://www.art.example/name/art/The-Harbour-123456789"),
    "projects": (projects, "https://www.net.example/gallery/123456789/The-Harbour"),
    "free-photo": (free_photo, "https://free.example/photos/a-harbour-at-night-0123456789a"),
    "wedding": (wedding, "https://www.weddings.example/blog/ann-and-ben"),
    "folio-index": (folio_index, "https://folio.example/"),
    "client-gallery": (client_gallery, "https://studio.pix.example/annandben/"),
}
