"""The style of reports: for light and for dark pages, and for nothing outside a report."""

from __future__ import annotations

from likely.format.colours import ORANGE
from likely.format.markup import Markup, element

_LINE = "rgba(128,128,128,.35)"
_STYLE = Markup(f"""
.likely-profile {{font: 13px/1.4 system-ui, sans-serif; max-width: 1160px}}
.likely-profile h3 {{font-size: 16px; margin: 0 0 2px}}
.likely-profile .faint {{opacity: .72}}
.likely-profile table.all {{border-collapse: collapse; width: 100%; margin-top: 10px; font: inherit;
  color: inherit}}
.likely-profile table.all > * > tr > * {{border: 0; border-top: 1px solid {_LINE}; padding: 7px 10px 7px 0;
  text-align: left; vertical-align: top; background: none}}
.likely-profile thead th {{font-weight: 600; opacity: .72}}
.likely-profile .wide {{overflow-x: auto}}
.likely-profile table.all > tbody > tr > .more {{border-top: 0; padding: 0 0 8px}}
.likely-profile .name {{font-weight: 600; white-space: nowrap}}
.likely-profile .name div {{margin-top: 2px}}
.likely-profile .number {{font-variant-numeric: tabular-nums; white-space: nowrap}}
.likely-profile .words {{min-width: 220px; overflow-wrap: break-word}}
.likely-profile .badge {{border: 1px solid {_LINE}; border-radius: 9px; padding: 0 7px; font-size: 11px;
  font-weight: 400; white-space: nowrap}}
.likely-profile .warn {{border-left: 3px solid {ORANGE}; padding-left: 7px; margin-top: 5px; max-width: 62em;
  white-space: pre-wrap}}
.likely-profile svg {{display: block}}
.likely-profile .facts {{display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 8px 0}}
""")


def styled(*content: Markup) -> Markup:
    """What is in a report, with its style before it."""
    return Markup(element("style", _STYLE) + element("div", *content, class_="likely-profile"))
