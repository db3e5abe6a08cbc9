"""The report as one page: what a lead opens on Monday and an engineer lives in on Tuesday.

    Run, Report ──write_html───▶ one file while it is small, a folder of parts beside it above
                ──render_html──▶ the text of the one file

    template   the breakdown as plain tables, readable where no script may run
    script     two routes over islands of data: #/?kind=…  and  #/c/<conversation>/t/<turn>

Trace text is hostile here as everywhere: it is escaped by the template, set as text by
the script, and the page's own policy admits its script, its style and no network.
"""

from analysis.report.html.options import PageOptions
from analysis.report.html.page import render_html
from analysis.report.html.writing import Written, write_html

__all__ = ["PageOptions", "Written", "render_html", "write_html"]
