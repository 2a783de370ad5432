"""Reports in a real Chromium: what they do, that they load nothing, and how they look where it can be computed."""

import shutil

import numpy as np
import pandas as pd
import pytest
from pages import HOSTILE, Page

import subspaceot as sot
from subspaceot.report import Pairs, Source, TextPair, pairs_page, texts_page
from subspaceot.tables.mds import metric_mds
from subspaceot.text import WordVectors, text_measure

CHROMIUM = shutil.which("chromium")
playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]

QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
ROWS, COLUMNS = 30, ("height", "mass", "age", "rate")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return name -> file of a report of each kind."""
    folder = tmp_path_factory.mktemp("pages")
    paths = {name: folder / f"{name}.html" for name in ("plain", "hostile", "none", "pairs", "texts")}
    write_comparison(paths["plain"], COLUMNS, ("before", "after"))
    write_comparison(paths["hostile"], HOSTILE, (HOSTILE[0], HOSTILE[1]), index=HOSTILE)
    write_comparison(paths["none"], COLUMNS, ("one half", "other half"), shift=0.0)
    paths["pairs"].write_bytes(pairs_page(pairs(), Source("subspaceot pairwise", is_command=True), [HOSTILE[0]]))
    paths["texts"].write_bytes(texts_page(texts(), pairs(), Source("subspaceot text", is_command=True), []))
    return paths


def write_comparison(path, columns, names, shift=3.0, index=None):
    rng = np.random.default_rng(0)
    A, B = (pd.DataFrame(rng.standard_normal((ROWS, len(columns))), columns=list(columns)) for _ in range(2))
    B[columns[0]] += shift
    if index is not None:
        A.index = pd.Index([f"{index[i % len(index)]} {i}" for i in range(ROWS)])
    test, found = sot.two_sample_test(A, B, n_permutations=99), sot.intervals(A, B, 1)
    sot.srw(A, B, 1).report(path, names, test=test, curve=sot.srw_path(A, B), intervals=found)


def pairs():
    samples = [np.random.default_rng(i).standard_normal((8, 2)) + 2.0 * i for i in range(4)]
    found = sot.pairwise(samples, 1)
    places, stress = metric_mds(found.distance)
    bounds = {"distance": found.distance, "lower": found.lower, "upper": found.upper}
    words = {"sizes": ["8 rows"] * 4, "what": "files", "unit": "units of the data"}
    return Pairs(HOSTILE[:4], k=1, d=2, gap=0.01, converged=True, places=places, stress=stress, **bounds, **words)


def texts():
    words = tuple(f"{a}{b}ing" for a in "bcdfgl" for b in "aeiou")
    vectors = WordVectors(words, np.random.default_rng(0).standard_normal((30, 8)))
    first, second = (
        text_measure(name, " ".join(part), vectors) for name, part in (("a", words[:20]), ("b", words[9:]))
    )
    result = sot.srw(first.points, second.points, 2, first.weights, second.weights)
    return TextPair((first, second), result, [["one"], ["two"]])


class Opened:
    """A page in the browser, and all that it did unasked."""

    def __init__(self, browser, file, **options):
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.page = self.context.new_page()
        self.said, self.requests, self.dialogs = [], [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))
        self.page.goto(file.as_uri())

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.context.close()
        if kind is None:
            assert not self.said
            assert not self.dialogs
            assert len(self.requests) == 1  # the page itself

    def moved_to(self, which, at):
        """Move the mouse to a dot and return what the page says of it."""
        dot = self.page.locator(f"#dots-{which} use").nth(at)
        dot.scroll_into_view_if_needed()
        box = dot.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        return self.page.locator("#tip").inner_text().split("\n")


def column(opened, at, table="row-table"):
    """Return the cells of a column of a table."""
    return opened.page.locator(f"#{table} tbody tr > :nth-child({at})").all_inner_texts()


def test_pointing_at_a_dot_names_its_row_and_where_it_goes(browser, files):
    data = Page(files["plain"].read_bytes()).data
    with Opened(browser, files["plain"]) as opened:
        assert opened.page.locator("#tip").is_hidden()
        for at in (0, 7, ROWS - 1):
            title, *targets, displacement = opened.moved_to("a", at)
            assert title == f"row {data['labels'][0][at]} of before"
            target, percent = data["parts"][0][at][:2]
            assert targets[0] == f"to row {data['labels'][1][target]} of after: {percent}% of it"
            assert displacement == f"displacement {data['lengths'][at]}"
            assert opened.page.locator("#links path").count() == len(data["parts"][0][at]) // 2
        title, *sources = opened.moved_to("b", 3)
        assert title == f"row {data['labels'][1][3]} of after"
        assert sources[0].startswith("from row ")
        opened.page.mouse.move(2, 2)
        assert opened.page.locator("#tip").is_hidden()
        assert opened.page.locator("#links *").count() == 0


def test_the_arrow_keys_step_through_the_dots(browser, files):
    with Opened(browser, files["plain"]) as opened:
        opened.page.locator("#stage").focus()
        seen = set()
        for _ in range(2 * ROWS):
            opened.page.keyboard.press("ArrowRight")
            seen.add(opened.page.locator("#tip").inner_text().split("\n")[0])
        assert len(seen) == 2 * ROWS
        opened.page.keyboard.press("ArrowLeft")
        assert opened.page.locator("#tip").is_visible()
        opened.page.keyboard.press("Escape")
        assert opened.page.locator("#tip").is_hidden()


def test_titles_sort_the_rows(browser, files):
    with Opened(browser, files["plain"]) as opened:
        numbers = [float(text) for text in column(opened, 2)]
        assert numbers == sorted(numbers, reverse=True)
        button = opened.page.locator("#row-table thead th:nth-child(2) button")
        button.click()  # as it is already
        button.click()
        assert [float(text) for text in column(opened, 2)] == sorted(numbers)
        assert opened.page.locator("#row-table th:nth-child(2)").get_attribute("aria-sort") == "ascending"
        name = opened.page.locator("#row-table thead th:nth-child(1) button")
        name.focus()
        opened.page.keyboard.press("Enter")
        assert column(opened, 1) == [f"row {i}" for i in range(ROWS)]  # as numbers, not as text
        assert opened.page.locator("#row-table th:nth-child(2)").get_attribute("aria-sort") == "none"


def test_a_column_colours_the_dots(browser, files):
    data = Page(files["plain"].read_bytes()).data
    with Opened(browser, files["plain"]) as opened:
        button = opened.page.locator("#column-table tbody button").first
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        levels = [opened.page.locator("#dots-a use").nth(i).get_attribute("class") for i in range(ROWS)]
        assert levels == [f"l{level}" for level in data["columns"][0]["levels"][0]]
        assert "Colour: height" in opened.page.locator("#legend").inner_text()
        assert opened.page.locator("#links text").text_content() == "height"  # at the end of the arrow
        fills = {fill_of(opened, level) for level in sorted(set(levels))}
        assert len(fills) == len(set(levels))
        opened.page.locator("#column-table tbody button").nth(1).click()
        assert button.get_attribute("aria-pressed") == "false"
        opened.page.locator("#column-table tbody button").nth(1).click()
        assert opened.page.locator("#dots-a use").first.get_attribute("class") is None
        assert opened.page.locator("#legend").is_hidden()


def fill_of(opened, level):
    return opened.page.eval_on_selector(f"use.{level}", "use => getComputedStyle(use).fill")


def test_names_from_data_do_nothing(browser, files):
    with Opened(browser, files["hostile"]) as opened:
        assert HOSTILE[0] in opened.page.locator("h1").inner_text()
        title = opened.moved_to("a", 0)[0]
        assert title == f"row {HOSTILE[0]} 0 of {HOSTILE[0]}"
        for button in opened.page.locator("#column-table tbody button").all():
            button.click()
            assert opened.page.locator("#legend").is_visible()
        assert "<img src=x" in opened.page.locator("#column-table").inner_text()
        for selector in ("img", "[onload]", "[onerror]", "iframe"):
            assert opened.page.locator(selector).count() == 0
        assert opened.page.locator("script").count() == 2


def test_the_policy_stops_what_the_page_does_not_bring_along(browser, files):
    content = files["plain"].read_text(encoding="utf-8")
    changed = files["plain"].with_name("changed.html")
    changed.write_text(content.replace("</main>", "<script>document.title = 'run'</script></main>"), encoding="utf-8")
    opened = Opened(browser, changed)
    assert "before" in opened.page.title()
    assert any("Content Security Policy" in text for text in opened.said)
    opened.context.close()


@pytest.mark.parametrize("name", ["plain", "hostile", "none", "pairs", "texts"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_and_can_be_read(browser, files, name, scheme):
    with Opened(browser, files[name], color_scheme=scheme) as opened:
        for width in (390, 1280, 1920):
            opened.page.set_viewport_size({"width": width, "height": 900})
            assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
        faint = opened.page.evaluate(FAINT_TEXTS)
        assert not faint
        assert opened.page.evaluate(UNNAMED) == 0
        assert opened.page.locator("h1").count() == 1


# Returns how many of the elements that can have the focus, or are landmarks, have no name.
UNNAMED = """[...document.querySelectorAll("button, section, [tabindex]")].filter((e) =>
  !(e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") || e.textContent.trim())).length"""

# Returns the texts whose contrast to the first background behind them is below 4.5.
FAINT_TEXTS = """() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (e) => {
    for (; e !== null; e = e.parentElement) {
      const colour = parts(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || ["SCRIPT", "STYLE", "title"].includes(element.tagName)) continue;
    const style = getComputedStyle(element);
    const drawn = element.namespaceURI.endsWith("svg");
    const p = light(parts(drawn ? style.fill : style.color)) + 0.05;
    const q = light(behind(element)) + 0.05;
    if (style.fontSize !== "0px" && Math.max(p, q) / Math.min(p, q) < 4.5) found.push(node.textContent.trim());
  }
  return found;
}"""


def test_without_javascript_there_are_the_same_words_pictures_and_tables(browser, files):
    with Opened(browser, files["plain"], java_script_enabled=False) as opened:
        assert "A difference was found" in opened.page.locator("#answer").inner_text()
        assert opened.page.locator("#dots-a use").count() == ROWS
        assert len(column(opened, 1)) == ROWS
        assert opened.page.locator("button").count() == 0
        assert not opened.page.locator(".scripted").first.is_visible()  # nothing is promised that does not work


def test_on_paper_nothing_is_lost_that_paper_can_show(browser, files):
    with Opened(browser, files["plain"], color_scheme="dark") as opened:
        opened.page.emulate_media(media="print")
        assert not opened.page.locator("nav").is_visible()
        assert opened.page.locator("#row-table tbody tr:visible").count() == 20
        assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert opened.page.pdf().startswith(b"%PDF")


def test_a_sample_on_the_map_shows_its_distances(browser, files):
    for name in ("pairs", "texts"):
        data = Page(files[name].read_bytes()).data
        with Opened(browser, files[name]) as opened:
            opened.page.locator("#nearest-table tbody button").first.click()
            values = opened.page.locator("#links .value").all_text_contents()
            assert values == sorted(data["distances"][0][1:], key=float)
            opened.page.locator("#nearest-table tbody button").first.click()
            assert opened.page.locator("#links *").count() == 0
            opened.page.locator("#row-table thead button").nth(2).click()
            numbers = [float(text) for text in column(opened, 3)]
            assert numbers == sorted(numbers, reverse=True)
