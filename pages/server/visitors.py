"""Who asks, as far as a server can know: the person who signed in, else the address, and the tab."""

from ipaddress import ip_address, ip_network

import streamlit as st
from starlette.requests import Request

from calibcore.limits import SERVER
from pages.server import sign_in, streamlit_internals

Visitor = tuple[str, str]
"""A person or an address, and one of its tabs."""


def current() -> Visitor:
    """Who looks at the page that runs now."""
    session = streamlit_internals.session_id()
    if session is None:
        return "", ""
    return sign_in.owner(st.user.to_dict()) or address_of_session(), session


def owner() -> str:
    """The person who has signed in and looks at the page that runs now; empty where nobody signs in."""
    return sign_in.owner(st.user.to_dict()) if SERVER.signs_in else ""


def address_of(request: Request) -> str:
    """Who asks: the peer, or as many steps back as there are proxies that are believed."""
    lines = ",".join(request.headers.getlist("x-forwarded-for"))  # a proxy may add a line of its own
    return _address(lines, request.client.host if request.client else "")


def address_of_session() -> str:
    """Who looks at the page that runs now."""
    headers = {name.lower(): value for name, value in st.context.headers.items()}
    return _address(headers.get("x-forwarded-for", ""), st.context.ip_address or "")


def _address(forwarded: str, peer: str) -> str:
    steps = [part.strip() for part in forwarded.split(",") if part.strip()]
    if SERVER.proxies and len(steps) >= SERVER.proxies:
        return _household(steps[-SERVER.proxies])
    peer = _household(peer)
    # The server believes what a peer on this machine says of itself, and has put that into the peer's place.
    return "127.0.0.1" if peer in map(_household, steps) else peer


def _household(address: str) -> str:
    """An address without its port; of IPv6 the /64, within which everybody has as many as they like."""
    bare = address[1:].partition("]")[0] if address.startswith("[") else address
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        parsed = ip_address(bare.partition("%")[0])
    except ValueError:
        return bare[:64]
    if parsed.version == 4:
        return str(parsed)
    return str(parsed.ipv4_mapped or ip_network((parsed, 64), strict=False))
