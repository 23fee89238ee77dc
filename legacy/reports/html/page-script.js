// Filters, deep links and copying. The page is whole without it.
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  const form = byId("filters");
  const items = all("[data-outcome]");
  const groups = all("details.group");
  const initiallyOpen = new Map(groups.map((group) => [group, group.open]));
  const texts = new WeakMap();
  let filtering = false;

  if (form) {
    form.closest("search").hidden = false;
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(filter));
    filter();
  }
  for (const button of all("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
  for (const button of all("[data-open]")) {
    button.hidden = false;
    button.addEventListener("click", () => openOrClose(button));
  }
  document.addEventListener("keydown", shortcut);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    // The same link a second time changes no address, and yet is meant.
    if (!link || link.hash !== location.hash) return;
    event.preventDefault();
    reveal();
  });
  addEventListener("hashchange", reveal);
  reveal();

  /** Shows what fits the search and the filters, and says how much that is. */
  function filter() {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const outcome = new FormData(form).get("outcome") ?? "";
    const area = byId("area")?.value ?? "";
    const active = words.length > 0 || outcome !== "" || area !== "";
    const counts = { test: [0, 0], rule: [0, 0], choice: [0, 0] };
    for (const item of items) {
      const fits =
        !active ||
        (fitsOutcome(item, outcome) &&
          (area === "" || (item.dataset.area ?? "").split(" ").includes(area)) &&
          words.every((word) => textOf(item).includes(word)));
      item.hidden = !fits;
      for (const [kind, count] of Object.entries(counts)) {
        if (!item.classList.contains(kind)) continue;
        count[1]++;
        if (fits) count[0]++;
      }
    }
    for (const group of groups) {
      const kept = !active || group.querySelector("[data-outcome]:not([hidden])") !== null;
      group.hidden = !kept;
      if (active) group.open = kept && (words.length > 0 || initiallyOpen.get(group) || few(group));
      else if (filtering) group.open = initiallyOpen.get(group);
    }
    for (const section of all("[data-section]")) {
      section.hidden = active && section.querySelector("[data-outcome]:not([hidden])") === null;
    }
    byId("nothing").hidden = !active || all("[data-section]:not([hidden])").length > 0;
    filtering = active;
    byId("found").textContent = active
      ? Object.entries(counts)
          .filter(([, [, total]]) => total > 0)
          .map(([kind, [shown, total]]) => `${shown} of ${total} ${kind}s`)
          .join(", ")
      : "";
    form.querySelector("[type=reset]").hidden = !active;
  }

  function fitsOutcome(item, wanted) {
    const { outcome } = item.dataset;
    return wanted === "" || outcome === wanted || (wanted === "skipped" && outcome === "untried");
  }

  /** Whether a group, filtered, is short enough to stand open. */
  function few(group) {
    return group.querySelectorAll("[data-outcome]:not([hidden])").length <= 20;
  }

  function textOf(item) {
    const known = texts.get(item);
    if (known !== undefined) return known;
    const text = item.textContent.toLowerCase();
    texts.set(item, text);
    return text;
  }

  /** Brings what the address names into sight, whatever hides it. */
  function reveal() {
    const target = byId(fragment());
    if (!target) return;
    if (target.closest("[hidden]") && form) {
      form.reset();
      filter();
    }
    for (let outer = target; outer; outer = outer.parentElement) {
      if (outer instanceof HTMLDetailsElement) outer.open = true;
    }
    target.scrollIntoView({ block: "start" });
    // Who has gone on from there already is not called back.
    if (target.contains(document.activeElement)) return;
    const focused = target.matches("details") ? target.querySelector("summary") : target;
    if (focused === target && target.tabIndex < 0) target.tabIndex = -1;
    focused.focus({ preventScroll: true });
  }

  function fragment() {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  }

  function shortcut(event) {
    const search = byId("search");
    if (!search || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches?.("input:not([type=radio]), select, textarea");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "Escape" && event.target === search) {
      form.reset();
    }
  }

  async function copy(button) {
    const source = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = "Selected";
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  }

  function openOrClose(button) {
    const details = all(button.dataset.open).filter((one) => !one.hidden);
    const open = details.some((one) => !one.open);
    for (const one of details) one.open = open;
    button.textContent = open ? "Close all" : "Open all";
  }
})();
