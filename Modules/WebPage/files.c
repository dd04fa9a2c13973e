// The files of the web page, embedded in the program, so that an installation needs no folder for them. Every
// file must be listed here, and is served under its name.
#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Files/index.html"
};
static const unsigned char page_css[] = {
#embed "Files/page.css"
};
static const unsigned char menus_css[] = {
#embed "Files/menus.css"
};
static const unsigned char records_css[] = {
#embed "Files/records.css"
};
static const unsigned char resources_css[] = {
#embed "Files/resources.css"
};
static const unsigned char viewer_css[] = {
#embed "Files/viewer.css"
};
static const unsigned char tables_css[] = {
#embed "Files/tables.css"
};
static const unsigned char app_js[] = {
#embed "Files/app.js"
};
static const unsigned char add_js[] = {
#embed "Files/add.js"
};
static const unsigned char api_js[] = {
#embed "Files/api.js"
};
static const unsigned char arrangement_js[] = {
#embed "Files/arrangement.js"
};
static const unsigned char cells_js[] = {
#embed "Files/cells.js"
};
static const unsigned char chips_js[] = {
#embed "Files/chips.js"
};
static const unsigned char cine_js[] = {
#embed "Files/cine.js"
};
static const unsigned char commands_js[] = {
#embed "Files/commands.js"
};
static const unsigned char concurrency_js[] = {
#embed "Files/concurrency.js"
};
static const unsigned char controls_js[] = {
#embed "Files/controls.js"
};
static const unsigned char covers_js[] = {
#embed "Files/covers.js"
};
static const unsigned char details_js[] = {
#embed "Files/details.js"
};
static const unsigned char dialogs_js[] = {
#embed "Files/dialogs.js"
};
static const unsigned char early_js[] = {
#embed "Files/early.js"
};
static const unsigned char elements_js[] = {
#embed "Files/elements.js"
};
static const unsigned char empty_js[] = {
#embed "Files/empty.js"
};
static const unsigned char facts_js[] = {
#embed "Files/facts.js"
};
static const unsigned char failures_js[] = {
#embed "Files/failures.js"
};
static const unsigned char film_js[] = {
#embed "Files/film.js"
};
static const unsigned char find_js[] = {
#embed "Files/find.js"
};
static const unsigned char follow_js[] = {
#embed "Files/follow.js"
};
static const unsigned char gestures_js[] = {
#embed "Files/gestures.js"
};
static const unsigned char graph_js[] = {
#embed "Files/graph.js"
};
static const unsigned char grid_js[] = {
#embed "Files/grid.js"
};
static const unsigned char header_js[] = {
#embed "Files/header.js"
};
static const unsigned char hosts_js[] = {
#embed "Files/hosts.js"
};
static const unsigned char icons_js[] = {
#embed "Files/icons.js"
};
static const unsigned char keyboard_js[] = {
#embed "Files/keyboard.js"
};
static const unsigned char keys_js[] = {
#embed "Files/keys.js"
};
static const unsigned char library_js[] = {
#embed "Files/library.js"
};
static const unsigned char list_js[] = {
#embed "Files/list.js"
};
static const unsigned char live_js[] = {
#embed "Files/live.js"
};
static const unsigned char marks_js[] = {
#embed "Files/marks.js"
};
static const unsigned char menu_js[] = {
#embed "Files/menu.js"
};
static const unsigned char rates_js[] = {
#embed "Files/rates.js"
};
static const unsigned char recordmenu_js[] = {
#embed "Files/recordmenu.js"
};
static const unsigned char records_js[] = {
#embed "Files/records.js"
};
static const unsigned char recordsheader_js[] = {
#embed "Files/recordsheader.js"
};
static const unsigned char removal_js[] = {
#embed "Files/removal.js"
};
static const unsigned char resourcecommands_js[] = {
#embed "Files/resourcecommands.js"
};
static const unsigned char resourcemenu_js[] = {
#embed "Files/resourcemenu.js"
};
static const unsigned char resources_js[] = {
#embed "Files/resources.js"
};
static const unsigned char rows_js[] = {
#embed "Files/rows.js"
};
static const unsigned char scroller_js[] = {
#embed "Files/scroller.js"
};
static const unsigned char selection_js[] = {
#embed "Files/selection.js"
};
static const unsigned char settings_js[] = {
#embed "Files/settings.js"
};
static const unsigned char slice_store_js[] = {
#embed "Files/slice-store.js"
};
static const unsigned char slices_js[] = {
#embed "Files/slices.js"
};
static const unsigned char text_js[] = {
#embed "Files/text.js"
};
static const unsigned char theme_js[] = {
#embed "Files/theme.js"
};
static const unsigned char thumbhash_js[] = {
#embed "Files/thumbhash.js"
};
static const unsigned char thumbnails_js[] = {
#embed "Files/thumbnails.js"
};
static const unsigned char tiles_js[] = {
#embed "Files/tiles.js"
};
static const unsigned char totals_js[] = {
#embed "Files/totals.js"
};
static const unsigned char viewer_js[] = {
#embed "Files/viewer.js"
};
static const unsigned char viewport_js[] = {
#embed "Files/viewport.js"
};
static const unsigned char zoom_js[] = {
#embed "Files/zoom.js"
};

