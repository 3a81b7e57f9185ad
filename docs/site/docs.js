// Search, and a form on each tool's page that calls the tool with the reader's key. The pages are complete without this script.
const { root, page } = document.body.dataset;

/** Score of a page for all of the words; 0 if one is missing. */
const scoreOf = (one, words) => {
  const title = one.title.toLowerCase();
  const headings = one.headings.map(({ text }) => text.toLowerCase());
  const text = one.text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const found =
      (title.includes(word) ? 20 : 0) +
      (headings.some((heading) => heading.includes(word)) ? 6 : 0) +
      Math.min(text.split(word).length - 1, 5);
    if (found === 0) return 0;
    score += found;
  }
  return one.section === "Design" ? score / 4 : score;
};

/** The text around the first of the words. */
const excerptOf = (one, words) => {
  const at = Math.max(0, Math.min(...words.map((word) => one.text.toLowerCase().indexOf(word)).filter((n) => n >= 0)));
  const from = Number.isFinite(at) ? Math.max(0, at - 40) : 0;
  return `${from > 0 ? "…" : ""}${one.text.slice(from, from + 140)}…`;
};

const linkTo = (one, words) => {
  const heading = one.headings.find(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  const link = document.createElement("a");
  link.href = `${root}/${one.path}.html${heading === undefined ? "" : `#${heading.anchor}`}`;
  const name = document.createElement("strong");
  name.textContent = one.title;
  const about = document.createElement("small");
  about.textContent = ` ${one.section}${heading === undefined ? "" : ` · ${heading.text}`} `;
  const text = document.createElement("div");
  text.textContent = excerptOf(one, words);
  link.append(name, about, text);
  return link;
};

const readPages = () =>
  new Promise((resolve, reject) => {
    if (globalThis.assay_pages !== undefined) return resolve(globalThis.assay_pages);
    const script = document.createElement("script");
    script.src = `${root}/site/pages.js`;
    script.onload = () => resolve(globalThis.assay_pages);
    script.onerror = () => reject(new Error("the search cannot be loaded"));
    document.head.append(script);
  });

const FOUND_MAX = 12;

const startSearch = () => {
  const box = document.getElementById("search");
  const list = document.getElementById("found");
  const show = async () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = words.length === 0;
    if (words.length === 0) return;
    const pages = await readPages();
    const found = pages
      .map((one) => ({ one, score: scoreOf(one, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, FOUND_MAX);
    const rows = found.map(({ one }) => {
      const row = document.createElement("li");
      row.append(linkTo(one, words));
      return row;
    });
    const none = document.createElement("li");
    none.textContent = "Nothing found.";
    list.replaceChildren(...(rows.length > 0 ? rows : [none]));
  };
  box.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      box.focus();
    } else if (event.key === "Escape") list.hidden = true;
  });
};

const KEY = "assay_key";

const labelled = (words, field) => {
  const label = document.createElement("label");
  label.append(words, field);
  return label;
};

/** A form that calls a tool with its example arguments and the reader's key, at its price. */
const offerRun = (tool) => {
  const example = document.querySelector("main pre code.language-json");
  if (example === null || !location.protocol.startsWith("http")) return;
  const key = Object.assign(document.createElement("input"), { type: "password", autocomplete: "off" });
  key.value = sessionStorage.getItem(KEY) ?? "";
  const body = Object.assign(document.createElement("textarea"), { spellcheck: false, value: example.textContent });
  const button = Object.assign(document.createElement("button"), { type: "submit", textContent: "Run" });
  const said = Object.assign(document.createElement("output"), { role: "status" });
  const shown = document.createElement("pre");
  shown.tabIndex = 0;
  shown.hidden = true;
  const form = document.createElement("form");
  form.className = "run";
  form.append(labelled("Your key ", key), labelled("Arguments ", body), button, said, shown);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    sessionStorage.setItem(KEY, key.value);
    button.disabled = true;
    said.textContent = "Running…";
    try {
      const answer = await fetch(`/api/tools/${tool}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key.value.trim()}`, "content-type": "application/json" },
        body: body.value,
      });
      const text = await answer.text();
      const charged = answer.headers.get("x-credits-charged") ?? "0";
      said.textContent = `HTTP ${answer.status}, ${charged} credits charged.`;
      shown.hidden = false;
      shown.textContent = JSON.stringify(JSON.parse(text), null, 2);
    } catch (error) {
      said.textContent = `No answer: ${error.message}`;
    }
    button.disabled = false;
  });
  const heading = Object.assign(document.createElement("h2"), { textContent: "Run it" });
  example.closest("pre").after(heading, form);
  const price = () => showPrice(tool, key.value.trim(), button);
  key.addEventListener("change", price);
  price();
};

/** The price at this service, which may differ from the page's. */
const showPrice = async (tool, key, button) => {
  if (key === "") return;
  try {
    const { tools } = await (await fetch("/api/tools", { headers: { authorization: `Bearer ${key}` } })).json();
    const credits = tools?.find(({ name }) => name === tool)?.credits;
    if (typeof credits === "number") button.textContent = `Run for ${credits} ${credits === 1 ? "credit" : "credits"}`;
  } catch {
    // The button works without its price.
  }
};

startSearch();
if (page.startsWith("tools/")) offerRun(page.slice("tools/".length));
if (page === "reference") {
  const last = [...document.querySelectorAll("main > p")].at(-2);
  import("./reference.js").then(
    ({ drawReference }) => drawReference(last, root),
    () => last.after("This page was opened from a file, so it only links to the OpenAPI documents."),
  );
}
