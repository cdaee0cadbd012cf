// On a narrow screen each row of a table stands by itself: every cell needs its heading, and every element its role.
for (const table of document.querySelectorAll("article table:not([class])")) {
  const heads = [...table.tHead?.rows[0]?.cells ?? []].map((cell) => cell.innerText.trim());
  table.setAttribute("role", "table");
  for (const row of table.rows) {
    row.setAttribute("role", "row");
    [...row.cells].forEach((cell, index) => {
      const heading = row.parentNode === table.tHead ? "columnheader" : "rowheader";
      cell.setAttribute("role", cell.tagName === "TH" && cell.innerText.trim() ? heading : "cell");
      if (row.parentNode !== table.tHead && index && heads[index]) cell.dataset.label = heads[index];
    });
  }
}
// The theme gives several landmarks the same name or none.
const name = () => document.querySelectorAll("nav.md-nav, nav.md-code__nav").forEach((nav, index) => {
  nav.removeAttribute("aria-labelledby");
  nav.setAttribute("aria-label", `${nav.matches(".md-nav") ? "Pages" : "Code"} ${index + 1}`);
});
name();
new MutationObserver(name).observe(document.querySelector("article") ?? document.body, { childList: true, subtree: true });
