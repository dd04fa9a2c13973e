"""Web pages in other encodings than UTF-8, whose images have queries in the encoding of the page, as browsers send."""

from urllib.parse import quote_from_bytes

import pytest

from pictures import noise
from raw_server import picture, response

PAGE = (
    '<!DOCTYPE html><html><head>{}<title>{text}</title></head>'
    '<body><main><img src="/i.png?q={text}" width=400 height=300>')
ENCODINGS = {
    "iso-8859-1": ("latin_1", "rivière"),
    "windows-1252": ("cp1252", "œuvre"),
    "shift_jis": ("shift_jis", "表"),
    "iso-8859-2": ("iso8859-2", "řeka"),
    "iso-8859-15": ("iso8859-15", "œuvre"),
    "windows-1251": ("cp1251", "река"),
    "euc-jp": ("euc_jp", "川"),
    "gbk": ("gbk", "河"),
    "euc-kr": ("euc_kr", "강"),
    "utf-8": ("utf-8", "rivière"),
}


@pytest.mark.parametrize("is_stated_by", ["header", "meta"])
@pytest.mark.parametrize(("label", "codec", "text"), [(label, *pair) for label, pair in ENCODINGS.items()])
def test_queries_are_in_the_encoding_of_the_page(library, serve, label, codec, text, is_stated_by):
    is_header = is_stated_by == "header"
    content = PAGE.format("" if is_header else f'<meta charset="{label}">', text=text).encode(codec)
    kind = f"text/html; charset={label}" if is_header else "text/html"
    server = serve(lambda request: response(content, Content_Type=kind) if request.path == "/page"
                   else picture(noise("query")))
    library.add(f"{server.url}/page")
    assert server.targets == ["/page", f"/i.png?q={quote_from_bytes(text.encode(codec))}"]
    assert [record["title"] for record in library.records()] == [text]