#define FILE_OF(name, bytes) {name, bytes, sizeof bytes}

static const struct imgdl_page_file files[] = {
    FILE_OF("index.html", index_html),
    FILE_OF("page.css", page_css),
    FILE_OF("menus.css", menus_css),
    FILE_OF("records.css", records_css),
    FILE_OF("resources.css", resources_css),
    FILE_OF("viewer.css", viewer_css),
    FILE_OF("tables.css", tables_css),
    FILE_OF("app.js", app_js),
    FILE_OF("add.js", add_js),
    FILE_OF("api.js", api_js),
    FILE_OF("arrangement.js", arrangement_js),
    FILE_OF("cells.js", cells_js),
    FILE_OF("chips.js", chips_js),
    FILE_OF("cine.js", cine_js),
    FILE_OF("commands.js", commands_js),
    FILE_OF("concurrency.js", concurrency_js),
    FILE_OF("controls.js", controls_js),
    FILE_OF("covers.js", covers_js),
    FILE_OF("details.js", details_js),
    FILE_OF("dialogs.js", dialogs_js),
    FILE_OF("early.js", early_js),
    FILE_OF("elements.js", elements_js),
    FILE_OF("empty.js", empty_js),
    FILE_OF("facts.js", facts_js),
    FILE_OF("failures.js", failures_js),
    FILE_OF("film.js", film_js),
    FILE_OF("find.js", find_js),
    FILE_OF("follow.js", follow_js),
    FILE_OF("gestures.js", gestures_js),
    FILE_OF("graph.js", graph_js),
    FILE_OF("grid.js", grid_js),
    FILE_OF("header.js", header_js),
    FILE_OF("hosts.js", hosts_js),
    FILE_OF("icons.js", icons_js),
    FILE_OF("keyboard.js", keyboard_js),
    FILE_OF("keys.js", keys_js),
    FILE_OF("library.js", library_js),
    FILE_OF("list.js", list_js),
    FILE_OF("live.js", live_js),
    FILE_OF("marks.js", marks_js),
    FILE_OF("menu.js", menu_js),
    FILE_OF("rates.js", rates_js),
    FILE_OF("recordmenu.js", recordmenu_js),
    FILE_OF("records.js", records_js),
    FILE_OF("recordsheader.js", recordsheader_js),
    FILE_OF("removal.js", removal_js),
    FILE_OF("resourcecommands.js", resourcecommands_js),
    FILE_OF("resourcemenu.js", resourcemenu_js),
    FILE_OF("resources.js", resources_js),
    FILE_OF("rows.js", rows_js),
    FILE_OF("scroller.js", scroller_js),
    FILE_OF("selection.js", selection_js),
    FILE_OF("settings.js", settings_js),
    FILE_OF("slice-store.js", slice_store_js),
    FILE_OF("slices.js", slices_js),
    FILE_OF("text.js", text_js),
    FILE_OF("theme.js", theme_js),
    FILE_OF("thumbhash.js", thumbhash_js),
    FILE_OF("thumbnails.js", thumbnails_js),
    FILE_OF("tiles.js", tiles_js),
    FILE_OF("totals.js", totals_js),
    FILE_OF("viewer.js", viewer_js),
    FILE_OF("viewport.js", viewport_js),
    FILE_OF("zoom.js", zoom_js),
};

const struct imgdl_page_file *imgdl_page_file(size_t index) {
  return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
