"""Report pages read by a parser of HTML, for their tests."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

APART = {"p", "div", "dt", "dd", "li", "td", "th", "tr", "h1", "h2", "b", "span", "section", "caption", "title"}
VOID = {"meta", "br", "hr", "img", "input", "link", "base", "source", "wbr"}
HOSTILE = [
    "</script><script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    '"><svg onload=alert(1)>',
    "right \u202e to \u2066left",
    "line\u2028end\x1b[31m\x00",
    "{{ 7 * 7 }} {% raw %}",
    "שלום & <b>bold</b>",
    "W" * 120,
]


class Page(HTMLParser):
    """The elements of a page, each with its attributes and its text."""

    def __init__(self, content):
        super().__init__(convert_charrefs=True)
        self.content = content.decode("utf-8")
        self.elements, self.open, self.texts = [], [], []
        self.feed(self.content)
        self.close()
        assert not self.open, f"never closed: {[element['tag'] for element in self.open]}"

    def handle_starttag(self, tag, attributes):
        self.handle_data(" " if tag in APART else "")
        element = {"tag": tag, "attributes": dict(attributes), "text": "", "within": [e["tag"] for e in self.open]}
        assert len(element["attributes"]) == len(attributes), f"an attribute comes twice: {attributes}"
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1]["tag"] == tag, f"</{tag}> closes <{self.open[-1]['tag']}>"
        self.open.pop()

    def handle_data(self, text):
        for element in self.open:
            element["text"] += text
        if not {"script", "style"} & {element["tag"] for element in self.open}:
            self.texts.append(text)

    @property
    def text(self):
        """What a person reads, white space collapsed; texts of pictures included."""
        return " ".join("".join(self.texts).split())

    def all(self, tag, **attributes):
        """Return the elements with this tag and these attributes."""
        return [
            element
            for element in self.elements
            if element["tag"] == tag and all(element["attributes"].get(k) == v for k, v in attributes.items())
        ]

    def one(self, tag, **attributes):
        """Return the only such element."""
        (element,) = self.all(tag, **attributes)
        return element

    def section(self, name):
        """Return the text of a section, white space collapsed."""
        return " ".join(self.one("section", id=name)["text"].split())

    @property
    def data(self):
        """Return what the script reads."""
        return json.loads(self.one("script", id="data")["text"])


def require_safe(page):
    """Assert that a page runs its own script alone, loads nothing, and has names for what it shows."""
    policy = page.one("meta", **{"http-equiv": "Content-Security-Policy"})["attributes"]["content"]
    script, style = page.all("script")[1]["text"], page.one("style")["text"]
    assert [e["attributes"].get("type") for e in page.all("script")] == ["application/json", None]
    assert "unsafe" not in policy
    assert f"script-src '{digest(script)}'" in policy
    assert f"style-src '{digest(style)}'" in policy
    assert policy.startswith("default-src 'none';")
    tags = {element["tag"] for element in page.elements}
    assert not tags & {"img", "iframe", "object", "embed", "link", "base", "form", "audio", "video", "foreignobject"}
    for element in page.elements:
        for name, value in element["attributes"].items():
            assert not name.startswith("on"), element
            assert name not in ("style", "src", "srcset", "action", "formaction", "ping", "xlink:href"), element
            if name == "href":
                assert value.startswith("#"), element
    assert "url(" not in style
    assert "@import" not in style
    names = [element["attributes"]["id"] for element in page.elements if "id" in element["attributes"]]
    assert len(names) == len(set(names))
    for anchor in page.all("a") + page.all("use"):
        assert anchor["attributes"]["href"][1:] in names
    for svg in page.all("svg"):
        assert svg["attributes"].get("aria-hidden") == "true" or svg["attributes"].get("role") == "img"
    shown = [svg for svg in page.all("svg") if svg["attributes"].get("role") == "img"]
    titles = [title for title in page.all("title") if "svg" in title["within"]]
    assert len(shown) == len(titles)
    assert all(title["text"] for title in titles)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", page.content)


def digest(text):
    """Return the hash that a content security policy names."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
