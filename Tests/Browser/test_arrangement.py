"""The sections, chips and covers of the list of records."""

import re

from playwright.sync_api import expect

from test_records import rows, titles


def add_three(stage):
    """Adds a finished record, one with failures, and one whose download does not end."""
    origin = stage.origin()
    stage.cli("add", "--quiet", str(stage.list_of("done", [f"{origin.url}scenes/dawn.jpg"])))
    stage.cli("add", "--quiet", str(stage.list_of("broken", [
        f"{origin.url}scenes/none.jpg", f"{origin.url}scenes/noon.jpg"])), check=False)
    slow = stage.origin("--rate", "1K")
    stage.link()
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("busy", [f"{slow.url}scenes/city.jpg"])))


def headings(page):
    return page.locator(".section").filter(visible=True)


def test_active_records_come_first_then_failed_ones(stage, page):
    add_three(stage)
    page.goto(stage.link())
    expect(headings(page)).to_have_text(["Active", "Failed", "Finished"])
    assert titles(page) == ["busy", "broken", "done"]
    # A heading is above the first row of its section, and covers none.
    places = page.evaluate("""() => [...document.querySelectorAll('.section, .row:not([hidden])')]
      .map((each) => each.getBoundingClientRect()).sort((one, other) => one.top - other.top)
      .map(({ top, bottom }) => [top, bottom])""")
    assert len(places) == 6
    assert all(above[1] <= below[0] + 1 for above, below in zip(places, places[1:]))
    # Only what moves has a bar.
    expect(page.locator(".row .bar").filter(visible=True)).to_have_count(1)
    stage.cli("remove", "--yes", "3")
    expect(headings(page)).to_have_text(["Failed", "Finished"])


def test_chips_count_and_filter_and_the_address_keeps_them(stage, page):
    add_three(stage)
    page.goto(stage.link())
    chips = page.get_by_role("group", name="Show").get_by_role("button")
    expect(chips).to_have_text([re.compile("All *3"), re.compile("Active *1"), re.compile("Failed *1")])
    chips.nth(2).click()
    expect(rows(page)).to_have_count(1)
    assert titles(page) == ["broken"]
    expect(page).to_have_url(re.compile(r"\?show=failed$"))
    page.reload()
    expect(rows(page)).to_have_count(1)
    expect(chips.nth(2)).to_have_attribute("aria-pressed", "true")
    stage.cli("remove", "--yes", "2")
    expect(page.get_by_text("There is nothing here.")).to_be_visible()
    chips.first.click()
    expect(rows(page)).to_have_count(2)
    # A chip without records is not shown.
    expect(chips).to_have_text([re.compile("All *2"), re.compile("Active *1")])


def test_a_failure_during_work_is_counted(stage, page):
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.evaluate("""fetch('/v1/settings/concurrency', {
      method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"limit":1}' })""")
    origin = stage.origin("--rate", "8K")
    sources = [f"{origin.url}scenes/{name}.jpg" for name in ("noon", "none", "dawn", "city", "dunes")]
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("mixed", sources)))
    chips = page.get_by_role("group", name="Show").get_by_role("button")
    expect(chips).to_have_text([re.compile("All *1"), re.compile("Active *1")])
    expect(chips.filter(has_text="Failed")).to_have_count(1)
    assert rows(page).first.get_attribute("data-section") == "active"


def test_records_that_arrive_after_their_screen_was_left_change_no_address(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", f"{origin.url}scenes/dawn.jpg")
    page.goto(stage.link())
    expect(rows(page)).to_have_count(1)
    page.goto(page.url.rstrip("/") + "/records/1?layout=list")
    expect(page.locator(".lines .tile:not([hidden])")).to_have_count(1)
    held = []
    page.route("**/v1/records?limit=*", lambda route: held.append(route))
    with page.expect_request("**/v1/records?limit=*"):
        page.get_by_role("button", name="Records", exact=True).click()
    page.go_back()
    expect(page.locator(".lines .tile:not([hidden])")).to_have_count(1)
    with page.expect_response("**/v1/records?limit=*") as response:
        held[0].continue_()
    response.value.finished()
    page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    assert page.url.endswith("/records/1?layout=list")


def test_a_selected_record_stays_selected_in_another_section(stage, page):
    origin = stage.origin("--rate", "4K")
    page.goto(stage.link())
    for name in ("none", "dawn"):
        path = stage.list_of(name, [f"{origin.url}scenes/{name}.jpg"])
        stage.cli("add", "--quiet", "--detach", str(path), check=False)
    row = page.get_by_role("row", name="dawn")
    expect(row).to_have_attribute("data-section", "active")
    row.locator(".meta").click()
    expect(headings(page)).to_have_text(["Failed", "Finished"])
    expect(page.locator("[role=row][aria-selected=true]:not([hidden]) .title")).to_have_text("dawn")


def test_records_have_covers_and_hosts(stage, page):
    origin = stage.origin()
    sources = [f"{origin.url}{name}" for name in ("scenes/none.jpg", "scenes/noon.jpg")]
    stage.cli("add", "--quiet", str(stage.list_of("mixed", sources)), check=False)
    batches = []
    page.on("request", lambda request: batches.append(request.post_data) if request.url.endswith("/batch") else None)
    page.goto(stage.link())
    cover = rows(page).locator(".cover img")
    expect(cover).to_be_visible()
    # The first image has failed, the second one is the cover.
    assert re.search(r"/v1/resources/2/pages/1/thumbnail\?v=", cover.get_attribute("src"))
    assert cover.evaluate("(image) => image.naturalWidth") > 60
    expect(rows(page).locator(".meta")).to_contain_text(origin.url.split("/")[2])
    assert len(batches) == 2, "one request for the resources, one for their pages"


def test_a_record_whose_first_images_fail_is_searched_for_a_cover_now_and_then(stage, page):
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    searches = []
    page.on("requestfinished", lambda request: searches.append(request.timing["startTime"])
            if request.url.endswith("/batch") and "/v1/records/1/resources" in request.post_data else None)
    origin, slow = stage.origin(), stage.origin("--rate", "20K")
    sources = [f"{origin.url}none/{place}.jpg" for place in range(8)]
    sources += [f"{slow.url}scenes/dawn.jpg?{place}" for place in range(12)]
    stage.cli("add", "--quiet", str(stage.list_of("mixed", sources)), check=False)
    expect(rows(page).first.locator(".done")).to_have_text("12/20")
    assert all(later - earlier > 2500 for earlier, later in zip(searches, searches[1:])), searches


def test_only_visible_records_are_asked_for_covers(stage, page):
    paths = [stage.list_of(f"record {number:03}", ["http://127.0.0.1:1/a.jpg"]) for number in range(200)]
    stage.link()
    stage.cli("pause", check=False)
    stage.cli("add", "--quiet", "--lazy", *map(str, paths))
    asked = set()
    page.on("request", lambda request: asked.update(re.findall(r"/v1/records/(\d+)/resources", request.post_data))
            if request.url.endswith("/batch") else None)
    page.goto(stage.link())
    expect(rows(page).first.locator(".meta")).to_have_text("127.0.0.1:1")
    assert 5 < len(asked) < 40
    page.get_by_role("grid").evaluate("(grid) => { grid.scrollTop = grid.scrollHeight }")
    expect(page.locator("#row-199 .meta")).to_have_text("127.0.0.1:1")
    assert len(asked) < 80
