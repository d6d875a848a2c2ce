// One bug: what happened, the runs that show it, and the facts behind it.

class BugSection {
  constructor(bug, number, data) {
    this.bug = bug;
    this.data = data;
    this.runs = bug.runs.map((run) => new Run(run, data));
    this.panel = new Panel(data);
    this.body = element("div", { class: "body" });
    this.view = element("div", { class: "view" });
    this.element = element("details", { class: `bug${bug.warning ? " warning" : ""}${bug.passes ? " fine" : ""}`, id: `bug-${number}`,
      ontoggle: () => this.toggled() },
      element("summary", {}, element("h2", {}, this.title(number)), element("p", { class: "summary" }, bug.summary)),
      this.body);
  }

  title(number) {
    if (this.bug.passes) return "The run";
    return `${this.bug.warning ? "Warning" : "Bug"}${this.data.bugs.length > 1 ? ` ${number}` : ""}: ${this.bug.kind}`;
  }

  /** What nobody looks at is not made. */
  toggled() {
    if (!this.element.open || this.body.childElementCount > 0) return;
    const { bug } = this;
    this.body.append(...[
      bug.message && !bug.summary.includes(bug.message) ? element("p", { class: "message" }, element("code", {}, bug.message)) : "",
      bug.remark ? element("p", { class: "faint" }, bug.remark) : "",
      this.tabs(), this.view, this.legend(),
      this.more("The facts behind it", bug.details), this.more("What the program printed in this run", bug.output),
      bug.command ? element("p", { class: "command" }, "Run it again: ", element("code", {}, bug.command)) : ""].filter(Boolean));
    this.showRun(0);
  }

  more(title, text) {
    return text ? element("details", { class: "more" }, element("summary", {}, title), element("pre", { tabindex: 0 }, text.replace(/^\n/, ""))) : "";
  }

  tabs() {
    const passing = this.runs.findIndex((run) => run.difference);
    const entries = this.runs.map((run, i) => [`${run.name} (${plural(run.events, "event")}, ${plural(run.preemptions, "preemption")})`, () => this.showRun(i)]);
    if (passing > 0) entries.push(["Side by side", () => this.showComparison(this.runs[0], this.runs[passing])]);
    this.tabButtons = entries.map(([label, action], i) => button(label, () => { action(); this.markTab(i); },
      { "aria-pressed": String(i === 0) }));
    return element("div", { class: "tabs", role: "group", "aria-label": "Runs" }, ...(entries.length > 1 ? this.tabButtons : []));
  }

  markTab(chosen) {
    this.tabButtons.forEach((tab, i) => tab.setAttribute("aria-pressed", String(i === chosen)));
  }

  showRun(i) {
    const run = this.runs[i];
    const diagram = new Diagram(run, { label: `Events: ${run.name}`, onselect: (which, row) => {
      this.panel.show(which, row);
      this.bringIntoWindow();
    } });
    this.show([diagram], [this.panel], (tools) => [tools.element, element("div", { class: "stage" }, diagram.scroller, this.panel.element)]);
    diagram.refresh();
    this.begin(() => diagram.select(run.bug()));
  }

  showComparison(failing, passing) {
    const comparison = new Comparison(failing, passing, this.data,
      { oncurrent: (which) => this.activate(which), onselect: () => this.bringIntoWindow() });
    this.show(comparison.diagrams, comparison.panels, (tools) => [comparison.text, tools.element, comparison.element]);
    this.begin(() => comparison.begin());
    if (comparison.diagrams[0].scroller.clientWidth < NARROW) this.begin(() => this.tools.zoom(SMALLER));
  }

  show(diagrams, panels, parts) {
    this.diagrams = diagrams;
    this.panels = panels;
    this.activate(diagrams[0]);
    this.tools = new Tools(diagrams, () => this.diagram);
    for (const diagram of diagrams)
      diagram.onjump = (target) => {
        if (!diagram.layout.position.has(target)) this.tools.reset();
        diagram.select(target);
      };
    this.view.replaceChildren(...parts(this.tools));
  }

  /** What is shown first does not move the page: one reads what happened before one looks at how. */
  begin(select) {
    this.isBeginning = true;
    select();
    this.isBeginning = false;
  }

  /** Moves the page if the selected line or what is known of it is outside of the window. */
  bringIntoWindow() {
    if (this.isBeginning) return;
    const details = this.panels.map((panel) => panel.detailBounds());
    const needed = [...this.diagrams.map((diagram) => diagram.selectedBounds()), ...details].filter(Boolean);
    if (needed.every(({ top, bottom }) => top >= 0 && bottom <= innerHeight)) return;
    const boxes = [...this.diagrams.map(({ scroller }) => (scroller.closest("figure") ?? scroller).getBoundingClientRect()), ...details];
    if (document.activeElement === this.tools.input) boxes.push(this.tools.input.getBoundingClientRect());
    scrollToShow(Math.min(...boxes.map(({ top }) => top)), Math.max(...boxes.map(({ bottom }) => bottom)));
    for (const diagram of this.diagrams) diagram.revealAgain();
  }

  /** Keys that are pressed elsewhere on the page go to this diagram. */
  activate(diagram) {
    this.diagram = diagram;
    activeSection = this;
  }

  legend() {
    const used = new Set(this.runs.flatMap((run) => run.arrows.map((arrow) => arrow.kind)));
    const kinds = Object.keys(ARROWS).filter((kind) => used.has(kind));
    if (kinds.length === 0) return "";
    return element("ul", { class: "legend", "aria-label": "What the arrows mean" },
      ...kinds.map((kind) => element("li", {}, element("span", { class: `swatch ${kind}` }), ARROWS[kind])));
  }
}

let activeSection = null;

/** Boxes of so many pixels have little room for two runs: these are drawn smaller. */
const NARROW = 420;
const SMALLER = 0.8;

/** Moves the page no further than is needed to have this part of it in the window, or else as much of its beginning as fits. */
function scrollToShow(top, bottom) {
  const margin = 8;
  const down = bottom + margin - innerHeight;
  scrollBy(0, top < margin ? top - margin : Math.max(0, Math.min(down, top - margin)));
}
