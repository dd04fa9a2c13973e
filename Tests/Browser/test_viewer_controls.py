"""The controls that float over an image, and the film strip."""

import re

from playwright.sync_api import expect

from screens import open_record, tiles


def open_image(stage, page, place=4):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    open_record(stage, page)
    tiles(page).nth(place).click()
    expect(page.locator(".stage img")).to_be_visible()


def test_the_controls_fade_while_the_pointer_rests(stage, page):
    open_image(stage, page)
    viewer, bar = page.locator(".viewer"), page.locator(".viewer .bar")
    expect(viewer).to_have_class(re.compile("idle"))
    expect(bar).to_have_css("opacity", "0")
    page.mouse.move(600, 400)
    page.mouse.move(610, 410)
    expect(bar).to_have_css("opacity", "1")
    expect(viewer).to_have_class(re.compile("idle"))
    # A control with the focus of the keyboard stays.
    page.get_by_role("button", name="Info").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 2500))")
    expect(bar).to_have_css("opacity", "1")


def test_the_controls_stay_without_motion(stage, page):
    page.emulate_media(reduced_motion="reduce")
    open_image(stage, page)
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 2500))")
    expect(page.locator(".viewer .bar")).to_have_css("opacity", "1")


def test_the_film_strip_shows_the_neighbours_and_leads_to_them(stage, page):
    open_image(stage, page)
    frames = page.locator(".film .frame")
    expect(frames.nth(4)).to_have_attribute("data-current", "")
    expect(page.locator(".film img").first).to_be_visible()
    assert page.locator(".film img").first.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 50
    frames.nth(6).click()
    expect(page).to_have_url(re.compile("/records/1/7$"))
    expect(page.locator(".frame[data-current]")).to_have_count(1)
    expect(page.locator(".caption")).to_contain_text("7/12")


def test_the_film_strip_shows_images_that_arrive_later(stage, page):
    fast, slow = stage.origin(), stage.origin("--rate", "4K")
    stage.link()
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("two", [
        f"{fast.url}scenes/dawn.jpg", f"{slow.url}scenes/noon.jpg"])))
    open_record(stage, page)
    expect(page.locator(".tile img:not([hidden])")).to_have_count(1)
    tiles(page).first.click()
    expect(page.locator(".film .frame")).to_have_count(2)
    assert page.locator(".film img").count() == 1
    expect(page.locator(".film img")).to_have_count(2)


def test_the_viewer_names_the_image_and_saves_it(stage, page):
    open_image(stage, page, place=1)
    expect(page.locator(".viewer .name")).to_have_text("noon.jpg")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".viewer .name")).to_have_text("dunes.jpg")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the original").click()
    assert saved.value.suggested_filename.endswith("dunes.jpg")


def test_a_small_image_is_fitted(stage, page):
    from stage import png
    folder = stage.home / "images"
    folder.mkdir()
    (folder / "small.png").write_bytes(png(64, 0.5))
    origin = stage.origin(folder=folder)
    stage.cli("add", "--quiet", str(stage.list_of("small", [origin.url + "small.png"])))
    open_record(stage, page)
    tiles(page).first.click()
    picture = page.locator(".stage img")
    expect(picture).to_be_visible()
    assert abs(picture.bounding_box()["height"] - 800) < 2
    page.get_by_role("button", name="Pixels").click()
    assert abs(picture.bounding_box()["height"] - 64) < 2


def test_a_phone_has_the_other_commands_in_a_menu(stage, browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    open_image(stage, page)
    page.locator(".viewer").dispatch_event("pointermove")
    page.locator(".viewer").get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Rotate").click()
    box = page.locator(".stage img").bounding_box()
    assert box["height"] > box["width"]
    context.close()
