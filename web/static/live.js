"use strict";
// Keeps a loop's page up to date, and makes its slider act at once. Without this script the page works by reloading.
(() => {
  const slider = document.getElementById("round");
  if (slider) {
    const output = slider.form.querySelector("output");
    const now = Number(slider.dataset.now);
    const go = () => {
      if (Number(slider.value) >= now) { location.assign(slider.form.action); } else { slider.form.submit(); }
    };
    slider.addEventListener("input", () => {
      output.textContent = Number(slider.value) >= now ? "now" : "round " + slider.value + " of " + (now - 1);
    });
    slider.addEventListener("pointerup", go); // with keys, one goes on to the button: each step would load a page
    slider.form.addEventListener("submit", (e) => {
      if (Number(slider.value) >= now) { e.preventDefault(); go(); }
    });
  }

  const loop = document.getElementById("loop");
  const address = loop && loop.dataset.events;
  if (!address || !window.EventSource) { return; }
  const state = document.getElementById("live-state");
  let stream = null, seen = null, fetching = false, again = false;

  const say = (text) => { if (state.textContent !== text) { state.textContent = text; } };

  // replace takes over each part that changed, unless somebody is at work in it.
  const replace = (fresh) => {
    for (const part of fresh.querySelectorAll("[data-part]")) {
      const old = loop.querySelector('[data-part="' + part.dataset.part + '"]');
      if (!old) { again = "whole"; continue; }
      for (const kept of old.querySelectorAll("details[data-keep][open]")) {
        const same = part.querySelector('details[data-keep="' + kept.dataset.keep + '"]');
        if (same) { same.open = true; }
      }
      const chosen = old.querySelector("select"), next = part.querySelector("select");
      if (chosen && next) { for (const o of next.options) { o.selected = o.value === chosen.value; } }
      if (old.contains(document.activeElement) || old.isEqualNode(part)) { continue; }
      old.replaceWith(document.adoptNode(part));
    }
  };

  const refresh = async () => {
    if (fetching) { again = true; return; }
    fetching = true;
    do {
      again = false;
      try {
        const answer = await fetch(location.pathname, { credentials: "same-origin" });
        if (answer.status === 401) { end("You are logged out. Reload the page to log in again."); break; }
        if (answer.ok) {
          replace(new DOMParser().parseFromString(await answer.text(), "text/html"));
          say("Live. Last change at " + new Date().toLocaleTimeString() + ".");
        }
      } catch { say("The server cannot be reached; trying again."); }
    } while (again === true);
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
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { if (stream) { stream.close(); stream = null; } } else { begin(); }
  });
  window.addEventListener("pagehide", () => { if (stream) { stream.close(); stream = null; } });
  begin();
})();
