"""The list of records: screen 1."""

import re

from playwright.sync_api import expect

from screens import choose
from stage import wait_until


def rows(page):
    return page.locator("[role=row]:not([hidden])")


def titles(page):
    return rows(page).locator(".title").all_text_contents()


def test_shows_title_status_and_progress_and_follows_a_download(stage, page):
    """DL1, DL2, DL4"""
    origin = stage.origin("--rate", "40K")
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.get_by_role("button", name="Add…").click()
    page.get_by_role("textbox", name="URL").fill(origin.url + "collection.zip")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(rows(page)).to_have_count(2)
    assert titles(page) == ["scenes", "patterns"]
    # What is at work comes first.
    scenes = rows(page).filter(has_text="scenes")
    expect(scenes.locator(".status")).to_have_text("Downloading...")
    expect(scenes.locator(".speed")).to_have_text(re.compile(r"kB/s"))
    expect(scenes.locator(".status")).to_have_text("Finished")
    expect(scenes.locator(".done")).to_have_text("12/12")
    assert scenes.locator("progress").evaluate("(bar) => bar.value") == 1
    # The same source again appends its records at the end.
    stage.cli("add", "--quiet", "--again", origin.url + "collection.zip")
    expect(rows(page)).to_have_count(4)
    expect(page.locator(".section").filter(visible=True)).to_have_text(["Finished"])
    assert titles(page) == ["scenes", "patterns", "scenes", "patterns"]


def test_shows_no_rate_without_a_transfer(stage, page):
    """The last progress of an engine that a full disk has ended has records, but no transfers."""
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    expect(rows(page)).to_have_count(2)
    wait_until(lambda: page.evaluate("navigator.locks.query().then(({ held }) => held.length)"))
    sent = 0

    def send(active):
        nonlocal sent
        sent += 10_000
        record = {"id": 1, "bytes": sent, "fraction": sent / 1e7}
        page.evaluate(
            "(progress) => new BroadcastChannel('imgdl').postMessage({ kind: 'progress', progress })",
            {"records": [record], "active": active, "bytesPerSecond": 1})

    def has_rate():
        send([1])
        return "kB/s" in rows(page).first.locator(".speed").text_content()

    wait_until(has_rate)
    send([])
    expect(rows(page).first.locator(".speed")).to_have_text("", timeout=1_000)


def test_comes_back_to_the_record_that_was_opened(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    page.get_by_role("link", name="patterns").click()
    expect(page.get_by_role("heading", name="patterns")).to_be_visible()
    page.go_back()
    expect(page.locator("[aria-selected=true]:not([hidden]) .title")).to_have_text("patterns")
    expect(page.locator(".list")).to_be_focused()


def test_the_limit_of_downloads_is_read_as_a_number(stage, page):
    page.goto(stage.link())
    stage.cli("concurrency", "256")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "256 downloads")


