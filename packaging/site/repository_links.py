"""Links from the documentation to files of the repository become links to GitHub."""

import posixpath
import re

LINK = re.compile(r"\]\((\.\./[^)\s]*)\)")


def on_page_markdown(markdown, page, config, **_):
    folder = posixpath.dirname("docs/" + page.file.src_uri)

    def replace(link):
        path = posixpath.normpath(posixpath.join(folder, link.group(1)))
        if path.startswith("docs/"):
            return link.group(0)
        return f"]({config['repo_url']}/blob/main/{path})"

    return LINK.sub(replace, markdown)
