"""The report as one page: what a lead opens on Monday and an engineer lives in on Tuesday.

    Run, Report ──render_html──▶ one file, opened from disk, from an artifact, behind a policy

    template   the breakdown as plain tables, readable where no script may run
    script     two routes over islands of data: #/?kind=…  and  #/c/<conversation>/t/<turn>

Trace text is hostile here as everywhere: it is escaped by the template, set as text by
the script, and the page's own policy admits one script, one style and no network.
"""

from analysis.report.html.page import render_html

__all__ = ["render_html"]
