"""Lists as people write them, and documents that are none."""

import pytest

from pictures import noise
from raw_server import picture

READ = {
    "angle brackets": ("<{0}/a.png>\n<{0}/b.png>\n", ["/a.png", "/b.png"]),
    "blanks within the brackets": ("< {0}/a.png >\n", ["/a.png"]),
    "a comment behind a URL": ("{0}/a.png # the first\n{0}/b.png\n", ["/a.png", "/b.png"]),
    "two URLs in a line": ("{0}/a.png {0}/b.png\n", ["/a.png", "/b.png"]),
    "images of a fragment": ('<img src="{0}/a.png"><img src="{0}/b.png">', ["/a.png", "/b.png"]),
    "links of a fragment": ('<a href="{0}/a.png">x</a>\n<a href="{0}/b.png">y</a>\n', ["/a.png", "/b.png"]),
    "bookmarks of a browser": (
        '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n'
        '<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n    <DT><A HREF="{0}/a.png" ADD_DATE="1">A</A>\n'
        '    <DT><A HREF="{0}/b.png">B</A>\n</DL><p>\n', ["/a.png", "/b.png"]),
}


@pytest.fixture
def server(serve):
    return serve(lambda request: picture(noise(request.path)))


@pytest.mark.parametrize(("text", "paths"), READ.values(), ids=READ)
def test_a_list_is_read_as_it_is_meant(library, server, text, paths):
    library.add(library.write("list.txt", text.format(server.url)))
    assert sorted(server.targets) == paths
    assert list(library.files().values()) == [noise(path) for path in paths]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_a_list_in_the_encoding_of_another_system_is_read(library, server, encoding):
    text = f"{server.url}/a.png\r\n{server.url}/b.png\r\n"
    library.add(library.write("list.txt", text.encode(encoding)))
    assert sorted(server.targets) == ["/a.png", "/b.png"]


REFUSED = {
    "nothing": "",
    "blanks": " \n \n",
    "comments": "# nothing\n",
    "an outline": '<?xml version="1.0"?><opml version="2.0"><body><outline xmlUrl="{0}/f.xml"/></body></opml>',
    "RDF": '<?xml version="1.0"?><rdf:RDF xmlns:rdf="x"><a/></rdf:RDF>',
    "a property list": '<?xml version="1.0"?><plist><array><string>{0}/a.png</string></array></plist>',
    "an error of a bucket": '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    "rich text": "{{\\rtf1 {0}/a.png}}",
    "the beginning of a zip": "PK\3\4" + "\0" * 40,
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_no_list_is_refused_by_its_name(library, server, text):
    path = library.write("list.txt", text.format(server.url))
    done = library.add(path, code=3)
    assert str(path) in done.errors
    assert server.requests == []
    assert library.files() == {}


def test_joiners_of_characters_stay_in_names(library, server):
    library.add(library.write("list.json", f'["{server.url}/%D9%85%DB%8C%E2%80%8C%D8%B4%D9%88%D8%AF.png"]'))
    assert library.names() == ["0001-\u0645\u06cc\u200c\u0634\u0648\u062f.png"]


def test_a_program_is_named_after_what_it_sends(library, serve):
    body = noise("named")
    server = serve(lambda _: picture(
        body, Content_Disposition='attachment; filename="tower.png"', Last_Modified="Sat, 01 Mar 2014 12:00:00 GMT"))
    library.add(library.list_of([f"{server.url}/dl.php?id=7"]))
    assert library.names() == ["0001-tower.png"]
    [path] = library.files()
    assert (library.folder / path).stat().st_mtime == 1393675200
