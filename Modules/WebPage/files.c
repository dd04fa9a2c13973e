// The files of the web page, embedded so that an installation needs no folder for them. A file is listed here
// and served under its name.
#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Files/index.html"
};
static const unsigned char page_css[] = {
#embed "Files/page.css"
};
static const unsigned char app_js[] = {
#embed "Files/app.js"
};
static const unsigned char api_js[] = {
#embed "Files/api.js"
};
static const unsigned char dialogs_js[] = {
#embed "Files/dialogs.js"
};
static const unsigned char elements_js[] = {
#embed "Files/elements.js"
};
static const unsigned char grid_js[] = {
#embed "Files/grid.js"
};
static const unsigned char list_js[] = {
#embed "Files/list.js"
};
static const unsigned char live_js[] = {
#embed "Files/live.js"
};
static const unsigned char records_js[] = {
#embed "Files/records.js"
};
static const unsigned char resources_js[] = {
#embed "Files/resources.js"
};
static const unsigned char scroller_js[] = {
#embed "Files/scroller.js"
};
static const unsigned char text_js[] = {
#embed "Files/text.js"
};
static const unsigned char tiles_js[] = {
#embed "Files/tiles.js"
};
static const unsigned char viewer_js[] = {
#embed "Files/viewer.js"
};

#define FILE_OF(name, bytes) {name, bytes, sizeof bytes}

static const struct imgdl_page_file files[] = {
    FILE_OF("index.html", index_html),
    FILE_OF("page.css", page_css),
    FILE_OF("app.js", app_js),
    FILE_OF("api.js", api_js),
    FILE_OF("dialogs.js", dialogs_js),
    FILE_OF("elements.js", elements_js),
    FILE_OF("grid.js", grid_js),
    FILE_OF("list.js", list_js),
    FILE_OF("live.js", live_js),
    FILE_OF("records.js", records_js),
    FILE_OF("resources.js", resources_js),
    FILE_OF("scroller.js", scroller_js),
    FILE_OF("text.js", text_js),
    FILE_OF("tiles.js", tiles_js),
    FILE_OF("viewer.js", viewer_js),
};

const struct imgdl_page_file *imgdl_page_file(size_t index) {
  return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
