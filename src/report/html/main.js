// The page: the verdict, then everything that was found.

const data = JSON.parse(document.getElementById("data").textContent);

function stored(value) {
  // Pages that are opened from a disk may not be allowed to store anything.
  try {
    if (value !== undefined) localStorage.setItem("norn-theme", value);
    return localStorage.getItem("norn-theme");
  } catch {
    return null;
  }
}

function themeButton() {
  const dark = () => document.documentElement.dataset.theme === "dark" ||
    (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const label = () => (dark() ? "Light" : "Dark");
  const chosen = stored();
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  const toggle = button(label(), () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    stored(document.documentElement.dataset.theme);
    toggle.textContent = label();
  }, { class: "theme", id: "theme", title: "Change the colours" });
  return toggle;
}

function facts(summary) {
  if (!summary) return "";
  const entries = [
    ["Executions", summary.executions.toLocaleString("en")],
    ["Distinct behaviours", summary.distinct === null ? "not counted" : summary.distinct.toLocaleString("en")],
    ["Complete", summary.complete ? "yes" : "no"],
    ["Strategy", summary.strategy_used === summary.strategy ? summary.strategy : `${summary.strategy} (${summary.strategy_used})`],
    ["Deadlocks", summary.deadlocks.toLocaleString("en")],
    ["Events", summary.events.toLocaleString("en")],
    ["Threads at most", String(summary.threads_max)],
    ["Time", summary.seconds < 1 ? `${Math.ceil(summary.seconds * 1000)} ms` : `${summary.seconds.toFixed(1)} s`],
    ["Peak memory", `${(summary.peak_memory_bytes / 2 ** 20).toFixed(0)} MiB`],
  ];
  return element("dl", { class: "facts" }, ...entries.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

/** Options are not broken at their hyphens. */
function withOptions(text) {
  return text.split(/(--[a-z][a-z-]*)/).map((part, i) => i % 2 ? element("span", { class: "option" }, part) : part);
}

function keys() {
  const list = [["\u2191 \u2193 or k j", "step event by event"], ["\u2190 \u2192 or h l", "step in the same thread"],
    ["Home End", "first and last event"], ["b", "go to the bug"],
    ["d", "go to where two runs part, if they are side by side"], ["/", "search; Enter for the next match"],
    ["+ \u2212 0", "zoom, also with Ctrl and the wheel"],
    ["Tab", "to the next control; arrows, Page Up, Page Down, Home and End scroll the page unless the diagram, or nothing, has the focus"]];
  return element("details", { class: "more keys" }, element("summary", {}, "How to read this, and keys"),
    element("p", {}, "Every column is a thread, time runs downwards, and every line is one operation that other threads " +
      "can see. A thick bar shows which thread runs. Arrows show what happened because of what. Lines on red are the bug " +
      "itself; small dots are things that happen at once after the event before them, so that no other thread can come between."),
    element("dl", {}, ...list.flatMap(([key, what]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, what)])));
}

function contents(sections) {
  if (sections.length < 2) return "";
  return element("nav", { class: "contents", "aria-label": "Findings" }, element("ol", {}, ...sections.map((section, i) =>
    element("li", {}, element("a", { href: `#bug-${i + 1}`, onclick: () => { section.element.open = true; } },
      section.title(i + 1)), ` ${section.bug.summary}`))));
}

function warningSection(warning) {
  return element("section", { class: "bug warning" }, element("h2", {}, `Warning: ${warning.kind}`),
    element("p", { class: "summary" }, warning.summary),
    element("details", { class: "more" }, element("summary", {}, "The facts behind it"), element("pre", { tabindex: 0 }, warning.details.replace(/^\n/, ""))));
}

function begin() {
  document.title = `${data.title} \u2013 Norn`;
  const names = { bug: "Bug", pass: "Pass", incomplete: "Incomplete" };
  document.getElementById("top").append(
    element("div", { class: "bar" }, element("span", { class: "brand" }, "Norn"), themeButton()),
    element("p", { class: "program" }, element("code", {}, data.title)),
    element("h1", {}, data.verdict ? element("span", { class: `verdict is-${data.verdict}` }, names[data.verdict]) : "", " ", data.headline),
    ...data.remarks.map((remark) => element("p", { class: "remark" }, ...withOptions(remark))), facts(data.summary));
  const sections = data.bugs.map((bug, i) => new BugSection(bug, i + 1, data));
  document.getElementById("main").append(element("div", { id: "findings" }, contents(sections), sections.length ? keys() : "",
    ...sections.map((section) => section.element), ...data.warnings.map(warningSection),
    sections.length || !data.summary ? "" : element("p", { class: "faint" }, "No run failed, so there is none to draw."),
    data.sequences ? sequencesSection(data.sequences) : "", data.coverage ? coverageSection(data.coverage) : ""));
  if (sections.length > 0) sections[0].element.open = true;
  document.addEventListener("keydown", pageKey);
}

/** Letters mean the diagram wherever they are pressed. Keys that scroll do only if nothing else can be meant. */
function pageKey(event) {
  if (!activeSection || event.target.closest("input, select, textarea")) return;
  const { diagram, tools } = activeSection;
  if (event.key === "/") {
    event.preventDefault();
    tools.input.focus();
  } else if (event.key.length === 1 || (event.target === document.body && diagram.isInWindow())) {
    diagram.key(event);
  }
}

begin();
