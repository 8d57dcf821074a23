"use strict";
// Updates the page of a loop on each change, and applies the slider at once. Without this script, reload the page.
(() => {
  const nowWords = (slider) => Number(slider.value) >= Number(slider.dataset.now) ? slider.dataset.current : [slider.value, Number(slider.dataset.now) - 1].reduce((words, n) => words.replace("%s", n), slider.dataset.words);
  const go = (slider) => {
    if (Number(slider.value) >= Number(slider.dataset.now)) { location.assign(slider.form.action); } else { slider.form.submit(); }
  };
  // The listeners are on the document because the slider is replaced when a round ends.
  document.addEventListener("input", (e) => {
    if (e.target.id === "round") { e.target.form.querySelector("output").textContent = nowWords(e.target); }
  });
  document.addEventListener("pointerup", (e) => { // not for keys: each step would load a page
    if (e.target.id === "round") { go(e.target); }
  });
  document.addEventListener("submit", (e) => {
    const slider = e.target.querySelector("#round");
    if (slider && Number(slider.value) >= Number(slider.dataset.now)) { e.preventDefault(); go(slider); }
  });

  const loop = document.getElementById("loop");
  const address = loop && loop.dataset.events;
  if (!address || !window.EventSource) { return; }
  const state = document.getElementById("live-state"), words = state.dataset;
  let stream = null, seen = null, fetching = false, again = false, waiting = false;
  let arrived = new Set(); // ids of items that are new since the page was last hidden

  const say = (text) => { if (state.textContent !== text) { state.textContent = text; } };

  const fields = "input, textarea, select";
  // editing reports whether the visitor uses a form field in a part. Such a part is not replaced until they leave it.
  const editing = (part) => part.contains(document.activeElement) && document.activeElement.matches(fields);
  const changed = (field) => {
    if (field.options) { return field.selectedIndex !== Math.max(0, [...field.options].findIndex((o) => o.defaultSelected)); }
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  };

  // keep copies what the visitor opened, chose and wrote to the new part.
  const keep = (old, part) => {
    for (const kept of old.querySelectorAll("details[data-keep]")) {
      const same = part.querySelector('details[data-keep="' + kept.dataset.keep + '"]');
      if (same) { same.open = kept.open; }
    }
    for (const field of old.querySelectorAll(fields)) {
      const same = field.id && part.querySelector("#" + CSS.escape(field.id));
      if (!same) { continue; }
      if (field.options) { // also one that was not changed: the visitor may have seen it and agreed
        for (const o of same.options) { o.selected = o.value === field.value; }
      } else if (changed(field)) {
        [same.value, same.checked] = [field.value, field.checked];
        if (same.id === "round") { same.form.querySelector("output").textContent = nowWords(same); }
      }
    }
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
    const others = "button, [tabindex]";
    const place = [...old.querySelectorAll(others)].indexOf(at);
    return (part) => part.querySelectorAll(others)[place];
  };

  // A form that is being sent leads to its own answer, which a reload would replace.
  let leaving = false;
  document.addEventListener("submit", () => { leaving = true; });

  const replace = (fresh) => {
    waiting = false;
    if (fresh.getElementById("loop").dataset.status !== loop.dataset.status) { // a finished loop has another layout
      if (editing(loop) || [...loop.querySelectorAll(fields)].some(changed)) { waiting = "finished"; } else if (!leaving) { location.replace(here()); }
      return;
    }
    for (const part of fresh.querySelectorAll("[data-part]")) {
      const old = loop.querySelector('[data-part="' + part.dataset.part + '"]');
      if (!old) { continue; }
      keep(old, part);
      mark(old, part);
      if (old.isEqualNode(part)) { continue; }
      if (editing(old)) { waiting = true; continue; }
      const scrolls = [...old.querySelectorAll(".scroll")].map((s) => [s.scrollLeft, s.scrollTop]);
      const focused = focusIn(old);
      old.replaceWith(document.adoptNode(part));
      [...part.querySelectorAll(".scroll")].forEach((s, i) => { if (scrolls[i]) { [s.scrollLeft, s.scrollTop] = scrolls[i]; } });
      const target = focused && focused(part);
      if (target) { target.focus({ preventScroll: true }); }
    }
  };

  // A rejected form is shown at its own address, which only accepts POST.
  const page = address.replace(/\/events$/, "");
  const here = () => location.pathname === page ? page + location.search : page;

  const refresh = async () => {
    if (fetching) { again = true; return; }
    fetching = true;
    do {
      again = false;
      try {
        const answer = await fetch(here(), { credentials: "same-origin" });
        if (answer.status === 401) { end(words.out); break; }
        if (answer.ok) {
          replace(new DOMParser().parseFromString(await answer.text(), "text/html"));
          say(waiting === "finished" ? words.finished : words.changed.replace("%s", loop.querySelector('[data-part="state"]').dataset.changed));
        } else { say(words.failed); }
      } catch { say(words.away); }
    } while (again);
    fetching = false;
  };

  const end = (text) => { if (stream) { stream.close(); stream = null; } say(text); };

  const begin = () => {
    if (stream || document.hidden) { return; }
    stream = new EventSource(address);
    stream.addEventListener("version", (e) => {
      if (seen === null) { say(words.live); }
      if (seen !== e.data) { refresh(); }
      seen = e.data;
    });
    stream.addEventListener("end", (e) => end(e.data === "gone" ? words.gone : words.out));
    stream.onerror = () => {
      if (stream && stream.readyState === EventSource.CLOSED) { end(words.ended); }
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

// Follows a recheck of sources until it ends. Without this script, the page is loaded again.
(() => {
  const part = document.getElementById("recheck");
  if (!part || !("running" in part.dataset)) { return; }
  const look = async () => {
    let running = true;
    try {
      const answer = await fetch(location.href, { credentials: "same-origin" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("recheck");
      if (!fresh) { location.reload(); return; }
      running = "running" in fresh.dataset;
      part.replaceChildren(...fresh.childNodes);
      if (!running) { document.getElementById("recheck-said").textContent = fresh.dataset.said; }
    } catch { /* the server is away; it is asked again */ }
    if (running) { setTimeout(look, 1000); }
  };
  setTimeout(look, 1000);
})();
