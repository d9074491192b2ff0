"use strict";
(() => {
  const tools = document.querySelector(".tools");
  const body = document.querySelector("tbody");
  if (!tools || !body) return;
  const rows = [...body.rows];
  const [text, kind] = [tools.querySelector("input"), tools.querySelector("select")];
  const shown = tools.querySelector("output");
  const filter = () => {
    const wanted = text.value.toLowerCase();
    let count = 0;
    for (const row of rows) {
      const fits = (!kind.value || row.dataset.kind === kind.value)
        && (!wanted || row.textContent.toLowerCase().includes(wanted));
      row.hidden = !fits;
      count += fits;
    }
    shown.textContent = `${count} of ${rows.length}`;
  };
  const sort = (header, index) => {
    const descends = header.getAttribute("aria-sort") !== "descending";
    for (const other of header.parentNode.children) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descends ? "descending" : "ascending");
    const key = (row) => row.cells[index].dataset.key ?? row.cells[index].textContent;
    const compare = (a, b) => key(a).localeCompare(key(b), "en", { numeric: true });
    rows.sort((a, b) => (descends ? compare(b, a) : compare(a, b)));
    body.append(...rows);
  };
  document.querySelectorAll("th").forEach((header, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    button.addEventListener("click", () => sort(header, index));
    header.append(button);
  });
  text.addEventListener("input", filter);
  kind.addEventListener("input", filter);
  tools.hidden = false;
  filter();
})();
