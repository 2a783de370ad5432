"""From a text to the words that count."""

import re
from collections import Counter
from collections.abc import Container

# Letters and digits, held together by apostrophes and hyphens inside a word. "1st" is one word, not "st".
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


def count_words(text: str, vocabulary: Container[str]) -> Counter[str]:
    """Return how often each word of the vocabulary occurs in the text, in the order in which they first do.

    Words that are not in the vocabulary, that hold digits or that begin with a capital letter are left out (paper,
    appendix C.2): the latter are names, and the first words of sentences.

    Examples
    --------
    >>> count_words("The king's horse, a horse of 3rd rank; Horse!", {"horse", "king", "rank", "3rd", "the"})
    Counter({'horse': 2, 'rank': 1})
    """
    words = (match.group().replace("\u2019", "'") for match in _WORD.finditer(text))
    return Counter(word for word in words if _counts(word) and word in vocabulary)


def _counts(word: str) -> bool:
    return not word[0].isupper() and not any(character.isdigit() for character in word)
