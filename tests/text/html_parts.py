"""Pieces of pages, sound and broken, for property tests."""

HTML_PARTS = (
    *("<p>", "</p>", "<h1>", "</h1>", "<h3 class=x>", "</h3>", "<b>", "</b>", "<table>"),
    *("</table>", "<pre>", "</pre>", "<script>", "</script>", "<!--", "-->", "<div", ">", "<"),
    *("text. ", " ", "\n", "\u00a0"),
)
