// Frames are told the colours of the page. Those in parts that are folded come when the part is unfolded.
"use strict";
(() => {
  const root = document.documentElement;
  const tell = (frame) =>
    frame.contentWindow.postMessage({ theme: root.dataset.theme === "dark" ? "dark" : "light" }, "*");
  const follow = (frame) => {
    frame.addEventListener("load", () => tell(frame));
    new MutationObserver(() => tell(frame)).observe(root, { attributeFilter: ["data-theme"] });
  };
  window.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("iframe").forEach(follow);
    document.querySelectorAll("details template").forEach((folded) => {
      folded.closest("details").addEventListener("toggle", () => {
        const frame = folded.content.querySelector("iframe");
        folded.replaceWith(frame);
        follow(frame);
      }, { once: true });
    });
  });
})();

// Formulas are typeset as they come near the window, so that a page with hundreds of them is there at once, and all of
// them before it is printed. Those that are wider than the page can be scrolled with the keyboard.
(() => {
  function mark(formulas) {
    formulas.filter((x) => x.matches("div")).forEach((x) => {
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
  const all = () => [...document.querySelectorAll(".math")];
  window.addEventListener("resize", () => mark(all()));
  if (!window.MathJax) return;
  let set = Promise.resolve();
  const typeset = (formulas) => {
    set = set.then(() => window.MathJax.typesetPromise(formulas)).then(() => mark(formulas));
    return set;
  };
  window.MathJax.startup = {
    pageReady: () => new Promise((done) => {
      const waiting = new IntersectionObserver((entries) => {
        const near = entries.filter((x) => x.isIntersecting).map((x) => x.target);
        near.forEach((x) => waiting.unobserve(x));
        typeset(near).then(done);
      }, { rootMargin: "100% 0%" });
      all().forEach((x) => waiting.observe(x));
      if (!all().length) done();
    }),
  };
  window.addEventListener("beforeprint", () => {
    window.MathJax.typeset(all());
    mark(all());
  });
})();

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
