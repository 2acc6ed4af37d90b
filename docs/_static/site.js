// Frames are told the colours of the page; formulas that are wider than the page can be scrolled with
// the keyboard.
"use strict";
(() => {
  const root = document.documentElement;
  const tell = (frame) =>
    frame.contentWindow.postMessage({ theme: root.dataset.theme === "dark" ? "dark" : "light" }, "*");
  window.addEventListener("DOMContentLoaded", () => {
    const frames = [...document.querySelectorAll("iframe")];
    frames.forEach((frame) => frame.addEventListener("load", () => tell(frame)));
    new MutationObserver(() => frames.forEach(tell))
      .observe(root, { attributeFilter: ["data-theme"] });
  });

  function mark() {
    document.querySelectorAll("div.math").forEach((x) => {
      const wide = x.scrollWidth > x.clientWidth + 1;
      x.classList.toggle("wide", wide);
      if (wide) {
        x.tabIndex = 0;
        x.setAttribute("role", "group");
        x.setAttribute("aria-label", "a formula that scrolls");
      } else {
        ["tabindex", "role", "aria-label"].forEach((name) => x.removeAttribute(name));
      }
    });
  }
  window.addEventListener("load", () => {
    const set = window.MathJax && window.MathJax.startup && window.MathJax.startup.promise;
    Promise.resolve(set).then(mark);
  });
  window.addEventListener("resize", mark);
})();

// Formulas are typeset in groups, first those in sight, so that a page with hundreds of them is there at once.
if (window.MathJax) {
  window.MathJax.startup = {
    async pageReady() {
      const inSight = (x) => x.getBoundingClientRect().top < 2 * window.innerHeight;
      const all = [...document.querySelectorAll(".math")], first = all.filter(inSight);
      const rest = all.filter((x) => !first.includes(x)), groups = [first];
      for (let k = 0; k < rest.length; k += 20) groups.push(rest.slice(k, k + 20));
      for (const group of groups) {
        await window.MathJax.typesetPromise(group);
        await new Promise((done) => { setTimeout(done); });
      }
    },
  };
}

// Names of buttons that unfold something: of the theme's sidebar, which have none, and of folded
// code, whose text is their name.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("li.has-children > details > summary").forEach((x) => {
    const link = x.closest("li").querySelector("a");
    x.setAttribute("aria-label", `Pages below ${link ? link.textContent.trim() : ""}`);
  });
  document.querySelectorAll('summary[aria-label="Toggle hidden content"]').forEach((x) => {
    x.removeAttribute("aria-label");
  });
});

// A list that chooses one of several tables; without scripts, all of them are shown.
document.addEventListener("DOMContentLoaded", () => {
  const tables = [...document.querySelectorAll("div.choice")];
  if (!tables.length) return;
  const list = document.createElement("select"), label = document.createElement("label");
  tables.forEach((table, k) => {
    const title = table.querySelector("p");
    list.add(new Option(title.textContent, k));
    title.remove();
  });
  const show = () => tables.forEach((table, k) => { table.hidden = k !== +list.value; });
  list.addEventListener("change", show);
  label.className = "choose";
  label.append("Robot: ", list);
  tables[0].before(label);
  show();
});
