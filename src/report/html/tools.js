// The controls above a diagram: stepping, zoom, filters and search.

class Tools {
  constructor(run) {
    this.run = run;
    this.element = element("div", { class: "tools", role: "toolbar", "aria-label": "View" });
  }

  /** From now on the controls are about this diagram. */
  attach(diagram) {
    this.diagram = diagram;
    diagram.onproject = (thread) => this.project(this.thread.value === String(thread) ? "" : String(thread));
    diagram.onobject = (object) => this.chooseObject(this.object.value === String(object) ? "" : String(object));
    this.element.replaceChildren(this.steps(), this.zooms(), this.filters(), this.toggles(), this.search());
  }

  group(label, ...children) {
    return element("div", { class: "group", role: "group", "aria-label": label }, ...children);
  }

  steps() {
    const { diagram } = this;
    const step = (label, title, action) => button(label, action, { title, "aria-label": title });
    return this.group("Step",
      step("First", "First event (Home)", () => diagram.step(-Infinity)),
      step("\u25b2", "Previous event (up, k)", () => diagram.step(-1)),
      step("\u25bc", "Next event (down, j)", () => diagram.step(1)),
      step("Last", "Last event (End)", () => diagram.step(Infinity)),
      diagram.run.rows.some((row) => row.marked) ? step("to the bug", "Go to the bug (b)", () => diagram.select(diagram.run.bug())) : null);
  }

  zooms() {
    const { diagram } = this;
    const zoom = (label, title, factor) => button(label, () => diagram.setZoom(factor ? diagram.layout.zoom * factor : 1),
      { class: factor ? "" : "size", title, "aria-label": title });
    const size = zoom("100%", "Normal size (0)", 0);
    diagram.onzoom = (now) => {
      size.textContent = `${Math.round(now * 100)}%`;
      size.setAttribute("aria-label", `Normal size (0), now ${size.textContent}`);
    };
    return this.group("Zoom", zoom("\u2212", "Smaller (-)", 1 / 1.2), size, zoom("+", "Larger (+)", 1.2));
  }

  search() {
    const { diagram } = this;
    this.found = element("span", { class: "found", role: "status" });
    this.input = element("input", { type: "search", placeholder: "Search events  /", "aria-label": "Search events",
      oninput: () => this.searchFor(this.input.value),
      onkeydown: (event) => {
        if (event.key === "Enter") this.nextMatch(event.shiftKey ? -1 : 1);
        if (event.key !== "Escape") return;
        this.input.value = "";
        this.searchFor("");
        diagram.scroller.focus({ preventScroll: true });
      } });
    return this.group("Search", this.input, this.found);
  }

  matches() {
    const { diagram } = this;
    return diagram.query ? diagram.layout.shown.filter((i) => diagram.run.matches(diagram.run.rows[i], diagram.query)) : [];
  }

  searchFor(query) {
    this.diagram.query = query;
    const matches = this.matches();
    if (matches.includes(this.diagram.selected)) this.diagram.select(this.diagram.selected);
    else this.nextMatch(1);
    this.diagram.draw();
    this.count(matches);
  }

  count(matches) {
    const at = matches.indexOf(this.diagram.selected);
    this.found.textContent = !this.diagram.query ? "" : matches.length === 0 ? "nothing found" :
      at < 0 ? plural(matches.length, "match").replace("matchs", "matches") : `${at + 1} of ${matches.length}`;
  }

  nextMatch(direction) {
    const matches = this.matches();
    if (matches.length === 0) return;
    const { selected } = this.diagram;
    const later = direction > 0 ? matches.find((i) => i > selected) : matches.findLast((i) => i < selected);
    this.diagram.select(later ?? matches.at(direction > 0 ? 0 : -1));
    this.count(matches);
  }

  filters() {
    const { run } = this.diagram;
    const options = (all, names) => [element("option", { value: "" }, all), ...names.map((name, i) => element("option", { value: String(i) }, name))];
    this.thread = element("select", { "aria-label": "Thread", onchange: () => this.project(this.thread.value) },
      ...options("all threads", run.threads.map((name) => `only ${name}`)));
    this.object = element("select", { "aria-label": "Object", onchange: () => this.chooseObject(this.object.value) },
      ...options("all objects", run.objects.map(({ name }) => name)));
    this.boxes = run.threads.map((name, thread) => element("input", { type: "checkbox", checked: true, value: String(thread),
      onchange: () => this.chooseThreads() }));
    const menu = element("details", { class: "menu" }, element("summary", {}, "Threads"),
      element("div", { class: "choices" }, ...run.threads.map((name, thread) =>
        element("label", { "--hue": hueOf(thread) }, this.boxes[thread], element("span", { class: "thread-name" }, name)))));
    return this.group("Filter", this.thread, menu, this.object);
  }

  project(value) {
    this.thread.value = value;
    this.boxes.forEach((box, thread) => { box.checked = value === "" || String(thread) === value; });
    this.diagram.setFilter({ threads: value === "" ? null : new Set([Number(value)]) });
  }

  chooseThreads() {
    const chosen = this.boxes.filter((box) => box.checked).map((box) => Number(box.value));
    this.thread.value = "";
    this.diagram.setFilter({ threads: chosen.length === this.boxes.length ? null : new Set(chosen) });
  }

  chooseObject(value) {
    this.object.value = value;
    this.diagram.setFilter({ object: value === "" ? null : Number(value) });
  }

  toggles() {
    const { diagram } = this;
    const toggle = (label, title, on, change) => {
      const box = button(label, () => {
        const next = box.getAttribute("aria-pressed") !== "true";
        box.setAttribute("aria-pressed", String(next));
        change(next);
        diagram.refresh();
      }, { "aria-pressed": String(on), title });
      return box;
    };
    return this.group("Show",
      toggle("Objects", "Draw objects as columns, too", diagram.layout.objectsShown, (on) => { diagram.layout.objectsShown = on; }),
      toggle("Arrows", "Draw what happened because of what", diagram.arrowsShown, (on) => { diagram.arrowsShown = on; }));
  }

  /** Nothing is hidden any more. */
  reset() {
    this.project("");
    this.chooseObject("");
  }
}
