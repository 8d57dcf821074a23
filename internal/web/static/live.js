"use strict";
// Keeps a loop's page up to date, and makes its slider act at once. Without this script the page works by reloading.
(() => {
  const nowWords = (slider) => Number(slider.value) >= Number(slider.dataset.now) ? "now" : "round " + slider.value + " of " + (Number(slider.dataset.now) - 1);
  const go = (slider) => {
    if (Number(slider.value) >= Number(slider.dataset.now)) { location.assign(slider.form.action); } else { slider.form.submit(); }
  };
  // The slider is replaced when a round ends, so what listens to it stands above it.
  document.addEventListener("input", (e) => {
    if (e.target.id === "round") { e.target.form.querySelector("output").textContent = nowWords(e.target); }
  });
  document.addEventListener("pointerup", (e) => { // with keys, one goes on to the button: each step would load a page
    if (e.target.id === "round") { go(e.target); }
  });
  document.addEventListener("submit", (e) => {
    const slider = e.target.querySelector("#round");
    if (slider && Number(slider.value) >= Number(slider.dataset.now)) { e.preventDefault(); go(slider); }
  });

  const loop = document.getElementById("loop");
  const address = loop && loop.dataset.events;
  if (!address || !window.EventSource) { return; }
  const state = document.getElementById("live-state");
  let stream = null, seen = null, fetching = false, again = false, waiting = false;
  let arrived = new Set(); // what came since the visitor last looked away

  const say = (text) => { if (state.textContent !== text) { state.textContent = text; } };

  // atWork tells whether somebody types, chooses or drags in a part: it is then left alone until they are done.
  const atWork = (part) => part.contains(document.activeElement) && /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);

  // keep carries over what a visitor did to a part: what they opened, chose, scrolled and stand on.
  const keep = (old, part) => {
    for (const kept of old.querySelectorAll("details[data-keep]")) {
      const same = part.querySelector('details[data-keep="' + kept.dataset.keep + '"]');
      if (same) { same.open = kept.open; }
    }
    const chosen = old.querySelector("select"), next = part.querySelector("select");
    if (chosen && next) { for (const o of next.options) { o.selected = o.value === chosen.value; } }
  };
  const mark = (old, part) => {
    for (const item of part.querySelectorAll("li[id], tr[id], article[id]")) {
      if (!document.getElementById(item.id)) { arrived.add(item.id); }
      item.classList.toggle("fresh", arrived.has(item.id));
      if (item.className === "") { item.removeAttribute("class"); }
    }
  };
  const focusIn = (old) => {
    const at = document.activeElement;
    if (!old.contains(at)) { return null; }
    if (at.id) { return (part) => part.querySelector("#" + CSS.escape(at.id)); }
    if (at.tagName === "SUMMARY") { return (part) => part.querySelector('details[data-keep="' + at.parentElement.dataset.keep + '"] > summary'); }
    if (at.href) { return (part) => [...part.querySelectorAll("a")].find((a) => a.href === at.href); }
    const at2 = [...old.querySelectorAll("[tabindex]")].indexOf(at);
    return (part) => part.querySelectorAll("[tabindex]")[at2];
  };

  const replace = (fresh) => {
    waiting = false;
    for (const part of fresh.querySelectorAll("[data-part]")) {
      const old = loop.querySelector('[data-part="' + part.dataset.part + '"]');
      if (!old) { continue; }
      keep(old, part);
      mark(old, part);
      if (old.isEqualNode(part)) { continue; }
      if (atWork(old)) { waiting = true; continue; }
      const scrolls = [...old.querySelectorAll(".scroll")].map((s) => [s.scrollLeft, s.scrollTop]);
      const focused = focusIn(old);
      old.replaceWith(document.adoptNode(part));
      [...part.querySelectorAll(".scroll")].forEach((s, i) => { if (scrolls[i]) { [s.scrollLeft, s.scrollTop] = scrolls[i]; } });
      const target = focused && focused(part);
      if (target) { target.focus({ preventScroll: true }); }
    }
  };

  // A form that was refused is shown under its own address, which only takes forms.
  const page = address.replace(/\/events$/, "");
  const here = () => location.pathname === page ? page + location.search : page;

  const refresh = async () => {
    if (fetching) { again = true; return; }
    fetching = true;
    do {
      again = false;
      try {
        const answer = await fetch(here(), { credentials: "same-origin" });
        if (answer.status === 401) { end("You are logged out. Reload the page to log in again."); break; }
        if (answer.ok) {
          replace(new DOMParser().parseFromString(await answer.text(), "text/html"));
          say("Live. Last change at " + new Date().toLocaleTimeString() + ".");
        } else { say("The server cannot show the loop at the moment; the next change is tried again."); }
      } catch { say("The server cannot be reached; trying again."); }
    } while (again);
    fetching = false;
  };

  const end = (text) => { if (stream) { stream.close(); stream = null; } say(text); };

  const begin = () => {
    if (stream || document.hidden) { return; }
    stream = new EventSource(address);
    stream.addEventListener("version", (e) => {
      if (seen === null) { say("Live."); }
      if (seen !== e.data) { refresh(); }
      seen = e.data;
    });
    stream.addEventListener("end", (e) => end(e.data === "gone" ? "This loop is gone." : "You are logged out. Reload the page to log in again."));
    stream.onerror = () => {
      if (stream && stream.readyState === EventSource.CLOSED) { end("No live view. Reload this page to see what changed."); }
    };
  };
  loop.addEventListener("focusout", () => setTimeout(() => { if (waiting) { refresh(); } }, 0));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      arrived = new Set();
      if (stream) { stream.close(); stream = null; }
    } else { begin(); }
  });
  window.addEventListener("pagehide", () => { if (stream) { stream.close(); stream = null; } });
  begin();
})();
