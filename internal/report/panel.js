(() => {
  "use strict";
  const panel = () => document.querySelector(".proof:target");
  let lit = null;
  const show = () => {
    if (lit) { lit.classList.remove("lit"); lit = null; }
    const p = panel();
    if (!p) return;
    lit = document.getElementById(p.dataset.sentence);
    if (lit) {
      lit.classList.add("lit");
      const box = lit.getBoundingClientRect(), seen = Math.min(p.getBoundingClientRect().top > 100 ? p.getBoundingClientRect().top : innerHeight, innerHeight);
      if (box.top < 20 || box.bottom > seen - 20) lit.scrollIntoView({block: box.height > seen / 3 ? "start" : "nearest"});
      if (lit.getBoundingClientRect().bottom > seen - 20) scrollBy(0, lit.getBoundingClientRect().top - seen / 4);
    }
    p.focus({preventScroll: true});
    p.scrollTop = 0;
  };
  const close = () => {
    const p = panel();
    if (!p) return;
    const back = document.querySelector('a[href="#' + p.id + '"].verdict') || lit;
    location.hash = p.dataset.sentence;
    if (back && back.focus) back.focus({preventScroll: true});
  };
  addEventListener("hashchange", show);
  addEventListener("keydown", (e) => {
    const p = panel();
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape") close();
    if (e.key === "n" || e.key === "p") {
      const first = document.querySelector(".walk");
      const to = p ? p.querySelector(e.key === "n" ? ".next" : ".previous") : first;
      if (to) to.click();
    }
  });
  show();
})();
