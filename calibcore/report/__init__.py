"""The report of a diagnosis: what is said, once, and three ways to write it down (HTML, PDF, JSON)."""

from calibcore.report.content import Report, report_of
from calibcore.report.document import to_document, to_json
from calibcore.report.page import to_html
from calibcore.report.paper import PAPERS, to_pdf

__all__ = ["PAPERS", "Report", "report_of", "to_document", "to_html", "to_json", "to_pdf"]
