// Keys: / goes to the search field, "g" and a letter to a page, j and k to the next and previous row.

const PLACES = { f: "", d: "decisions", a: "approvals", r: "rules", s: "statistics", h: "health" };
const root = new URL(document.querySelector("a.brand").href).pathname;
let before = "";

function typing(target) {
  return target instanceof Element && target.matches("input, select, textarea, [contenteditable]");
}

function step(by) {
  const links = [...document.querySelectorAll("tbody tr a.row, li a.row")];
  if (!links.length) return;
  const at = links.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by;
  links[Math.min(Math.max(next, 0), links.length - 1)].focus();
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  const key = event.key;
  if (before === "g" && key in PLACES) {
    const path = root + PLACES[key];
    if ([...document.querySelectorAll("nav a")].some((link) => link.pathname === path)) location.assign(path);
  } else if (key === "/") {
    const field = document.querySelector("input[type=search]");
    if (field) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  } else if (key === "j") step(1);
  else if (key === "k") step(-1);
  before = key === "g" ? "g" : "";
});