def test_a_long_message_leaves_room_for_the_page(stage, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.evaluate("""dispatchEvent(new CustomEvent('imgdl-problem', { detail: 'a long reason '.repeat(2000) }))""")
    assert page.locator("#banner").bounding_box()["height"] < 300
    assert page.locator("main").bounding_box()["height"] > 500


def test_an_address_without_a_screen_says_so(stage, page):
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.goto(page.url + "records/abc")
    expect(page.get_by_text("This record does not exist.")).to_be_visible()


def test_a_link_of_the_page_that_is_dropped_on_it_is_nothing_to_add(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    page.get_by_role("link", name="patterns").drag_to(page.locator("footer"))
    expect(page.get_by_role("link", name="patterns")).to_be_visible()
    assert page.get_by_role("dialog").count() == 0


def test_says_why_a_source_cannot_be_added(stage, page):
    origin = stage.origin()
    page.goto(stage.link())
    page.get_by_role("button", name="Add…").click()
    page.get_by_role("textbox", name="URL").fill(origin.url + "nothing.json")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("404")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_pauses_and_resumes_and_only_while_there_is_work(stage, page):
    """DL6"""
    origin = stage.origin("--rate", "8K")
    page.goto(stage.link())
    expect(page.get_by_role("button", name="Pause all")).to_be_disabled()
    stage.cli("add", "--quiet", "--detach", origin.url + "collection.zip")
    page.get_by_role("button", name="Pause all").click()
    expect(rows(page).first.locator(".status")).to_have_text("Paused")
    # The button resumes now. One record can be paused by itself.
    page.get_by_role("button", name="Resume all").click()
    expect(rows(page).first.locator(".status")).to_have_text(re.compile("Downloading|Queuing"))
    # A record that is finished earlier moves below the others.
    patterns, scenes = (rows(page).filter(has_text=title) for title in ("patterns", "scenes"))
    patterns.locator(".status").click()
    page.keyboard.press("P")
    expect(patterns.locator(".status")).to_have_text("Paused")
    expect(scenes.locator(".status")).to_have_text(re.compile("Downloading|Queuing"))


def test_sets_the_number_of_downloads_while_the_slider_moves(stage, page):
    """DL3"""
    page.goto(stage.link())
    slider = page.get_by_role("slider")
    expect(page.locator("output")).to_have_text("16")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    wait_until(lambda: stage.cli("concurrency").strip() == "12")
    expect(page.locator("output")).to_have_text("12")
    # A change by another client is shown.
    stage.cli("concurrency", "64")
    expect(page.locator("output")).to_have_text("64")


def test_late_events_of_earlier_changes_do_not_move_the_slider(stage, page):
    page.goto(stage.link())
    expect(page.locator("output")).to_have_text("16")
    limits = page.evaluate("""async () => {
        const slider = document.querySelector('[type=range]');
        const isSet = () => document.getElementById('spoken').textContent === '15 downloads at once';
        slider.stepDown();
        slider.dispatchEvent(new Event('input'));
        while (!isSet()) await new Promise(requestAnimationFrame);
        const late = { kind: 'concurrencyChanged', limit: 16 };
        new BroadcastChannel('imgdl').postMessage({ kind: 'event', event: late });
        await new Promise((resolve) => setTimeout(resolve, 100));
        return [slider.value, document.querySelector('output').value];
    }""")
    assert limits == ["14", "15"]


def test_retries_what_failed_and_reloads(stage, page):
    """DL9"""
    origin = stage.origin()
    sources = [origin.url + name for name in ("scenes/none.jpg", "collection.zip")]
    stage.cli("add", "--quiet", str(stage.list_of("mixed", sources)), check=False)
    page.goto(stage.link())
    row = rows(page).first
    expect(row.locator(".status")).to_have_text("Finished, 1 failed")
    row.locator(".status").click()
    page.get_by_role("button", name="Retry").click()
    expect(row.locator(".status")).to_have_text("Finished, 1 failed")
    choose(page, row, "Reload…")
    expect(page.get_by_role("dialog")).to_contain_text("“mixed”: 2 resources will be requested again.")
    page.get_by_role("dialog").get_by_role("button", name="Reload").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(row.locator(".status")).to_have_text("Finished, 1 failed")
    expect(row.locator(".done")).to_have_text("1/2")


def test_the_address_is_the_state(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    expect(rows(page)).to_have_count(2)
    page.get_by_label("Sort by").select_option("title")
    assert titles(page) == ["patterns", "scenes"]
    page.keyboard.press("/")
    page.get_by_label("Filter titles").fill("SCE")
    expect(rows(page)).to_have_count(1)
    page.reload()
    expect(rows(page)).to_have_count(1)
    assert page.url.endswith("/?sort=title&filter=SCE")
    page.get_by_label("Filter titles").fill("no such title")
    expect(page.get_by_text("No title contains “no such title”.")).to_be_visible()


def test_everything_is_possible_with_the_keyboard(stage, page):
    origin = stage.origin()
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.type(origin.url + "collection.zip")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(2)
    expect(rows(page).first.locator(".status")).to_have_text("Finished")
    page.get_by_role("grid").focus()
    page.keyboard.press("End")
    expect(rows(page).nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("x")
    # The button that changes nothing has the focus at first.
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("Shift+X")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_foreign_text_is_shown_as_text(stage, page):
    title = "<img src=x onerror=alert(1)> ‮gpj.exe\x07"
    origin = stage.origin()
    stage.cli("add", "--quiet", str(stage.list_of("hostile", {"title": title, "urls": [
        origin.url + "scenes/none.jpg"]})), check=False)
    page.goto(stage.link())
    expect(rows(page)).to_have_count(1)
    shown, = titles(page)
    assert "‮" not in shown and "\x07" not in shown
    assert page.locator("img[src=x]").count() == 0


def test_shows_a_long_list_with_few_elements(stage, page):
    paths = [stage.list_of(f"record {number:04}", ["http://127.0.0.1:1/a.jpg"])
             for number in range(1200)]
    stage.link()
    stage.cli("pause", check=False)
    for start in range(0, len(paths), 400):
        stage.cli("add", "--quiet", "--lazy", *map(str, paths[start:start + 400]))
    page.goto(stage.link())
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "1200")
    grid.focus()
    page.keyboard.press("End")
    expect(page.get_by_text("record 1199")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_text("record 0000")).to_be_visible()
    for index in (600, 7, 1111):
        grid.evaluate("(list, index) => { list.scrollTop = index * list.querySelector('.row').offsetHeight }", index)
        expect(page.get_by_text(f"record {index:04}")).to_be_visible()
    assert page.locator("[role=row]").count() < 60


def test_fits_narrow_and_wide_windows(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    for width, height in [(320, 568), (390, 844), (1280, 800), (3840, 2160)]:
        page.set_viewport_size({"width": width, "height": height})
        expect(rows(page).first).to_be_visible()
        outside = page.evaluate(
            """() => [...document.querySelectorAll('button, input, select, .row > *, footer *')]
              .filter((each) => !each.closest('.tools'))
              .filter((each) => { const box = each.getBoundingClientRect();
                return box.width && (box.left < 0 || box.right > innerWidth + 1
                  || box.bottom > innerHeight + 1) }).map((each) => each.outerHTML)""")
        assert outside == [], f"{width} × {height}"


def test_misses_no_record_that_is_added_before_the_events_begin(stage, page):
    origin = stage.origin()
    link = stage.link()
    held = []
    is_held = True
    page.route("**/v1/events*", lambda route: held.append(route) if is_held else route.continue_())
    page.goto(link)
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    wait_until(lambda: held or page.evaluate("0"))
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    is_held = False
    for route in held:
        route.continue_()
    expect(rows(page)).to_have_count(2)


def test_shows_what_changed_while_the_list_was_read(stage, page):
    """The responses are those of a download at work, and arrive after its end."""
    origin = stage.origin("--rate", "40K")
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.evaluate("""() => {
      window.finished = 0;
      new BroadcastChannel('imgdl').onmessage = ({ data }) => {
        if (data.kind !== 'progress') return;
        finished = data.progress.records.reduce((sum, record) => sum + record.finished, 0);
      };
      window.lists = [];
      const gate = new Promise((resolve) => { window.release = resolve; });
      const original = window.fetch;
      window.fetch = async (path, options) => {
        const response = await original(path, options);
        if (path.startsWith('/v1/records?limit=')) {
          lists.push(await response.clone().json());
          await gate;
        }
        return response;
      };
    }""")
    stage.cli("add", "--quiet", "--detach", origin.url + "collection.zip")
    wait_until(lambda: page.evaluate("finished === 18"), 60)
    # A list that is read later would be right anyway.
    [list_] = page.evaluate("lists")
    assert all(each["counts"]["finished"] < each["counts"]["total"] for each in list_["items"])
    page.evaluate("release()")
    for row in range(2):
        expect(rows(page).nth(row).locator(".done")).to_have_text(re.compile(r"^(\d+)/\1$"))
        expect(rows(page).nth(row).locator(".status")).to_have_text("Finished")


def test_no_row_of_a_longer_list_stays_behind_a_filter(stage, page):
    for number in range(5):
        stage.cli("add", "--quiet", "--lazy", str(stage.list_of(f"list{number}", [f"http://127.0.0.1:1/{number}.jpg"])))
    page.goto(stage.link())
    rows = page.locator("main [role=row]").filter(visible=True)
    expect(rows).to_have_count(5)
    page.keyboard.press("/")
    page.keyboard.type("list3")
    expect(rows).to_have_count(1)


def test_a_click_on_a_title_only_ends_a_lift(stage, page):
    """RM9"""
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    rows = page.locator(".row:not([hidden])")
    expect(rows).to_have_count(2)
    rows.first.locator(".status").hover()
    page.mouse.down()
    expect(page.locator(".row.lifted")).to_have_count(1)
    page.mouse.up()
    rows.nth(1).locator("a").click()
    expect(page.locator(".row.lifted")).to_have_count(0)
    expect(page).to_have_url(re.compile("/$"))
    rows.nth(1).locator("a").click()
    expect(page).to_have_url(re.compile("/records/2$"))
