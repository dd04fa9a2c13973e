"""The slices of a series."""

import re

from playwright.sync_api import expect

from stage import wait_until


def open_series(stage, page, wait=True):
    page.goto(stage.link())
    page.locator("[role=row]:not([hidden]) a").first.click()
    expect(page).to_have_url(re.compile("/records/1/slices"))
    # The URL changes before the screen does, and keys until then are for the former screen.
    expect(page.locator("footer.slices")).to_be_visible()
    if wait:
        expect(page.locator("footer.slices .numbers")).not_to_contain_text("Loading")
        expect(page.locator(".stage > canvas")).to_be_visible()


def shade(page):
    """The width of the light disc in pixels: it rises from slice to slice."""
    return page.locator(".stage > canvas").evaluate(
        """(canvas) => {
          const row = canvas.getContext('2d').getImageData(0, canvas.height / 2, canvas.width, 1).data;
          let count = 0;
          for (let x = 0; x < canvas.width; x += 1) if (row[4 * x] > 100) count += 1;
          return count;
        }""")


def test_moves_by_slider_keys_and_wheel(stage, page):
    """SV1, SV2"""
    series = stage.series(40)
    stage.cli("add", "--quiet", series.url)
    open_series(stage, page)
    where = page.locator("header .summary")
    expect(where).to_have_text("1/40")
    widths = [shade(page)]
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text("2/40")
    page.keyboard.press("PageDown")
    expect(where).to_have_text("6/40")
    widths.append(shade(page))
    page.get_by_role("slider", name="Slice").fill("20")
    expect(where).to_have_text("20/40")
    widths.append(shade(page))
    page.locator(".stage").hover()
    page.mouse.wheel(0, 100)
    expect(where).to_have_text("21/40")
    page.keyboard.press("End")
    expect(where).to_have_text("40/40")
    widths.append(shade(page))
    assert widths == sorted(set(widths)), "another slice for each position"
    expect(page).to_have_url(re.compile("/slices/40$"))
    page.reload()
    expect(where).to_have_text("40/40")


def test_the_keys_move_a_slice_that_fits_to_the_width(stage, page):
    series = stage.series(3)
    stage.cli("add", "--quiet", series.url)
    open_series(stage, page)
    where, canvas = page.locator("header .summary"), page.locator(".stage > canvas")
    page.keyboard.press("f")
    top = canvas.bounding_box()["y"]
    page.keyboard.press("ArrowDown")
    assert canvas.bounding_box()["y"] < top - 50
    expect(where).to_have_text("1/3")
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text("2/3")
    for _ in range(20):
        page.keyboard.press("ArrowDown")
    expect(where).to_have_text("3/3")


def test_shows_the_nearest_slice_until_the_right_one_is_there(stage, page):
    """SV2, SV3, SV5"""
    series = stage.series(30, delay=0.3, broken={29})
    stage.link()
    stage.cli("concurrency", "1")
    stage.cli("add", "--quiet", "--detach", series.url)
    open_series(stage, page, wait=False)
    expect(page.locator("footer .numbers")).to_contain_text(re.compile(r"Loading [1-9]\d*/30"))
    page.get_by_role("slider", name="Slice").fill("25")
    expect(page.locator(".mark")).to_have_text(re.compile(r"Slice 25 is not loaded yet; showing slice \d+"))
    expect(page.locator(".mark")).to_be_hidden()
    page.get_by_role("slider", name="Slice").fill("30")
    expect(page.locator(".message")).to_have_text("HTTP 404 Not Found")
    expect(page.locator("footer .numbers")).to_have_text("1 failed")


def test_a_series_that_is_opened_again_makes_no_requests(stage, context, page):
    """SV4"""
    series = stage.series(20)
    stage.cli("add", "--quiet", series.url)
    open_series(stage, page)
    asked_origin = len(series.requests)
    assert sum("/slice/" in path for path in series.requests) == 20
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    responses = []
    session.on("Network.responseReceived", lambda event: responses.append(event["response"]))

    def slices():
        """For each slice that was loaded, whether it came from the browser's cache."""
        return [response.get("fromDiskCache", False) for response in responses if "/image?" in response["url"]]

    page.reload()
    expect(page.locator("footer.slices .numbers")).not_to_contain_text("Loading")
    wait_until(lambda: page.wait_for_timeout(50) or len(slices()) == 20)
    assert all(slices())
    assert len(series.requests) == asked_origin


def test_shows_slices_that_were_replaced_while_imgdld_was_away(stage, page):
    series = stage.series(5)
    stage.cli("add", "--quiet", series.url)
    open_series(stage, page)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("/slices/2$"))
    old = shade(page)
    stage.kill()
    expect(page.locator("#banner")).to_have_text("imgdld does not respond. Trying again…")
    series.growth = 0.1
    page.route("**/v1/events**", lambda route: route.abort())
    stage.cli("reload", "1")
    stage.cli("daemon", "start")
    # The page connects only after the downloads, so that it receives no events about them.
    wait_until(lambda: sum("/slice/" in path for path in series.requests) == 10)
    wait_until(lambda: '"finished":5' in stage.cli("list", "--json"))
    page.unroute("**/v1/events**")
    expect(page.locator("#banner")).to_be_hidden()
    wait_until(lambda: page.wait_for_timeout(50) or shade(page) > old)
    expect(page.locator("header .summary")).to_have_text("2/5")
    page.keyboard.press("ArrowLeft")
    wait_until(lambda: page.wait_for_timeout(50) or shade(page) > 10)


def test_plays_inverts_and_changes_the_tones(stage, page):
    series = stage.series(10)
    stage.cli("add", "--quiet", series.url)
    open_series(stage, page)
    page.keyboard.press("c")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.locator("header .summary")).to_contain_text("30 fps")
    page.keyboard.press("<")
    expect(page.locator("header .summary")).to_contain_text("24 fps")
    seen = set()
    wait_until(lambda: seen.add(page.locator("header .summary").text_content()) or len(seen) > 5)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Cine")).to_be_visible()
    canvas = page.locator(".stage > canvas")
    page.keyboard.press("I")
    expect(canvas).to_have_css("filter", "invert(1)")
    page.get_by_label("Brightness").fill("150")
    page.get_by_label("Contrast").fill("80")
    expect(canvas).to_have_css("filter", "brightness(1.5) contrast(0.8) invert(1)")
    page.keyboard.press("v")
    expect(page.locator(".tile:not([hidden])")).to_have_count(10)
    page.get_by_role("button", name="Slices").click()
    expect(page.locator("header .summary")).to_have_text("1/10")


def test_forced_colors_tell_failed_slices_from_loaded_ones(stage, browser):
    series = stage.series(3, broken=(1,))
    stage.cli("add", "--quiet", series.url, check=False)
    context = browser.new_context(forced_colors="active")
    page = context.new_page()
    open_series(stage, page)
    expect(page.locator("footer .numbers")).to_have_text("1 failed")
    loaded, failed = page.locator(".residency").evaluate(
        """(strip) => [0, 1].map((x) => [...strip.getContext('2d').getImageData(x, 0, 1, 1).data].join())""")
    assert loaded != failed
    context.close()
