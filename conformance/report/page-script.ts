/** The script of the page: search, filter, copy, and the keys j and k. The page also works without it. */
export const SCRIPT = `
const all = (selector) => [...document.querySelectorAll(selector)];
const tools = document.getElementById("tools");
const [search, status] = tools.querySelectorAll("input, select");
tools.hidden = false;
const rows = all("tr[id], .failure");
search.oninput = status.onchange = () => {
  const text = search.value.toLowerCase();
  const isShown = (row) => row.textContent.toLowerCase().includes(text) &&
    (status.value === "" || row.dataset.status === status.value);
  for (const row of rows) row.hidden = !isShown(row);
  if (text !== "" || status.value !== "")
    for (const fold of all(".fold")) fold.open = fold.querySelector("tr[id]:not([hidden])") !== null;
};
for (const pre of all("pre")) {
  const button = document.createElement("button");
  button.textContent = "copy";
  const text = pre.textContent.trim();
  button.onclick = () => navigator.clipboard.writeText(text).then(() => { button.textContent = "copied"; });
  pre.append(button);
}
const failures = all(".failure");
let index = -1;
document.onkeydown = ({ key, target, ctrlKey, altKey, metaKey }) => {
  if (target.matches("input, select") || ctrlKey || altKey || metaKey || !/^[jk]$/.test(key)) return;
  const shown = failures.filter((failure) => !failure.hidden);
  index = Math.min(Math.max(index + (key === "j" ? 1 : -1), 0), shown.length - 1);
  if (shown.length === 0) return;
  shown[index].open = true;
  shown[index].querySelector("summary").focus();
  shown[index].scrollIntoView({ block: "start" });
};
`;
