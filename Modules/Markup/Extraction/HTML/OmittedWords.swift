/// Words in names of classes, files and folders that tell that an image is not a part of a page's contents.
enum OmittedWords {
  /// Words of an image that is a decoration.
  static let decorations = words(
    """
    icon icons ico glyph sprite sprites spacer tracker tracking beacon spinner loader preloader \
    badge badges flagicon reputation repimg social share sharing inlineimg onlinestatus \
    statusicon lqip brand profile signature math latex equation tex
    """)

  /// Words of an image that is a decoration, or of an element closely around one.
  static let wrappers = words(
    """
    avatar avatars gravatar userpic userpics userphoto buddyicon buddyicons logo logos \
    logotype wordmark branding favicon emoji emojis emojione twemoji emoticon emoticons smiley \
    smileys smilie smilies payment payments captcha qrcode byline bio author cookie \
    postprofile userinfo sticker stickers
    """)

  /// Words of a name that describes contents even if it has omitted words, too, such as `gallery-icon`.
  static let contents = words(
    """
    gallery photo photos picture pictures image images thumb thumbs thumbnail thumbnails media \
    attachment attachments figure slide slideshow carousel detail details listing
    """)

  /// Words of an advertisement, on an image or any element around it.
  static let advertisements = words(
    """
    advert adverts advertisement advertisements advertising adsense adslot adserver adsbygoogle \
    sponsor sponsors sponsored outbrain taboola banners
    """)

  /// Words of an element with advertisements, which are the contents of some sites.
  static let classifieds = words(
    """
    ad ads
    """)

  /// Words of an element around an image that holds no contents of the page.
  static let places = words(
    """
    breadcrumb breadcrumbs sidebar sidebars aside \
    footer masthead related relatedposts recommended recommendation recommendations similar \
    suggested suggestions upsell upsells crosssell newsletter subscribe consent cookie cookies \
    toolbar topbar partners byline avatar avatars postprofile userinfo signature readmore fans \
    collectors supporters followers contributors hd ft
    """)

  /// Words of an element whose name has the word `header`, which then is the header of the site. With
  /// another word, such as `entry-header`, the header belongs to the contents.
  static let headerQualifiers = words(
    """
    header headerimg site page main global app top wrap wrapper inner outer container location \
    elementor bar area sticky fixed desktop mobile nav p mw vector gh g l c o b the web \
    primary section layout region img image logo custom blog skin
    """)

  /// Words of an element closely around a map of the place of something.
  static let maps = words(
    """
    map maps minimap rastermap staticmap locationmap gmap googlemap mapbox leaflet karte mapa carte
    """)

  /// Words of `places` that are also recognized at the end of words without a boundary.
  static let placeEndings = words(
    """
    sidebar footer signature breadcrumbs masthead newsletter
    """)

  /// Words of an element with navigation, whose images belong to the contents only if they lead to larger
  /// versions, as those below a slide show do.
  static let navigation = words(
    """
    nav navbar navigation navbox menubar submenu
    """)

  /// Second words of names of elements with navigation, after `nav`.
  static let navigationParts = words(
    """
    menu menus link links list item items left right top bottom side tabs tab buttons controls \
    thumb thumbs strip user account search icons pane panel drawer
    """)

  /// Words of names that describe the layout of everything inside, such as `has-sidebar`.
  static let layouts = words(
    """
    has no with without is not js hide show supports enable enabled open layout body orientation
    """)

  /// First words of names that tell the subject of the contents, such as `category-logos`.
  static let subjects = words(
    """
    category cat tag term taxonomy topic pa
    """)

  /// Words of the names of files that only decorations have.
  static let files = words(
    """
    favicon avatar gravatar sprite sprites spacer placeholder spinner preloader emoji smiley \
    emoticon captcha qrcode staticmap
    """)

  /// Words of the names of files that are decorations if the name has at most one other word, or three in
  /// a format that is rare for photographs.
  static let shortFiles = words(
    """
    icon icons button btn badge pixel loading loader banner advertisement blank transparent \
    logo logos logotype wordmark bg
    """)

  /// Words of the names of files that are decorations if a style shows them.
  static let backgrounds = words(
    """
    bg background backgrounds pattern texture gradient noise overlay bkg banner
    """)

  /// Words of the names of files that represent a whole site in social networks, if they have at most one
  /// other word.
  static let shares = words(
    """
    share sharing social og ogimage opengraph facebook twitter card default meta seo common \
    ogp site
    """)

  /// Names of files that are decorations, of formats that are rare for photographs, if they consist of
  /// one of these words alone, or with a number.
  static let drawings = words(
    """
    home mail email print search menu close next prev previous back up down left right arrow \
    arrows bullet dot line rule hr star stars rating new hot rss feed facebook twitter \
    instagram pinterest linkedin youtube whatsapp telegram tumblr reddit vimeo visa mastercard \
    master paypal amex clear grey gray white black counter count header footer share download \
    play zoom plus minus x cart user phone appstore lazy trans shim empty noimage divider \
    separator flag progress foot head top bottom online offline level
    """)

  /// Words of the names of folders that hold decorations.
  static let folders = words(
    """
    smilies smileys emoji emojis emoticons avatars avatar logos logo adserver sprites ranks \
    imageset buddyicons reputation statusicon captcha qr sponsors agents smiley
    """)

  /// Words of the names of folders that hold decorations of formats that are rare for photographs.
  static let drawingFolders = words(
    """
    icons icon badges buttons banners flags themes theme skins plugins common filetype \
    filetypes mimetypes
    """)

  /// Words of a path or parameter without an image file that count visitors, or send avatars.
  static let counters = words(
    """
    pixel pixels count counter track tracker tracking beacon collect cron stats stat hit hits \
    impression captcha tr analytics metrics watch avatar ping banner banners
    """)

  /// Words of a host that serves decorations.
  static let hosts = words(
    """
    pixel counter tracker tracking beacon ads ad adserver gravatar avatars opengraph
    """)

  /// Pairs of words of one name, or of the name of a file, with the meaning of `wrappers`.
  static let decorationPairs = pairs(
    """
    low res, qr code, static map, author photo, agent photo, agent card, app store, google \
    play, powered by, flag icon, country flag, trust badge, social share, share image, social \
    card, twitter card, share card, og image, og default, open graph
    """)

  /// Pairs of words of one name with the meaning of `places`.
  static let placePairs = pairs(
    """
    more from, more by, read more, you may, widget area, action bar, nav bar, top bar, up \
    next, also like, also viewed, see also, more like, might like, people also, customers \
    also, author box, author bio, author card, author info, about author, post author, entry \
    author, main menu, site menu, mobile menu, primary menu, top menu, nav menu, popular \
    posts, popular items, popular item, most popular, trending posts, side gallery, side bar, \
    side column, right column, left column, right rail, left rail
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }

  private static func pairs(_ text: String) -> Set<String> {
    Set(text.split(separator: ", ").map(String.init))
  }
}
