"use strict";
// Follows a loop: asks for its version while the page is in view, and shows the page again when it has changed. Without this script,
// reload the page.
(() => {
  const every = 2000;
  let loop = document.getElementById("loop");
  if (!loop) { return; }
  const page = loop.dataset.follow.replace(/\/version$/, "");
  const editing = () => loop.contains(document.activeElement) && document.activeElement.matches("input, textarea") ||
    [...loop.querySelectorAll("input:not([type=hidden]), textarea")].some((f) => f.value !== f.defaultValue);
  const open = () => [...loop.querySelectorAll("details")].map((d) => d.open);
  const show = async () => {
    if (document.querySelector(".proof:target")) { return; } // somebody reads the evidence; it is asked again
    const got = await fetch(page, { credentials: "same-origin" });
    const fresh = got.ok && new DOMParser().parseFromString(await got.text(), "text/html").getElementById("loop");
    if (!fresh || editing()) { return; }
    const before = open(), folded = [...fresh.querySelectorAll("details")];
    if (folded.length === before.length) { folded.forEach((d, i) => { d.open = before[i]; }); }
    loop.replaceWith(document.adoptNode(fresh));
    loop = fresh;
  };
  const look = async () => {
    if (!document.hidden) {
      try {
        const got = await fetch(loop.dataset.follow, { credentials: "same-origin" });
        if (got.status === 401 || got.status === 404) { location.reload(); return; }
        if (got.ok && String(await got.json()) !== loop.dataset.version) { await show(); }
      } catch { /* the server is away; it is asked again */ }
    }
    setTimeout(look, every);
  };
  setTimeout(look, every);
})();
