// Search and the switch between light and dark. Pages are complete without it, and nothing is fetched.
"use strict";
(function () {
  const up = document.body.dataset.up || "";
  const root = document.documentElement;

  // --- light and dark

  const button = document.getElementById("theme");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  function stored() { try { return localStorage.getItem("theme"); } catch { return null; } }
  function isDark() { return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches; }
  function label() { button.replaceChildren(isDark() ? "Light" : "Dark"); button.setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours"); }
  if (stored() === "dark" || stored() === "light") root.dataset.theme = stored();
  button.addEventListener("click", function () {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* a browser that keeps nothing */ }
    label();
  });
  dark.addEventListener("change", label);
  label();
  button.hidden = false;

  // --- a link to a part that is folded away opens it

  function reveal() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target) target.scrollIntoView();
  }
  window.addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // --- the list of pages shows the current one

  const current = document.querySelector(".pages [aria-current]");
  const list = document.querySelector(".pages");
  if (current && list && list.scrollHeight > list.clientHeight) list.scrollTop = current.offsetTop - list.clientHeight / 2;

  // --- search

  const MOST = 30;
  const WEIGHT = { method: 6, type: 5, capability: 5, RFD: 4, guide: 3, release: 3, rule: 2, field: 2, variant: 2, value: 2, section: 2, change: 1 };
  const WHOLE = new Set(["method", "RFD", "section"]);
  const box = document.getElementById("search");
  const input = document.createElement("input");
  const options = document.createElement("ul");
  const status = document.createElement("p");
  Object.assign(input, { type: "search", placeholder: "Search  ( / )", autocomplete: "off", spellcheck: false });
  for (const [name, value] of Object.entries({ role: "combobox", "aria-label": "Search", "aria-expanded": "false", "aria-controls": "found", "aria-autocomplete": "list" })) input.setAttribute(name, value);
  options.id = "found"; options.setAttribute("role", "listbox"); options.setAttribute("aria-label", "Results"); options.hidden = true;
  status.className = "status"; status.setAttribute("role", "status");
  box.append(input, options, status);
  box.hidden = false;

  let rows = null, asked = false, selected = -1;
  function load() {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = up + "assets/search.js";
    script.onload = function () {
      rows = (window.acpSearch || []).map(function (row) { return { to: row[0], title: row[1], kind: row[2], low: row[1].toLowerCase(), more: " " + row[3].toLowerCase() + " " }; });
      search();
    };
    script.onerror = function () { status.replaceChildren("The search index is missing."); };
    document.head.append(script);
  }
  // A word that stands by itself in a title, such as a segment of a path.
  function whole(title, word) { return (" " + title.replace(/[\s\/:]+/g, " ") + " ").includes(" " + word + " "); }
  function scoreOf(row, words) {
    let score = WEIGHT[row.kind] || 1;
    for (const word of words) {
      const at = row.low.indexOf(word);
      if (row.low === word) score += 100;
      else if (WHOLE.has(row.kind) && whole(row.low, word)) score += 55;
      else if (at === 0) score += 50;
      else if (at > 0) score += /[\s/._:-]/.test(row.low[at - 1]) || row.title[at] !== row.low[at] ? 35 : 20;
      else if (row.more.includes(" " + word + " ")) score += 40;
      else if (row.more.includes(word)) score += 8;
      else return 0;
    }
    return score - row.low.length / 50;
  }
  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    options.replaceChildren();
    select(-1);
    if (!words.length || !rows) return show(false);
    const found = rows.map(function (row) { return [scoreOf(row, words), row]; }).filter(function (each) { return each[0] > 0; });
    found.sort(function (one, other) { return other[0] - one[0]; });
    found.slice(0, MOST).forEach(function (each, index) {
      const item = document.createElement("li"), title = document.createElement("code"), kind = document.createElement("span");
      item.id = "found-" + index; item.setAttribute("role", "option"); item.setAttribute("aria-selected", "false");
      item.dataset.to = each[1].to;
      title.replaceChildren(each[1].title); kind.replaceChildren(each[1].kind);
      item.append(title, kind);
      item.addEventListener("mousedown", function (event) { event.preventDefault(); });
      item.addEventListener("click", function () { go(item); });
      options.append(item);
    });
    status.replaceChildren(found.length ? found.length + (found.length === 1 ? " result" : " results") : "Nothing found");
    show(found.length > 0);
    select(found.length ? 0 : -1);
  }
  function show(open) { options.hidden = !open; input.setAttribute("aria-expanded", String(open)); }
  function select(index) {
    const items = options.children;
    if (items[selected]) items[selected].setAttribute("aria-selected", "false");
    selected = items.length ? (index + items.length) % items.length : -1;
    if (index < 0 && !items.length) selected = -1;
    if (selected < 0) { input.removeAttribute("aria-activedescendant"); return; }
    items[selected].setAttribute("aria-selected", "true");
    items[selected].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[selected].id);
  }
  function go(item) { if (item) { show(false); location.href = up + item.dataset.to; } }
  input.addEventListener("focus", load);
  input.addEventListener("input", search);
  input.addEventListener("blur", function () { show(false); });
  input.addEventListener("keydown", function (event) {
    if (event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "ArrowUp") select(selected - 1);
    else if (event.key === "Enter") go(options.children[selected]);
    else if (event.key === "Escape") { if (options.hidden) input.blur(); input.value = ""; show(false); }
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", function (event) {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if ((event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) || (event.key === "k" && (event.ctrlKey || event.metaKey))) {
      event.preventDefault(); input.focus(); input.select();
    }
  });
})();
