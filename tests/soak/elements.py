"""What stands on a page, as Streamlit's protocol says it."""

from dataclasses import dataclass
from typing import Any

from streamlit.proto.Delta_pb2 import Delta

TAKES = {
    "selectbox": "string_value",
    "radio": "string_value",
    "text_input": "string_value",
    "text_area": "string_value",
    "number_input": "double_value",
    "checkbox": "bool_value",
    "multiselect": "string_array_value",
    "slider": "double_array_value",
    "plotly_chart": "string_value",
    "dataframe": "string_value",
    "button": "trigger_value",
    "expandable": "bool_value",
}
"""Kind of widget -> the field of its state."""


@dataclass
class Shown:
    """An element or a block as it stands on the page, and which run sent it."""

    delta: Delta
    run: str

    @property
    def kind(self) -> str:
        """The element's or block's type, ``selectbox``, ``expandable``."""
        holder = self.delta.add_block if self.delta.HasField("add_block") else self.delta.new_element
        return str(holder.WhichOneof("type"))

    @property
    def proto(self) -> Any:
        """Its own message."""
        holder = self.delta.add_block if self.delta.HasField("add_block") else self.delta.new_element
        return getattr(holder, self.kind) if self.kind != "None" else None

    @property
    def id(self) -> str:
        """Its widget's id; empty if it is none."""
        return str(getattr(self.proto, "id", "")) if self.kind in (*TAKES, "file_uploader") else ""
