"""Check the built site: every link within it leads somewhere, and nothing that it shows comes from elsewhere.

    python docs/check_site.py docs/_build/html

Prints what is wrong and exits with 1, or prints how much was checked.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href", "object": "data"}
FROM_ELSEWHERE = re.compile(r"""(?:@import\s+|url\()\s*["']?(?:https?:)?//""")


class Page(HTMLParser):
    """What a page links to, what it loads, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag links to or loads."""
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and LOADED[tag] in given:
            self.loaded.append(given[LOADED[tag]])


def problems(site: Path) -> list[str]:
    """Return what is wrong with a built site, one line each."""
    pages = {
        path.resolve(): Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts
    }
    wrong = [] if pages else [f"{site} has no pages"]
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        wrong += [f"{name} loads {url}" for url in page.loaded if is_external(url)]
        inside = [url for url in page.links + page.loaded if not is_external(url)]
        wrong += [f"{name} links to nothing: {url}" for url in inside if not leads_somewhere(url, path, pages)]
    for path in site.rglob("*.css"):
        if FROM_ELSEWHERE.search(path.read_text(encoding="utf-8")):
            wrong.append(f"{path.relative_to(site)} loads something from elsewhere")
    return wrong


def is_external(url: str) -> bool:
    """Whether an address leads out of the site."""
    parts = urlsplit(url)
    return bool(parts.netloc) or parts.scheme in ("http", "https", "mailto")


def leads_somewhere(url: str, path: Path, pages: dict[Path, Page]) -> bool:
    """Whether an address within the site, found on the page at `path`, has a target."""
    parts = urlsplit(url)
    if parts.scheme in ("data", "javascript"):
        return True
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not parts.fragment:
        return target.exists()
    return target in pages and unquote(parts.fragment) in pages[target].places


if __name__ == "__main__":
    (folder,) = sys.argv[1:]
    found = problems(Path(folder))
    print("\n".join(found) or "All links within the site lead somewhere, and nothing is loaded from elsewhere.")
    sys.exit(bool(found))
