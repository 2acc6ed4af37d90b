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

// A button beside commands that copies them.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("div.install").forEach((box) => {
    const button = document.createElement("button"), text = box.querySelector("pre").textContent;
    Object.assign(button, { type: "button", className: "copy", textContent: "Copy" });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch { // not allowed here: the commands are selected, for the reader to copy
        getSelection().selectAllChildren(box.querySelector("pre"));
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    box.append(button);
  });
});
