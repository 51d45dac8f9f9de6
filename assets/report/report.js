const figures = JSON.parse(document.getElementById("figures").textContent);
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const PAPER = 660; // pixels between the margins of a sheet
const touched = window.matchMedia("(hover: none)").matches;
if (touched) figures.config.displayModeBar = false; // it would stay over the words of an axis
function draw(theme, most) {
  for (const [id, looks] of Object.entries(figures.drawn)) {
    const found = looks[theme];
    if (touched) found.layout.dragmode = false; // a finger scrolls the page
    const room = document.getElementById(id).clientWidth;
    const width = most && Math.min(most, room || most);
    // The height sets the scale of a scene: no wider than its place.
    const size = found.layout.scene && room ? { height: Math.min(found.layout.height, 0.675 * (width || room) + 108) } : {};
    Plotly.react(id, found.data, { ...found.layout, ...size, ...(width ? { width } : { autosize: true }) }, figures.config);
  }
}
const now = () => (dark.matches ? "dark" : "light");
draw(now());
dark.addEventListener("change", () => draw(now()));
window.addEventListener("beforeprint", () => draw("light", PAPER));
window.addEventListener("afterprint", () => draw(now()));
for (const button of document.querySelectorAll("button[data-from]")) {
  button.addEventListener("click", () => {
    const held = document.getElementById(button.dataset.from).textContent;
    const json = button.dataset.from === "document";
    const blob = new Blob([json ? held : JSON.parse(held)], { type: json ? "application/json" : "text/csv" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = button.dataset.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  });
}
