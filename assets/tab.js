// Runs in every page before Streamlit does.
(() => {
  // What a tab holds on the server is found by a name that only the tab and the server know. It is kept in the
  // tab's own storage, which a copy of the tab copies too, and is sent with the handshake: never in an address,
  // never in a cookie, which other tabs would share. With each connection the tab takes a new name; the server
  // copies what the name before stood for, so that of two copies of a tab neither changes what the other holds.
  const NAME = "caliblens-tab", HELD = "caliblens-held";
  const memory = {};  // where a browser keeps nothing, the name holds as long as the page does
  const read = (key) => {
    try { return memory[key] ?? sessionStorage.getItem(key) ?? ""; } catch { return ""; }
  };
  const write = (key, value) => {
    memory[key] = value;
    try { sessionStorage.setItem(key, value); } catch { /* not kept */ }
  };
  const fresh = () =>
    btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)))).replace(/\+/g, "-").replace(/\//g, "_");
  const held = () => getComputedStyle(document.documentElement).getPropertyValue("--caliblens-held").trim();
  let connected = false;
  addEventListener("pagehide", () => write(HELD, held()));

  window.WebSocket = class extends WebSocket {
    constructor(url, protocols) {
      if (!Array.isArray(protocols) || protocols[0] !== "streamlit") {
        super(url, protocols);
        return;
      }
      const next = fresh();
      super(url, [...protocols, ["caliblens", connected ? held() : read(HELD), read(NAME), next].join(".")]);
      this.addEventListener("open", () => {  // the server knows the new name from here on
        write(NAME, next);
        connected = true;
      });
    }
  };

  // One entry in the browser's history for a page, and for each lesson. Streamlit adds one for every change of a
  // query, and one for a page that comes too late: somebody who presses Back twice has left it before it is there.
  let back = false;
  addEventListener("popstate", () => { back = true; }, true);
  const acts = (event) => { if (!event.button) back = false; };  // a mouse may have a button for Back
  addEventListener("pointerdown", acts, true);
  addEventListener("click", acts, true);
  addEventListener("keydown", (key) => { if (key.key === "Enter" || key.key === " ") back = false; }, true);
  const push = history.pushState;
  const lesson = (at) => new URLSearchParams(at.search).get("lesson");
  history.pushState = function (state, unused, url) {
    const to = new URL(url ?? "", location.href);
    const same = to.pathname === location.pathname && to.hash === location.hash && lesson(to) === lesson(location);
    if (same) history.replaceState.call(this, state, unused, url);
    else if (!back) push.call(this, state, unused, url);
  };

  // What a click in a figure shows stands below it: it is brought into sight once, if it is not there already.
  // Its place has another name after each click, and one that ends in 0 before any.
  let brought = "";
  const into_sight = () => {
    const place = document.querySelector('[class*="st-key-into-sight-"]');
    const key = place ? location.pathname + place.className.match(/st-key-into-sight-\S+/)[0] : "";
    const anew = key !== brought && key && !key.endsWith("-0");
    brought = key;
    const motion = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    const bring = () => place.isConnected && place.scrollIntoView({ block: "nearest", behavior: motion });
    if (anew) for (const wait of [200, 900]) setTimeout(bring, wait);  // a table has its height a moment later
  };

  // A picture in a cell of a table is read aloud as one, not letter by letter by what it is made of.
  let asked = false;
  const name = () => {
    asked = false;
    into_sight();
    for (const cell of document.querySelectorAll("canvas td")) {
      const picture = cell.textContent.startsWith("data:image");
      if (picture !== cell.hasAttribute("aria-label")) {
        if (picture) cell.setAttribute("aria-label", "diagram");
        else cell.removeAttribute("aria-label");
      }
    }
  };
  new MutationObserver(() => {
    if (!asked) requestAnimationFrame(name);
    asked = true;
  }).observe(document, { childList: true, characterData: true, subtree: true });

  // From one lesson to another, and to all of them. Streamlit would run the page and leave the address as it is.
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const to = new URL(link.href);
    if (to.origin + to.pathname !== location.origin + location.pathname || lesson(to) === lesson(location)) return;
    event.preventDefault();
    event.stopPropagation();
    push.call(history, {}, "", to);
    dispatchEvent(new PopStateEvent("popstate"));  // as if by Back or Forward
  }, true);

  // Where the navigation lies over the page, it goes when a page is chosen.
  addEventListener("click", (event) => {
    if (!matchMedia("(max-width: 768px)").matches) return;
    if (!event.target.closest?.('[data-testid="stSidebarNavLink"]')) return;
    const close = document.querySelector('[data-testid="stSidebarCollapseButton"] button');
    setTimeout(() => close?.click());  // when the page has been asked for
  });

  // The style sheet prints dark on white; what a page draws as a picture it has to turn around for that.
  addEventListener("beforeprint", () => {
    const app = document.querySelector(".stApp");
    document.documentElement.dataset.printed = app ? getComputedStyle(app).colorScheme : "";
    for (const plot of bodies()) {  // what is drawn in three dimensions is gone once it has been shown
      const scene = plot._fullLayout?.scene?._scene;
      if (!scene?.glplot) continue;
      const picture = new Image();
      picture.className = "on-paper";
      picture.src = scene.toImage("png");
      scene.container.append(picture);
    }
  });
  addEventListener("afterprint", () => document.querySelectorAll(".on-paper").forEach((picture) => picture.remove()));

  // Thai passes over white space in sorting, in which a table's numbers have their rank (calibcore/words/tables.py).
  if (new Intl.Collator().resolvedOptions().ignorePunctuation) {
    const sorted = new Intl.Collator(undefined, { ignorePunctuation: false });
    const compare = String.prototype.localeCompare;
    String.prototype.localeCompare = function (other, ...asked) {
      return asked.length ? compare.call(this, other, ...asked) : sorted.compare(this, other);
    };
  }

  // A tetrahedron turns, once a minute, until it is touched or a key is pressed; never where motion is unwanted.
  // The figure says that it turns (calibcore/painters/screen/tetrahedron.py); the server is not asked.
  const calm = matchMedia("(prefers-reduced-motion: reduce)"), held_still = new WeakSet();
  const bodies = () => [...document.querySelectorAll('[class*="st-key-tetrahedron"] .js-plotly-plot')];
  const hold = (event) => {
    for (const plot of bodies())
      if (event.type === "keydown" || plot.contains(event.target)) held_still.add(plot);
  };
  for (const kind of ["pointerdown", "wheel", "keydown"]) addEventListener(kind, hold, { capture: true, passive: true });
  const seen = (plot) => {
    const box = plot.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  };
  const turns = (plot) => !calm.matches && !held_still.has(plot) && plot._fullLayout?.meta?.turns
    && plot._fullLayout.scene?._scene?.glplot && seen(plot);
  const turn = (plot, angle) => {
    const scene = plot._fullLayout.scene._scene, camera = scene.getCamera(), { eye, center, up } = camera;
    const [x, y, c, s] = [eye.x - center.x, eye.y - center.y, Math.cos(angle), Math.sin(angle)];
    camera.eye = { x: center.x + c * x - s * y, y: center.y + s * x + c * y, z: eye.z };
    camera.up = { x: c * up.x - s * up.y, y: s * up.x + c * up.y, z: up.z };  // else it would fall over
    scene.setViewport({ camera, aspectratio: scene.glplot.getAspectratio() });
  };
  let last = 0;
  const frame = (now) => {
    const plots = bodies().filter(turns);
    if (!plots.length) { last = 0; return; }
    if (now - last > 30) {  // 30 times a second at most
      if (last) for (const plot of plots) turn(plot, Math.min(now - last, 100) * 2 * Math.PI / 60000);
      last = now;
    }
    requestAnimationFrame(frame);
  };
  setInterval(() => { if (!last && bodies().some(turns)) { last = performance.now(); requestAnimationFrame(frame); } }, 500);

  // Arrows grow in one second from what was said to what happened: once by themselves in a tab, then by a button;
  // never where motion is unwanted. A trace's meta says how far each of its points comes ("grows"). In the triangle
  // copies grow while what plotly drew is hidden: whatever it draws anew meanwhile, it finds all of its own.
  const REPLAYED = "caliblens-replayed", SECOND = 1000, SVG = "http://www.w3.org/2000/svg";
  const growing = (traces) => traces.filter((trace) => trace.meta?.grows);
  const before = (trace, name, k, rest) =>  // where the points are with so much of the way still to go
    trace[name].map((place, i) => (place === null ? null : place - rest * trace.meta.grows[i][k]));
  const flat = (plot) => {
    const { xaxis, yaxis } = plot._fullLayout, copies = document.createElementNS(SVG, "g"), hidden = [], moves = [];
    copies.setAttribute("class", "replay");
    for (const group of plot.querySelectorAll(".cartesianlayer .scatterlayer > .trace")) {
      const trace = group.__data__?.[0]?.trace;
      if (!trace?.meta?.grows) continue;
      const at = (rest) => before(trace, "x", 0, rest).map((x, i) =>
        x === null ? null : [xaxis.c2p(x), yaxis.c2p(before(trace, "y", 1, rest)[i])]);
      const own = [...group.querySelectorAll(".js-line, .point")], line = own[0]?.matches(".js-line");
      const twins = own.slice(0, line ? 1 : own.length).map((node) => copies.appendChild(node.cloneNode()));
      hidden.push(group);
      moves.push((rest) => {
        const places = at(rest);
        if (line) {  // one copy of many
          const steps = places.map((place, i) => place && `${places[i - 1] ? "L" : "M"}${place}`);
          twins[0].setAttribute("d", steps.filter(Boolean).join(""));
        } else twins.forEach((twin, i) => twin.setAttribute("transform", `translate(${places[own[i].__data__.i]})`));
      });
    }
    if (!hidden.length) return null;
    hidden[0].parentNode.insertBefore(copies, hidden[0]);
    for (const group of hidden) group.style.visibility = "hidden";
    return (rest) => {
      for (const move of moves) move(rest);
      if (rest > 0 && copies.isConnected) return true;
      copies.remove();
      for (const group of hidden) group.style.visibility = "";
      return false;
    };
  };
  const deep = (plot) => {
    const scene = plot._fullLayout.scene._scene, traces = growing(plot._fullData).filter((t) => scene.traces[t.uid]);
    return (rest) => {
      if (plot._fullLayout?.scene?._scene !== scene || !scene.glplot) return false;
      for (const trace of traces) {
        if (!plot._fullData.includes(trace) || !scene.traces[trace.uid]) continue;  // it was drawn anew meanwhile
        const [x, y, z] = ["x", "y", "z"].map((name, k) => before(trace, name, k, rest));
        scene.traces[trace.uid].update(rest > 0 ? { ...trace, x, y, z } : trace);
      }
      scene.glplot.redraw();
      return rest > 0;
    };
  };
  const staged = () => [...document.querySelectorAll(".st-key-stage .js-plotly-plot")];
  const ready = (plot) => plot._fullData && growing(plot._fullData).length && seen(plot)
    && (!plot._fullLayout.scene || plot._fullLayout.scene._scene?.glplot);
  const under_way = new WeakSet();
  const replay = (plot) => {
    if (calm.matches || under_way.has(plot) || !ready(plot)) return;
    const grow = plot._fullLayout.scene ? deep(plot) : flat(plot), begun = performance.now();
    if (!grow) return;
    under_way.add(plot);
    write(REPLAYED, "yes");
    const step = (now) => {
      const left = Math.max(0, 1 - (now - begun) / SECOND);
      if (grow(left * left) && left > 0) requestAnimationFrame(step);
      else under_way.delete(plot);
    };
    step(begun);
  };
  addEventListener("click", (event) => {  // the server is not asked
    if (!event.target.closest?.(".st-key-replay button")) return;
    event.stopPropagation();
    staged().forEach(replay);
  }, true);

  // Nothing can be selected in a drawing of three dimensions: a click on an arrow writes its number where the page
  // reads it. What is under the pointer plotly says as it hovers; a drag, which turns the drawing, is no click.
  const under = new WeakMap();
  let down = null, clicks = 0;
  const wire = (plot) => {
    if (under.has(plot) || !plot.on) return;
    under.set(plot, null);
    plot.on("plotly_hover", (found) => under.set(plot, found.points[0]?.customdata?.[1] ?? null));
    plot.on("plotly_unhover", () => under.set(plot, null));
  };
  addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; }, true);
  addEventListener("pointerup", (event) => {
    const plot = bodies().find((body) => body.contains(event.target)), bin = plot && under.get(plot);
    const input = document.querySelector(".st-key-clicked-arrow input");
    if (bin == null || !input || !down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, `${bin}.${++clicks}`);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  }, true);
  setInterval(() => {
    for (const plot of staged().filter((plot) => plot._fullLayout?.scene)) wire(plot);
    if (!read(REPLAYED)) staged().forEach(replay);
  }, 500);
})();
