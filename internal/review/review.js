"use strict";
// Saves each answer as it is given: sent to the server, or in a file kept in the browser. Keys 1 to 4 answer; a selection in the lines
// becomes the words that decide. Without this script the page has plain forms.
(() => {
  const box = document.getElementById("review");
  if (!box) { return; }
  const items = [...box.querySelectorAll("form.item")], before = Number(box.dataset.answered);
  const file = "file" in box.dataset, key = "citeloop-review-" + box.dataset.batch;
  const idOf = (form) => form.querySelector("[name=item]").value;
  const passages = (form) => [...form.querySelectorAll(".lines")].map((p) => [...p.children].map((l) => l.textContent).join("\n"));
  let kept = {}; // answers of a file by item
  try { kept = file && JSON.parse(localStorage.getItem(key)) || {}; } catch { /* the browser keeps nothing for files: the answers stay until it closes */ }

  const left = () => items.filter((form) => !form.dataset.answer);
  const progress = () => {
    const n = before + items.length - left().length;
    document.getElementById("progress").textContent = n + " of " + (before + items.length) + " answered";
    box.querySelector("progress").value = n;
  };
  const mark = (form, value) => {
    form.dataset.answer = value;
    form.querySelector("details").open = false;
    for (const b of form.querySelectorAll("button")) {
      b.setAttribute("aria-pressed", String(b.value === value));
      b.disabled = !file; // the first answer counts
    }
    progress();
  };
  const next = (form) => {
    const rest = left(), to = rest.find((f) => items.indexOf(f) > items.indexOf(form)) || rest[0];
    if (to) { to.querySelector(".claim").focus({ preventScroll: true }); to.scrollIntoView(); } else if (file) { document.getElementById("reader").focus(); } else { location.assign(form.getAttribute("action")); }
  };
  const answer = async (form, value) => {
    const problem = form.querySelector(".problem");
    problem.textContent = "";
    if (file) {
      kept[idOf(form)] = { item: idOf(form), answer: value, quote: value === "not_stated" ? "" : form.elements.quote.value.trim() || (value === "supported" ? "" : passages(form)[0] || "") };
      try { localStorage.setItem(key, JSON.stringify(kept)); } catch { /* as above */ }
    } else {
      if (form.dataset.busy) { return; }
      form.dataset.busy = "1";
      try {
        const sent = new URLSearchParams(new FormData(form));
        sent.set("answer", value);
        const got = await fetch(form.getAttribute("action"), { method: "POST", body: sent, headers: { Accept: "application/json" }, credentials: "same-origin" });
        if (!got.ok) { problem.textContent = got.status === 422 ? await got.text() : "Not saved. Reload the page."; return; }
      } catch { problem.textContent = "Not saved: the server cannot be reached."; return; } finally { delete form.dataset.busy; }
    }
    mark(form, value);
    next(form);
  };
  for (const form of items) {
    form.addEventListener("submit", (e) => { e.preventDefault(); if (e.submitter) { answer(form, e.submitter.value); } });
    if (kept[idOf(form)]) { mark(form, kept[idOf(form)].answer); }
  }
  document.addEventListener("selectionchange", () => {
    const s = document.getSelection(), at = s && !s.isCollapsed && s.anchorNode && s.anchorNode.parentElement;
    const form = at && at.closest(".lines") && at.closest("form.item");
    if (form) { form.elements.quote.value = s.toString().trim(); }
  });
  let last = -1000; // when a key answered: a bouncing key answers once
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.repeat || /^(TEXTAREA|INPUT)$/.test(e.target.tagName)) { return; }
    const form = e.target.closest("form.item") || left()[0], button = form && form.querySelectorAll(".buttons button")[Number(e.key) - 1];
    if (!button || button.disabled) { return; }
    e.preventDefault();
    if (e.timeStamp - last > 300) { last = e.timeStamp; answer(form, button.value); }
  });
  if (file) {
    document.querySelector("#save button").addEventListener("click", () => {
      const body = { batch: box.dataset.batch, reader: document.getElementById("reader").value.trim() || "a person", reader_kind: "person", answers: items.map((f) => kept[idOf(f)]).filter(Boolean) };
      const a = document.createElement("a");
      a.href = URL.createObjectURL(new Blob([JSON.stringify(body, null, 2)], { type: "application/json" }));
      a.download = "answers-" + box.dataset.batch + ".json";
      a.click();
    });
  }
  progress();
})();
