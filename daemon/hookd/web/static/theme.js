// Dark or light: the system's choice, or the one that was made here. It runs before the page is drawn.
"use strict";
(() => {
  const modes = ["system", "light", "dark"];
  const stored = () => {
    try {
      return localStorage.getItem("hookd-theme");
    } catch {
      return null; // storage is off
    }
  };
  const apply = (mode) => {
    const root = document.documentElement;
    if (mode === "system") delete root.dataset.theme;
    else root.dataset.theme = mode;
  };
  let mode = modes.includes(stored()) ? stored() : "system";
  apply(mode);
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    const name = () => (button.textContent = `Theme: ${mode}`);
    button.hidden = false;
    name();
    button.addEventListener("click", () => {
      mode = modes[(modes.indexOf(mode) + 1) % modes.length];
      apply(mode);
      name();
      try {
        localStorage.setItem("hookd-theme", mode);
      } catch {
        // storage is off: the choice lasts until the next page
      }
    });
  });
})();
